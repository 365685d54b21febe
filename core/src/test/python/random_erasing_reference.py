"""Draws torchvision's rectangles to erase.

    random_erasing_reference.py COUNT HEIGHT WIDTH

Prints top, left, height and width of COUNT rectangles that RandomErasing draws with its defaults.
"""

import sys

import torch
from torchvision import transforms


def main():
    count, height, width = (int(word) for word in sys.argv[1:])
    torch.manual_seed(13)
    image = torch.zeros(3, height, width)
    for _ in range(count):
        print(*transforms.RandomErasing.get_params(image, (0.02, 0.33), (0.3, 3.3), [0.0])[:4])


if __name__ == "__main__":
    main()
