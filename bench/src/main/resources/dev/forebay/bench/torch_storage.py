"""Emulated accelerators fed by PyTorch's DataLoader, for `forebay bench mlperf-storage`; prints one JSON line.

    torch_storage.py MODEL INDEX ACCELERATORS WORKERS BATCH COMPUTE_SECONDS SECONDS ONCE
"""

import json
import multiprocessing
import os
import sys
import time

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset, Sampler


class Samples(Dataset):
    """Reads each sample as the format wants it and keeps eight bytes of it."""

    def __init__(self, model, index):
        self.model = model
        folder = os.path.dirname(index)
        with open(index) as lines:
            rows = [line.split() for line in lines]
        self.samples = [(os.path.join(folder, name), int(offset), int(size)) for name, offset, size in rows]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, number):
        path, offset, size = self.samples[number]
        if self.model == "unet3d":
            with np.load(path) as arrays:
                return int(arrays["x"][0])
        if self.model == "retinanet":
            return int(np.asarray(Image.open(path).convert("RGB"))[0, 0, 0])
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(size)[0]


class Share(Sampler):
    """A rank's part of a random order."""

    def __init__(self, size, rank, world):
        self.size, self.rank, self.world, self.epoch = size, rank, world, 0

    def __len__(self):
        return self.size // self.world

    def __iter__(self):
        order = np.random.RandomState(self.epoch).permutation(self.size)
        self.epoch += 1
        return iter(order[self.rank :: self.world][: len(self)].tolist())


def accelerate(rank, world, settings, ready, results):
    torch.set_num_threads(1)
    model, index, workers, batch, compute, seconds, once = settings
    samples = Samples(model, index)
    options = {"prefetch_factor": 2, "persistent_workers": True} if workers else {}
    loader = DataLoader(samples, batch, sampler=Share(len(samples), rank, world), num_workers=workers,
                        drop_last=True, **options)
    iterator = iter(loader)
    ready.wait()
    asked = time.perf_counter()
    steps = 0
    next(iterator)
    start = time.perf_counter()
    while True:
        time.sleep(compute)
        steps += 1
        if time.perf_counter() - start >= seconds:
            break
        if next(iterator, None) is None:
            if once:
                break
            iterator = iter(loader)
            if next(iterator, None) is None:
                break
    results.put((steps * compute, time.perf_counter() - start, steps * batch, start - asked))
    results.close()
    results.join_thread()
    os._exit(0)


def main():
    model, index, world, workers, batch, compute, seconds, once = sys.argv[1:]
    world = int(world)
    settings = (model, index, int(workers), int(batch), float(compute), float(seconds), once == "true")
    context = multiprocessing.get_context("fork")
    ready, results = context.Barrier(world), context.Queue()
    ranks = [context.Process(target=accelerate, args=(rank, world, settings, ready, results))
             for rank in range(world)]
    for rank in ranks:
        rank.start()
    measured = [results.get() for _ in ranks]
    for rank in ranks:
        rank.join()
    print(json.dumps({
        "utilization": sum(busy / total for busy, total, _, _ in measured) / world,
        "rate": sum(samples / total for _, total, samples, _ in measured),
        "first_batch_seconds": max(first for _, _, _, first in measured)}), flush=True)


main()
