"""The simulated sample tables: `python -m workbench.data.simulate DIR` writes them again, bit for bit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Columns = dict[str, NDArray[np.float64]]

CHI_SQUARED_10_MEDIAN = 9.34


def nested_spheres(random: np.random.Generator, rows: int = 2000) -> Columns:
    """Ten standard Gaussians; y is whether the point lies outside the median sphere."""
    x = random.standard_normal((rows, 10))
    outside = (x**2).sum(axis=1) > CHI_SQUARED_10_MEDIAN
    return _named(x) | {"y": outside.astype(np.float64)}


def friedman_1(random: np.random.Generator, rows: int = 1000) -> Columns:
    """Ten uniform variables of which five matter; noise of standard deviation 1."""
    x = random.random((rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return _named(x) | {"y": y + random.standard_normal(rows)}


def two_moons(random: np.random.Generator, rows: int = 1000) -> Columns:
    """Two interleaved half circles; noise of standard deviation 0.25."""
    upper = np.arange(rows) % 2 == 0
    angle = np.pi * random.random(rows)
    x1 = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    x2 = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    noise = 0.25 * random.standard_normal((2, rows))
    return {"x1": x1 + noise[0], "x2": x2 + noise[1], "y": (~upper).astype(np.float64)}


def checkerboard(random: np.random.Generator, rows: int = 1000) -> Columns:
    """Four by four fields of two classes; 5 % of the labels are flipped."""
    x = 4 * random.random((rows, 2))
    dark = np.floor(x).sum(axis=1) % 2 == 1
    flipped = random.random(rows) < 0.05
    return {"x1": x[:, 0], "x2": x[:, 1], "y": (dark ^ flipped).astype(np.float64)}


def steps_in_time(random: np.random.Generator, rows: int = 200) -> Columns:
    """A level that jumps six times; noise of standard deviation 0.6."""
    time = np.arange(rows, dtype=np.float64)
    level = np.array([0.0, 2.0, 1.0, 4.0, 3.0, -1.0, 1.5])
    jumps = np.array([0.1, 0.25, 0.45, 0.6, 0.8, 0.9]) * rows
    y = level[np.searchsorted(jumps, time, side="right")]
    return {"time": time, "y": y + 0.6 * random.standard_normal(rows)}


SIMULATIONS: dict[str, Callable[[np.random.Generator], Columns]] = {
    "nested_spheres": nested_spheres,
    "friedman_1": friedman_1,
    "two_moons": two_moons,
    "checkerboard": checkerboard,
    "steps_in_time": steps_in_time,
}


def csv_text(name: str) -> str:
    """Return a simulated table as CSV, with six significant digits and its own fixed seed."""
    seed = list(SIMULATIONS).index(name) + 1
    columns = SIMULATIONS[name](np.random.Generator(np.random.PCG64(seed)))
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(f"{value:.6g}" for value in row) for row in rows)]
    return "\n".join(lines) + "\n"


def write(folder: Path) -> None:
    """Write every simulated table into a folder."""
    for name in SIMULATIONS:
        (folder / f"{name}.csv").write_text(csv_text(name), encoding="utf-8", newline="\n")


def _named(x: NDArray[np.float64]) -> Columns:
    return {f"x{place}": column for place, column in enumerate(x.T, start=1)}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Give the folder to write to: python -m workbench.data.simulate DIR")
    write(Path(sys.argv[1]))
