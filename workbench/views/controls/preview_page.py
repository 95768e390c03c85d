"""A page on which something about a table is settled: choices at the left, its first rows at the right."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.look.fonts import HERO, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.table.grid import TableGrid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent

    from workbench.data.statistics import ColumnSummary

LEFT = 440
MARGIN = 16


class PreviewPage(QWidget):
    """Has the rows, the words and the buttons; what is settled is for those that derive from it."""

    rejected = Signal()

    def __init__(self, accepting: str) -> None:
        super().__init__()
        self._summaries: Mapping[str, ColumnSummary] = {}
        self.grid = TableGrid(lambda name: self._summaries.get(name))
        self.title, self.count, self.problem = ElidedLabel(), ElidedLabel(), NoteLabel()
        self._strip = QWidget()
        self.accept_button, self.cancel_button = QPushButton(accepting), QPushButton("Cancel")
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)

    @abstractmethod
    def accept(self) -> None:
        """Pass on what is settled."""

    @abstractmethod
    def stop(self) -> None:
        """Look no more."""

    def reject(self) -> None:
        """Leave the table."""
        self.stop()
        self.rejected.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        else:
            super().keyPressEvent(event)

    def _say(self, problem: str) -> None:
        """Show what keeps the table from being accepted; "" is nothing."""
        self.problem.say(problem)
        self._strip.setVisible(bool(problem))
        self.accept_button.setEnabled(not problem)

    # --- building ---------------------------------------------------------------------------

    def _lay_out(
        self, groups: Sequence[Sequence[QWidget]], spacing: int, between: int,
        beside: Sequence[QWidget] = (), above: Sequence[QWidget] = (),
    ) -> None:
        """Put groups of choices to the left, and what else there is beside the count and above the rows."""
        set_look(self, ground="data")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left(groups, spacing, between))
        row.addWidget(rule(vertical=True))
        row.addWidget(self._right(beside, above), 1)

    def _left(self, groups: Sequence[Sequence[QWidget]], spacing: int, between: int) -> QWidget:
        content, left = QWidget(), QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(spacing)
        self.title.setFont(ui_font(HERO, bold=True))
        for group in groups:
            for widget in group:
                column.addWidget(widget)
            column.addSpacing(between)
        column.addStretch(1)
        left.setFixedWidth(px(LEFT))
        set_look(left, ground="panel")
        whole = QVBoxLayout(left)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(DockScroll(content), 1)
        whole.addWidget(rule())
        whole.addLayout(self._buttons())
        return left

    def _buttons(self) -> QHBoxLayout:
        set_look(self.accept_button, primary=True)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(MARGIN, 12, MARGIN, 12)
        buttons.setSpacing(8)
        for button in (self.accept_button, self.cancel_button):
            button.setMinimumWidth(px(112))
            buttons.addWidget(button)
        buttons.addStretch(1)
        return buttons

    def _right(self, beside: Sequence[QWidget], above: Sequence[QWidget]) -> QWidget:
        right, head = QWidget(), Label("Preview")
        set_look(self._strip, ground="error")
        set_look(self.problem, tone="error")
        inside = QVBoxLayout(self._strip)
        inside.setContentsMargins(MARGIN, 8, MARGIN, 8)
        inside.addWidget(self.problem)
        self._strip.hide()
        set_look(self.count, tone="3")
        head.setFont(ui_font(bold=True))
        line = QHBoxLayout()
        line.setContentsMargins(MARGIN, 10, MARGIN, 10)
        line.setSpacing(10)
        line.addWidget(head)
        line.addWidget(self.count, 1)
        for widget in beside:
            line.addWidget(widget)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        column.addLayout(line)
        column.addWidget(rule())
        for widget in above:
            column.addWidget(widget)
        column.addWidget(self.grid, 1)
        column.addStretch(0)
        return right
