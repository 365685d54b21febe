package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transforms at the beginning of a list that one {@link ImagePass} can do: decoding,
 * framing, mirroring, formatting, in this order, each if it is there. Confined to one thread.
 */
final class ImageFusion {
  private final String field;
  private final List<Transform> fused = new ArrayList<>();
  private final List<Framing> framings = new ArrayList<>();
  private @Nullable DecodeImage decode;
  private @Nullable RandomHorizontalFlip flip;
  private PixelFormat format = PixelFormat.RAW;
  private boolean isFormatted;

  private ImageFusion(String field) {
    this.field = field;
  }

  /**
   * One step for the first transform and as many of those that follow it as possible; null if those
   * are none.
   */
  static Transform.@Nullable Fusion of(
      Transform first, String field, Schema input, List<Transform> following) {
    ImageFusion fusion = new ImageFusion(field);
    Schema schema = input;
    fusion.add(first, schema);
    for (Transform transform : following) {
      schema = fusion.fused.getLast().output(schema);
      if (!field.equals(transform.writes()) || !fusion.add(transform, schema)) {
        break;
      }
    }
    int count = fusion.fused.size();
    return count < 2 ? null : new Transform.Fusion(fusion.open(input), count);
  }

  private boolean add(Transform transform, Schema schema) {
    boolean isAdded = !isFormatted && fits(transform, schema);
    if (isAdded) {
      fused.add(transform);
    }
    return isAdded;
  }

  private boolean fits(Transform transform, Schema schema) {
    Framing framing = Framing.of(transform);
    if (framing != null && flip == null) {
      framings.add(framing);
      return true;
    }
    return switch (transform) {
      case DecodeImage first when fused.isEmpty() -> {
        decode = first;
        yield true;
      }
      case RandomHorizontalFlip mirror when flip == null -> {
        flip = mirror;
        yield true;
      }
      case Normalize last -> setFormat(last.format(schema));
      case ConvertImage last -> setFormat(last.format(schema));
      default -> false;
    };
  }

  private boolean setFormat(PixelFormat last) {
    format = last;
    isFormatted = true;
    return true;
  }

  private Transform.Step open(Schema input) {
    int slot = input.slot(field);
    ImageDecoder decoder = decode == null ? null : new ImageDecoder(decode, slot);
    Transform.Step[] apart = new Transform.Step[fused.size()];
    Schema schema = input;
    for (int i = 0; i < apart.length; i++) {
      apart[i] = i == 0 && decoder != null ? decoder : fused.get(i).open(schema);
      schema = fused.get(i).output(schema);
    }
    Double mirror = flip == null ? null : flip.p();
    return new ImagePass(
        new ImagePass.Work(decoder, List.copyOf(framings), mirror, format), slot, apart);
  }
}
