"""What a leaf takes off the loss as a function of its weight: G·w + ½(H+λ)·w² + α|w|."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_figures import leaf_weight, soft_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.derivation.assumed import Assumed

REACH = 1.3  # of the interval drawn, beyond the farthest of 0 and the minima


@dataclass(frozen=True)
class LeafParabola:
    """One node's G and H, and the penalties on its weight."""

    sum_gradient: float
    sum_hessian: float
    reg_lambda: float
    reg_alpha: float = 0.0

    @classmethod
    def of(cls, sum_gradient: float, sum_hessian: float, assumed: Assumed) -> LeafParabola:
        """Return the parabola under λ and α."""
        return cls(sum_gradient, sum_hessian, assumed.reg_lambda, assumed.reg_alpha)

    @property
    def weight(self) -> float:
        """w* = −soft(G, α)/(H+λ), where it is least."""
        soft = soft_threshold(self.sum_gradient, self.reg_alpha)
        return leaf_weight(soft, self.sum_hessian, self.reg_lambda)

    @property
    def least(self) -> float:
        """Its value there, −½·soft(G, α)²/(H+λ)."""
        return 0.5 * soft_threshold(self.sum_gradient, self.reg_alpha) * self.weight

    def at(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return its values at these weights."""
        below = self.sum_hessian + self.reg_lambda
        values: NDArray[np.float64] = (
            self.sum_gradient * weight + 0.5 * below * weight**2 + self.reg_alpha * np.abs(weight)
        )
        return values


def weights_around(*minima: float, points: int = 161) -> NDArray[np.float64]:
    """Return weights about 0 that reach beyond the minima on both sides, shape (points,), 0 among them."""
    farthest = max([abs(weight) for weight in minima if np.isfinite(weight)], default=0.0)
    reach = REACH * farthest or 1.0
    low = -reach if min(minima, default=0.0) < 0 else -0.6 * reach
    high = reach if max(minima, default=0.0) > 0 else 0.6 * reach
    return np.union1d(np.linspace(low, high, points - 1), [0.0])
