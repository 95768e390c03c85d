"""What the plane shows, as values: points, a picture of the round, and which parts of it are wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.plane.round_picture import RoundPicture

LEAST_RADIUS, RADIUS_A_GRADIENT = 2.2, 6.5
PLAIN_RADIUS = 3.4


@dataclass(frozen=True, eq=False)
class PlaneScene:
    """Frozen; another hand makes another scene.

    Attributes
    ----------
    limits : tuple of float
        Left, right, low, high.
    names : tuple of str
        Of the axes.
    x, y, target : ndarray, shape (n,)
    sizes : ndarray of float64, shape (n,)
        |g| of each point, of the largest as a share where they are numbers; empty where it is not known.
    classes : tuple of str
        Labels; empty for numbers.
    span : tuple of float
        Lowest and highest value of the colours, for numbers.
    picture : RoundPicture or None
        Maybe of a moment ago.
    ticks : frozenset of str
    marked : int
        Place of the selected point; −1 for none.
    """

    limits: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 1.0)
    names: tuple[str, str] = ("x", "y")
    x: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    y: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    target: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    sizes: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    classes: tuple[str, ...] = ()
    span: tuple[float, float] = (0.0, 1.0)
    picture: RoundPicture | None = None
    ticks: frozenset[str] = frozenset()
    marked: int = -1

    @property
    def radii(self) -> NDArray[np.float64]:
        """Pixels of each point: by its gradient where that is wanted and known."""
        if "sizes" not in self.ticks or len(self.sizes) != len(self.x):
            return np.full(len(self.x), PLAIN_RADIUS)
        return LEAST_RADIUS + RADIUS_A_GRADIENT * np.clip(self.sizes, 0, 1)

    def shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers on the ramp, from −1 to 1."""
        low, high = self.span
        return (2 * values - low - high) / ((high - low) or 1.0)
