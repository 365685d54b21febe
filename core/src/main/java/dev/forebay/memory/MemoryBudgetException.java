package dev.forebay.memory;

/** A reservation would exceed a {@link MemoryBudget}. */
public final class MemoryBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MemoryBudgetException(String name, long bytes, long bytesLive, long bytesMax) {
    super(
        "memory budget '%s' is used up: %d bytes wanted, %d of %d in use; raise the budget or lower the batch size or prefetch"
            .formatted(name, bytes, bytesLive, bytesMax));
  }
}
