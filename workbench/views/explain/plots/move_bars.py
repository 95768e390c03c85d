"""What columns add to a row, as it is (outlined) and as it might be (filled); gold pushes up, violet down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.number_text import counted, signed_figure
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

ROW, HEAD, MARGIN, FIGURES, BAR = 24, 26, 16, 136, 12
NAME_SHARE, DECIMALS = 0.3, 3
NOTHING = "No column adds anything to this row."
UP, DOWN = 0.72, -0.72  # of the weight ramp


@dataclass(frozen=True, eq=False)
class MoveScene:
    """What is drawn: by column, what it adds before and after; frozen."""

    names: tuple[str, ...] = ()
    before: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    after: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    changed: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))


class MoveBars(QWidget):
    """The columns with the longest bars, as many as there is room for, and the sum of the others."""

    def __init__(self) -> None:
        super().__init__()
        self.scene, self.sentence, self.phrase = MoveScene(), "", ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(px(100))
        self.setAccessibleName("What columns add to the row")

    def show_scene(self, scene: MoveScene, phrase: str) -> None:
        """Show another scene."""
        self.scene, self.sentence, self.phrase = scene, "", phrase
        self.update()

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a picture."""
        self.scene, self.sentence, self.phrase = MoveScene(), sentence, ""
        self.update()

    @property
    def order(self) -> NDArray[np.int64]:
        """The columns that are drawn, the longest bar first."""
        size = np.maximum(np.abs(self.scene.before), np.abs(self.scene.after))
        room = max(int((self.height() - px(HEAD)) // px(ROW)) - 1, 1)
        order = np.argsort(-size, kind="stable")
        return order[size[order] > 0][:room]

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        scene = self.scene
        if not len(scene.names):
            write(painter, self.sentence, self.width() / 2, self.height() / 2, pixels=BODY, token="text2",
                  align="centre", most=self.width() - 32)
            return
        taken = write(painter, "Contributions", px(MARGIN), px(12), pixels=NOTE, bold=True, token="text1")
        write(painter, self.phrase, px(MARGIN) + taken + 8, px(12), most=self.width() - taken - 48)
        order = self.order
        if not len(order):
            write(painter, NOTHING, self.width() / 2, self.height() / 2, pixels=BODY, token="text2",
                  align="centre", most=self.width() - 32)
            return
        others = np.setdiff1d(np.arange(len(scene.names)), order)
        words = counted(len(others), "other")
        longest = max([width(words, NOTE), *(width(scene.names[place], BODY) for place in order.tolist())])
        left = px(MARGIN) + min(longest, NAME_SHARE * self.width()) + 12
        right = self.width() - px(FIGURES)
        drawn = np.concatenate([scene.before[order], scene.after[order], [0.0]])
        low, high = float(drawn.min()), float(drawn.max())
        scale = (right - left - 8) / ((high - low) or 1.0)
        zero = left + 4 - low * scale
        for line, place in enumerate(order.tolist()):
            self._paint_line(painter, place, px(HEAD) + (line + 0.5) * px(ROW), left, zero, scale)
        painter.setPen(QPen(theme().color("ctl"), 1))
        bottom = px(HEAD) + len(order) * px(ROW)
        painter.drawLine(round(zero), px(HEAD), round(zero), bottom)
        rest = [float(values[others].sum()) for values in (scene.before, scene.after)]
        if any(rest):
            y = bottom + px(ROW) / 2
            write(painter, words, left - 12, y, pixels=NOTE, align="right")
            self._paint_figures(painter, rest[0], rest[1], y)

    def _paint_line(
        self, painter: QPainter, place: int, y: float, left: float, zero: float, scale: float
    ) -> None:
        scene = self.scene
        before, after = float(scene.before[place]), float(scene.after[place])
        is_changed = bool(scene.changed[place])
        write(painter, scene.names[place], left - 12, y, pixels=BODY, align="right", bold=is_changed,
              most=left - px(MARGIN) - 12, token="accent" if is_changed else "text1")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        box = QRectF(min(zero, zero + after * scale), y - BAR / 2, max(abs(after) * scale, 1.0), BAR)
        painter.fillRect(box, theme().weight(UP if after > 0 else DOWN))
        if abs(before - after) * scale >= 1.0:
            painter.setPen(QPen(theme().color("text1"), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(min(zero, zero + before * scale), y - BAR / 2 - 2,
                                    max(abs(before) * scale, 1.0), BAR + 4))  # fmt: skip
        self._paint_figures(painter, before, after, y)

    def _paint_figures(self, painter: QPainter, before: float, after: float, y: float) -> None:
        now, was = signed_figure(after, DECIMALS), signed_figure(before, DECIMALS)
        right = self.width() - px(MARGIN)
        write(painter, now, right, y, pixels=NOTE, token="text1", align="right", bold=now != was)
        if now != was:
            write(painter, f"{was} →", right - px(56), y, pixels=NOTE, align="right")
