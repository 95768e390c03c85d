"""A random forest and a single tree beside scikit-learn's: 100,000 rows, 28 columns, two classes.

Both get the same threads in one run, from arrays in memory to the finished model; ours measures its metrics
and its out-of-bag error after every tree. The ratios are of the processor's time, and of the clock's.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import workbench
from tests.benchmarks import machine

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, COLUMNS, TREES, THREADS = 100_000, 28, 100, 2
LARGEST_RATIO = 0.3


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers, and two classes that some of them tell with much noise."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(rows, COLUMNS)).astype(np.float32)
    noise = generator.normal(size=rows)
    return x, (x[:, 0] * x[:, 1] + x[:, 2] - x[:, 3] ** 2 + noise > -1).astype(int)


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that a call takes: of the clock, and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - clock, time.process_time() - processor


def row(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Print the seconds of both and their ratios."""
    own, other = seconds(ours), seconds(theirs)
    clock, processor = (a / b for a, b in zip(own, other, strict=True))
    missed = "   missed" if processor > LARGEST_RATIO else ""
    print(
        f"{name:16s} ours {own[0]:7.2f} s ({own[1]:.2f} s of processors)   scikit-learn {other[0]:7.2f} s "
        f"({other[1]:.2f} s)   ratio {clock:.2f} ({processor:.2f}){missed}", flush=True,
    )  # fmt: skip


def main() -> None:
    """Run as `python -m tests.benchmarks.forests`."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=ROWS)
    arguments.add_argument("--trees", type=int, default=TREES)
    told = arguments.parse_args()
    print(*machine.describe(), sep="\n", flush=True)
    x, y = table(told.rows)
    shared = {"threads": THREADS}
    workbench.fit(x[:2000], y[:2000], method="forest", rounds=2, **shared)  # loads the kernels
    row(
        "a single tree", lambda: workbench.fit(x, y, method="cart", **shared),
        lambda: DecisionTreeClassifier().fit(x, y),
    )
    row(
        f"{told.trees} trees",
        lambda: workbench.fit(x, y, method="forest", rounds=told.trees, **shared),
        lambda: RandomForestClassifier(told.trees, n_jobs=THREADS, oob_score=False).fit(x, y),
    )


if __name__ == "__main__":
    main()
