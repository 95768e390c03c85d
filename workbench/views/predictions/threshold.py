"""The threshold that all plots share: where it stands, what it makes of the rows, where errors cost least."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.explain.predictions.confusion import confusion
from workbench.number_text import count, fixed
from workbench.views.predictions.readings import counts_words, prediction_cells, two_classes

if TYPE_CHECKING:
    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.findings import PredictionFindings
    from workbench.explain.predictions.score_curve import ScoreCurve
    from workbench.views.curves.kpi_strip import KpiStrip
    from workbench.views.predictions.board import Board
    from workbench.views.predictions.curve_plot import ScoreCurvePlot
    from workbench.views.predictions.threshold_bar import ThresholdBar
    from workbench.workers.prediction_desk import PredictionDesk, PredictionSubject

ONE_OF_MANY = 0.5  # the threshold of a class of several that nobody has chosen
AT_ONCE = 400_000  # scores that are looked through here; of more, somebody else does it


class Threshold(QObject):
    """Moved by the bar, by a click on a curve or on the scores; shown in the plots and in the figures."""

    def __init__(
        self, bar: ThresholdBar, board: Board, kpis: KpiStrip, desk: PredictionDesk, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.value: float | None = None  # the person's; None where it is the usual one
        self._bar, self._board, self._kpis, self._desk = bar, board, kpis, desk
        self._found: PredictionFindings | None = None
        self._subject: PredictionSubject | None = None
        self._words = ""
        self._labels: tuple[str, ...] = ()
        self._best: tuple[ScoreCurve, tuple[float, float], int] | None = None
        self._counted: PredictionSubject | None = None  # whose matrix is shown
        self._follows = False  # whether the newest round of a run that trains is looked at
        bar.moved.connect(self.move)
        bar.costs_changed.connect(lambda *_: self.show(follows=self._follows))
        for curve in board.curves:
            curve.clicked.connect(partial(self._take_cut, curve))
        board.scores.clicked.connect(lambda x, _: self.move(x))

    def take(
        self, found: PredictionFindings, subject: PredictionSubject, words: str, *, is_other: bool,
        follows: bool = False,
    ) -> None:
        """Stand in what was found of some rows, of which `words` tell; of other ones the scale is another."""
        if self._labels != found.rows.labels:  # another question, of which no threshold was chosen
            self._labels, self.value = found.rows.labels, None
        self._found, self._subject, self._words = found, subject, words
        if is_other and found.of_class is not None:
            self._bar.set_scale(*self._limits(found), self._usual(found))
        self.show(follows=follows)

    def leave(self) -> None:
        """Stand in nothing: no rows are shown."""
        self._found = self._subject = self._best = self._counted = None

    def move(self, threshold: float) -> None:
        """Take a row for the class above another score."""
        self.value = threshold
        self.show()

    def show(self, *, follows: bool = False) -> None:
        """Move what stands at the threshold, and mark where errors cost least.

        What `follows` a run that trains need not be of the newest round.
        """
        found, self._follows = self._found, follows
        if found is None or found.of_class is None:
            return
        board, curve, rows = self._board, found.of_class.curve, found.rows
        threshold = self._usual(found) if self.value is None else self.value
        matrix = self._matrix(found, threshold)
        self._bar.show_threshold(threshold)
        if self.value is None and len(rows.labels) > 2:
            self._bar.slider.rest(threshold)
        cut = self._cheapest(curve)
        best = curve.threshold(cut) if cut >= 0 else math.nan
        self._bar.show_best(best)
        board.show_threshold(threshold, cut, f"best {fixed(best)}", best)
        if matrix is not None:
            board.show_matrix(matrix, found.of_class.k)
            self._counted = self._subject
        elif earlier := self._earlier(threshold):
            board.show_matrix(earlier[1], found.of_class.k, f"after round {count(earlier[0])}")
            self._counted = None
        elif self._counted != self._subject:  # what is shown is of another round, class or table
            board.matrix.wait()
            board.classes.wait(board.matrix.sentence)
        counts, label = curve.counts(threshold), rows.labels[found.of_class.k]
        self._kpis.show_cells(prediction_cells(found, counts, matrix, self._words))
        self._bar.slider.setAccessibleDescription(counts_words(counts, label, threshold))

    def _limits(self, found: PredictionFindings) -> tuple[float, float]:
        if found.rows.are_shares or found.of_class is None or not len(found.of_class.curve.scores):
            return 0.0, 1.0
        scores = found.of_class.curve.scores
        return float(scores[-1]), float(scores[0])

    def _usual(self, found: PredictionFindings) -> float:
        return found.rows.boundary if len(found.rows.labels) == 2 else ONE_OF_MANY

    def _cheapest(self, curve: ScoreCurve) -> int:
        """The cut where errors cost least; looked for anew only where curve or costs are others."""
        if self._best is None or self._best[:2] != (curve, self._bar.costs):
            cut = curve.cheapest(*self._bar.costs)[0] if len(curve.scores) else -1
            self._best = curve, self._bar.costs, cut
        return self._best[2]

    def _matrix(self, found: PredictionFindings, threshold: float) -> Confusion | None:
        """Who is taken for whom; of many rows of several classes it is counted elsewhere: None until then."""
        if self.value is None or found.of_class is None:
            return found.confusion
        if len(found.rows.labels) == 2:
            return two_classes(found.rows.labels, found.of_class.k, found.of_class.curve.counts(threshold))
        if self._subject is None:
            return None
        rows = found.rows
        if rows.prediction.size <= AT_ONCE:
            taken = rows.taken_for(found.of_class.k, threshold)
            return confusion(rows.target, taken, rows.labels, rows.weight)
        return self._desk.matrix(self._subject, threshold, follows=self._follows)

    def _earlier(self, threshold: float) -> tuple[int, Confusion] | None:
        """The matrix counted last and its round, while rounds go by faster than it is counted."""
        if not self._follows or self._subject is None:
            return None
        return self._desk.earlier_matrix(self._subject, threshold)

    def _take_cut(self, plot: ScoreCurvePlot, x: float, y: float) -> None:
        if plot.curve is not None:
            self.move(plot.curve.threshold(plot.cut_at(x, y)))
