package dev.forebay.testing;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The JUnit extension that adds {@code -Dtests.seed=...} to each failed test, as a suppressed
 * exception, so that every report shows it. Registers itself (through {@code META-INF/services} and
 * {@code junit-platform.properties}) wherever this module is on the class path. Immutable.
 */
public final class SeedReport implements AfterTestExecutionCallback {

  /** Called by JUnit. */
  public SeedReport() {}

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (Seeds.isUsed()) {
      context.getExecutionException().ifPresent(SeedReport::addHint);
    }
  }

  static void addHint(Throwable failure) {
    failure.addSuppressed(new Hint());
  }

  private static final class Hint extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Hint() {
      super("to repeat this run add " + Seeds.option(), null, false, false);
    }
  }
}
