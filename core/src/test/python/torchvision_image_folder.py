"""Makes folder trees with odd names and prints what torchvision's ImageFolder finds in them.

Arguments: an empty folder, and numbers each of which decides what a tree holds.
Lines: for each number `tree NUMBER`; then `class NAME` in order; then `sample LABEL PATH` in order.
Names and paths are hexadecimal bytes, paths relative to the tree's root `NUMBER/root`.
"""

import os
import random
import sys

from torchvision.datasets import ImageFolder

PIECES = [b"a", b"B", b"0", b" ", b"-", b".", b"~", b"'", b"\\", b"\n", b"\x7f"]
PIECES += [text.encode() for text in ("é", "e\u0301", "\ud7ff", "\ue000", "\uffee", "😀", "𐀀")]
PIECES += [b"\xff", b"\xc3", b"\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xc0\xaf"]
EXTENSIONS = [b".jpg", b".JPG", b".JpEg", b".png", b".webp", b".TIFF", b".tif", b".pgm", b".bmp"]
OTHERS = [b".txt", b"", b"jpg", b".jpg.bak", b".gif", b".jp", b".j\xc4\xb0pg"]


def name(rng):
    while True:
        made = b"".join(rng.choice(PIECES) for _ in range(rng.randint(1, 4)))
        if made not in (b".", b".."):
            return made


def touch(path):
    open(path, "wb").close()


def fill(rng, folder, depth):
    os.makedirs(folder, exist_ok=True)
    for _ in range(rng.randint(0, 8)):
        touch(os.path.join(folder, name(rng) + b"x" + rng.choice(EXTENSIONS + OTHERS)))
    if depth:
        for _ in range(rng.randint(0, 3)):
            fill(rng, os.path.join(folder, name(rng)), depth - 1)


def make(rng, folder):
    root = os.path.join(folder, b"root")
    outside = os.path.join(folder, b"outside")
    fill(rng, outside, 1)
    touch(os.path.join(outside, b"linked.jpg"))
    for _ in range(rng.randint(1, 12)):
        fill(rng, os.path.join(root, name(rng)), 2)
    for made in (b".hidden", b"empty but for .jpg", b"deep/er", b"deep/er x", b"deep/er0/1/2/3"):
        fill(rng, os.path.join(root, made), 0)
    os.symlink(b"../outside", os.path.join(root, b"class link"))
    os.symlink(b"../../outside", os.path.join(root, b"deep", b"folder link"))
    os.symlink(b"../../outside/linked.jpg", os.path.join(root, b"deep", b"file link.png"))
    os.symlink(b"nowhere", os.path.join(root, b"deep", b"broken.jpg"))
    os.symlink(b"nowhere", os.path.join(root, b"broken class"))
    touch(os.path.join(root, b"in the root.jpg"))
    for entry in os.scandir(root):
        if entry.is_dir():
            touch(os.path.join(entry.path, b".jpg"))
    return root


def main():
    for number in sys.argv[2:]:
        folder = os.path.join(sys.argv[1], number)
        root = make(random.Random(int(number)), os.fsencode(folder))
        images = ImageFolder(os.fsdecode(root))
        print("tree", number)
        for made in images.classes:
            print("class", os.fsencode(made).hex())
        for path, label in images.samples:
            print("sample", label, os.path.relpath(os.fsencode(path), root).hex())


if __name__ == "__main__":
    main()
