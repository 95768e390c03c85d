"""What the colours of a surface mean: a ramp with its ends, or a swatch and a mark a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.playground.inks import class_color, paint_mark, surface_colors

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

RAMP, HEIGHT, BAR = 126, 28, 12
MOST_CLASSES = 12
GAP = 12.0  # pixels between two classes
LONGEST_NAME = 90


class ColourKey(QWidget):
    """Right-aligned; what has no room is left out, classes last."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words, self._ends = "", ("", "")
        self._classes: tuple[str, ...] = ()

    def show_ramp(self, words: str, low: str, high: str) -> None:
        """Show the ramp of a number between two ends."""
        self._show(words, (low, high), (), f"{words}, {low} to {high}")

    def show_classes(self, names: tuple[str, ...]) -> None:
        """Show classes by colour and mark."""
        self._show("", ("", ""), names, "Classes: " + ", ".join(names))

    def _show(self, words: str, ends: tuple[str, str], names: tuple[str, ...], told: str) -> None:
        if (words, ends, names) == (self._words, self._ends, self._classes):
            return  # a hand that moves a point does not wait for it
        self._words, self._ends, self._classes = words, ends, names
        self.setAccessibleName(told)
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self.show_classes(())

    def sizeHint(self) -> QSize:
        return QSize(240, px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._words:
            self._paint_ramp(painter)
        else:
            self._paint_classes(painter)

    def _paint_ramp(self, painter: QPainter) -> None:
        middle, x = HEIGHT / 2, float(self.width())
        x -= write(painter, self._ends[1], x, middle, pixels=NOTE, align="right", token="text2") + 8
        bar = QRectF(x - RAMP, middle - BAR / 2, RAMP, BAR)
        colors = np.ascontiguousarray(surface_colors(np.linspace(-1, 1, RAMP))[None, :])
        painter.drawImage(bar, QImage(colors.data, RAMP, 1, 4 * RAMP, QImage.Format.Format_RGB32))
        painter.setPen(QPen(theme().color("text1"), 1.75))
        painter.drawLine(QLineF(bar.center().x(), bar.top(), bar.center().x(), bar.bottom()))
        x -= RAMP + 8
        x -= write(painter, self._ends[0], x, middle, pixels=NOTE, align="right", token="text2") + 8
        write(painter, self._words, x, middle, pixels=NOTE, align="right", token="text2", most=x)

    def _paint_classes(self, painter: QPainter) -> None:
        x, n_classes = float(self.width()), len(self._classes)
        shown = self._shown_classes()
        if shown < n_classes:
            x -= write(painter, f"+{n_classes - shown}", x, HEIGHT / 2, pixels=NOTE, align="right",
                       token="text2") + GAP
        for index in reversed(range(shown)):
            wide = min(width(self._classes[index], NOTE), LONGEST_NAME)
            write(painter, self._classes[index], x - wide, HEIGHT / 2, pixels=NOTE, token="text2",
                  most=LONGEST_NAME)
            painter.setPen(QPen(theme().color("data"), 1))
            painter.setBrush(class_color(index, n_classes))
            paint_mark(painter, x - wide - 11, HEIGHT / 2, 5.0, index)
            x -= wide + 18 + GAP

    def _shown_classes(self) -> int:
        """How many classes have room; where some have none, beside how many they are."""
        wide = [min(width(name, NOTE), LONGEST_NAME) + 18 + GAP for name in self._classes[:MOST_CLASSES]]
        room, n_classes = self.width() + GAP, len(self._classes)
        if len(wide) == n_classes and sum(wide) <= room:
            return n_classes
        room -= width(f"+{n_classes}", NOTE) + GAP
        return int(np.searchsorted(np.cumsum(wide), room, "right"))
