"""The rows of a run with the raw predictions of the model so far, to which every tree is added."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.objectives.queries import Queries, queries_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass
class PredictedRows:
    """Rows with their raw predictions so far.

    Attributes
    ----------
    target : ndarray of float64, shape (n,)
    weight : ndarray of float64, shape (n,)
        Or the ones of a single block of rows, where there are no weights and the objective needs no more.
    raw : ndarray of float32, shape (K, n)
    groups : ndarray of int64, shape (n,), optional
        Their queries.
    """

    target: NDArray[np.float64]
    weight: NDArray[np.float64]
    raw: NDArray[np.float32]
    groups: NDArray[np.int64] | None = None

    @cached_property
    def queries(self) -> Queries:
        """The rows by query; all of one where there are none."""
        return queries_of(np.zeros(len(self), np.int64) if self.groups is None else self.groups)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each row, shape (n,)."""
        return self.weight if len(self.weight) == len(self) else np.ones(len(self))

    @property
    def total_weight(self) -> float:
        """Sum of the weights."""
        return float(self.weight.sum()) if len(self.weight) == len(self) else float(len(self))

    def __len__(self) -> int:
        return len(self.target)


class RunPredictions(NamedTuple):
    """The rows that trees are grown on, and those that are held out."""

    train: PredictedRows
    valid: PredictedRows
