package dev.forebay.image;

import dev.forebay.error.BadDataException;

/**
 * Reads the orientation from EXIF metadata; whatever is wrong with those counts as upright.
 * Stateless.
 *
 * <p>Source: JEITA CP-3451, "Exchangeable image file format for digital still cameras: Exif".
 */
final class Exif {
  /** The orientation of a picture that needs no turning. */
  static final int UPRIGHT = 1;

  private static final int ORIENTATION_TAG = 0x0112;
  private static final int TYPE_SHORT = 3;
  private static final String JPEG_HEAD = "Exif\0\0";

  private Exif() {}

  /** The orientation of a JPEG file, 1 to 8. */
  static int ofJpeg(Bytes in) {
    try {
      in.seek(2);
      while (in.left() >= 4 && in.u8() == 0xFF) {
        int marker = in.u8();
        while (marker == 0xFF) {
          marker = in.u8();
        }
        if (marker == 0xDA || marker == 0xD9) {
          return UPRIGHT;
        }
        int length = in.u16Big();
        int content = in.position();
        if (marker == 0xE1 && in.has(content, JPEG_HEAD)) {
          int head = JPEG_HEAD.length();
          return orientation(in, content + head, length - 2 - head);
        }
        in.seek(content + length - 2L);
      }
      return UPRIGHT;
    } catch (BadDataException broken) {
      return UPRIGHT; // what is wrong with the picture itself is the decoder's to say
    }
  }

  /** The orientation in a TIFF structure, 1 to 8. */
  static int orientation(Bytes in, int at, int bytes) {
    boolean isLittle = in.has(at, "II*\0");
    if (!isLittle && !in.has(at, "MM\0*")) {
      return UPRIGHT;
    }
    try {
      in.seek(at + 4L);
      long directory = Integer.toUnsignedLong(isLittle ? in.i32Little() : in.i32Big());
      in.seek(at + directory);
      int entries = u16(in, isLittle);
      for (int entry = 0; entry < entries && in.position() + 12 <= at + bytes; entry++) {
        int tag = u16(in, isLittle);
        int type = u16(in, isLittle);
        in.skip(4);
        int value = u16(in, isLittle);
        in.skip(2);
        if (tag == ORIENTATION_TAG) {
          return type == TYPE_SHORT && value >= 1 && value <= 8 ? value : UPRIGHT;
        }
      }
      return UPRIGHT;
    } catch (BadDataException broken) {
      return UPRIGHT;
    }
  }

  private static int u16(Bytes in, boolean isLittle) {
    return isLittle ? in.u16Little() : in.u16Big();
  }
}
