"""Prints what PyTorch's DistributedSampler gives every rank, one rank a line.

Arguments: dataset sizes and world sizes, each a list with commas.
Lines: `SIZE WORLD_SIZE PAD|DROP RANK:ID,ID,...`
"""

import sys

from torch.utils.data import DistributedSampler


def ids_of_rank(size, world_size, drop_last, rank):
    sampler = DistributedSampler(
        range(size), num_replicas=world_size, rank=rank, shuffle=False, drop_last=drop_last
    )
    ids = list(sampler)
    assert len(ids) == len(sampler)
    return ids


def main():
    sizes, worlds = ([int(n) for n in argument.split(",")] for argument in sys.argv[1:])
    for size in sizes:
        for world_size in worlds:
            for tail in ("PAD", "DROP"):
                for rank in range(world_size):
                    ids = ids_of_rank(size, world_size, tail == "DROP", rank)
                    print(f"{size} {world_size} {tail} {rank}:{','.join(map(str, ids))}")


if __name__ == "__main__":
    main()
