package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Arrays;
import java.util.Objects;

/**
 * Blurs an image with a Gaussian kernel of random width, mirrored at the edges, as torchvision's
 * {@code GaussianBlur}; within one level of it.
 *
 * @param kernelSize rows and columns of the kernel, odd, at least 1
 * @param sigma the kernel's deviation in pixels, above 0
 * @param field the image's field
 */
public record GaussianBlur(int kernelSize, Range sigma, String field) implements Transform {
  /** Checks the ranges. */
  public GaussianBlur {
    ImageField.check(kernelSize >= 1 && kernelSize % 2 == 1, "kernelSize", kernelSize, "odd");
    ImageField.check(sigma.min() > 0, "sigma", sigma, "above 0");
    Objects.requireNonNull(field, "field");
  }

  /** For the field "image", with torchvision's default deviations of 0.1 to 2. */
  public static GaussianBlur of(int kernelSize) {
    return new GaussianBlur(kernelSize, new Range(0.1, 2), "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "gaussian_blur");
    return input;
  }

  @Override
  public Step open(Schema input) {
    return new Blur(this, input.slot(field));
  }

  @Override
  public boolean isRandom() {
    return true;
  }

  @Override
  public String writes() {
    return field;
  }

  private static final class Blur implements Step {
    private final GaussianBlur settings;
    private final int slot;
    private final Pixels pixels = new Pixels();
    private final float[] kernel;
    private float[] narrowed = new float[0];
    private float[] sums = new float[0];

    Blur(GaussianBlur settings, int slot) {
      this.settings = settings;
      this.slot = slot;
      this.kernel = new float[settings.kernelSize];
    }

    @Override
    public void apply(Sample sample) {
      Range sigma = settings.sigma;
      prepareKernel(sample.random().nextDouble(sigma.min(), sigma.max()));
      pixels.read(sample.value(slot));
      int reach = kernel.length / 2;
      if (reach >= pixels.height || reach >= pixels.width) {
        throw new BadDataException(
            "an image of %d x %d pixels is too small for a blur of %d"
                .formatted(pixels.height, pixels.width, kernel.length));
      }
      blurRows();
      blurColumns();
      pixels.write(sample.value(slot));
    }

    private void prepareKernel(double sigma) {
      double sum = 0;
      double half = (kernel.length - 1) * 0.5;
      for (int i = 0; i < kernel.length; i++) {
        double distance = (i - half) / sigma;
        kernel[i] = (float) StrictMath.exp(-0.5 * distance * distance);
        sum += kernel[i];
      }
      for (int i = 0; i < kernel.length; i++) {
        kernel[i] /= (float) sum;
      }
    }

    private void blurRows() {
      int channels = pixels.channels;
      int rowBytes = pixels.rowBytes();
      if (narrowed.length < pixels.count()) {
        narrowed = new float[pixels.count()];
      }
      int reach = kernel.length / 2;
      for (int y = 0; y < pixels.height; y++) {
        for (int x = 0; x < pixels.width; x++) {
          for (int channel = 0; channel < channels; channel++) {
            float sum = 0;
            for (int i = 0; i < kernel.length; i++) {
              int column = Padding.REFLECT.source(x + i - reach, pixels.width);
              int value = pixels.data[y * rowBytes + column * channels + channel] & 0xFF;
              sum += kernel[i] * value;
            }
            narrowed[y * rowBytes + x * channels + channel] = sum;
          }
        }
      }
    }

    private void blurColumns() {
      int rowBytes = pixels.rowBytes();
      if (sums.length < rowBytes) {
        sums = new float[rowBytes];
      }
      int reach = kernel.length / 2;
      for (int y = 0; y < pixels.height; y++) {
        Arrays.fill(sums, 0, rowBytes, 0);
        for (int i = 0; i < kernel.length; i++) {
          int row = Padding.REFLECT.source(y + i - reach, pixels.height) * rowBytes;
          for (int x = 0; x < rowBytes; x++) {
            sums[x] += kernel[i] * narrowed[row + x];
          }
        }
        for (int x = 0; x < rowBytes; x++) {
          pixels.data[y * rowBytes + x] = (byte) Math.clamp((long) Math.rint(sums[x]), 0, 255);
        }
      }
    }
  }
}
