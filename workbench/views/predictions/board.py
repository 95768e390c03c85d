"""The plots of each kind of prediction, all at once or one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QTimer
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.number_text import count
from workbench.views.look.style import set_look
from workbench.views.predictions.calibration_plot import CalibrationPlot
from workbench.views.predictions.class_table import ClassTable
from workbench.views.predictions.coverage_plot import CoveragePlot
from workbench.views.predictions.curve_plot import GainPlot, PrecisionRecallPlot, RocPlot
from workbench.views.predictions.matrix_plot import MatrixPlot
from workbench.views.predictions.plane_plot import ResidualPlot, TruthPlot
from workbench.views.predictions.plot import PredictionPlot
from workbench.views.predictions.quantile_plot import QuantilePlot
from workbench.views.predictions.query_plot import QueryPlot
from workbench.views.predictions.score_plot import ScorePlot

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.findings import ClassFindings, PredictionFindings
    from workbench.explain.predictions.marks import RowMarks
    from workbench.explain.predictions.scored_rows import Task
    from workbench.views.predictions.curve_plot import ScoreCurvePlot

ALL = "all"
GRIDS: dict[Task, tuple[tuple[str, ...], ...]] = {  # what is shown at once; a name twice takes both places
    "classes": (("matrix", "scores", "calibration"), ("roc", "precision_recall", "gain")),
    "numbers": (("truth", "residuals"), ("truth", "quantiles")),
    "quantiles": (("coverage", "truth"), ("residuals", "quantiles")),
    "ranking": (("queries",),),
}
ALONE: dict[Task, tuple[str, ...]] = {"classes": ("classes", "residuals")}  # and what has a place only alone


class Board(QWidget):
    """Hairlines between plots; the widgets stay, what is not shown is hidden."""

    def __init__(self) -> None:
        super().__init__()
        set_look(self, ground="data")
        self.matrix, self.scores, self.calibration = MatrixPlot(), ScorePlot(), CalibrationPlot()
        self.roc, self.precision_recall, self.gain = RocPlot(), PrecisionRecallPlot(), GainPlot()
        self.classes, self.residuals, self.truth = ClassTable(), ResidualPlot(), TruthPlot()
        self.quantiles, self.coverage, self.queries = QuantilePlot(), CoveragePlot(), QueryPlot()
        self.task: Task | None = None
        self.choice = ALL
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._renewed: list[PredictionPlot] = []
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._paint_next)
        for widget in self.all.values():
            widget.hide()
            widget.setParent(self)
        for plot in self.plots:
            plot.renewed.connect(partial(self._renew, plot))

    @property
    def all(self) -> dict[str, PredictionPlot | ClassTable]:
        """Every plot by name."""
        names = ("matrix", "scores", "calibration", "roc", "precision_recall", "gain", "classes", "residuals",
                 "truth", "quantiles", "coverage", "queries")  # fmt: skip
        return {name: getattr(self, name) for name in names}

    @property
    def plots(self) -> list[PredictionPlot]:
        """Those that are painted."""
        return [plot for plot in self.all.values() if isinstance(plot, PredictionPlot)]

    @property
    def shown(self) -> list[PredictionPlot | ClassTable]:
        """Those that are seen."""
        return [plot for plot in self.all.values() if not plot.isHidden()]

    def choices(self, task: Task) -> list[str]:
        """Names of the plots of a kind of prediction."""
        return [*dict.fromkeys(name for line in GRIDS[task] for name in line), *ALONE.get(task, ())]

    def arrange(self, task: Task, choice: str) -> None:
        """Show all plots of a kind of prediction, or one of them."""
        if (task, choice) == (self.task, self.choice):
            return
        self.task, self.choice = task, choice
        for widget in self.all.values():
            self._grid.removeWidget(widget)
            widget.hide()
        lines = GRIDS[task] if choice == ALL else ((choice,),)
        for place in range(3):
            self._grid.setRowStretch(place, 1 if place < len(lines) else 0)
            self._grid.setColumnStretch(place, 1 if place < len(lines[0]) else 0)
        for name in dict.fromkeys(name for line in lines for name in line):
            places = [(i, j) for i, line in enumerate(lines) for j, other in enumerate(line) if other == name]
            (top, left), (bottom, right) = places[0], places[-1]
            self._grid.addWidget(self.all[name], top, left, bottom - top + 1, right - left + 1)
            self.all[name].show()

    def _renew(self, plot: PredictionPlot) -> None:
        """Let a ground be painted in an event of its own: all at once take longer than a frame."""
        if plot not in self._renewed:
            self._renewed.append(plot)
        self._turn.start()

    def _paint_next(self) -> None:
        """Paint the next plot that has something new to show."""
        while self._renewed:
            plot = self._renewed.pop(0)
            if plot.isVisible():
                plot.paint_ground()
                plot.update()
                break
        if not self._renewed:
            self._turn.stop()

    @property
    def curves(self) -> tuple[ScoreCurvePlot, ...]:
        """Those over all thresholds."""
        return self.roc, self.precision_recall, self.gain

    def show_found(self, found: PredictionFindings, token: str, target: str) -> None:
        """Show what was found of some rows, which have this colour."""
        rows = found.rows
        remark = f"{count(len(rows))} of {count(rows.of)} rows, evenly drawn" if rows.is_sample else ""
        for plot in self.plots:
            plot.remark = remark
        what = target
        if found.of_class is not None:
            what = f"1 or 0 for {rows.labels[found.of_class.k]}"
            self._show_class(found.of_class, rows.labels, token)
        if found.truth is not None:
            self.truth.show_truth(found.truth, token, "predicted", target)
        if found.profile is not None:
            self.residuals.show_residuals(
                found.residuals, found.profile, token, found.column or "predicted", f"{what} less predicted",
                of_means=rows.task == "classes",
            )
        if found.quantiles is not None:
            self.quantiles.show_quantiles(found.quantiles, token)
        if found.coverage is not None:
            self.coverage.show_coverage(found.coverage)
        if found.queries is not None:
            self.queries.show_queries(found.queries, token)

    def _show_class(self, found: ClassFindings, labels: tuple[str, ...], token: str) -> None:
        label = labels[found.k]
        for plot in self.curves:
            plot.show_curve(found.curve, label, token)
        others = labels[1 - found.k] if len(labels) == 2 else "others"
        self.scores.show_scores(found.histogram, found.curve, label, others)
        self.calibration.show_found(found, token)

    def show_matrix(self, matrix: Confusion, k: int, when: str = "") -> None:
        """Show who is taken for whom, with class k chosen; `when` where that is of another round."""
        self.matrix.show_matrix(matrix, when)
        self.classes.show_matrix(matrix, k, ", ".join(filter(None, (when, self.matrix.remark))))

    def show_marks(self, marks: RowMarks | None) -> None:
        """Show where the selected rows lie; None where none are selected."""
        none = np.empty(0)
        self.scores.mark(none if marks is None else marks.scores)
        self.truth.mark(*((none, none) if marks is None else (marks.predicted, marks.actual)))
        self.residuals.mark(*((none, none) if marks is None else (marks.along, marks.residual)))

    def show_threshold(self, threshold: float, best: int, best_words: str, best_at: float) -> None:
        """Move what stands at the threshold, and mark the cut where errors cost least."""
        for plot in self.curves:
            plot.set_threshold(threshold)
            plot.set_best(best, best_words)
        self.scores.set_threshold(threshold)
        self.scores.set_best(best_at)

    def restyle(self) -> None:
        """Take other colours."""
        for plot in self.plots:
            plot.restyle()

    def paint_picture(self, painter: QPainter, _target: QRectF) -> None:
        """Paint what is shown, for a file."""
        for plot in self.shown:
            painter.save()
            painter.translate(plot.pos())
            if isinstance(plot, PredictionPlot):
                plot.paint(painter)
            else:
                plot.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
            painter.restore()
