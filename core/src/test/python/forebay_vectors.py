"""Forebay's order, randomness and certificates in plain Python, as docs/determinism.md has them.

    forebay_vectors.py check FOLDER   recomputes every test vector in FOLDER; fails on a difference
    forebay_vectors.py write FOLDER   writes the test vectors

Written from the specification, not from the Java sources, so that each tests the other. Python's
integers do not overflow: `& MASK` stands where the specification says modulo 2^64.
"""

import math
import pathlib
import sys

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
PERMUTATION = (1 << 63) + 1
WITH_REPLACEMENT = (1 << 63) + 2
WITHOUT_REPLACEMENT = (1 << 63) + 3


# Mixing, keys, numbers


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def key(seed, epoch, purpose):
    a = mix((seed + GAMMA) & MASK)
    b = mix(a ^ (epoch & MASK))
    return mix(((b + GAMMA) & MASK) ^ (purpose & MASK))


def number(key, counter):
    return mix((key + counter * GAMMA) & MASK)


def unit(bits):
    return (bits >> 11) * 2.0**-53


def scaled(bits, bound):
    return bits * bound >> 64


# The permutation


class Permutation:
    def __init__(self, size, seed, epoch):
        self.size = size
        self.low_bits = (size - 1).bit_length() // 2 if size > 0 else 0
        self.low_mask = (1 << self.low_bits) - 1
        self.high_size = (size + self.low_mask) >> self.low_bits
        rounds = 24 if size < 64 else 8
        k = key(seed, epoch, PERMUTATION)
        self.round_keys = [number(k, r + 1) for r in range(rounds)]

    def at(self, position):
        value = position
        while True:
            low, high = value & self.low_mask, value >> self.low_bits
            for r in range(0, len(self.round_keys), 2):
                high = (high + self._addend(r, low)) % self.high_size
                low ^= self._mask(r + 1, high)
            value = high << self.low_bits | low
            if value < self.size:
                return value

    def position_of(self, sample):
        value = sample
        while True:
            low, high = value & self.low_mask, value >> self.low_bits
            for r in reversed(range(0, len(self.round_keys), 2)):
                low ^= self._mask(r + 1, high)
                high = (high - self._addend(r, low)) % self.high_size
            value = high << self.low_bits | low
            if value < self.size:
                return value

    def _addend(self, r, low):
        return scaled(mix((self.round_keys[r] + low) & MASK), self.high_size)

    def _mask(self, r, high):
        return mix((self.round_keys[r] + high) & MASK) & self.low_mask


# Weighted draws


def alias_table(weights):
    n, largest = len(weights), max(weights)
    total = 0.0
    for weight in weights:
        total += weight / largest
    threshold = [weight / largest * n / total for weight in weights]
    alias = [0] * n
    small = [i for i in range(n) if threshold[i] < 1]
    large = [i for i in range(n) if not threshold[i] < 1]
    while small and large:
        poor, rich = small.pop(), large[-1]
        alias[poor] = rich
        threshold[rich] -= 1 - threshold[poor]
        if threshold[rich] < 1:
            small.append(large.pop())
    for i in large:
        threshold[i] = 1.0
    for i in small:
        if weights[i] > 0:
            threshold[i] = 1.0
        else:
            alias[i] = weights.index(largest)
    return threshold, alias


def draw_with_replacement(weights, count, seed, epoch):
    threshold, alias = alias_table(weights)
    k = key(seed, epoch, WITH_REPLACEMENT)
    drawn = []
    for position in range(count):
        column = scaled(number(k, 2 * position + 1), len(weights))
        height = unit(number(k, 2 * position + 2))
        drawn.append(column if height < threshold[column] else alias[column])
    return drawn


def draw_without_replacement(weights, count, seed, epoch):
    k = key(seed, epoch, WITHOUT_REPLACEMENT)
    arrivals = []
    for sample, weight in enumerate(weights):
        if weight > 0:
            arrivals.append((-math.log(1 - unit(number(k, sample + 1))) / weight, sample))
    return [sample for _, sample in sorted(arrivals)[:count]]


# The split over ranks


