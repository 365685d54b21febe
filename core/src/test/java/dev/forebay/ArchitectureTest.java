package dev.forebay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.forebay.error.SampleException;
import dev.forebay.stats.Stage;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the rooms of {@code core} and the arrows between them: lower rooms never look up. */
class ArchitectureTest {
  private static final String ROOT = "dev.forebay";
  private static final Set<String> BOTTOM = Set.of("memory", "stats", "error");

  /** Which rooms each room may use. A new room needs an entry, and so a thought. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("stats", Set.of()),
          Map.entry("error", Set.of("stats")),
          Map.entry("memory", Set.of("error")),
          Map.entry("storage", BOTTOM),
          Map.entry("sampler", BOTTOM),
          Map.entry("transform", BOTTOM),
          Map.entry("dataset", above(BOTTOM, "storage", "sampler", "transform")),
          Map.entry("image", above(BOTTOM, "storage", "sampler", "transform")),
          Map.entry("plan", above(BOTTOM, "storage", "sampler", "transform")),
          Map.entry(
              "cache",
              above(BOTTOM, "storage", "sampler", "transform", "dataset", "image", "plan")),
          Map.entry(
              "pipeline",
              above(
                  BOTTOM, "storage", "sampler", "transform", "dataset", "image", "plan", "cache")));

  private static final JavaClasses CORE =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static Set<String> above(Set<String> below, String... more) {
    Set<String> rooms = new HashSet<>(below);
    rooms.addAll(List.of(more));
    return Set.copyOf(rooms);
  }

  static Stream<String> rooms() {
    return MAY_USE.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void room_dependencies_pointDownOnly(String room) {
    rule(room, MAY_USE.getOrDefault(room, Set.of())).check(CORE);
  }

  /** Nobody but the room itself, the rooms given and other people's packages. */
  private static ArchRule rule(String room, Set<String> mayUse) {
    String[] allowed =
        Stream.concat(Stream.of(room), mayUse.stream())
            .map(name -> ROOT + "." + name + "..")
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> forbidden =
        resideInAPackage(ROOT + "..")
            .and(DescribedPredicate.not(resideInAnyPackage(allowed)))
            .as("other rooms than " + String.join(", ", allowed));
    return noClasses()
        .that()
        .resideInAPackage(ROOT + "." + room + "..")
        .should()
        .dependOnClassesThat(forbidden)
        .because("lower rooms never look up")
        .allowEmptyShould(true);
  }

  @Test
  void everyClass_package_isAKnownRoom() {
    String[] known =
        Stream.concat(Stream.of(ROOT), rooms().map(room -> ROOT + "." + room + ".."))
            .toArray(String[]::new);
    classes().should().resideInAnyPackage(known).check(CORE);
  }

  @Test
  void rooms_dependencies_haveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void core_dependencies_areTheJdkAndJspecifyOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "..", "java..", "javax.imageio..", "com.sun.management..", "org.jspecify..")
        .because("core has no dependency but JSpecify, and uses no internal API of the JDK")
        .check(CORE);
  }

  @Test
  void core_previewApis_areNotUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.util\\.concurrent\\.StructuredTaskScope.*|java\\.lang\\.StableValue")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator..")
        .because("class files with preview features run on one JDK only")
        .check(CORE);
  }

  @Test
  void table_ofRooms_hasNoCyclesItself() {
    MAY_USE.forEach(
        (room, below) ->
            below.forEach(
                lower -> assertTrue(!MAY_USE.getOrDefault(lower, Set.of()).contains(room), lower)));
    assertEquals(11, MAY_USE.size());
  }

  /** The rule finds something: {@code error} does use {@code stats}. */
  @Test
  void rule_forbiddenArrow_isFound() {
    JavaClasses some = new ClassFileImporter().importClasses(SampleException.class, Stage.class);
    AssertionError failure =
        assertThrows(AssertionError.class, () -> rule("error", Set.of()).check(some));
    assertTrue(String.valueOf(failure.getMessage()).contains("Stage"), failure::getMessage);
    rule("error", Set.of("stats")).check(some);
  }
}
