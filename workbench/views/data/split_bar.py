"""Training and validation rows as one bar in two colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.number_text import counted
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

BAR = 9


class SplitBar(QWidget):
    """Training rows at the left, validation rows at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._share: float | None = None
        self.setFixedHeight(px(BAR))

    def show_counts(self, n_train: int, n_valid: int) -> None:
        """Show other counts."""
        total = n_train + n_valid
        self._share = n_train / total if total else None
        self.setAccessibleName(f"{counted(n_train, 'training row')}, {counted(n_valid, 'validation row')}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._share is None:
            painter.fillRect(self.rect(), theme().color("line2"))
            return
        split = round(self.width() * self._share)
        painter.fillRect(QRectF(0, 0, split, BAR), theme().color("train"))
        if split < self.width():
            painter.fillRect(QRectF(split + 1, 0, self.width() - split - 1, BAR), theme().color("validation"))
