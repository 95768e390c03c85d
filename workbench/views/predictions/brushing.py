"""What a drag over each plot selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.predictions.brush import (
    CellBrush,
    QueryBrush,
    ResidualBrush,
    ScoreBrush,
    TruthBrush,
    WrongBrush,
)

if TYPE_CHECKING:
    from workbench.explain.predictions.brush import Brush
    from workbench.views.predictions.board import Board
    from workbench.views.predictions.curve_plot import ScoreCurvePlot

EVERY = (-np.inf, np.inf)


class Brushing:
    """Reads what the plots of a board show of class `k`, or of that level, above a threshold."""

    def __init__(self, board: Board, k: int, threshold: float | None) -> None:
        self._board, self._k, self._threshold = board, k, threshold

    def brush(self, name: str, left: float, right: float, low: float, high: float) -> Brush | None:
        """Return what a drag over the plot called `name` means, in the values of its axes."""
        made: Brush | None = getattr(self, f"_{name}")(left, right, low, high)
        return made

    def wrong(self) -> Brush:
        """The rows that are taken for what they are not."""
        return WrongBrush(self._k, self._threshold)

    def _matrix(self, left: float, right: float, low: float, high: float) -> Brush:
        first, last, begin, end = self._board.matrix.cells_between(left, right, low, high)
        return CellBrush(self._k, self._threshold, (first, last), (begin, end))

    def _scores(self, left: float, right: float, _low: float, _high: float) -> Brush:
        histogram = self._board.scores.histogram
        return self._of_scores(left, right, 0.0 if histogram is None else float(histogram.edges[0]))

    def _calibration(self, left: float, right: float, _low: float, _high: float) -> Brush:
        return self._of_scores(left, right, 0.0)

    def _of_scores(self, left: float, right: float, least: float) -> Brush:
        return ScoreBrush(self._k, left if left > least else -np.inf, right)

    def _curve(self, plot: ScoreCurvePlot, left: float, right: float) -> Brush:
        return ScoreBrush(self._k, *plot.scores_between(left, right))

    def _roc(self, left: float, right: float, _low: float, _high: float) -> Brush:
        return self._curve(self._board.roc, left, right)

    def _precision_recall(self, left: float, right: float, _low: float, _high: float) -> Brush:
        return self._curve(self._board.precision_recall, left, right)

    def _gain(self, left: float, right: float, _low: float, _high: float) -> Brush:
        return self._curve(self._board.gain, left, right)

    def _truth(self, left: float, right: float, low: float, high: float) -> Brush:
        return TruthBrush(self._k, (left, right), (low, high))

    def _residuals(self, left: float, right: float, low: float, high: float) -> Brush:
        profile = self._board.residuals.profile
        if profile is not None and profile.names:
            first, last = max(0, round(left)), min(len(profile.names) - 1, round(right))
            return ResidualBrush(self._k, EVERY, names=profile.names[first : last + 1])
        is_profile = self._board.residuals.plane is None
        return ResidualBrush(self._k, EVERY if is_profile else (low, high), (left, right))

    def _quantiles(self, left: float, right: float, _low: float, _high: float) -> Brush:
        return ResidualBrush(self._k, self._board.quantiles.residuals_between(left, right))

    def _queries(self, left: float, right: float, _low: float, _high: float) -> Brush | None:
        queries = self._board.queries.queries
        if queries is None:
            return None
        chosen = queries.group[(queries.ndcg >= left) & (queries.ndcg <= right)]
        return QueryBrush(tuple(chosen.tolist()))
