"""What the rows of trees of means and class shares are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NodeTarget(NamedTuple):
    """What the rows are: one of several classes; or numbers about a middle, two classes being 0 and 1.

    Attributes
    ----------
    labels : ndarray of int32, shape (n,) or (0,)
        Of several classes.
    numbers : ndarray of float64, shape (n,) or (0,)
    n_classes : int
        0 for numbers.
    middle : float
        Added to the leaves.
    """

    labels: NDArray[np.int32]
    numbers: NDArray[np.float64]
    n_classes: int = 0
    middle: float = 0.0


def class_target(codes: NDArray[np.floating[Any]], n_classes: int) -> NodeTarget:
    """Return classes 0 … n_classes − 1 as they are grown on."""
    if n_classes <= 2:
        return NodeTarget(np.empty(0, np.int32), codes.astype(np.float64), 2)
    return NodeTarget(codes.astype(np.int32), np.empty(0), n_classes)


def number_target(numbers: NDArray[np.float64]) -> NodeTarget:
    """Return numbers as they are grown on."""
    middle = float(numbers.mean()) if len(numbers) else 0.0
    return NodeTarget(np.empty(0, np.int32), numbers - middle, 0, middle)
