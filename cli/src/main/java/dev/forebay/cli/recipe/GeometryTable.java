package dev.forebay.cli.recipe;

import static dev.forebay.cli.recipe.ImageKeys.FIELD;
import static dev.forebay.cli.recipe.ImageKeys.SIZE;
import static dev.forebay.cli.recipe.ImageKeys.field;
import static dev.forebay.cli.recipe.ImageKeys.height;
import static dev.forebay.cli.recipe.ImageKeys.interpolation;
import static dev.forebay.cli.recipe.ImageKeys.range;
import static dev.forebay.cli.recipe.ImageKeys.width;

import dev.forebay.image.CenterCrop;
import dev.forebay.image.ConvertImage;
import dev.forebay.image.DecodeImage;
import dev.forebay.image.Interpolation;
import dev.forebay.image.Layout;
import dev.forebay.image.Normalize;
import dev.forebay.image.Padding;
import dev.forebay.image.RandomCrop;
import dev.forebay.image.RandomHorizontalFlip;
import dev.forebay.image.RandomResizedCrop;
import dev.forebay.image.RandomVerticalFlip;
import dev.forebay.image.Resize;
import dev.forebay.memory.DType;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Map;

/** The transforms that decode, cut, turn over and convert images. */
final class GeometryTable {
  private static final Type NUMBERS =
      Types.oneOrList(Types.real(-Double.MAX_VALUE, Double.MAX_VALUE), 1, 3);
  private static final Key LAYOUT =
      Key.optional("layout", Types.choice(Layout::name, List.of(Layout.values())), Layout.NCHW);

  static final Map<String, Entry<Transform>> LINES =
      Map.ofEntries(
          Map.entry(
              "decode_image",
              new Entry<>(
                  List.of(
                      Key.optional(
                          "mode", Types.choice(DecodeImage.Mode.class), DecodeImage.Mode.RGB),
                      Key.optional("exif_orientation", Types.flag(), false),
                      Key.optional("dct_scaling", Types.flag(), false),
                      Key.optional(
                          "pixels_max", Types.whole(1, Types.UNBOUNDED), DecodeImage.PIXELS_MAX),
                      FIELD),
                  at ->
                      new DecodeImage(
                          at.choice("mode", DecodeImage.Mode.class),
                          at.flag("exif_orientation"),
                          at.whole("pixels_max"),
                          at.flag("dct_scaling"),
                          field(at)))),
          Map.entry(
              "resize",
              new Entry<>(
                  List.of(
                      SIZE,
                      Key.optional("max_size", Types.whole(1, ImageKeys.SIDE_MAX), null),
                      interpolation(Interpolation.BILINEAR),
                      FIELD),
                  at -> new Resize(size(at), interpolation(at), field(at)))),
          Map.entry(
              "center_crop",
              new Entry<>(
                  List.of(SIZE, FIELD), at -> new CenterCrop(height(at), width(at), field(at)))),
          Map.entry(
              "random_resized_crop",
              new Entry<>(
                  List.of(
                      SIZE,
                      ImageKeys.pair("scale", 0.08, 1),
                      ImageKeys.pair("ratio", 3.0 / 4, 4.0 / 3),
                      interpolation(Interpolation.BILINEAR),
                      FIELD),
                  at ->
                      new RandomResizedCrop(
                          height(at),
                          width(at),
                          range(at, "scale"),
                          range(at, "ratio"),
                          interpolation(at),
                          field(at)))),
          Map.entry(
              "random_crop",
              new Entry<>(
                  List.of(
                      SIZE,
                      Key.optional("padding", Types.whole(0, ImageKeys.SIDE_MAX), 0L),
                      Key.optional("pad_if_needed", Types.flag(), false),
                      ImageKeys.FILL,
                      Key.optional("padding_mode", Types.choice(Padding.class), Padding.CONSTANT),
                      FIELD),
                  at -> new RandomCrop(height(at), width(at), border(at), field(at)))),
          Map.entry(
              "random_horizontal_flip",
              new Entry<>(
                  List.of(ImageKeys.probability(0.5), FIELD),
                  at -> new RandomHorizontalFlip(at.real("p"), field(at)))),
          Map.entry(
              "random_vertical_flip",
              new Entry<>(
                  List.of(ImageKeys.probability(0.5), FIELD),
                  at -> new RandomVerticalFlip(at.real("p"), field(at)))),
          Map.entry(
              "normalize",
              new Entry<>(
                  List.of(
                      Key.required("mean", NUMBERS),
                      Key.required("std", NUMBERS),
                      Key.optional("dtype", ImageKeys.FLOATS, DType.FLOAT32),
                      LAYOUT,
                      FIELD),
                  at ->
                      new Normalize(
                          ImageKeys.floats(at, "mean"),
                          ImageKeys.floats(at, "std"),
                          at.choice("dtype", DType.class),
                          at.choice("layout", Layout.class),
                          field(at)))),
          Map.entry(
              "convert_image",
              new Entry<>(
                  List.of(Key.optional("dtype", ImageKeys.DTYPES, DType.FLOAT32), LAYOUT, FIELD),
                  at ->
                      new ConvertImage(
                          at.choice("dtype", DType.class),
                          at.choice("layout", Layout.class),
                          field(at)))));

  private GeometryTable() {}

  private static Resize.Size size(Settings at) {
    if (at.wholes("size").size() == 1) {
      return new Resize.ShorterSide(height(at), at.has("max_size") ? at.integer("max_size") : 0);
    }
    if (at.has("max_size")) {
      throw at.problem("max_size", "goes with one size only, that of the shorter side");
    }
    return new Resize.Exactly(height(at), width(at));
  }

  private static RandomCrop.Border border(Settings at) {
    return new RandomCrop.Border(
        at.integer("padding"),
        at.flag("pad_if_needed"),
        at.choice("padding_mode", Padding.class),
        at.integer("fill"));
  }
}
