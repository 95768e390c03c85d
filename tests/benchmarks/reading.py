"""Reading a large CSV beside pandas, pyarrow and polars: seconds, CPU seconds, memory."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

COLUMNS, BLOCK = 30, 20_000
TOWNS = np.array(["Zurich", "Oslo", "Lagos", "Quito", "Pune", "Lima", "Bergen", "Graz"])
READERS = ("ours", "pandas", "pyarrow", "polars")

ONE = """
import json, sys, time
reader, path, warm = sys.argv[1:]
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
if reader == "ours":
    from workbench.data.reading import read_table as read
elif reader == "pandas":
    from pandas import read_csv as read
elif reader == "pyarrow":
    from pyarrow.csv import read_csv as read
else:
    from polars import read_csv as read
read(warm)
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before, wall, cpu = peak(), time.perf_counter(), time.process_time()
table = read(path)
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, (peak() - before) / 1024]))
"""


def write(path: Path, rows: int, digits: int) -> None:
    """Write 26 numbers, two of them whole, two texts, a number with gaps and a class, block by block."""
    random = np.random.default_rng(0)
    form = f"%.{digits}f" if digits < 16 else "%r"
    blocks = [_block(random, form) for _ in range(8)]
    with path.open("w") as file:
        names = [*(f"x{place}" for place in range(COLUMNS - 6)), "a", "b", "town", "grade", "gap", "y"]
        file.write(",".join(names) + "\n")
        for number in range(-(-rows // BLOCK)):
            file.writelines(blocks[number % 8][: rows - number * BLOCK])


def _block(random: np.random.Generator, form: str) -> list[str]:
    numbers = random.normal(size=(BLOCK, COLUMNS - 6)).tolist()
    others = zip(
        random.integers(0, 1000, BLOCK), random.integers(0, 100_000, BLOCK),
        TOWNS[random.integers(0, 8, BLOCK)], random.integers(1, 6, BLOCK), random.normal(size=BLOCK),
        random.random(BLOCK), random.integers(0, 2, BLOCK), strict=True,
    )  # fmt: skip
    return [
        ",".join([form % value for value in row])
        + f",{a},{b},{town},g{grade},{'' if lot < 0.1 else f'{gap:.3f}'},{y}\n"
        for row, (a, b, town, grade, gap, lot, y) in zip(numbers, others, strict=True)
    ]


def measure(reader: str, path: Path, warm: Path) -> list[float] | None:
    """Return wall and CPU seconds and MiB in a process of its own; None where the package is not there."""
    done = subprocess.run([sys.executable, "-c", ONE, reader, path, warm], capture_output=True, text=True,
                          check=False, timeout=1800)  # fmt: skip
    if done.returncode:
        print(f"{reader}: {done.stderr.strip().splitlines()[-1]}")
        return None
    return list(json.loads(done.stdout))


def main(arguments: list[str] | None = None) -> None:
    """Write the file, read it in turns, print medians."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks reading", description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--digits", type=int, default=6, help="behind the point; 16: all")
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path, warm = Path(folder, "large.csv"), Path(folder, "warm.csv")
        write(path, args.rows, args.digits)
        write(warm, 300_000, args.digits)
        final = args.rows * COLUMNS * 4 / 2**20
        print(f"{args.rows:,} × {COLUMNS}, {path.stat().st_size / 1e6:,.0f} MB; in float32 {final:,.0f} MiB")
        figures: dict[str, list[list[float]]] = {reader: [] for reader in READERS}
        for _ in range(args.turns):
            for reader in READERS:
                if (found := measure(reader, path, warm)) is not None:
                    figures[reader].append(found)
        for reader, turns in figures.items():
            if turns:
                wall, cpu, memory = np.median(turns, axis=0)
                share = memory / final
                print(f"{reader:8} {wall:7.2f} s  CPU {cpu:7.2f} s  memory {memory:6,.0f} MiB ({share:.2f})")
