"""Rows whose answers are known beside what is predicted for them: all that pictures of predictions read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Task = Literal["classes", "numbers", "quantiles", "ranking"]


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows with an answer, a prediction, and a weight above 0; see `known_rows`.

    Attributes
    ----------
    task : {"classes", "numbers", "quantiles", "ranking"}
    target : ndarray of float64, shape (n,)
        Numbers, relevances or codes of classes.
    prediction : ndarray of float, shape (n,), or (n, K)
        Of two classes the score of the second; of more one a class; of several quantiles one a level.
    rows : ndarray of int64, shape (n,)
        Which rows these are, of whatever they were taken from.
    weight : ndarray of float64, shape (n,), or None
    labels : tuple of str
        Of the classes.
    boundary : float
        The score above which the second of two classes is the likelier.
    levels : tuple of float
        Of quantiles.
    groups : ndarray of int64, shape (n,), or None
        Queries of rankings.
    of : int
        So many rows there are, of which these are a sample; n where they are all.
    """

    task: Task
    target: NDArray[np.float64]
    prediction: NDArray[np.floating]
    rows: NDArray[np.int64]
    weight: NDArray[np.float64] | None = None
    labels: tuple[str, ...] = ()
    boundary: float = 0.5
    levels: tuple[float, ...] = ()
    groups: NDArray[np.int64] | None = None
    of: int = 0

    def __len__(self) -> int:
        return len(self.target)

    @property
    def is_sample(self) -> bool:
        """Whether there are more rows than these."""
        return self.of > len(self)

    @property
    def are_shares(self) -> bool:
        """Whether what is predicted of classes are probabilities, and no log-odds."""
        return self.boundary != 0.0

    @property
    def total(self) -> float:
        """The sum of weights."""
        return float(len(self)) if self.weight is None else float(self.weight.sum())

    def score(self, k: int) -> NDArray[np.float64]:
        """Return the score of class k; of the first of two what the second's leaves."""
        if self.prediction.ndim == 2:
            return self.prediction[:, k].astype(np.float64)
        score = self.prediction.astype(np.float64)
        if k == len(self.labels) - 1:
            return score
        return 1.0 - score if self.are_shares else -score

    def is_of(self, k: int) -> NDArray[np.bool_]:
        """Return which rows are of class k."""
        return self.target == k

    def output(self, k: int = 0) -> NDArray[np.float64]:
        """Return the k-th number that is predicted."""
        values = self.prediction if self.prediction.ndim == 1 else self.prediction[:, k]
        return values.astype(np.float64)

    def residual(self, k: int = 0) -> NDArray[np.float64]:
        """Return the answer less what is predicted; of classes 1 or 0 less the score of class k."""
        if self.task == "classes":
            return self.is_of(k) - self.score(k)
        return self.target - self.output(k)

    def taken_for(self, k: int, threshold: float | None) -> NDArray[np.int64]:
        """Return the class that each row is taken for.

        That is class k where its score is above the threshold, else the likeliest of the others; without
        a threshold it is the likeliest of all.
        """
        if self.prediction.ndim == 1:
            if threshold is None:
                return (self.prediction > self.boundary).astype(np.int64)
            above = self.score(k) > threshold
            return np.where(above, k, 1 - k).astype(np.int64)
        if threshold is None:
            return self.prediction.argmax(axis=1)
        others = self.prediction.copy()
        others[:, k] = -np.inf
        return np.where(self.score(k) > threshold, k, others.argmax(axis=1)).astype(np.int64)

    def take(self, places: NDArray[np.int64] | NDArray[np.bool_]) -> ScoredRows:
        """Return some of the rows."""
        return replace(
            self, target=self.target[places], prediction=self.prediction[places], rows=self.rows[places],
            weight=None if self.weight is None else self.weight[places],
            groups=None if self.groups is None else self.groups[places], of=0,
        )


def known_rows(scored: ScoredRows) -> ScoredRows:
    """Return the rows with an answer that the classes have, a prediction, and a weight above 0.

    Of rankings a weight tells no more than whether a row counts: queries weigh alike.
    """
    known = have_answers(
        scored.target, scored.weight, len(scored.labels) if scored.task == "classes" else 0
    )
    outputs = scored.prediction.reshape(len(scored), -1)
    known &= np.isfinite(outputs).all(axis=1)
    if scored.task == "ranking":
        scored = replace(scored, weight=None)
    if known.all():
        return scored
    left_out = len(scored) - int(known.sum())
    return replace(scored.take(known), of=max(0, scored.of - left_out) if scored.is_sample else 0)


def have_answers(
    target: NDArray[np.float64], weight: NDArray[np.float64] | None, n_classes: int = 0
) -> NDArray[np.bool_]:  # fmt: skip
    """Return which rows have an answer, of classes one of theirs, and a weight above 0."""
    known = np.isfinite(target)
    if weight is not None:
        known &= weight > 0
    return known & (target >= 0) & (target < n_classes) if n_classes else known
