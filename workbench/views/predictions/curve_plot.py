"""Curves over all thresholds: ROC, precision and recall, gain; the threshold stands on each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen

from workbench.explain.predictions.score_curve import thinned
from workbench.number_text import fixed, percent
from workbench.views.curves.ink import width, write
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import PredictionPlot, paint_dashed, paint_mark

if TYPE_CHECKING:
    from workbench.explain.predictions.score_curve import ScoreCurve
    from workbench.views.predictions.plot import Cells

MOST_SAVED = 20_000  # points of a curve that are written to a file


class ScoreCurvePlot(PredictionPlot):
    """A point of the curve is a cut of the scores: see `ScoreCurve`."""

    brush = "x"
    hint = "Click the curve to set the threshold. Drag across it to select the rows of that part."
    kind = x_name = y_name = ""
    needs_both = True

    def __init__(self) -> None:
        super().__init__()
        self.curve: ScoreCurve | None = None
        self.token = "validation"
        self._x = self._y = np.empty(0)
        self._kept = np.empty(0, np.int64)
        self._at, self._best, self._best_words = 0, -1, ""
        self.set_x(0.0, 1.0)
        self.set_y_span(0.0, 1.0, 5)
        self.caption = self.x_name

    def show_curve(self, curve: ScoreCurve, label: str, token: str) -> None:
        """Show another curve, of the class called `label`."""
        self.curve, self.token, self._at, self._best = curve, token, 0, -1
        self._x, self._y = getattr(curve, self.kind)
        self._kept = curve.seen[self.kind]
        self.fit_left()
        lack = self.lack(curve, label)
        self.phrase = "" if lack else self.summary(curve)
        self.say(lack)

    def summary(self, curve: ScoreCurve) -> str:
        """The curve in a figure."""
        return ""

    def lack(self, curve: ScoreCurve, label: str) -> str:
        """Why there is no curve; "" where there is one."""
        if not curve.positive[-1] > 0:
            return f"No row is {label}, so there is no such curve. Choose other rows or another class."
        if self.needs_both and not curve.negative[-1] > 0:
            return f"Every row is {label}, so there is no such curve. Choose other rows or another class."
        return ""

    def set_threshold(self, threshold: float) -> None:
        """Mark the place of the threshold."""
        if self.curve is not None:
            self._at = self.curve.cut(threshold)
            self.read()
            self.update()

    def set_best(self, cut: int, words: str) -> None:
        """Mark the place where errors cost least; −1 nowhere."""
        self._best, self._best_words = cut, words
        self.update()

    def cut_at(self, x: float, y: float) -> int:
        """The cut nearest to a place."""
        far = np.hypot(self._x[self._kept] - x, (self._y[self._kept] - y) * 0.25)
        return int(self._kept[np.nanargmin(far)])

    def scores_between(self, left: float, right: float) -> tuple[float, float]:
        """The scores of the rows of a part of the horizontal axis: above the first, up to the second."""
        assert self.curve is not None
        first = int(np.searchsorted(self._x, left, side="left"))
        last = max(int(np.searchsorted(self._x, right, side="right")) - 1, first)
        return self.curve.threshold(last), (np.inf if first == 0 else self.curve.threshold(first))

    def point(self, place: tuple[float, float] | None) -> None:
        if self.curve is None:
            return
        if place is None:
            self.reading = self.words(self._at)
        else:
            cut = self.cut_at(*place)
            self.reading = f"{self.words(cut)} above {fixed(self.curve.threshold(cut))}"

    def words(self, cut: int) -> str:
        """A cut in words."""
        return f"{percent(self._y[cut])} at {percent(self._x[cut])}"

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_curve)

    def _paint_curve(self, painter: QPainter) -> None:
        self.paint_reference(painter)
        painter.setPen(QPen(theme().color(self.token), 2.25))
        painter.drawPolyline(self.line(self._x[self._kept], self._y[self._kept]))

    def paint_marks(self, painter: QPainter) -> None:
        if self._best >= 0:
            place = self._place(self._best)
            paint_mark(painter, place, hollow=True)
            self._write_best(painter, place)
        paint_mark(painter, self._place(self._at))
        if self._cursor is not None and self._pressed is None:
            paint_mark(painter, self._place(self.cut_at(*self.value_at(self._cursor))), "text1", hollow=True)

    def _write_best(self, painter: QPainter, place: QPointF) -> None:
        plot, taken = self.plot_rect, width(self._best_words)
        x = min(max(place.x() + 10, plot.left()), plot.right() - taken - 8)
        y, at = place.y() + 14, self._place(self._at)
        is_hit = abs(at.y() - y) < 13 and x - 8 < at.x() < x + taken + 8  # by the mark of the threshold
        if is_hit or y + 10 >= plot.bottom():
            y = place.y() - 14
        write(painter, self._best_words, x, y, token="accent", bold=True, halo="data")

    def _place(self, cut: int) -> QPointF:
        return QPointF(self.across(float(self._x[cut])), self.up(float(self._y[cut])))

    def paint_reference(self, painter: QPainter) -> None:
        """Paint what guessing would give."""
        paint_dashed(painter, QPointF(self.across(0), self.up(0)), QPointF(self.across(1), self.up(1)), "ctl")

    def values(self) -> Cells:
        if self.curve is None or self.sentence:
            return []
        kept = thinned(self._x, self._y, MOST_SAVED)
        heads = ("threshold", self.x_name, self.y_name)
        thresholds = map(self.curve.threshold, kept.tolist())
        return [heads, *zip(thresholds, self._x[kept].tolist(), self._y[kept].tolist(), strict=True)]


class RocPlot(ScoreCurvePlot):
    """True positive rate over false positive rate."""

    kind, title = "roc", "ROC"
    x_name, y_name = "false positive rate", "true positive rate"

    def summary(self, curve: ScoreCurve) -> str:
        return f"area {fixed(curve.auc)}"

    def words(self, cut: int) -> str:
        return f"{percent(self._y[cut])} found, {percent(self._x[cut])} false"


class PrecisionRecallPlot(ScoreCurvePlot):
    """Precision over recall."""

    kind, title = "precision_recall", "Precision and recall"
    x_name, y_name = "recall", "precision"
    needs_both = False

    def summary(self, curve: ScoreCurve) -> str:
        return f"average {fixed(curve.average_precision)}"

    def words(self, cut: int) -> str:
        return f"precision {percent(self._y[cut])}, recall {percent(self._x[cut])}"

    def paint_reference(self, painter: QPainter) -> None:
        if self.curve is not None:
            y = self.up(self.curve.base_rate)
            paint_dashed(painter, QPointF(self.across(0), y), QPointF(self.across(1), y), "ctl")


class GainPlot(ScoreCurvePlot):
    """How much of the class is found among the rows with the highest scores."""

    kind, title = "gain", "Gain and lift"
    x_name, y_name = "share of rows, highest first", "share found"
    needs_both = False

    def summary(self, curve: ScoreCurve) -> str:
        tenth = int(np.searchsorted(curve.taken, 0.1))
        if not curve.taken[tenth] > 0:
            return ""
        return f"lift {fixed(float(curve.recall[tenth] / curve.taken[tenth]), 2)} at 10 %"

    def words(self, cut: int) -> str:
        x, y = float(self._x[cut]), float(self._y[cut])
        lift = f", lift {fixed(y / x, 2)}" if x else ""
        return f"{percent(y)} in {percent(x)}{lift}"

    def paint_reference(self, painter: QPainter) -> None:
        super().paint_reference(painter)
        if self.curve is not None:  # what a perfect order would give
            corner = QPointF(self.across(self.curve.base_rate), self.up(1))
            paint_dashed(painter, QPointF(self.across(0), self.up(0)), corner, "line2")
            paint_dashed(painter, corner, QPointF(self.across(1), self.up(1)), "line2")
