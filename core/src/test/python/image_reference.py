"""Makes image files of many kinds and what Pillow decodes them to.

    image_reference.py FOLDER

For each file NAME it writes NAME.rgb and NAME.gray, the raw bytes of convert("RGB") and convert("L"),
and NAME.upright, those of exif_transpose + convert("RGB"); it prints NAME WIDTH HEIGHT UPRIGHT_WIDTH
UPRIGHT_HEIGHT.
"""

import io
import pathlib
import struct
import sys
import warnings
import zlib

import numpy as np
from PIL import Image, ImageOps

SIZES = [(1, 1), (7, 5), (8, 8), (17, 16), (37, 23), (64, 48)]


def picture(width, height, channels, seed=0):
    """Smooth colours with some noise, so that compression has to work."""
    random = np.random.RandomState(seed + 31 * width + height)
    y, x = np.mgrid[0:height, 0:width]
    planes = []
    for c in range(channels):
        wave = 127 + 90 * np.sin(x / (3.0 + c) + c) * np.cos(y / (4.0 + c))
        planes.append(wave + random.normal(0, 12, (height, width)))
    data = np.clip(np.stack(planes, axis=-1), 0, 255).astype(np.uint8)
    return data[:, :, 0] if channels == 1 else data


def jpegs():
    for width, height in SIZES:
        rgb = Image.fromarray(picture(width, height, 3))
        for subsampling in (0, 1, 2):
            for progressive in (False, True):
                yield f"jpeg-{width}x{height}-s{subsampling}-p{int(progressive)}.jpg", encode(
                    rgb, "JPEG", quality=85, subsampling=subsampling, progressive=progressive)
        yield f"jpeg-{width}x{height}-low.jpg", encode(rgb, "JPEG", quality=10)
        yield f"jpeg-{width}x{height}-gray.jpg", encode(rgb.convert("L"), "JPEG")
        yield f"jpeg-{width}x{height}-cmyk.jpg", encode(
            Image.fromarray(picture(width, height, 4), "CMYK"), "JPEG", quality=95)
    rgb = Image.fromarray(picture(37, 23, 3))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        yield f"jpeg-exif{orientation}.jpg", encode(rgb, "JPEG", exif=exif)
        yield f"jpeg-gray-exif{orientation}.jpg", encode(rgb.convert("L"), "JPEG", exif=exif)
        big_endian = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHH", 8, 1, 0x0112, 3, 1, orientation, 0) + b"\0" * 4
        yield f"jpeg-big{orientation}.jpg", encode(rgb, "JPEG", exif=big_endian)


