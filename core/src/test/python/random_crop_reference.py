"""Draws torchvision's random parts of an image.

    random_crop_reference.py COUNT HEIGHT WIDTH

Prints top, left, height and width of COUNT parts that RandomResizedCrop draws with its defaults.
"""

import sys

import torch
from torchvision import transforms


def main():
    count, height, width = (int(word) for word in sys.argv[1:])
    torch.manual_seed(7)
    image = torch.zeros(3, height, width)
    for _ in range(count):
        print(*transforms.RandomResizedCrop.get_params(image, (0.08, 1.0), (3 / 4, 4 / 3)))


if __name__ == "__main__":
    main()
