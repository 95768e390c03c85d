"""Who lost to whom: a line for who came second, a column for who won; deeper where more was lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.number_text import figure
from workbench.views.curves.ink import font, gain_colors, width, write
from workbench.views.elision import elided_name
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import text_on, theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

MOST = 14  # columns, as names would have no room
HEAD, ROW, FIGURE, MARGIN, WIDEST = 84, 26, 62, 16, 96
SLANT = -32.0  # degrees of the names of winners
NAME_SHARE = 0.26
SECOND = "came second"


@dataclass(frozen=True, eq=False)
class RivalScene:
    """What is drawn; frozen.

    Attributes
    ----------
    names : tuple of str
    lost : ndarray of float64, shape (m, m)
        By the column of the line to that of the column.
    won : ndarray of float64, shape (m,)
    selected : str
    in_all : ndarray of float64, shape (m,)
        What each lost, to columns that have no room too.
    """

    names: tuple[str, ...] = ()
    lost: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    won: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    selected: str = ""
    in_all: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


class RivalMatrix(QWidget):
    """A click chooses the column of a line."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.scene, self.sentence = RivalScene(), ""
        self._still = KeptLayer()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(px(120))
        self.setAccessibleName("Gain lost by columns to each other")

    def show_scene(self, scene: RivalScene, sentence: str = "") -> None:
        """Show another scene, or a sentence where there is none."""
        self.scene, self.sentence = scene, sentence
        told = f"{scene.selected} is selected" if scene.selected in scene.names else ""
        self.setAccessibleDescription(told)
        self.update()

    # --- places -----------------------------------------------------------------------------

    @property
    def _row(self) -> float:
        """Pixels of a line, fewer where there is little room."""
        room = (self.height() - px(HEAD) - 8) / max(len(self.scene.names), 1)
        return min(float(px(ROW)), max(room, 12.0))

    @property
    def _left(self) -> float:
        """Where the cells begin: after the names, and what each lost and won."""
        longest = max([width(SECOND), *(width(name, BODY) for name in self.scene.names)])
        return px(MARGIN) + min(longest + 12, NAME_SHARE * self.width()) + 2 * px(FIGURE) + 12

    @property
    def _cell(self) -> float:
        room = self.width() - self._left - px(MARGIN) - px(50)
        return min(max(room / max(len(self.scene.names), 1), 12.0), float(px(WIDEST)))

    def line_at(self, y: float) -> int:
        """The line under a pixel, −1 for none."""
        line = int((y - px(HEAD)) // self._row)
        return line if y >= px(HEAD) and line < len(self.scene.names) else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self.line_at(event.position().y())
        if line >= 0:
            self.chosen.emit(self.scene.names[line])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        names = self.scene.names
        if step is None or not names:
            super().keyPressEvent(event)
            return
        now = names.index(self.scene.selected) if self.scene.selected in names else -1
        self.chosen.emit(names[min(max(now + step, 0), len(names) - 1)])

    # --- the picture ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        scene = self.scene
        figures = (part.tobytes() for part in (scene.lost, scene.won, scene.in_all))
        made_of = scene.names, scene.selected, *figures, self.sentence
        self._still.paint(QPainter(self), self.size(), made_of, self._paint)

    def _paint(self, painter: QPainter) -> None:
        scene = self.scene
        if not scene.names:
            write(painter, self.sentence, self.width() / 2, self.height() / 2, pixels=BODY, token="text2",
                  align="centre", most=self.width() - 32)
            return
        left, cell, row, top = self._left, self._cell, self._row, float(px(HEAD))
        write(painter, SECOND, px(MARGIN), top - 10)
        for place, head in enumerate(("won", "lost")):
            write(painter, head, left - 12 - (1 - place) * px(FIGURE), top - 10, align="right")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, name in enumerate(scene.names):
            self._paint_winner(painter, name, left + (place + 0.5) * cell, top - 8)
        write(painter, "lost to →", left - 12, top - 34, align="right", token="text2")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for line, name in enumerate(scene.names):
            y = top + line * row
            if name == scene.selected:
                painter.fillRect(QRectF(0, y, self.width(), row), theme().color("tint"))
                painter.fillRect(QRectF(0, y, 3, row), theme().color("accent"))
            room = left - px(MARGIN) - 2 * px(FIGURE) - 16
            write(painter, name, px(MARGIN), y + row / 2, pixels=BODY, token="text1", most=room)
            for place, value in enumerate((scene.won[line], scene.in_all[line])):
                write(painter, figure(float(value), 3) if value else "–",
                      left - 12 - (1 - place) * px(FIGURE), y + row / 2, pixels=NOTE, token="text2",
                      align="right")
        self._paint_cells(painter, left, top, cell, row)

    def _paint_winner(self, painter: QPainter, name: str, x: float, y: float) -> None:
        painter.save()
        painter.translate(x, y)
        painter.rotate(SLANT)
        painter.setFont(font(NOTE))
        painter.setPen(theme().color("text1"))
        shown = elided_name(name, ruler(NOTE), px(104))
        painter.drawText(QPointF(0, 0), shown)
        painter.restore()

    def _paint_cells(self, painter: QPainter, left: float, top: float, cell: float, row: float) -> None:
        scene, none, ramp = self.scene, theme().color("grid"), gain_colors(theme().name)
        inks, is_high = [text_on(ground).name() for ground in ramp], row - 1 >= px(12)
        most = float(scene.lost.max(initial=0.0)) or 1.0
        steps = np.rint(np.sqrt(scene.lost.clip(0) / most) * (len(ramp) - 1)).astype(int).tolist()
        edges = np.arange(len(scene.names) + 1)
        across, down = (np.rint(at).astype(int).tolist() for at in (left + edges * cell, top + edges * row))
        painter.setPen(none)
        for line, values in enumerate(scene.lost.tolist()):
            y, high = down[line], down[line + 1] - down[line] - 1
            for place, lost in enumerate(values):
                x, wide = across[place], across[place + 1] - across[place] - 1
                if line == place:
                    painter.drawLine(x, y + high, x + wide, y)
                    continue
                step = steps[line][place]
                painter.fillRect(x, y, wide, high, ramp[step] if lost > 0 else none)
                text = figure(lost, 2) if lost > 0 and is_high else ""
                if text and width(text) < wide - 4:
                    write(painter, text, x + wide / 2, y + high / 2, token=inks[step], align="centre")
                    painter.setPen(none)
