"""A line of figures under a picture, some of them in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY
from workbench.views.look.scale import px

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

HEIGHT, GAP, BLANK = 24, 28, 4


class ToldWords(NamedTuple):
    """ToldWords in one colour and weight."""

    text: str
    token: str = "text2"
    bold: bool = False


class ToldLine(QWidget):
    """Groups of words beside each other, as many as have room."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._groups: tuple[tuple[ToldWords, ...], ...] = ()

    @property
    def text(self) -> str:
        """All words."""
        return "   ".join(" ".join(word.text for word in group).replace(" ,", ",") for group in self._groups)

    def say(self, groups: Sequence[Sequence[ToldWords]]) -> None:
        """Say something else."""
        said = tuple(tuple(group) for group in groups)
        if said == self._groups:
            return
        self._groups = said
        self.setAccessibleName(self.text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(100, px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x = QPainter(self), 0.0
        for place, group in enumerate(self._groups):
            taken = sum(width(word.text, BODY, word.bold) + BLANK for word in group)
            if place and x + taken > self.width():
                return
            for word in group:
                x -= BLANK if word.text.startswith(",") else 0
                x += BLANK + write(painter, word.text, x, HEIGHT / 2, pixels=BODY, token=word.token,
                                   bold=word.bold, most=self.width() - x)
            x += GAP - BLANK
