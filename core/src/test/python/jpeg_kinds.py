"""Makes picture files that are decoded in part: JPEG of every kind, and a few others.

    jpeg_kinds.py FOLDER

Prints the names of the files in FOLDER. Kinds that Pillow cannot write are made by libjpeg-turbo 3, where
the build has fetched it.
"""

import ctypes
import pathlib
import platform
import sys

import numpy as np
from PIL import Image

from image_reference import encode, picture

SIZES = [(1, 1), (9, 70), (70, 9), (97, 61), (130, 100)]
SUBSAMP, OPTIMIZE, PROGRESSIVE, ARITHMETIC, RESTART_BLOCKS, QUALITY = 4, 11, 12, 14, 18, 3


def pillow_files():
    for width, height in SIZES:
        rgb = Image.fromarray(picture(width, height, 3))
        for subsampling in (0, 1, 2):
            for progressive in (False, True):
                yield encode(rgb, "JPEG", quality=88, subsampling=subsampling, progressive=progressive)
        yield encode(rgb.convert("L"), "JPEG")
    rgb = Image.fromarray(picture(70, 55, 3))
    yield encode(Image.fromarray(picture(70, 55, 4), "CMYK"), "JPEG")
    for orientation in (3, 6):
        exif = Image.Exif()
        exif[0x0112] = orientation
        yield encode(rgb, "JPEG", exif=exif)
    yield encode(rgb, "PNG")
    yield encode(rgb, "BMP")
    yield encode(rgb.convert("P"), "GIF")


def library():
    build = f"linux-{platform.machine()}"
    path = pathlib.Path(__file__).parents[4] / f"core/native/dev/forebay/image/native/{build}/libturbojpeg.so"
    return ctypes.CDLL(str(path)) if path.exists() else None


def turbo_files(turbo):
    turbo.tj3Init.restype = ctypes.c_void_p
    for width, height in SIZES[1:]:
        pixels = np.ascontiguousarray(picture(width, height, 3))
        for subsampling in range(7):
            for options in ({}, {PROGRESSIVE: 1}, {ARITHMETIC: 1}, {RESTART_BLOCKS: 1}, {RESTART_BLOCKS: 5}):
                handle = ctypes.c_void_p(turbo.tj3Init(0))
                for option, value in {QUALITY: 90, SUBSAMP: subsampling, **options}.items():
                    assert turbo.tj3Set(handle, option, value) == 0
                data, size = ctypes.c_void_p(), ctypes.c_size_t()
                done = turbo.tj3Compress8(
                    handle, ctypes.c_void_p(pixels.ctypes.data), width, 0, height, 0, ctypes.byref(data), ctypes.byref(size))
                assert done == 0, (subsampling, options)
                yield ctypes.string_at(data, size.value)
                turbo.tj3Free(data)
                turbo.tj3Destroy(handle)


def main():
    folder = pathlib.Path(sys.argv[1])
    files = list(pillow_files())
    turbo = library()
    if turbo:
        files += turbo_files(turbo)
    for number, content in enumerate(files):
        name = f"kind-{number}"
        (folder / name).write_bytes(content)
        print(name)


if __name__ == "__main__":
    main()
