"""From the base to a row's raw prediction, column by column; beside it what one round or tree adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.number_text import count, fixed, short, signed_figure
from workbench.round_numbers import ticks
from workbench.views.curves.ink import width, write
from workbench.views.elision import elided_name
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

ROW, HEAD, FOOT, MARGIN, BAR, GAP = 24, 30, 22, 16, 14, 12
FIGURE = 58  # pixels of a figure beside a bar
NAME_SHARE, ROUND_SHARE = 0.32, 0.27  # of the width
UP, DOWN = 0.72, -0.72  # of the weight ramp
LEAST_LINES = 3
WHOLE = "Raw prediction ŷ"
SPARE = 4  # pixels beside the longest name


@dataclass(frozen=True, eq=False)
class WaterfallScene:
    """What is drawn: what each column adds to a row, and what it adds in one round or tree; frozen.

    `added` and `alone` have the base last. `alone` is empty where there are no rounds.
    """

    names: tuple[str, ...] = ()
    added: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    alone: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    part: str = ""  # which round or tree that is
    chosen: int = -1


class Waterfall(QWidget):
    """The columns that add most, the others in one line; each bar begins where the one below it ends."""

    picked = Signal(int)  # a column

    def __init__(self) -> None:
        super().__init__()
        self.scene, self.sentence = WaterfallScene(), ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(px(HEAD + FOOT + 5 * ROW))
        self.setAccessibleName("From the base to the raw prediction of the row")

    def show_scene(self, scene: WaterfallScene) -> None:
        """Show another scene."""
        self.scene, self.sentence = scene, ""
        told = ((scene.names[place], float(scene.added[place])) for place in self.shown.tolist())
        self.setAccessibleDescription("; ".join(f"{name} {signed_figure(added)}" for name, added in told))
        self.update()

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a picture."""
        self.scene, self.sentence = WaterfallScene(), sentence
        self.update()

    @property
    def shown(self) -> NDArray[np.int64]:
        """The columns with a line of their own, those that add most first."""
        if not self.scene.names:
            return np.empty(0, np.int64)
        sizes = np.abs(self.scene.added[:-1])
        order = np.argsort(-sizes, kind="stable")
        order = order[sizes[order] > 0]
        room = max(int((self.height() - px(HEAD) - px(FOOT)) // px(ROW)) - 2, LEAST_LINES)
        return order if len(order) <= room else order[: room - 1]

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        scene = self.scene
        if not scene.names:
            write(painter, self.sentence, self.width() / 2, self.height() / 2, pixels=BODY, token="text2",
                  align="centre", most=self.width() - 32)
            return
        shown = self.shown
        others = np.setdiff1d(np.flatnonzero(scene.added[:-1]), shown)
        labels = [scene.names[place] for place in shown.tolist()]
        values = [float(scene.added[place]) for place in shown.tolist()]
        if len(others):
            labels.append(f"{count(len(others))} other columns")
            values.append(float(scene.added[others].sum()))
        longest = max(width(WHOLE, BODY, bold=True), *(width(label, BODY) for label in labels), 0.0)
        left = px(MARGIN) + min(longest + SPARE, NAME_SHARE * self.width()) + GAP
        has_part = len(scene.alone) > 0
        right = self.width() - px(MARGIN) - (ROUND_SHARE * self.width() if has_part else 0)
        self._paint_steps(painter, labels, values, left, right, shown)
        if has_part:
            self._paint_part(painter, shown, others, right + px(2 * MARGIN))

    def _paint_steps(
        self, painter: QPainter, labels: list[str], values: list[float], left: float, right: float,
        shown: NDArray[np.int64],
    ) -> None:  # fmt: skip
        """Paint the raw prediction uppermost, the base lowest, and between them what leads from one to it."""
        base = float(self.scene.added[-1])
        ends = base + np.cumsum([0.0, *values[::-1]])
        low, high = float(ends.min()), float(ends.max())
        room = right - left - 2 * px(FIGURE)
        scale = room / ((high - low) or 1.0)

        def x(value: float) -> float:
            return left + px(FIGURE) + (value - low) * scale

        lines = len(values)
        bottom = px(HEAD) + (lines + 2) * px(ROW)
        for tick in ticks(low, high, 5):
            painter.setPen(QPen(theme().color("grid"), 1))
            painter.drawLine(QLineF(x(tick), px(HEAD), x(tick), bottom))
            write(painter, short(tick), x(tick), bottom + px(FOOT) / 2, align="centre")
        write(painter, WHOLE, left - GAP, self._y(0), pixels=BODY, bold=True, align="right",
              token="text1", most=left - px(MARGIN) - GAP)
        self._paint_mark(painter, x(float(ends[-1])), self._y(0), fixed(float(ends[-1])))
        for line, (label, value) in enumerate(zip(labels, values, strict=True), 1):
            y, begin = self._y(line), float(ends[lines - line])
            is_chosen = line <= len(shown) and int(shown[line - 1]) == self.scene.chosen
            if is_chosen:
                painter.fillRect(QRectF(0, y - px(ROW) / 2, self.width(), px(ROW)), theme().color("tint"))
                painter.fillRect(QRectF(0, y - px(ROW) / 2, 3, px(ROW)), theme().color("accent"))
            name = elided_name(label, ruler(BODY), left - px(MARGIN) - GAP)
            write(painter, name, left - GAP, y, pixels=BODY, align="right",
                  token="text1" if line <= len(shown) else "text2")
            self._paint_bar(painter, x(begin), x(begin + value), y, value)
            painter.setPen(QPen(theme().color("line2"), 1))
            joint = x(begin + value)
            painter.drawLine(QLineF(joint, y - px(ROW) + BAR / 2, joint, y - BAR / 2))
        write(painter, "Base", left - GAP, self._y(lines + 1), pixels=BODY, bold=True, align="right",
              token="text1")
        self._paint_mark(painter, x(base), self._y(lines + 1), fixed(base))

    def _paint_bar(self, painter: QPainter, begin: float, end: float, y: float, value: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        box = QRectF(min(begin, end), y - BAR / 2, max(abs(end - begin), 1.0), BAR)
        painter.fillRect(box, theme().weight(UP if value > 0 else DOWN))
        if value > 0:
            write(painter, signed_figure(value), box.right() + 6, y, pixels=NOTE, token="text1")
        else:
            write(painter, signed_figure(value), box.left() - 6, y, pixels=NOTE, token="text1", align="right")

    def _paint_mark(self, painter: QPainter, x: float, y: float, text: str) -> None:
        painter.setPen(QPen(theme().color("text1"), 2))
        painter.drawLine(QLineF(x, y - BAR / 2, x, y + BAR / 2))
        write(painter, text, x + 6, y, pixels=NOTE, bold=True, token="text1")

    def _paint_part(
        self, painter: QPainter, shown: NDArray[np.int64], others: NDArray[np.int64], left: float
    ) -> None:
        """Paint what the round or the tree alone adds, on a scale of its own."""
        scene = self.scene
        values = [float(scene.alone[place]) for place in shown.tolist()]
        if len(others):
            values.append(float(scene.alone[others].sum()))
        right = self.width() - px(MARGIN)
        write(painter, f"{scene.part} alone", left, px(HEAD) / 2, pixels=NOTE, bold=True,
              token="text2", most=right - left)
        low, high = min([0.0, *values]), max([0.0, *values])
        room = right - left - 2 * px(FIGURE)
        scale = max(room, 1) / ((high - low) or 1.0)
        zero = left + px(FIGURE) - low * scale
        total = float(scene.alone.sum())
        write(painter, signed_figure(total), zero + 6, self._y(0), pixels=NOTE, bold=True, token="text1")
        for line, value in enumerate(values, 1):
            if value:
                self._paint_bar(painter, zero, zero + value * scale, self._y(line), value)
        write(painter, signed_figure(float(scene.alone[-1])), zero + 6, self._y(len(values) + 1), pixels=NOTE,
              bold=True, token="text1")
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QLineF(zero, px(HEAD), zero, px(HEAD) + (len(values) + 2) * px(ROW)))

    def _y(self, line: int) -> float:
        return px(HEAD) + (line + 0.5) * px(ROW)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = int((event.position().y() - px(HEAD)) // px(ROW)) - 1
        shown = self.shown
        if event.button() == Qt.MouseButton.LeftButton and 0 <= line < len(shown):
            self.picked.emit(int(shown[line]))