def encode(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def png(width, height, depth, kind, interlaced, extra=b"", filters=(0, 1, 2, 3, 4)):
    """A PNG file of random samples, with all filters, written by hand."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    random = np.random.RandomState(width + 7 * height + 100 * depth + kind)
    values = random.randint(0, 1 << depth, (height, width, samples))
    if depth == 16 and kind == 0:
        values = np.where(random.rand(height, width, 1) < 0.5, values % 300, values)
    if kind == 3:
        values %= min(1 << depth, 200)
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    raw = b""
    for x0, y0, dx, dy in passes:
        part = values[y0::dy, x0::dx]
        if part.size:
            raw += filtered(part, depth, samples, filters)
    palette = b""
    if kind == 3:
        palette = chunk(b"PLTE", random.randint(0, 256, 3 * min(1 << depth, 200)).astype(np.uint8).tobytes())
    data = zlib.compress(raw)
    middle = len(data) // 2
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced)))
        + palette + extra + chunk(b"IDAT", data[:middle]) + chunk(b"IDAT", data[middle:]) + chunk(b"IEND", b"")
    )


def filtered(part, depth, samples, filters):
    step = max(1, samples * depth // 8)
    above = None
    result = b""
    for y, row in enumerate(part):
        flat = row.reshape(-1)
        if depth == 16:
            packed = flat.astype(">u2").tobytes()
        elif depth == 8:
            packed = flat.astype(np.uint8).tobytes()
        else:
            bits = "".join(format(v, f"0{depth}b") for v in flat)
            bits += "0" * (-len(bits) % 8)
            packed = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
        above = above or bytes(len(packed))
        kind = filters[y % len(filters)]
        result += bytes([kind]) + bytes(
            (packed[i] - predicted(kind, packed, above, i, step)) & 255 for i in range(len(packed)))
        above = packed
    return result


def predicted(kind, now, above, i, step):
    a = now[i - step] if i >= step else 0
    b = above[i]
    c = above[i - step] if i >= step else 0
    if kind == 4:
        p = a + b - c
        return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
    return [0, a, b, (a + b) // 2][kind]


def pngs():
    kinds = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8),
             (4, 8), (4, 16), (6, 8), (6, 16)]
    for kind, depth in kinds:
        for width, height in [(1, 1), (7, 5), (17, 16), (37, 23)]:
            for interlaced in (False, True):
                name = f"png-{kind}-{depth}-{width}x{height}-i{int(interlaced)}.png"
                yield name, png(width, height, depth, kind, interlaced)
    yield "png-transparent-gray.png", png(9, 9, 8, 0, False, chunk(b"tRNS", b"\0\x05"))
    yield "png-transparent-palette.png", png(9, 9, 4, 3, False, chunk(b"tRNS", bytes(range(16))))
    for orientation in range(1, 9):
        content = b"II*\0" + struct.pack("<IHHHIHH", 8, 1, 0x0112, 3, 1, orientation, 0) + b"\0" * 4
        yield f"png-exif{orientation}.png", png(11, 6, 8, 2, False, chunk(b"eXIf", content))
    yield "png-pillow.png", encode(Image.fromarray(picture(64, 48, 3)), "PNG")


def gifs():
    for width, height in SIZES:
        palette = Image.fromarray(picture(width, height, 3)).quantize(60)
        for interlace in (0, 1):
            yield f"gif-{width}x{height}-i{interlace}.gif", encode(palette, "GIF", interlace=interlace)
        yield f"gif-{width}x{height}-t.gif", encode(palette, "GIF", transparency=3)
        yield f"gif-{width}x{height}-gray.gif", encode(Image.fromarray(picture(width, height, 1)), "GIF")
    noise = Image.fromarray(np.random.RandomState(5).randint(0, 256, (90, 120)).astype(np.uint8), "P")
    noise.putpalette(np.random.RandomState(6).randint(0, 256, 768).astype(np.uint8).tobytes())
    yield "gif-noise.gif", encode(noise, "GIF")
    frames = [Image.fromarray(picture(20, 10, 3, seed)).quantize(16) for seed in range(3)]
    yield "gif-animated.gif", encode(frames[0], "GIF", save_all=True, append_images=frames[1:])
    inner = bytearray(encode(Image.fromarray(picture(8, 8, 3)).quantize(16), "GIF"))
    inner[6:10] = struct.pack("<HH", 20, 12)
    place = inner.index(b",", 13 + 48)
    inner[place + 1 : place + 5] = struct.pack("<HH", 5, 3)
    yield "gif-inner.gif", bytes(inner)


def bmp(width, height, bits, compression, masks=b"", top_down=False, core=False, pixels=None, colors=0):
    """A BMP file of random pixels, written by hand."""
    random = np.random.RandomState(width + 7 * height + bits)
    row_bytes = (width * bits + 31) // 32 * 4
    if pixels is None:
        pixels = random.randint(0, 256, row_bytes * height).astype(np.uint8).tobytes()
    palette = b""
    if bits <= 8:
        entries = random.randint(0, 256, ((colors or 1 << bits), 3 if core else 4)).astype(np.uint8)
        if not core:
            entries[:, 3] = 0
        palette = entries.tobytes()
    if core:
        header = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        header = struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, bits, compression,
                             len(pixels), 2835, 2835, colors, 0)
    offset = 14 + len(header) + len(masks) + len(palette)
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + header + masks + palette + pixels


def bmps():
    for width, height in [(1, 1), (7, 5), (17, 16), (37, 23)]:
        for bits in (1, 4, 8, 16, 24, 32):
            yield f"bmp-{bits}-{width}x{height}.bmp", bmp(width, height, bits, 0)
            yield f"bmp-{bits}-{width}x{height}-top.bmp", bmp(width, height, bits, 0, top_down=True)
        for bits in (1, 4, 8, 24):
            yield f"bmp-core-{bits}-{width}x{height}.bmp", bmp(width, height, bits, 0, core=True)
        yield f"bmp-565-{width}x{height}.bmp", bmp(width, height, 16, 3, struct.pack("<III", 0xF800, 0x7E0, 0x1F))
        yield f"bmp-555-{width}x{height}.bmp", bmp(width, height, 16, 3, struct.pack("<III", 0x7C00, 0x3E0, 0x1F))
        yield f"bmp-m32-{width}x{height}.bmp", bmp(
            width, height, 32, 3, struct.pack("<III", 0xFF0000, 0xFF00, 0xFF))
    runs8 = bytes([3, 5, 0, 4, 1, 2, 3, 4, 0, 0, 7, 9, 0, 0, 0, 3, 6, 5, 4, 0, 4, 200, 0, 0, 0, 1])
    yield "bmp-rle8.bmp", bmp(7, 3, 8, 1, pixels=runs8)
    runs4 = bytes([7, 0x5A, 0, 0, 0, 4, 0x12, 0x34, 3, 0x77, 0, 0, 0, 1])
    yield "bmp-rle4.bmp", bmp(7, 2, 4, 2, pixels=runs4)
    yield "bmp-colors.bmp", bmp(9, 9, 8, 0, colors=256)
    yield "bmp-pillow.bmp", encode(Image.fromarray(picture(64, 48, 3)), "BMP")


def pnms():
    rgb, gray = picture(13, 9, 3), picture(13, 9, 1)
    yield "pnm.ppm", encode(Image.fromarray(rgb), "PPM")
    yield "pnm.pgm", encode(Image.fromarray(gray), "PPM")
    yield "pnm.pbm", encode(Image.fromarray(gray).convert("1"), "PPM")
    yield "pnm-tiny.pgm", b"P5 1 1 9\n\5"
    yield "pnm-tiny.pbm", b"P4 1 1\n\x80"
    yield "pnm-comment.pgm", b"P5 # a comment\n#more\n13 9\n255\n" + gray.tobytes()
    yield "pnm-max100.pgm", b"P5 13 9 100\n" + (gray // 3).tobytes()
    yield "pnm-max100.ppm", b"P6 13 9 100\n" + (rgb // 3).tobytes()
    yield "pnm-16.ppm", b"P6 13 9 65535\n" + (rgb.astype(">u2") * 257 + 3).astype(">u2").tobytes()
    yield "pnm-16.pgm", b"P5 13 9 1000\n" + (gray.astype(">u2") * 3).astype(">u2").tobytes()
    yield "pnm-plain.pgm", b"P2\n13 9\n255\n" + b"\n".join(b" ".join(b"%d" % v for v in row) for row in gray) + b"\n"
    yield "pnm-plain.ppm", b"P3 13 9 255 " + b" ".join(b"%d" % v for v in rgb.reshape(-1)) + b"\n"
    yield "pnm-plain.pbm", b"P1\n13 9\n" + b"\n".join(b"".join(b"%d" % (v > 127) for v in row) for row in gray) + b"\n"


def main():
    warnings.simplefilter("ignore")
    folder = pathlib.Path(sys.argv[1])
    for make in (jpegs, pngs, gifs, bmps, pnms):
        for name, content in make():
            (folder / name).write_bytes(content)
            image = Image.open(io.BytesIO(content))
            image.load()
            (folder / f"{name}.rgb").write_bytes(image.convert("RGB").tobytes())
            (folder / f"{name}.gray").write_bytes(image.convert("L").tobytes())
            upright = ImageOps.exif_transpose(Image.open(io.BytesIO(content)))
            (folder / f"{name}.upright").write_bytes(upright.convert("RGB").tobytes())
            print(name, *image.size, *upright.size)


if __name__ == "__main__":
    main()
