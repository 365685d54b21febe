"""Makes images and what torchvision's operations on PIL images turn them into.

    color_reference.py FOLDER

Prints lines NAME HEIGHT WIDTH CHANNELS OPERATION ARGUMENTS... RESULT; NAME and RESULT are files of raw bytes
in FOLDER.
"""

import pathlib
import sys

import numpy as np
from PIL import Image
from torchvision.transforms import functional as F
from torchvision.transforms.autoaugment import _apply_op
from torchvision.transforms.functional import InterpolationMode

from geometry_reference import FILTERS, image


def operations(random, size):
    for factor in (0.0, 0.3, 0.5, 0.99, 1.0, 1.4, 2.7):
        yield f"brightness {factor}", lambda i, f=factor: F.adjust_brightness(i, f)
        yield f"contrast {factor}", lambda i, f=factor: F.adjust_contrast(i, f)
        yield f"saturation {factor}", lambda i, f=factor: F.adjust_saturation(i, f)
    for turn in (-0.5, -0.31, -0.05, 0.0, 0.1, 0.25, 0.5):
        yield f"hue {turn}", lambda i, t=turn: F.adjust_hue(i, t)
    yield "grayscale", lambda i: F.to_grayscale(i, 3 if i.mode == "RGB" else 1)
    for kernel, sigma in [(3, 0.1), (3, 0.8), (5, 1.3), (7, 2.0), (9, 5.0)]:
        if min(size) > kernel // 2:
            yield f"blur {kernel} {sigma}", lambda i, k=kernel, s=sigma: F.gaussian_blur(i, [k, k], [s, s])
    for name, mode in FILTERS.items():
        for angle in (0.0, 17.0, -45.5, 90.0, 180.0, 271.25):
            yield f"rotate {name} {angle}", lambda i, a=angle, m=mode: F.rotate(i, a, m, fill=9)
        for angle, tx, ty, scale, sx, sy in [(0, 3, -2, 1, 0, 0), (30, 0, 0, 1.3, 0, 0), (-12.5, 2, 1, 0.7, 10, 0),
                                             (5, 0, 0, 1, -20, 15), (0, 0, 0, 0.5, 0, 0), (200, -4, 4, 1.1, 3, -7)]:
            yield (f"affine {name} {angle} {tx} {ty} {scale} {sx} {sy}",
                   lambda i, p=(angle, [tx, ty], scale, [sx, sy]), m=mode: F.affine(i, *p, m, fill=9))
    magnitudes = {
        "ShearX": (0.3, -0.9), "ShearY": (0.25, -0.99), "TranslateX": (5.7, -3.2), "TranslateY": (4.0, -32.0),
        "Rotate": (33.0, -135.0), "Brightness": (0.6, -0.9), "Color": (0.99, -0.4), "Contrast": (0.5, -0.99),
        "Sharpness": (0.9, -0.7), "Posterize": (0, 2, 5, 8), "Solarize": (0.0, 100.5, 255.0),
        "AutoContrast": (0,), "Equalize": (0,), "Identity": (0,),
    }
    for op, values in magnitudes.items():
        for value in values:
            yield f"op {op} {value}", lambda i, o=op, v=value: _apply_op(i, o, v, InterpolationMode.NEAREST, None)


def main():
    folder = pathlib.Path(sys.argv[1])
    random = np.random.RandomState(23)
    flat = Image.fromarray(np.full((6, 8, 3), 77, np.uint8))
    narrow = Image.fromarray((np.asarray(image(30, 40, 3, random)) // 4 + 60).astype(np.uint8))
    every = np.stack(np.meshgrid(np.arange(0, 256, 15), np.arange(0, 256, 17), indexing="ij"), axis=-1).reshape(17 + 1, -1, 2)
    colors = Image.fromarray(np.concatenate([every, (every[:, :, :1] * 7 + every[:, :, 1:] * 3) % 256], axis=-1).astype(np.uint8))
    sources = [image(1, 1, 3, random), image(5, 3, 3, random), image(3, 2, 1, random), image(37, 53, 3, random),
               image(64, 48, 1, random), flat, narrow, colors]
    count = 0
    for index, source in enumerate(sources):
        channels = len(source.getbands())
        (folder / f"i{index}").write_bytes(source.tobytes())
        for what, change in operations(random, source.size):
            (folder / f"c{count}").write_bytes(change(source).tobytes())
            print(f"i{index}", source.height, source.width, channels, what, f"c{count}")
            count += 1


if __name__ == "__main__":
    main()
