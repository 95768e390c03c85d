"""The tools of the tab "Rows": whose rows, which of them, and where they go from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT
from workbench.number_text import count
from workbench.views.export.export_menu import icon_button
from workbench.views.inspector.node.breadcrumb import Breadcrumb
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PARTS = {None: "all {} rows", DRAWN: "{} that grew it", HELD_OUT: "{} hold-out rows",
         LEFT_OUT: "{} not drawn"}
FRAME = 48  # pixels of a combo box beside its text


class RowsTools(QObject):
    """The way to the node, the part of its rows, and buttons."""

    part_chosen = Signal()
    table_wanted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.breadcrumb, self.parts = Breadcrumb(), QComboBox()
        set_look(self.parts, fit="tool")
        self.parts.setAccessibleName("Rows shown")
        set_tip(self.parts, "Which of the node's rows are listed")
        self.parts.activated.connect(lambda _: self.part_chosen.emit())
        widest = PARTS[HELD_OUT].format("8,888,888")
        self.parts.setFixedWidth(QFontMetrics(ui_font(NOTE)).horizontalAdvance(widest) + FRAME)
        self.in_table = QPushButton("Show in table")
        set_tip(self.in_table, "Go to the chosen row in the table (Enter, or double-click a row)")
        self.in_table.setAccessibleName("Show in table")
        set_look(self.in_table, fit="tool")
        self.in_table.clicked.connect(self.table_wanted)
        self.export = icon_button("Export", "Copy or save the rows that are listed")
        self.show_counts(dict.fromkeys(PARTS, 0))
        self.restyle()

    @property
    def widgets(self) -> Sequence[QWidget]:
        """All of them, in order."""
        return (self.breadcrumb, self.parts, self.in_table, self.export)

    @property
    def part(self) -> int | None:
        """The part that is wanted; None for all."""
        return list(PARTS)[max(self.parts.currentIndex(), 0)]

    def show_counts(self, counts: Mapping[int | None, int]) -> None:
        """Say how many rows each part has."""
        with QSignalBlocker(self.parts):
            chosen = max(self.parts.currentIndex(), 0)
            self.parts.clear()
            self.parts.addItems([words.format(count(counts[part])) for part, words in PARTS.items()])
            self.parts.setCurrentIndex(chosen)

    def restyle(self) -> None:
        """Tint the icons anew."""
        self.export.setIcon(icon("download-simple", pixels=14))
