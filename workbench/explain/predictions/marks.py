"""Where rows that were selected lie in each picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.predictions.score_histogram import score_histogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.predictions.column_values import ColumnValues
    from workbench.explain.predictions.scored_rows import ScoredRows

MOST_POINTS = 1500


@dataclass(frozen=True, eq=False)
class RowMarks:
    """The selected rows among those that are shown.

    Attributes
    ----------
    scores : ndarray of float64, shape (b,)
        Their weight by bin of the score; empty where no classes are predicted.
    predicted, actual, along, residual : ndarray of float64, shape (m,)
        Of numbers, at most some: where they lie in the planes.
    """

    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    predicted: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    actual: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    along: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    residual: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


def marks(rows: ScoredRows, k: int, column: ColumnValues | None, selected: NDArray[np.bool_]) -> RowMarks:
    """Return where the selected ones of rows lie."""
    if rows.task == "ranking":
        return RowMarks()
    if rows.task == "classes":
        score = rows.score(k)
        limits = (0.0, 1.0) if rows.are_shares else (float(score.min()), float(score.max()))
        weight = None if rows.weight is None else rows.weight[selected]
        found = score_histogram(score[selected], rows.is_of(k)[selected], weight, limits)
        return RowMarks(found.positive + found.negative)
    places = np.flatnonzero(selected)
    if len(places) > MOST_POINTS:
        places = np.sort(np.random.default_rng(0).choice(places, MOST_POINTS, replace=False))
    predicted = rows.output(k)[places]
    along = predicted if column is None else column.values[places].astype(np.float64)
    return RowMarks(np.empty(0), predicted, rows.target[places], along, rows.residual(k)[places])
