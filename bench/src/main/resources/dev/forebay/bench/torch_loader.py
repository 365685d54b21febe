"""One configuration of PyTorch's DataLoader, for `forebay bench compare`; prints one JSON line.

    torch_loader.py WORKLOAD DATA WORKERS BATCH WARM_SECONDS SECONDS

DATA is a folder of images, a token file or a folder of small files, as the workload needs it.
"""

import json
import os
import pathlib
import sys
import time

STARTED = time.time()

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets, transforms

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
TICKS = os.sysconf("SC_CLK_TCK")
ENDLESS = 100_000_000


class Numbers(Dataset):
    def __len__(self):
        return ENDLESS

    def __getitem__(self, index):
        return index


class Rows(Dataset):
    row = torch.zeros(3, 224, 224, dtype=torch.uint8)

    def __len__(self):
        return ENDLESS

    def __getitem__(self, index):
        return self.row


class Tokens(Dataset):
    window = 1024

    def __init__(self, path):
        self.tokens = np.memmap(path, np.uint16, "r")

    def __len__(self):
        return (len(self.tokens) - self.window) // 97 + 1

    def __getitem__(self, index):
        start = index * 97
        return torch.from_numpy(self.tokens[start : start + self.window].astype(np.int64))


class SmallFiles(Dataset):
    def __init__(self, root):
        self.paths = sorted(str(path) for path in pathlib.Path(root).rglob("*.bin"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        with open(self.paths[index], "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)


class Uneven(Dataset):
    """One sample in a hundred takes fifty times as long as the others' 0.5 ms."""

    def __len__(self):
        return ENDLESS

    def __getitem__(self, index):
        time.sleep(0.025 if index % 100 == 0 else 0.0005)
        return index


def images(root, steps):
    steps += [transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    return datasets.ImageFolder(root, transforms.Compose(steps))


def dataset(workload, data):
    if workload in ("jpeg-train", "jpeg-restart", "decoded"):
        return images(data, [transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip()])
    if workload == "jpeg-eval":
        return images(data, [transforms.Resize(256), transforms.CenterCrop(224)])
    if workload == "tokens":
        return Tokens(data)
    if workload.startswith("files"):
        return SmallFiles(data)
    return {"rows": Rows, "numbers": Numbers, "uneven": Uneven}[workload]()


class Endless(torch.utils.data.Sampler):
    """Random indices, so that drawing a permutation of a huge dataset is not what is measured."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        random = np.random.default_rng(1)
        while True:
            yield from random.integers(0, self.size, 65536).tolist()


def cpu_seconds():
    own = os.getpid()
    with open(f"/proc/{own}/task/{own}/children") as file:
        family = [own] + [int(pid) for pid in file.read().split()]
    total = 0
    for pid in family:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def main():
    workload, data, workers, batch, warm, seconds = sys.argv[1:]
    workers, batch, warm, seconds = int(workers), int(batch), float(warm), float(seconds)
    source = dataset(workload, data)
    options = {"persistent_workers": True, "prefetch_factor": 2} if workers else {}
    is_huge = len(source) == ENDLESS or workload == "tokens"
    order = {"sampler": Endless(len(source))} if is_huge else {"shuffle": True}
    loader = DataLoader(source, batch, num_workers=workers, drop_last=True, **order, **options)
    asked = time.time()
    iterator = iter(loader)
    next(iterator)
    first = time.time()

    def drain(until):
        nonlocal iterator
        samples = 0
        while time.time() < until:
            taken = next(iterator, None)
            if taken is None:
                iterator = iter(loader)
                continue
            samples += batch
        return samples

    drain(time.time() + warm)
    cpu, start = cpu_seconds(), time.time()
    samples = drain(start + seconds)
    elapsed = time.time() - start
    print(json.dumps({
        "samples": samples, "seconds": elapsed, "cpu_seconds": cpu_seconds() - cpu,
        "first_batch_seconds": first - asked, "import_seconds": asked - STARTED,
        "version": torch.__version__}), flush=True)
    os._exit(0)  # ending the workers is not what is measured


main()
