package dev.forebay.cli.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.DType;
import dev.forebay.sampler.World;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecipeTest {
  private static final Path FOLDER = Path.of("/data");

  /** Every section, every transform. */
  static final String FULL =
      """
      dataset:
        concat:
          of:
            - image_folder: { root: train, allow_empty: true, extensions: [.jpg, .png] }
            - subset: { of: { image_folder: { root: ~/more } }, start: 1, end: 5 }
            - split: { of: { generated: { size: 10 } }, fractions: [0.9, 0.1], part: 1, seed: 3 }
            - tokens: { path: text.bin, dtype: uint32, window: 512, stride: 256, targets: true }
      order: { shuffle: true, seed: 42, drop_last: true, tail: uneven }
      transforms:
        - decode_image: { mode: rgb, exif_orientation: true, dct_scaling: true, pixels_max: 1000000 }
        - resize: { size: 256, max_size: 512, interpolation: bicubic }
        - resize: { size: [256, 300] }
        - center_crop: { size: [224, 200] }
        - random_crop: { size: 32, padding: 4, padding_mode: reflect, fill: 7 }
        - random_resized_crop: { size: 224, scale: [0.08, 1.0], ratio: [0.75, 1.3333] }
        - random_horizontal_flip: { p: 0.5 }
        - random_vertical_flip
        - color_jitter: { brightness: 0.4, contrast: [0.5, 1.5], hue: 0.1 }
        - grayscale: { channels: 3 }
        - random_grayscale
        - gaussian_blur: { kernel_size: 5, sigma: 1.5 }
        - random_rotation: { degrees: [-10, 20], interpolation: bilinear }
        - random_affine: { degrees: 5, translate: [0.1, 0.1], shear: [-1, 1, -2, 2] }
        - trivial_augment
        - rand_augment: { operations: 3, magnitude: 5 }
        - normalize: { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225], dtype: float16 }
        - random_erasing: { value: random }
        - one_hot: { classes: 10 }
      batch: { size: 256, transforms: [mixup, cutmix: { alpha: 2e-1 }] }
      loader:
        workers: 4
        prefetch_factor: 2
        pin_memory: true
        persistent_workers: true
        on_error: { skip: { budget: 1% } }
        quarantine: bad.txt
        timeout: 1.5s
        stall_report_after: 20ms
        output_order: completion
        memory: 16GiB
        read_ahead: 64MiB
        io_threads: 8
      """;

  private static Recipe parse(String text) {
    return Recipe.parse(text, "r.yaml", FOLDER);
  }

  private static String order(String text) {
    return String.valueOf(parse(text).plain().get("order"));
  }

  private static String message(Exception error) {
    return String.valueOf(error.getMessage());
  }

  @Test
  void parse_everyKey_isReadAndResolvedAgainToTheSame() {
    Recipe recipe = parse(FULL);
    assertEquals(recipe.yaml(), parse(recipe.yaml()).yaml());
    assertEquals(recipe.plain().toString(), parse(recipe.yaml()).plain().toString());
    assertTrue(recipe.yaml().contains("\"16GiB\""), recipe::yaml);
    assertTrue(recipe.yaml().contains("\"1500ms\""), recipe::yaml);
  }

  @Test
  void table_everyTransform_isInTheFullRecipe() {
    RecipeKeys.TRANSFORMS
        .keySet()
        .forEach(name -> assertTrue(FULL.contains("- " + name) || isPlain(name), name));
  }

  private static boolean isPlain(String name) {
    return name.equals("convert_image"); // excludes normalize, which is there
  }

  @Test
  void parse_leastRecipe_hasDefaults() {
    Recipe recipe = parse("dataset: {generated: {size: 3}}");
    assertEquals(
        "{shuffle=false, seed=0, drop_last=false, tail=pad}",
        String.valueOf(recipe.plain().get("order")));
    assertEquals(recipe.yaml(), parse("dataset: {generated: {size: 3}}\norder:\nbatch:\n").yaml());
  }

  @Test
  void parse_wordsOfYaml11_areFlags() {
    for (String word : List.of("true", "True", "yes", "on", "ON")) {
      String order = order(START + "order: {shuffle: " + word + "}");
      assertTrue(order.contains("shuffle=true"), word);
    }
    for (String word : List.of("false", "FALSE", "no", "off")) {
      String order = order(START + "order: {shuffle: " + word + "}");
      assertTrue(order.contains("shuffle=false"), word);
    }
  }

  @Test
  void loader_settings_haveTheirEffect() {
    Recipe recipe =
        parse(
            """
            dataset: { generated: { size: 10, shape: [2], dtype: float32 } }
            order: { shuffle: true, seed: 1, drop_last: true }
            batch: { size: 4 }
            loader: { workers: 3 }
            """);
    try (OpenedDataset opened = recipe.openDataset(_ -> {});
        DataLoader loader = recipe.loader(opened.dataset(), Overrides.NONE)) {
      assertEquals(2, loader.batchesPerEpoch());
      assertEquals(3, loader.workers());
      for (Batch batch : loader) {
        assertEquals(4, batch.size());
        assertEquals(DType.FLOAT32, batch.tensor("data").dtype());
        for (float value : batch.tensor("data").toFloats()) {
          assertTrue(value >= 0 && value < 1);
        }
      }
    }
  }

  @Test
  void overrides_recipe_areStronger() {
    Recipe recipe =
        parse(
            "dataset: {generated: {size: 10}}\norder: {sampler: sequential}\n"
                + "loader: {workers: 2, prefetch_factor: 3, persistent_workers: true, timeout: 1s}");
    Overrides overrides = new Overrides(0, 5, 7L, true, new World(1, 2), 3);
    try (OpenedDataset opened = recipe.openDataset(_ -> {});
        DataLoader loader = recipe.loader(opened.dataset(), overrides)) {
      assertEquals(0, loader.workers());
      assertEquals(1, loader.batchesPerEpoch());
      assertEquals(5, loader.samplesPerEpoch());
      assertEquals(7, loader.state().seed());
    }
  }

  @Test
  void paths_relativeAndHome_areResolved() {
    Paths paths = new Paths(FOLDER, Path.of("/home/someone"));
    assertEquals(Path.of("/data/x/y"), paths.resolve("x/y"));
    assertEquals(Path.of("/x"), paths.resolve("../x"));
    assertEquals(Path.of("/abs"), paths.resolve("/abs"));
    assertEquals(Path.of("/home/someone/x"), paths.resolve("~/x"));
    assertEquals(Path.of("/home/someone"), paths.resolve("~"));
  }

  record Wrong(String text, String message) {
    @Override
    public String toString() {
      return message;
    }
  }

  private static final String START = "dataset: {generated: {size: 9, shape: [2]}}\n";

  private static Wrong after(String rest, String message) {
    return new Wrong(START + rest, message);
  }

  static List<Wrong> wrong() {
    return List.of(
        new Wrong("", "r.yaml:1:1: the file is empty"),
        new Wrong(
            "order: {}",
            "r.yaml:1:1: 'dataset' is missing: one dataset: concat, generated, image_folder, split, subset, tokens"),
        new Wrong(
            "- 1",
            "r.yaml:1:1: expected a map with keys of batch, cache, dataset, loader, order, transforms, found a list of one"),
        new Wrong(
            "dataset: {image_foldr: {root: x}}",
            "r.yaml:1:11: dataset: there is no dataset 'image_foldr'. Did you mean 'image_folder'?"
                + " Possible: concat, generated, image_folder, split, subset, tokens"),
        new Wrong(
            "dataset: {image_folder: {}}",
            "r.yaml:1:25: dataset.image_folder: 'root' is missing: a folder"),
        after(
            "odrer: {}",
            "r.yaml:2:1: there is no key 'odrer'. Did you mean 'order'? Possible: batch, cache,"
                + " dataset, loader, order, transforms"),
        after(
            "order: {shuffle: maybe}",
            "r.yaml:2:18: order.shuffle: expected true or false, found the text 'maybe'"),
        after(
            "order: {shuffle: 'true'}",
            "r.yaml:2:18: order.shuffle: expected true or false, found the text 'true'"),
        after("order: {shuffle: 1}", "r.yaml:2:18: order.shuffle: expected true or false, found 1"),
        after("order: {seed: 1.5}", "r.yaml:2:15: order.seed: expected a whole number, found 1.5"),
        after(
            "order: {seed: 99999999999999999999}",
            "r.yaml:2:15: order.seed: expected a whole number, found 99999999999999999999"),
        after(
            "order: {tail: padd}",
            "r.yaml:2:15: order.tail: expected one of pad, drop, uneven, found the text 'padd'."
                + " Did you mean 'pad'?"),
        after(
            "order: {shuffle: true, shuffle: false}",
            "r.yaml:2:24: order.shuffle: this key is here for the second time; first at 2:9"),
        after(
            "batch: {size: 0}",
            "r.yaml:2:15: batch.size: expected a whole number from 1 to 16777215, found 0"),
        after(
            "batch: {size: '8'}",
            "r.yaml:2:15: batch.size: expected a whole number from 1 to 16777215, found the text '8'"),
        after(
            "batch: {size: [8]}",
            "r.yaml:2:15: batch.size: expected a whole number from 1 to 16777215, found a list of one"),
        after(
            "loader: {workers: many}",
            "r.yaml:2:19: loader.workers: expected 'auto' or a whole number from 0 to 1024, found"
                + " the text 'many'"),
        after(
            "loader: {memory: 16 Gigs}",
            "r.yaml:2:18: loader.memory: expected a size such as 64MiB or 16GiB, found the text"
                + " '16 Gigs'"),
        after(
            "loader: {timeout: 20}",
            "r.yaml:2:19: loader.timeout: expected a duration such as 20ms, 1.5s or 2min, found 20"),
        after(
            "loader: {on_error: skp}",
            "r.yaml:2:20: loader.on_error: there is no policy 'skp'. Did you mean 'skip'? Possible:"
                + " fail, skip, substitute"),
        after(
            "loader: {on_error: {skip: {budget: -1}}}",
            "r.yaml:2:36: loader.on_error.skip.budget: expected a count such as 100, or a share such"
                + " as 1% or 0.01, found -1"),
        after(
            "transforms:\n  - random_horizontal_flip: {p: 1.5}",
            "r.yaml:3:33: transforms[0].random_horizontal_flip.p: expected a number from 0.0 to 1.0,"
                + " found 1.5"),
        after(
            "transforms:\n  - resize: {size: 3}\n    center_crop: {size: 3}",
            "r.yaml:4:5: transforms[0]: one transform only, but there are 'resize' and"
                + " 'center_crop'; settings belong one level deeper"),
        after(
            "transforms:\n  - resize",
            "r.yaml:3:5: transforms[0].resize: 'size' is missing: a whole number from 1 to 32768, or"
                + " a list of 2 such"),
        after(
            "transforms:\n  - random_resized_crop: {size: 8, scale: [1, 0.5]}",
            "r.yaml:3:43: transforms[0].random_resized_crop.scale: expected [smallest, largest],"
                + " found [1.0, 0.5]"),
        after(
            "transforms:\n  - resize: {size: [8, 8], max_size: 9}",
            "r.yaml:3:38: transforms[0].resize.max_size: goes with one size only, that of the shorter"
                + " side"),
        after(
            "transforms: decode_image",
            "r.yaml:2:13: transforms: expected a list of one transform: center_crop, color_jitter,"
                + " convert_image, decode_image, gaussian_blur, grayscale, normalize, one_hot,"
                + " rand_augment, random_affine, random_crop, random_erasing, random_grayscale,"
                + " random_horizontal_flip, random_resized_crop, random_rotation,"
                + " random_vertical_flip, resize, trivial_augment, found the text 'decode_image'"),
        after(
            "cache: {tiers: []}",
            "r.yaml:2:8: cache: cache tiers are not available in this version; remove the section:"
                + " data is read from where it lies, and what fits stays in the page cache of the"
                + " operating system"),
        after(
            "order: &o {seed: 1}\nbatch: *o",
            "r.yaml:3:8: batch: aliases are not supported; write the value out again"),
        after(
            "---\nbatch: {}",
            "r.yaml:3:1: a second document begins here; a recipe is one document"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void parse_wrongRecipe_messageSaysWhereAndWhat(Wrong wrong) {
    ConfigurationException error =
        assertThrows(ConfigurationException.class, () -> parse(wrong.text));
    assertEquals(wrong.message, error.getMessage());
  }

  @Test
  void parse_noYaml_messageHasThePlace() {
    ConfigurationException error =
        assertThrows(ConfigurationException.class, () -> parse("dataset: {a: [1\nb: 2"));
    assertTrue(message(error).matches("r\\.yaml:2:\\d+: this is no YAML: .*"), error::getMessage);
    assertEquals(1, message(error).lines().count());
  }

  @Test
  void loader_transformThatDoesNotFit_isNamed() {
    assertLoaderError(
        START + "transforms:\n  - normalize: {mean: 0, std: 1, field: data}",
        "r.yaml:3:16: transforms[0].normalize: ");
    assertLoaderError(START + "transforms:\n  - decode_image", "r.yaml:3:5: transforms[0]");
    assertLoaderError(START + "batch: {transforms: [mixup]}", "r.yaml:2:22: batch.transforms[0]");
    assertLoaderError(
        START + "order: {sampler: {weighted: {weights: [1, 2]}}}",
        "r.yaml:2:39: order.sampler.weighted.weights: expected one for each of 9 samples, found 2");
    assertLoaderError(
        START + "order: {shuffle: true, sampler: sequential}", "r.yaml:2:33: order.sampler: ");
    assertLoaderError(START + "loader: {memory: 1MiB, read_ahead: 2MiB}", "r.yaml:2:9: loader: ");
    assertLoaderError(
        "dataset: {subset: {of: {generated: {size: 5}}, end: 6}}",
        "r.yaml:1:53: dataset.subset.end: expected at most 5, the dataset's size, found 6");
  }

  private static void assertLoaderError(String text, String start) {
    Recipe recipe = parse(text);
    ConfigurationException error =
        assertThrows(
            ConfigurationException.class,
            () -> {
              try (OpenedDataset opened = recipe.openDataset(_ -> {});
                  DataLoader loader = recipe.loader(opened.dataset(), Overrides.NONE)) {
                loader.iterator();
              }
            });
    assertTrue(message(error).startsWith(start), error::getMessage);
  }

  /** Whatever becomes of a recipe's text, it is read or refused with a place. */
  @Test
  void parse_mutatedRecipe_isReadOrRefusedWithAPlace() {
    Property.cases(500)
        .holds(
            Gen.longs(0, Long.MAX_VALUE),
            seed -> {
              String text = mutated(seed);
              try {
                parse(text).yaml();
              } catch (ConfigurationException e) {
                assertTrue(
                    message(e).matches("(?s)r\\.yaml:\\d+:\\d+: .+"),
                    () -> e.getMessage() + "\n" + text);
              }
            });
  }

  private static String mutated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String alphabet = "{}[]:,-#&*!|>'\"%@`~? \n\t0123456789.eEabcz_\u0000\u0085\uFEFF\uD83D\uDE00";
    StringBuilder text = new StringBuilder(FULL);
    for (int i = random.nextInt(1, 8); i > 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(1, 20));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, text.substring(at, end));
        case 2 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 3 -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        default -> text.setLength(Math.max(1, at));
      }
    }
    return text.toString();
  }
}
