"""Makes images and what Pillow and torchvision turn them into.

    geometry_reference.py FOLDER

Prints lines NAME HEIGHT WIDTH CHANNELS OPERATION ARGUMENTS... RESULT HEIGHT WIDTH; NAME and RESULT are
files of raw bytes in FOLDER.
"""

import pathlib
import sys

import numpy as np
import torch
from PIL import Image
from torchvision import transforms
from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode

FILTERS = {
    "NEAREST": InterpolationMode.NEAREST,
    "BILINEAR": InterpolationMode.BILINEAR,
    "BICUBIC": InterpolationMode.BICUBIC,
}
MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def image(height, width, channels, random):
    y, x = np.mgrid[0:height, 0:width]
    data = np.stack([127 + 120 * np.sin(x / (2 + c) + c) * np.cos(y / 3) for c in range(channels)], axis=-1)
    data += random.normal(0, 30, data.shape)
    data = np.clip(data, 0, 255).astype(np.uint8)
    return Image.fromarray(data[:, :, 0] if channels == 1 else data)


def operations(random, width, height):
    for name, mode in FILTERS.items():
        for _ in range(3):
            h, w = (int(n) for n in random.randint(1, 90, 2))
            yield f"resize {name} {h} {w}", lambda i, h=h, w=w, mode=mode: F.resize(i, [h, w], mode)
        yield f"resize {name} {height} {max(1, width // 2)}", lambda i, mode=mode: F.resize(
            i, [height, max(1, width // 2)], mode)
        yield f"resize {name} {2 * height} {width}", lambda i, mode=mode: F.resize(i, [2 * height, width], mode)
        side = int(random.randint(1, 60))
        yield f"shorter {name} {side} 0", lambda i, side=side, mode=mode: F.resize(i, side, mode)
        longer = side + int(random.randint(1, 10))
        yield f"shorter {name} {side} {longer}", lambda i, side=side, longer=longer, mode=mode: F.resize(
            i, side, mode, max_size=longer)
        for _ in range(4):
            h, w = int(random.randint(1, height + 1)), int(random.randint(1, width + 1))
            top, left = int(random.randint(0, height - h + 1)), int(random.randint(0, width - w + 1))
            yield f"crop {name} {top} {left} {h} {w} 32 40", lambda i, t=top, l=left, h=h, w=w, m=mode: (
                F.resized_crop(i, t, l, h, w, [32, 40], m))
    for h, w in [(1, 1), (10, 10), (33, 20), (height, width), (100, 7)]:
        yield f"center {h} {w}", lambda i, h=h, w=w: F.center_crop(i, [h, w])
    yield "hflip", F.hflip
    yield "vflip", F.vflip
    for mode in ("constant", "edge", "reflect", "symmetric"):
        pad = 3
        if mode != "reflect" or min(width, height) > pad:
            yield f"pad {mode.upper()} {pad}", lambda i, mode=mode: F.pad(i, [3, 3, 3, 3], 77, mode)


def numbers(i):
    """The image as a tensor, in every type and layout."""
    tensor = F.to_tensor(i)
    channels = tensor.shape[0]
    normal = F.normalize(tensor, MEAN[:channels], STD[:channels])
    for layout in ("NCHW", "NHWC"):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            for kind, source in (("normalize", normal), ("convert", tensor)):
                out = (source if layout == "NCHW" else source.permute(1, 2, 0)).contiguous().to(dtype)
                bits = out.view(torch.int32 if dtype == torch.float32 else torch.int16)
                yield f"{kind} {str(dtype)[6:].upper()} {layout}", bits.numpy().tobytes()
        array = np.asarray(i).reshape(i.height, i.width, channels)
        array = array.transpose(2, 0, 1) if layout == "NCHW" else array
        yield f"convert UINT8 {layout}", np.ascontiguousarray(array).tobytes()


def main():
    folder = pathlib.Path(sys.argv[1])
    random = np.random.RandomState(11)
    count = 0
    for height, width, channels in [(1, 1, 3), (2, 3, 1), (5, 4, 3), (16, 16, 3), (37, 53, 3), (64, 48, 1), (150, 101, 3)]:
        source = image(height, width, channels, random)
        name = f"{height}x{width}x{channels}"
        (folder / name).write_bytes(source.tobytes())
        results = [(what, change(source)) for what, change in operations(random, width, height)]
        results = [(what, result.tobytes(), result.height, result.width) for what, result in results]
        results += [(what, content, height, width) for what, content in numbers(source)]
        for what, content, out_height, out_width in results:
            (folder / f"r{count}").write_bytes(content)
            print(name, height, width, channels, what, f"r{count}", out_height, out_width)
            count += 1


if __name__ == "__main__":
    main()
