"""The tables that are fitted, and the parameters they are fitted with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 100_000  # rows drawn at once, so that ten million need no more than themselves
LEVELS = 50  # of a category column
MISSING = 0.1  # share, where a workload has missing values


@dataclass(frozen=True)
class Workload:
    """A simulated table and the parameters it is fitted with, the same for every library."""

    key: str
    title: str
    rows: int
    columns: int
    rounds: int
    objective: str  # logistic, squared or softmax
    classes: int = 0
    depth: int = 6
    leaves: int = 0  # more than 0: so many, the best gain first
    exact: bool = False
    learning_rate: float = 0.1
    subsample: float = 1.0
    colsample: float = 1.0
    categories: int = 0  # the last so many columns are codes of LEVELS levels
    flags: bool = False  # every column is 0 or 1
    missing: bool = False
    weighted: bool = False
    repeats: int = 3

    @property
    def category_columns(self) -> list[int]:
        """Places of the category columns."""
        return list(range(self.columns - self.categories, self.columns))

    def small(self, rows: int) -> Workload:
        """The same with at most so many rows."""
        return replace(self, rows=min(self.rows, rows))


class Sample(NamedTuple):
    """Rows of a workload: float32 in C order, as they come out of a file."""

    x: NDArray[np.float32]
    y: NDArray[np.float64]
    weight: NDArray[np.float64] | None


W1 = Workload("W1", "1M × 28 logistic, 100 rounds, depth 6", 1_000_000, 28, 100, "logistic")
WORKLOADS = (
    W1,
    replace(W1, key="W2", title="same, 31 leaves by best gain", leaves=31, depth=16),
    Workload("W3", "100k × 100 squared, 100 rounds", 100_000, 100, 100, "squared", repeats=5),
    Workload("W4", "10k × 20 squared, 200 rounds", 10_000, 20, 200, "squared", repeats=15),
    Workload("W5", "1k × 10 squared, 100 rounds", 1_000, 10, 100, "squared", repeats=25),
    Workload("W6", "200k × 50, 5 classes, 50 rounds", 200_000, 50, 50, "softmax", classes=5),
    Workload("exact", "10k × 20 squared, 100 rounds, exact greedy", 10_000, 20, 100, "squared",
             exact=True, repeats=5),
    Workload("flags", "200k × 100 flags, logistic, 50 rounds", 200_000, 100, 50, "logistic", flags=True),
    replace(W1, key="mixed", title="W1, 10 % missing, 5 × 50 levels, weights, samples of .8",
            missing=True, categories=5, weighted=True, subsample=0.8, colsample=0.8),
)


def draw(load: Workload, seed: int = 0) -> Sample:
    """Return the rows of a workload, the same for the same seed."""
    x = np.empty((load.rows, load.columns), np.float32)
    y = np.empty(load.rows)
    for begin in range(0, load.rows, CHUNK):
        generator = np.random.default_rng((seed, begin))
        part = x[begin : begin + CHUNK]
        _fill(load, part, generator)
        y[begin : begin + CHUNK] = _answers(load, part, generator)
        if load.missing:
            part[generator.random(part.shape, np.float32) < MISSING] = np.nan
    weight = np.random.default_rng(seed).uniform(0.5, 1.5, load.rows) if load.weighted else None
    return Sample(x, y, weight)


def _fill(load: Workload, x: NDArray[np.float32], generator: np.random.Generator) -> None:
    """Gaussian columns; one of seven is skewed, one of seven has 3 to 20 values, as in real tables.

    Flags are 1 above a number between −1 and 1.
    """
    generator.standard_normal(out=x, dtype=np.float32)
    skewed = max(load.columns // 7, 1)
    for place in range(skewed):
        x[:, 4 + place] = generator.standard_exponential(len(x), np.float32)
    for place in range(skewed):
        values = 3 + 17 * place // max(skewed - 1, 1)
        x[:, 4 + skewed + place] = generator.integers(values, size=len(x))
    if load.flags:
        x[:] = x > generator.uniform(-1.0, 1.0, load.columns)
    for column in load.category_columns:
        x[:, column] = generator.integers(LEVELS, size=len(x))


def _answers(load: Workload, x: NDArray[np.float32], generator: np.random.Generator) -> NDArray[np.float64]:
    """The target: main effects, interactions and a wave, with as much noise again."""
    skewed, stepped = x[:, 4], x[:, 4 + max(load.columns // 7, 1)]
    raw = x[:, 0] + x[:, 1] * x[:, 2] + np.sin(3 * x[:, 3]) + 0.5 * (skewed - 1) - 0.5 * (stepped > 1)
    if load.categories:
        raw = raw + np.sin(7.0 * x[:, -1])
    if load.objective == "squared":
        return raw + generator.normal(size=len(x))
    if load.objective == "logistic":
        return (raw + generator.logistic(size=len(x)) > 0).astype(np.float64)
    shifts = 2 * np.pi * np.arange(load.classes) / load.classes
    scores = 1.5 * np.cos(raw[:, None] + shifts) + x[:, : load.classes] * 0.3
    return (scores + generator.gumbel(size=scores.shape)).argmax(axis=1).astype(np.float64)