def split(size, rank, world_size, tail, start):
    """The global positions of a rank, each with whether it is padding."""
    left = size - start
    if tail == "PAD":
        count = -(-left // world_size)
    elif tail == "DROP":
        count = left // world_size
    else:
        count = max(0, -(-(left - rank) // world_size))
    part = []
    for k in range(count):
        position = start + k * world_size + rank
        part.append((position % size, position >= size))
    return part


# The randomness of transforms


class Randomness:
    def __init__(self, seed, epoch, sample, operation):
        self.key = number(key(seed, epoch, sample), operation + 1)
        self.counter = 0

    def next_bits(self):
        self.counter += 1
        return number(self.key, self.counter)

    def next_double(self):
        return unit(self.next_bits())

    def next_int(self, bound):
        return scaled(self.next_bits(), bound)

    def next_gaussian(self):
        radius = math.sqrt(-2 * math.log(1 - self.next_double()))
        return radius * math.cos(2 * math.pi * self.next_double())


# The certificate


def digest(ids):
    count = high = low = 0
    for i in ids:
        first = mix((i + GAMMA) & MASK)
        second = mix((first + GAMMA) & MASK)
        count, high, low = count + 1, (high + first) & MASK, (low + second) & MASK
    return f"{count}:{high:016x}{low:016x}"


# The vectors. Each line of a file has its inputs and, after an arrow, its outputs.

SEEDS = [0, 1, 42, -1, 123456789012345678]
WEIGHTS = [
    [1.0],
    [0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, 2.0, 0.0, 4.0, 0.5],
    [0.1, 0.2, 0.3, 0.4],
    [5.0] + [0.25] * 20 + [0.0],
    [1e308, 1e308, 1e300, 1e-300],
]


def joined(values):
    return ",".join(map(str, values)) or "-"


def mix_lines():
    yield "# input -> mix(input), all hexadecimal"
    for z in [0, 1, 2, GAMMA, 0x0123456789ABCDEF, 1 << 63, MASK]:
        yield f"{z:016x} -> {mix(z):016x}"


def key_lines():
    yield "# seed epoch purpose -> key number(key, 1) number(key, 2), in hexadecimal"
    for seed in SEEDS + [-(1 << 63), (1 << 63) - 1]:
        for epoch, purpose in [(0, 0), (1, 0), (0, 1), (7, 1000), (3, PERMUTATION - (1 << 64))]:
            k = key(seed, epoch, purpose)
            yield f"{seed} {epoch} {purpose} -> {k:016x} {number(k, 1):016x} {number(k, 2):016x}"


def permutation_lines():
    yield "# size seed epoch positions -> the samples at these positions"
    for size in [1, 2, 3, 4, 5, 7, 8, 10, 16, 17, 63, 64, 65, 100]:
        for seed, epoch in [(0, 0), (42, 0), (42, 1), (-1, 5)]:
            yield permutation_line(size, seed, epoch, range(size))
    for size in [1000, 50_000, 1_281_167, 1 << 32, (1 << 40) + 1, 1 << 48, (1 << 62) - 1, 1 << 62]:
        for seed, epoch in [(0, 0), (123456789012345678, 9)]:
            positions = [0, 1, 2, 3, size // 2, size - 2, size - 1]
            yield permutation_line(size, seed, epoch, positions)


def permutation_line(size, seed, epoch, positions):
    permutation = Permutation(size, seed, epoch)
    samples = [permutation.at(position) for position in positions]
    assert [permutation.position_of(sample) for sample in samples] == list(positions)
    return f"{size} {seed} {epoch} {joined(positions)} -> {joined(samples)}"


def weighted_lines():
    yield "# weights count replacement seed epoch -> the samples of the epoch"
    for weights in WEIGHTS:
        positive = sum(weight > 0 for weight in weights)
        for seed, epoch in [(0, 0), (42, 3), (-1, 1)]:
            inputs = f"{joined(weights)} 24 true {seed} {epoch}"
            yield f"{inputs} -> {joined(draw_with_replacement(weights, 24, seed, epoch))}"
            inputs = f"{joined(weights)} {positive} false {seed} {epoch}"
            yield f"{inputs} -> {joined(draw_without_replacement(weights, positive, seed, epoch))}"


def split_lines():
    yield "# size rank worldSize tail start -> the rank's global positions, p before padding"
    for size, start in [(0, 0), (1, 0), (3, 0), (10, 0), (12, 0), (10, 4), (23, 5), (8, 8)]:
        for world_size in [1, 2, 4, 5, 8]:
            for tail in ["PAD", "DROP", "UNEVEN"]:
                for rank in sorted({0, world_size // 2, world_size - 1}):
                    part = split(size, rank, world_size, tail, start)
                    shown = joined(("p" if pad else "") + str(position) for position, pad in part)
                    yield f"{size} {rank} {world_size} {tail} {start} -> {shown}"


def randomness_lines():
    yield "# seed epoch sample operation -> three times 64 bits in hexadecimal; then, each from the"
    yield "# operation's first number on: nextDouble, nextInt(10), nextInt(2147483647), nextGaussian (12 digits)"
    for seed in SEEDS:
        for epoch, sample, operation in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (9, 1 << 40, 3)]:

            def fresh():
                return Randomness(seed, epoch, sample, operation)

            bits = fresh()
            shown = " ".join(f"{bits.next_bits():016x}" for _ in range(3))
            yield (
                f"{seed} {epoch} {sample} {operation} -> {shown} {fresh().next_double()!r}"
                f" {fresh().next_int(10)} {fresh().next_int(2147483647)}"
                f" {fresh().next_gaussian():.12g}"
            )


def certificate_lines():
    yield "# ids, a list or a range from..below -> their digest"
    for ids in [[], [0], [1], [0, 0], [0, 1], [5, 3, 3, 1 << 48], [(1 << 62) - 1]]:
        yield f"{joined(ids)} -> {digest(ids)}"
    for below in [10, 1000, 50_000]:
        yield f"0..{below} -> {digest(range(below))}"


FILES = {
    "mix.txt": mix_lines,
    "keys.txt": key_lines,
    "permutation.txt": permutation_lines,
    "weighted.txt": weighted_lines,
    "split.txt": split_lines,
    "randomness.txt": randomness_lines,
    "certificate.txt": certificate_lines,
}


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    differing = 0
    for name, lines in FILES.items():
        text = "\n".join(lines()) + "\n"
        if command == "write":
            (folder / name).write_text(text, encoding="ascii")
        elif (folder / name).read_text(encoding="ascii") != text:
            print(f"{folder / name} is not what the specification gives")
            differing += 1
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
