"""A column against its SHAP values, a dot a row, coloured by the column that it interacts with most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from workbench.number_text import figure
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.explain.plots.dots import (
    MOST_NAMED,
    category_colors,
    dots_image,
    share_colors,
    value_shares,
)
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from workbench.data.schema import Feature

DOT, MOST_DOTS = 2.3, 4_000
TITLE_LINES, MISSING = 58, 0.09  # pixels above the plot; share of the axis for missing values
GOLDEN = 0.6180339887498949
JITTER = 0.56  # of the room of a category


@dataclass(frozen=True, eq=False)
class DependenceScene:
    """What is drawn: values and SHAP values of a column, and values of its partner; frozen."""

    column: Feature | None = None
    values: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    shares: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    partner: Feature | None = None
    partner_values: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    phrase: str = ""


class DependencePlot(SmallPlot):
    """Missing values stand apart at the right; categories are spread over their room."""

    def __init__(self) -> None:
        super().__init__(200)
        self.setMinimumHeight(px(160))
        self.setMinimumWidth(px(260))
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("SHAP values by the column's values")
        self.scene = DependenceScene()
        self._image: tuple[tuple[object, ...], QImage] | None = None
        self._missing = float("nan")  # where they stand

    def show_scene(self, scene: DependenceScene) -> None:
        """Show another scene."""
        self.scene, self._image = scene, None
        if scene.column is not None and len(scene.values):
            self._span(scene, scene.column)
        self.update()

    def _span(self, scene: DependenceScene, column: Feature) -> None:
        shares = scene.shares[np.isfinite(scene.shares)]
        low, high = min(float(shares.min()), 0.0), max(float(shares.max()), 0.0)
        room = 0.06 * ((high - low) or 1.0)
        self.set_y_span(low - room, high + room, 5)
        self._left = self.left_needed
        known = scene.values[np.isfinite(scene.values)]
        has_missing = len(known) < len(scene.values)
        if column.categories:
            names = (*column.categories, *(("other",) if (known >= len(column.categories)).any() else ()))
            self._missing = float(len(names))
            self.set_x_names((*names, *(("missing",) if has_missing else ())))
            return
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        room = 0.03 * ((high - low) or 1.0)
        right = high + room + (MISSING * ((high - low) or 1.0) if has_missing else 0.0)
        self._missing = right - room
        self.set_x(low - room, right, "date" if column.kind == "date" else "number")

    @property
    def plot_rect(self) -> QRectF:
        """Below the title and what the colours mean."""
        whole = super().plot_rect
        return QRectF(whole.left(), px(TITLE_LINES), whole.width() - 12,
                      max(whole.bottom() - px(TITLE_LINES), 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        scene = self.scene
        if scene.column is None or not len(scene.values):
            return
        taken = write(painter, scene.column.name, self._left, px(12), pixels=NOTE, bold=True, token="text1",
                      most=self.width() * 0.5)
        begin = self._left + taken + 8
        write(painter, scene.phrase, begin, px(12), most=self.width() - begin - 8)
        self._paint_key(painter)
        self.paint_axes(painter)
        plot = self.plot_rect
        zero = round(self.up(0.0)) + 0.5
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QLineF(plot.left(), zero, plot.right(), zero))
        is_apart = not scene.column.categories and not np.isfinite(scene.values).all()
        if is_apart:
            write(painter, "missing", self.across(self._missing), plot.top() + 8, align="centre")
        image = self._dots(painter.device().devicePixelRatioF())
        painter.drawImage(QPointF(plot.left(), plot.top()), image)

    def _dots(self, ratio: float) -> QImage:
        scene, plot = self.scene, self.plot_rect
        key = (plot.getRect(), ratio, theme().name)
        if self._image is not None and self._image[0] == key:
            return self._image[1]
        some = np.linspace(0, len(scene.values) - 1, min(len(scene.values), MOST_DOTS)).astype(int)
        values, at = scene.values[some].astype(np.float64), np.arange(len(some))
        values = np.where(np.isnan(values), self._missing, values)
        if scene.column is not None and scene.column.categories:
            values += (at * GOLDEN % 1.0 - 0.5) * JITTER
        x, y = self.pixels(values, scene.shares[some])
        image = dots_image(x - plot.left(), y - plot.top(), self._colors(some), int(plot.width()),
                           int(plot.height()), DOT, ratio)
        self._image = (key, image)
        return image

    def _colors(self, some: NDArray[np.int64]) -> NDArray[np.uint32]:
        scene = self.scene
        if scene.partner is None:
            return np.full(len(some), theme().color("train").rgb(), np.uint32)
        values = scene.partner_values[some]
        if 0 < len(scene.partner.categories) <= MOST_NAMED:
            return category_colors(values)
        return share_colors(value_shares(values, len(scene.partner.categories)))

    def _paint_key(self, painter: QPainter) -> None:
        """Say what the colours mean."""
        scene, y = self.scene, px(34)
        if scene.partner is None:
            return
        x, end = self._left + 0.0, self.width() - 12.0
        x += write(painter, "Colour:", x, y, most=end - x) + 6
        x += write(painter, scene.partner.name, x, y, bold=True, token="text2", most=(end - x) * 0.5) + 10
        if 0 < len(scene.partner.categories) <= MOST_NAMED:
            for code, name in enumerate(scene.partner.categories):
                if x + 14 + width(name) > end:
                    break
                painter.fillRect(QRectF(x, y - 4, 8, 8), theme().category(code))
                x += 12 + write(painter, name, x + 12, y, token="text2") + 12
            return
        known = scene.partner_values[np.isfinite(scene.partner_values)]
        ends = ("low", "high")
        if not scene.partner.categories and scene.partner.kind != "date" and len(known):
            ends = (figure(float(known.min()), 3), figure(float(known.max()), 3))
        x += write(painter, ends[0], x, y, token="text2") + 6
        bar = px(56)
        row = np.ascontiguousarray((share_colors(np.linspace(0, 1, bar)) | np.uint32(0xFF000000))[None, :])
        painter.drawImage(QRectF(x, y - 4, bar, 8),
                          QImage(row.data, bar, 1, 4 * bar, QImage.Format.Format_RGB32))
        write(painter, ends[1], x + bar + 6, y, token="text2", most=end - x - bar)
