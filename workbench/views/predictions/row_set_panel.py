"""The rows that were brushed: how many, the leaves in which they meet, and how they differ from the rest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.number_text import count, counted, percent
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.note import NoteLabel
from workbench.views.export.export_menu import icon_button
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.predictions.contrast_list import ContrastList
from workbench.views.predictions.leaf_button import LeafButton

if TYPE_CHECKING:
    from workbench.data.row_set import RowSet
    from workbench.explain.predictions.shared_leaves import SharedLeaves
    from workbench.workers.prediction_desk import RowSetFindings

WIDTH = 272
MOST_LEAVES = 6
HINT = "Drag over a plot to select rows. Here stands what they share, and how they differ from the rest."
NUMBERS = ("no", "one", "two", "three")


class RowSetPanel(QWidget):
    """Told what is selected and what is known of it; says what the person wants to see."""

    leaf_wanted = Signal(object)  # LeafShare
    column_chosen = Signal(str)
    table_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(px(WIDTH))
        self.heading, self.note = Heading("Selected rows"), NoteLabel()
        self.leaves = [LeafButton() for _ in range(MOST_LEAVES)]
        self.contrasts = ContrastList()
        self.table_button = QPushButton("Show in table")
        self.close_button = icon_button("Close", "Select no rows (Esc)")
        self._shown: tuple[RowSet | None, RowSetFindings | None, str] | None = None
        self._build()

    def _build(self) -> None:
        set_look(self, ground="panel")
        set_look(self.note, tone="2")
        set_look(self.table_button, fit="tool")
        set_tip(self.table_button, "Show these rows alone in the table")
        self._shared, self._differ = Heading("Leaves they share"), Heading("Against the rest")
        head, inside = QWidget(), QWidget()
        head.setFixedHeight(px(40))
        row = QHBoxLayout(head)
        row.setContentsMargins(14, 0, 8, 0)
        row.addWidget(self.heading, 1)
        row.addWidget(self.close_button)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        column.addWidget(_padded(self.note, self.table_button))
        column.addWidget(_padded(self._shared))
        for leaf in self.leaves:
            column.addWidget(leaf)
            leaf.clicked.connect(partial(self._open, leaf))
        column.addWidget(_padded(self._differ))
        column.addWidget(self.contrasts)
        column.addStretch(1)
        area = DockScroll(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for widget in (head, rule(), area):
            whole.addWidget(widget)
        self.table_button.clicked.connect(self.table_wanted)
        self.close_button.clicked.connect(self.left)
        self.contrasts.column_chosen.connect(self.column_chosen)

    def restyle(self) -> None:
        """Tint the icon anew."""
        self.close_button.setIcon(icon("x", pixels=14))
        self.update()

    def show_rows(self, chosen: RowSet | None, found: RowSetFindings | None, problem: str = "") -> None:
        """Show what is known of some rows; None while it is worked out."""
        if (chosen, found, problem) == self._shown:
            return
        self._shown = chosen, found, problem
        for widget in (self.table_button, self.close_button):
            widget.setVisible(chosen is not None)
        if chosen is None:
            self._show_none()
            return
        self.heading.set_title(counted(len(chosen), "row"))
        self.heading.set_note(chosen.words if len(chosen) != 1 else "")
        leaves = found.leaves.ranked[:MOST_LEAVES] if found else ()
        for button, leaf in zip(self.leaves, (*leaves, *(None,) * MOST_LEAVES), strict=False):
            button.setVisible(leaf is not None)
            if leaf is not None:
                button.show_leaf(leaf)
        self.contrasts.show_contrasts(found.contrasts if found else ())
        self._shared.setVisible(bool(leaves))
        self._differ.setVisible(bool(found and found.contrasts))
        self.table_button.setEnabled(len(chosen) > 0)
        told = "Looking for what they share." if found is None else meeting(chosen, found.leaves)
        self.note.say(problem or told)

    def _show_none(self) -> None:
        self.heading.set_title("No rows selected")
        self.heading.set_note("")
        for widget in (*self.leaves, self._shared, self._differ):
            widget.hide()
        self.contrasts.show_contrasts(())
        self.note.say(HINT)

    def _open(self, button: LeafButton) -> None:
        if button.leaf is not None:
            self.leaf_wanted.emit(button.leaf)


def meeting(chosen: RowSet, leaves: SharedLeaves) -> str:
    """Say in which leaves the rows meet: "84 of the 112 wrong rows meet in three leaves of tree 7"."""
    if not len(chosen):
        return "No row is here. Drag over more of the plot."
    if not leaves.together:
        return "They share no leaf more than all rows do."
    together = leaves.together
    n = "one leaf" if len(together) == 1 else f"{NUMBERS[len(together)]} leaves"
    share = sum(leaf.share_of_all for leaf in together)
    told = f"of the {count(leaves.rows)} {chosen.words}"
    if leaves.rows < len(chosen):
        told = f"of {count(leaves.rows)} drawn of them"
    of_output = f" of {together[0].output}" if together[0].output else ""
    meet = "meets" if leaves.met == 1 else "meet"
    return (
        f"{count(leaves.met)} {told} {meet} in {n} of tree {count(together[0].round)}{of_output}, "
        f"where {percent(share)} of all rows are."
    )


def _padded(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(14, 8, 14, 6)
    column.setSpacing(8)
    for widget in widgets:
        column.addWidget(widget)
    return holder
