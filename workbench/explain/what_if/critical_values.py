"""The γ and the λ at which splits die, and how many survive at any γ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.what_if.held_lambdas import largest_held_lambda
from workbench.explain.what_if.rescoring import largest_below, soft_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.what_if.rescoring import Rescored

HALVINGS = 100  # of a bracket, which leaves the accuracy of its numbers


class Survivors:
    """How many splits survive as γ or λ rises: a step function that falls behind every critical value."""

    def __init__(self, critical: NDArray[np.float64]) -> None:
        self.critical = np.sort(critical)

    def count(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return how many survive at each value: those whose critical one is not below it."""
        fallen: NDArray[np.int64] = np.searchsorted(self.critical, values, side="left")
        return len(self.critical) - fallen


def critical_lambdas(rescored: Rescored) -> NDArray[np.float64]:
    """Return the λ beyond which each split is gone for good, shape (s,), with γ and α as scored.

    A split's own λ is the largest at which it gains γ, and the critical one is the largest of it and of all
    splits below it. ∞ where no λ is large enough, −∞ where no λ from 0 lets it live. Some milliseconds for
    ten thousand splits; a second where δ or monotone columns hold weights.
    """
    sums = rescored.sums
    if sums.is_held:
        own = largest_held_lambda(rescored)
    else:
        soft = soft_threshold(sums.g, rescored.reg_alpha[sums.tree_of_node])
        nodes = np.stack([sums.split, sums.left, sums.left + 1])
        own = largest_lambda(soft[nodes] ** 2, sums.h[nodes], rescored.gamma[sums.tree_of_split])
    own[sums.forced] = np.inf
    return largest_below(sums, own)


def largest_lambda(
    squares: NDArray[np.float64], h: NDArray[np.float64], gamma: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the largest λ ≥ 0 at which ½[S_L²/(H_L+λ) + S_R²/(H_R+λ) − S²/(H+λ)] ≥ γ.

    Over the common denominator that is a cubic of λ. It falls for good behind its last extremum, so its
    largest root lies there, or before both extrema, or there is none.

    Parameters
    ----------
    squares, h : ndarray of float64, shape (3, s)
        S² and H of the split, of its left and of its right child.
    gamma : ndarray of float64, shape (s,)

    Returns
    -------
    ndarray of float64, shape (s,)
        ∞ where it is so for every large λ, −∞ where for none.
    """
    scale = np.maximum(h[0], 1e-300)
    cubic = _cubic(squares, h / scale, gamma * scale)
    first, last = _extrema(cubic)
    first_nonzero = np.argmax(cubic != 0, axis=0)
    leading = np.take_along_axis(cubic, first_nonzero[None], axis=0)[0]
    far = 1 + np.abs(cubic).max(axis=0) / np.where(leading == 0, 1.0, np.abs(leading))  # Cauchy's bound
    behind = (last > 0) & (_value(cubic, np.maximum(last, 0)) >= 0)
    from_zero = cubic[3] >= 0
    low = np.where(behind, last, 0.0)
    high = np.where(~behind & (first > 0), first, far)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        holds = _value(cubic, middle) >= 0
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    found = np.where(behind | from_zero, low * scale, -np.inf)
    return np.where(leading >= 0, np.inf, found)


def _cubic(
    squares: NDArray[np.float64], h: NDArray[np.float64], gamma: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the coefficients, shape (4, s), of λ³, λ², λ and 1."""
    (s, s_left, s_right), (a, b, c) = squares, h
    return np.stack([
        -2 * gamma,
        s_left + s_right - s - 2 * gamma * (a + b + c),
        s_left * (a + c) + s_right * (a + b) - s * (b + c) - 2 * gamma * (a * b + a * c + b * c),
        s_left * a * c + s_right * a * b - s * b * c - 2 * gamma * a * b * c,
    ])


def _value(cubic: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    value: NDArray[np.float64] = ((cubic[0] * x + cubic[1]) * x + cubic[2]) * x + cubic[3]
    return value


def _extrema(cubic: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where the derivative is 0, the smaller one first; −∞ where it is nowhere, or once only."""
    a, b, c = 3 * cubic[0], cubic[1], cubic[2]  # of a x² + 2 b x + c
    inside = b * b - a * c
    root = np.sqrt(np.maximum(inside, 0))
    q = -(b + np.copysign(root, b))
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = np.where(a != 0, q / a, -np.inf), np.where(q != 0, c / q, -np.inf)
    real = inside > 0
    pair = np.where(real, np.stack([one, other]), -np.inf)
    return pair.min(axis=0), pair.max(axis=0)
