"""Writes token files as nanoGPT and Megatron-LM do, and the windows that NumPy cuts out of them.

    token_reference.py FOLDER

Prints, for each file, NAME DTYPE WINDOW STRIDE COUNT; NAME.tokens and NAME.targets hold int64 windows.
"""

import pathlib
import struct
import sys

import numpy as np

CODES = {"uint8": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint16": 8}


def windows(tokens, window, stride):
    count = 0 if len(tokens) < window + 1 else (len(tokens) - window - 1) // stride + 1
    starts = np.arange(count) * stride
    take = starts[:, None] + np.arange(window)[None, :]
    wide = tokens.astype(np.int64)
    return count, wide[take], wide[take + 1] if count else wide[take]


def index(lengths, dtype):
    sizes = np.array(lengths, np.int32)
    pointers = np.concatenate([[0], np.cumsum(sizes[:-1], dtype=np.int64)]) * np.dtype(dtype).itemsize
    documents = np.arange(len(lengths) + 1, dtype=np.int64)
    head = b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, CODES[dtype], len(lengths), len(documents))
    return head + sizes.tobytes() + pointers.astype(np.int64).tobytes() + documents.tobytes()


def main():
    folder = pathlib.Path(sys.argv[1])
    random = np.random.RandomState(5)
    for number, (dtype, size, window, stride, megatron) in enumerate([
            ("uint16", 1000, 64, 64, False), ("uint16", 1000, 7, 3, False), ("uint32", 777, 100, 1, False),
            ("uint8", 300, 16, 16, False), ("int8", 300, 16, 5, False), ("int16", 300, 33, 33, False),
            ("int32", 300, 299, 1, False), ("int64", 65, 64, 64, False), ("uint16", 64, 64, 64, False),
            ("uint16", 500, 20, 20, True), ("int32", 500, 31, 7, True)]):
        limits = np.iinfo(dtype)
        tokens = random.randint(limits.min, min(limits.max, 2**62) + 1 if limits.max < 2**62 else 2**62, size).astype(dtype)
        tokens[0], tokens[-1] = limits.max, limits.min
        name = f"tokens{number}.bin"
        tokens.tofile(folder / name)
        if megatron:
            (folder / f"tokens{number}.idx").write_bytes(index([size // 5] * 5, dtype))
        count, ours, targets = windows(tokens, window, stride)
        ours.tofile(folder / f"{name}.tokens")
        targets.tofile(folder / f"{name}.targets")
        print(name, dtype, window, stride, count)


if __name__ == "__main__":
    main()
