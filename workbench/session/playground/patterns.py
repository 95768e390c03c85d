"""Patterns that a drawing can begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.parameters.spec import Parameter
from workbench.registry import Registry
from workbench.session.playground.drawing import DECIMALS, Drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Places = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]
    Maker = Callable[[int, np.random.Generator], Places]

MARGIN = 0.12  # of the paper round the points, as a share of their span
POINTS, NOISE = 240, 0.2
SETTINGS = (
    Parameter("points", "Points", POINTS, "integer", "How many points are drawn.", lower=10, upper=5000,
              slider=(20, 2000), scale="log"),
    Parameter("noise", "Noise", NOISE, "real", "How far points stray from the pattern.", lower=0.0, upper=5.0,
              slider=(0.0, 1.0)),
    Parameter("seed", "Seed", 0, "integer", "Another one draws other points.", lower=0, upper=2**31,
              slider=(0, 20)),
)  # fmt: skip


@dataclass(frozen=True)
class Pattern:
    """One pattern.

    Attributes
    ----------
    name, label : str
        Its name, and what a tile says.
    kind : {"plane", "line"}
    places : callable
        Where so many points lie without noise: x, y and class.
    """

    name: str
    label: str
    kind: str
    places: Maker

    def draw(self, points: int = POINTS, noise: float = NOISE, seed: int = 0) -> Drawing:
        """Return so many points with noise."""
        random = np.random.default_rng(seed)
        x, y, label = self.places(points, random)
        y = y + noise * random.normal(size=points)
        if self.kind == "plane":
            x = x + noise * random.normal(size=points)
        across, up = (np.round(values, DECIMALS).astype(np.float32) for values in (x, y))
        return Drawing(self.kind, self.label.lower(), across, up, label, (*_limits(across), *_limits(up)))


PATTERNS: Registry[Pattern] = Registry("pattern", "workbench.session.playground")


def _limits(values: NDArray[np.float32]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low or 1.0)
    return round(low - room, 2), round(high + room, 2)


def _halves(n: int) -> NDArray[np.int64]:
    return (np.arange(n) >= n // 2).astype(np.int64)


def moons(n: int, random: np.random.Generator) -> Places:
    """Return two half circles that reach into each other."""
    label = _halves(n)
    angle = np.pi * random.random(n)
    x = np.where(label == 0, np.cos(angle), 1 - np.cos(angle))
    return x, np.where(label == 0, np.sin(angle), 0.5 - np.sin(angle)), label


def circles(n: int, random: np.random.Generator) -> Places:
    """Return a circle in a circle."""
    label = _halves(n)
    angle, radius = 2 * np.pi * random.random(n), np.where(label == 0, 1.6, 0.7)
    return radius * np.cos(angle), radius * np.sin(angle), label


def spirals(n: int, random: np.random.Generator) -> Places:
    """Return two arms that wind round each other."""
    label = _halves(n)
    turn = np.sqrt(random.random(n)) * 3 * np.pi
    angle = turn + np.pi * label
    return 0.3 * turn * np.cos(angle), 0.3 * turn * np.sin(angle), label


def checkerboard(n: int, random: np.random.Generator) -> Places:
    """Return a board of four by four squares."""
    x, y = 4 * random.random(n) - 2, 4 * random.random(n) - 2
    return x, y, ((np.floor(x) + np.floor(y)) % 2).astype(np.int64)


def spheres(n: int, random: np.random.Generator) -> Places:
    """Return a cloud, and a ring of cloud round it: inside and outside a sphere."""
    x, y = random.normal(size=(2, n))
    return x, y, (x * x + y * y < 2 * np.log(2)).astype(np.int64)


def xor(n: int, random: np.random.Generator) -> Places:
    """Return four clouds, opposite ones alike."""
    corner = np.arange(n) % 4
    x, y = np.where(corner % 2 == 0, -1.0, 1.0), np.where(corner < 2, -1.0, 1.0)
    spread = 0.45 * random.normal(size=(2, n))
    return x + spread[0], y + spread[1], ((x > 0) != (y > 0)).astype(np.int64)


def _over(curve: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Maker:
    def places(n: int, random: np.random.Generator) -> Places:
        x = np.sort(4 * random.random(n) - 2)
        return x, curve(x), np.zeros(n, np.int64)

    return places


def stairs(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return three steps."""
    return np.select([x < -0.8, x < 0.5], [-1.0, 0.6], -0.2)


def waves(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a sine that gets faster."""
    return np.sin(2 * x + 0.5 * x * x)


def hill(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a hill on a slope."""
    return 0.4 * x + 1.4 * np.exp(-4 * x * x) - 0.4


FIRST = Pattern("moons", "Moons", "plane", moons)
for made in (
    FIRST,
    Pattern("circles", "Circles", "plane", circles),
    Pattern("spirals", "Spirals", "plane", spirals),
    Pattern("checkerboard", "Checkerboard", "plane", checkerboard),
    Pattern("spheres", "Spheres", "plane", spheres),
    Pattern("xor", "XOR", "plane", xor),
    Pattern("stairs", "Stairs", "line", _over(stairs)),
    Pattern("waves", "Waves", "line", _over(waves)),
    Pattern("hill", "Hill", "line", _over(hill)),
):
    PATTERNS.register(made)
