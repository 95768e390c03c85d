"""One variable: the data with the fit, and bars of what is left of it with the step of the newest tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from workbench.views.curves.ink import write
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.many_lines import draw_lines
from workbench.views.look.theme import theme
from workbench.views.playground.hand_plot import HandPlot
from workbench.views.playground.inks import MIDDLE
from workbench.views.playground.marks import paint_marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.plane.cells import ModelCells
    from workbench.explain.step_functions import FoundSteps

FIT, BEFORE, STEP, BAR = 2.25, 1.25, 2.25, 1.25
RADIUS = 3.0
STEP_LOOKS = {  # by search: token, dash, pixels
    "optimal": ("text1", Qt.PenStyle.SolidLine, 2.5), "greedy": ("validation", Qt.PenStyle.DashLine, 2.0),
    "merging": ("score", Qt.PenStyle.DotLine, 2.5),
}  # fmt: skip
DOWN, UP = -0.85, 0.8  # of the weight ramp


@dataclass(frozen=True, eq=False)
class LineScene:
    """Frozen; another hand makes another scene.

    Attributes
    ----------
    x_limits, y_limits : tuple of float
    names : tuple of str
    x, y : ndarray, shape (n,)
    held_out : ndarray of bool, shape (n,)
    fit, before, step : ModelCells or None
        The fit after and before the tree, and the tree's leaf weights.
    output : int
        Of several predictions.
    bars : ndarray of float64, shape (n,)
        Empty where they are not known.
    pushes_up : ndarray of bool, shape (n,)
        Which bars push the prediction up.
    lines : tuple of FoundSteps
        Step functions over each other, in place of the fit.
    """

    x_limits: tuple[float, float] = (0.0, 1.0)
    y_limits: tuple[float, float] = (0.0, 1.0)
    names: tuple[str, str] = ("x", "y")
    x: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    y: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    held_out: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    fit: ModelCells | None = None
    before: ModelCells | None = None
    step: ModelCells | None = None
    output: int = 0
    bars: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    pushes_up: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    lines: tuple[FoundSteps, ...] = ()


class FitPlot(HandPlot):
    """Points, the fit as a step function, the one before it dashed, and what lies between in colour."""

    def __init__(self) -> None:
        super().__init__("Data and fit")
        self.scene = LineScene()
        self._seen: tuple[object, ...] = ()
        self._points = KeptLayer(ground="")

    def show_scene(self, scene: LineScene) -> None:
        """Show another scene."""
        seen = (scene, self.sentence, self.height())
        if seen == self._seen:
            return
        self.scene, self._seen = scene, seen
        self.set_x(*scene.x_limits)
        self.set_y_span(*scene.y_limits, max(2, self.height() // 60))
        self.lay(scene.x, scene.y, np.full(len(scene.x), RADIUS))
        self.update()

    def paint(self, painter: QPainter) -> None:
        scene, plot = self.scene, self.plot_rect
        self.paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(plot.adjusted(0, -2, 0, 2))
        if scene.fit is not None and scene.before is not None:
            self._paint_between(painter, scene.before, scene.fit)
        self._paint_points(painter)
        if scene.before is not None:
            painter.setPen(QPen(theme().color("text3"), BEFORE, Qt.PenStyle.DashLine))
            painter.drawPolyline(stairs(self, scene.before, scene.before.values[scene.output, 0]))
        for line in scene.lines:
            self._paint_line(painter, line)
        if scene.fit is not None and not scene.lines:
            painter.setPen(QPen(theme().color("text1"), FIT))
            painter.drawPolyline(stairs(self, scene.fit, scene.fit.values[scene.output, 0]))
        painter.setClipping(False)
        self.paint_hand(painter)

    def _paint_between(self, painter: QPainter, before: ModelCells, after: ModelCells) -> None:
        """What the tree adds: gold where it lifts the fit, violet where it lowers it."""
        edges = np.union1d(before.x, after.x)
        middles = (edges[:-1] + edges[1:]) / 2
        low, high = (
            cells.values[self.scene.output, 0][
                np.clip(np.searchsorted(cells.x, middles) - 1, 0, len(cells.x) - 2)
            ]
            for cells in (before, after)
        )
        lifted, lowered = theme().weight(MIDDLE * UP), theme().weight(MIDDLE * DOWN)
        across, old = (part.tolist() for part in self.pixels(edges, np.append(low, 0.0)))
        new = self.pixels(middles, high)[1].tolist()
        for left, right, above, below in zip(across[:-1], across[1:], new, old[:-1], strict=True):
            box = QRectF(QPointF(left, below), QPointF(right, above)).normalized()
            painter.fillRect(box, lifted if above < below else lowered)

    def _paint_line(self, painter: QPainter, line: FoundSteps) -> None:
        """One of several step functions, told apart by colour and dash."""
        token, dash, thick = STEP_LOOKS[line.search]
        painter.setPen(QPen(theme().color(token), thick, dash))
        edges = np.concatenate([[self.scene.x_limits[0]], line.cuts, [self.scene.x_limits[1]]])
        painter.drawPolyline(self.line(np.repeat(edges, 2)[1:-1], np.repeat(line.values, 2)))

    def _paint_points(self, painter: QPainter) -> None:
        scene = self.scene
        if not len(scene.x):
            return
        x, y = self._pixels()
        inks = np.array([theme().color(token).rgb() for token in ("train", "validation")], np.uint32)
        order = np.argsort(scene.held_out, kind="stable")
        order = order[np.isfinite(x + y)[order]]
        count = len(order)
        marks = (x[order], y[order], np.full(count, RADIUS), np.zeros(count, np.int64),
                 inks[scene.held_out[order].astype(np.int64)])
        made_of = tuple(part.tobytes() for part in marks)
        self._points.paint(painter, self.size(), made_of, lambda layer: paint_marks(layer, *marks))
        if self._at >= 0:
            painter.setPen(QPen(theme().color("text1"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x[self._at], y[self._at]), RADIUS + 5, RADIUS + 5)


class BarsPlot(HandPlot):
    """A bar a point: gold pushes the prediction up, violet down; the tree's step over them in accent."""

    def __init__(self) -> None:
        super().__init__("What is left, and the step of the tree")
        self.scene = LineScene()
        self._seen: tuple[object, ...] = ()

    def show_scene(self, scene: LineScene) -> None:
        """Show another scene."""
        seen = (scene, self.sentence, self.height())
        if seen == self._seen:
            return
        self.scene, self._seen = scene, seen
        self.set_x(*scene.x_limits)
        shown = scene.bars[np.isfinite(scene.bars)]
        if len(shown):
            shown = np.clip(shown, *np.percentile(shown, (1, 99)))  # one far-off bar would hide all others
        steps = np.empty(0) if scene.step is None else scene.step.values[0, 0]
        every = np.concatenate([shown, steps, [0.0]])
        low, high = (float(every.min()), float(every.max())) if len(every) > 1 else (-1.0, 1.0)
        room = 0.08 * ((high - low) or 1.0)
        self.set_y_span(low - room, high + room, max(2, self.height() // 50))
        self.lay(np.empty(0), np.empty(0), np.empty(0))
        self.update()

    def paint(self, painter: QPainter) -> None:
        scene, plot = self.scene, self.plot_rect
        self.paint_axes(painter)
        zero = round(self.up(0.0)) + 0.5
        painter.setClipRect(plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for up in (False, True):
            painter.setPen(QPen(theme().weight(UP if up else DOWN), BAR))
            if len(scene.bars) == len(scene.x):
                own = (scene.pushes_up == up) & np.isfinite(scene.x)
                across, up_to = self.pixels(scene.x[own], scene.bars[own])
                draw_lines(painter, np.stack([across, np.full(len(across), zero), across, up_to], axis=1))
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))
        if scene.step is not None:
            painter.setPen(QPen(theme().color("accent"), STEP))
            painter.drawPolyline(stairs(self, scene.step, scene.step.values[0, 0]))
        painter.setClipping(False)
        if self.sentence:
            write(painter, self.sentence, plot.center().x(), plot.center().y(), token="text2", align="centre")


def stairs(plot: HandPlot, cells: ModelCells, values: NDArray[np.float64]) -> QPolygonF:
    """A step function as a line."""
    edges = np.stack([cells.x[:-1], cells.x[1:]], axis=1).ravel()
    return plot.line(edges, np.repeat(values, 2))
