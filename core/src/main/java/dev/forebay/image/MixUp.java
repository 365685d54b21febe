package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.BatchRows;
import dev.forebay.transform.BatchTransform;
import java.util.Objects;

/**
 * Blends each image of a batch, and its label, with the one before it, as torchvision's {@code
 * MixUp}: one share for the batch, drawn from Beta(alpha, alpha).
 *
 * <p>Source: H. Zhang, M. Cisse, Y. Dauphin, D. Lopez-Paz, "mixup: beyond empirical risk
 * minimization", ICLR 2018.
 *
 * @param alpha above 0
 * @param image the images' field: a floating type and one size
 * @param label the labels' field: probabilities, see {@link OneHot}
 */
public record MixUp(double alpha, String image, String label) implements BatchTransform {
  /** Checks the range. */
  public MixUp {
    ImageField.check(alpha > 0 && Double.isFinite(alpha), "alpha", alpha, "above 0");
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(label, "label");
  }

  /** For the fields "image" and "label". */
  public static MixUp of(double alpha) {
    return new MixUp(alpha, "image", "label");
  }

  @Override
  public Schema output(Schema input) {
    return Mixing.check(input, image, label, "mixup");
  }

  @Override
  public void apply(BatchRows rows) {
    float share = (float) Mixing.beta(rows.random(), alpha);
    Mixing.blend(rows, rows.schema().slot(image), share);
    Mixing.blend(rows, rows.schema().slot(label), share);
  }
}
