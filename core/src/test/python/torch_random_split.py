"""Prints the lengths that PyTorch's random_split makes of fractions or counts, one case a line.

Reads cases `SIZE NUMBER,NUMBER,...` from the file named by the argument; numbers with a point are
fractions. Lines: `LENGTH,LENGTH,...`, or `ERROR`.
"""

import sys
import warnings

from torch.utils.data import random_split


def number(text):
    return float(text) if "." in text else int(text)


def lengths(size, parts):
    try:
        return ",".join(str(len(part)) for part in random_split(range(size), parts))
    except ValueError:
        return "ERROR"


def main():
    warnings.simplefilter("ignore")  # about empty parts
    with open(sys.argv[1], encoding="ascii") as cases:
        for case in cases:
            size, parts = case.split()
            print(lengths(int(size), [number(part) for part in parts.split(",")]))


if __name__ == "__main__":
    main()
