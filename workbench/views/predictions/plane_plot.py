"""Rows in two directions: what is so over what is predicted, and what is left along a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPolygonF

from workbench.number_text import count, figure, percent
from workbench.views.look.theme import theme
from workbench.views.predictions.plot import NO_ROWS, PredictionPlot, paint_dashed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.predictions.plane import Plane
    from workbench.explain.predictions.residual_profile import ResidualProfile
    from workbench.views.predictions.plot import Cells

RADIUS, SMALL = 2.2, 2.5
RAMP, PALE = 64, 0.14  # steps of a cell's colour, and how much of it the least has


class RowPlanePlot(PredictionPlot):
    """Points where they are few, else cells by how many rows are in them."""

    brush = "xy"
    hint = "Drag over rows to select them."

    def __init__(self) -> None:
        super().__init__()
        self.plane: Plane | None = None
        self.token = "validation"
        self._image: QImage | None = None
        self._marked = np.empty((2, 0))  # where selected rows lie

    def mark(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Show the selected rows over the others; nothing of none."""
        self._marked = np.stack([x, y])
        self.update()

    def show_plane(self, plane: Plane, token: str) -> None:
        """Show other rows."""
        self.plane, self.token, self._image = plane, token, None
        self.set_x(*plane.x_limits)
        low, high = plane.y_limits
        room = 0.04 * (high - low)
        self.set_y_span(low - room, high + room, 5)
        self.fit_left()
        n = len(plane.x) + plane.cells.sum()
        self.say("" if n else NO_ROWS)

    def point(self, place: tuple[float, float] | None) -> None:
        self.reading = "" if place is None else f"{figure(place[0])}, {figure(place[1])}"

    def paint_content(self, painter: QPainter) -> None:
        self.paint_framed(painter, self._paint_rows)

    def _paint_rows(self, painter: QPainter) -> None:
        if self.plane is None:
            return
        if self.plane.cells.size:
            self._paint_density(painter, self.plane)
        else:
            self._paint_points(painter, self.plane)
        self.paint_over(painter)

    def paint_over(self, painter: QPainter) -> None:
        """Paint lines over the rows."""

    def paint_marks(self, painter: QPainter) -> None:
        if self.plane is None or not self._marked.size:
            return
        painter.setClipRect(self.plot_rect.adjusted(-3, -3, 3, 3))
        wide = SMALL if self.plane.cells.size else 2 * RADIUS + 1.5
        painter.setPen(QPen(theme().color("accent"), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(self.line(*self._marked))

    def _paint_points(self, painter: QPainter, plane: Plane) -> None:
        ink = theme().color(self.token, 0.55)
        painter.setPen(QPen(ink, 2 * RADIUS, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(self.line(plane.x, plane.y))

    def _paint_density(self, painter: QPainter, plane: Plane) -> None:
        if self._image is None:
            cells = plane.cells[::-1]
            alphas = np.linspace(PALE, 1.0, RAMP).tolist()
            ramp = np.array([theme().on_data(self.token, alpha).rgb() for alpha in alphas], np.uint32)
            shares = np.log1p(cells) / np.log1p(cells.max() or 1.0)
            colours = ramp[(shares * (RAMP - 1)).astype(int)]
            colours[cells == 0] = theme().color("data").rgb()
            down, across = cells.shape
            colours = np.ascontiguousarray(colours)
            image = QImage(colours.tobytes(), across, down, 4 * across, QImage.Format.Format_RGB32)
            self._image = image.copy()
        (left, right), (low, high) = plane.x_limits, plane.y_limits
        corner, end = QPointF(self.across(left), self.up(high)), QPointF(self.across(right), self.up(low))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(QRectF(corner, end), self._image)

    def restyle(self) -> None:
        self._image = None
        super().restyle()

    def values(self) -> Cells:
        plane = self.plane
        if plane is None or self.sentence:
            return []
        if not plane.cells.size:
            return [("x", "y"), *zip(plane.x.tolist(), plane.y.tolist(), strict=True)]
        down, across = plane.cells.shape
        xs = np.linspace(*plane.x_limits, across + 1)
        ys = np.linspace(*plane.y_limits, down + 1)
        lines = [(float(xs[j]), float(xs[j + 1]), float(ys[i]), float(ys[i + 1]), float(plane.cells[i, j]))
                 for i, j in zip(*np.nonzero(plane.cells), strict=True)]
        return [("x from", "x to", "y from", "y to", "weight"), *lines]

    def _shown_outside(self) -> str:
        if self.plane is None or not self.plane.outside:
            return ""
        total = float(self.plane.cells.sum()) + self.plane.outside
        return f"{percent(self.plane.outside / total, 1)} lie outside"


class TruthPlot(RowPlanePlot):
    """What is so over what is predicted; on the diagonal both are the same."""

    title = "Predicted and actual"

    def show_truth(self, plane: Plane, token: str, predicted: str, target: str) -> None:
        """Show other rows."""
        self.caption = predicted
        self.show_plane(plane, token)
        told = f"{target}, on the line both are the same", self._shown_outside()
        self.phrase = ", ".join(filter(None, told))

    def paint_over(self, painter: QPainter) -> None:
        low = max(self._x_range[0], self._y_range[0])
        high = min(self._x_range[1], self._y_range[1])
        begin, end = (QPointF(self.across(value), self.up(value)) for value in (low, high))
        paint_dashed(painter, begin, end, "text2", 1.25)


class ResidualPlot(RowPlanePlot):
    """What is left of the answers along a column: mean, median, and where 80 % of the rows lie."""

    title = "Residuals"

    def __init__(self) -> None:
        super().__init__()
        self.profile: ResidualProfile | None = None
        self.of_means = False

    def show_residuals(
        self, plane: Plane | None, profile: ResidualProfile, token: str, column: str, what: str,
        *, of_means: bool = False,
    ) -> None:  # fmt: skip
        """Show what is left along another column; without a plane the profile alone.

        `of_means` lets the band tell how exact the means are, not where the rows lie.
        """
        self.profile, self.caption, self.of_means = profile, column, of_means
        self.brush = "xy" if plane is not None else "x"
        if plane is not None:
            self.show_plane(plane, token)
            outside = self._shown_outside()
        else:
            self._show_profile(profile, token)
            outside = ""
        told = _shown_of(profile), f"{what}; {_key(profile, of_means)}", outside
        self.phrase = ", ".join(filter(None, told))
        if not len(profile.weight):
            self.say("No row has an answer, and a value here. Choose another column, or other rows.")

    def _show_profile(self, profile: ResidualProfile, token: str) -> None:
        self.plane, self.token, self._image = None, token, None
        shown = np.concatenate([*self._band(profile), profile.mean, [0.0]])
        shown = shown[np.isfinite(shown)]
        low, high = float(shown.min()), float(shown.max())
        room = 0.08 * ((high - low) or 1.0)
        if profile.names:
            self.set_x_names(profile.names)
        elif len(profile.left):
            self.set_x(float(profile.left[0]), float(profile.right[-1]))
        self.set_y_span(low - room, high + room, 5)
        self.fit_left()
        self.say("")

    def _band(self, profile: ResidualProfile) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the band begins and ends."""
        if self.of_means:
            return profile.mean - 2 * profile.error, profile.mean + 2 * profile.error
        return profile.quantiles[0], profile.quantiles[-1]

    def _paint_rows(self, painter: QPainter) -> None:
        if self.plane is None:
            self.paint_over(painter)
        else:
            super()._paint_rows(painter)

    def paint_over(self, painter: QPainter) -> None:
        plot, profile = self.plot_rect, self.profile
        zero = self.up(0.0)
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))
        if profile is None or not len(profile.weight):
            return
        if profile.names:
            self._paint_categories(painter, profile)
            return
        middle = (profile.left + profile.right) / 2
        low, high = self._band(profile)
        band = QPolygonF([*self.points(middle, high), *reversed(self.points(middle, low))])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(self.token, 0.18))
        painter.drawPolygon(band)
        if not self.of_means:
            painter.setPen(QPen(theme().color("text2"), 1.25, Qt.PenStyle.DashLine))
            painter.drawPolyline(self.line(middle, profile.quantiles[1]))
        painter.setPen(QPen(theme().color("text1"), 2))
        painter.drawPolyline(self.line(middle, profile.mean))

    def _paint_categories(self, painter: QPainter, profile: ResidualProfile) -> None:
        half = min(14.0, 0.3 * self.plot_rect.width() / len(profile.names))
        lows, highs = self._band(profile)
        for place in range(len(profile.names)):
            x = self.across(float(place))
            low, median, high = (
                self.up(float(value[place])) for value in (lows, profile.quantiles[1], highs)
            )
            painter.setPen(QPen(theme().color(self.token, 0.30), 2 * half, c=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QLineF(x, low, x, high))
            if not self.of_means:
                painter.setPen(QPen(theme().color("text2"), 1.25))
                painter.drawLine(QLineF(x - half, median, x + half, median))
            mean = self.up(float(profile.mean[place]))
            painter.setPen(QPen(theme().color("data"), 1))
            painter.setBrush(theme().color("text1"))
            painter.drawEllipse(QPointF(x, mean), 3.5, 3.5)

    def values(self) -> Cells:
        profile = self.profile
        if profile is None or self.sentence:
            return []
        names = profile.names or [""] * len(profile.left)
        lines = zip(names, profile.left.tolist(), profile.right.tolist(), profile.mean.tolist(),
                    *profile.quantiles.tolist(), profile.error.tolist(), profile.weight.tolist(), strict=True)
        heads = ("category", "from", "to", "mean", "10 %", "50 %", "90 %", "standard error", "weight")
        return [heads, *lines]


def _key(profile: ResidualProfile, of_means: bool) -> str:
    """Say what the marks are."""
    band = "two standard errors" if of_means else "80 % of the rows"
    if profile.names:
        return f"dot: mean, {'' if of_means else 'line: median, '}bar: {band}"
    return f"mean, {'' if of_means else 'dashed median, '}band: {band}"


def _shown_of(profile: ResidualProfile) -> str:
    """Say which categories and rows are not in the picture."""
    if profile.of > len(profile.names):
        return f"{len(profile.names)} heaviest of {count(profile.of)}"
    return f"{percent(profile.unknown, 1)} without a value" if profile.unknown > 0 else ""
