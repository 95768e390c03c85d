"""What is written of scored rows: a tick each, with a line that says more."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from workbench.scoring.wanted import Wanted
from workbench.views.controls.note import NoteLabel
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

TICKS = (
    ("row_numbers", "Row numbers", ""),
    ("kept", "The table's own columns", "As they stand in the file."),
    ("raw", "Raw predictions", "Before the link: base and leaves, added up."),
    (
        "explained", "What each column adds",
        "SHAP values, by TreeSHAP with the nodes' own H as weights. With the base they add up to the raw "
        "prediction.",
    ),
    (
        "neutralise", "Make formulas harmless for spreadsheets",
        "In CSV, text that begins with = + - or @ gets an apostrophe.",
    ),
)  # fmt: skip
AT_HOME = ("row_numbers", "neutralise")
NOTE_INDENT = 24


class OutputTicks(QWidget):
    """The ticks; `changed` when other columns are wanted."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._without: dict[str, bool] = {}  # ticks that do not count
        self._notes: dict[str, list[NoteLabel]] = {}
        self.ticks = {name: QCheckBox(title) for name, title, _ in TICKS}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for name, title, words in TICKS:
            self._add(column, name, title, words)
        self.ticks["row_numbers"].setChecked(True)

    def _add(self, column: QVBoxLayout, name: str, title: str, words: str) -> None:
        tick, note = self.ticks[name], NoteLabel()
        tick.setMinimumHeight(px(26))
        tick.setAccessibleName(title)
        tick.setAccessibleDescription(words)
        column.addWidget(tick)
        if words:
            set_look(note, tone="3")
            note.setContentsMargins(NOTE_INDENT, 0, 0, 4)
            column.addWidget(note)
            self._notes[name] = [note]
            note.say(words)  # after it has its place: without one it would open a window of its own
        if name != "neutralise":
            tick.toggled.connect(lambda _on: self.changed.emit())

    @property
    def wanted(self) -> Wanted:
        """The columns that are ticked."""
        on = {name: tick.isChecked() for name, tick in self.ticks.items()} | self._without
        return Wanted(on["row_numbers"], None if on["kept"] else (), on["raw"], on["explained"])

    def show_there(self, is_there: bool) -> None:
        """Show what can be written on a cluster: rows have no numbers there, and no file is CSV."""
        self._without = dict.fromkeys(AT_HOME, False) if is_there else {}
        for name in AT_HOME:
            for widget in (self.ticks[name], *self._notes.get(name, ())):
                widget.setHidden(is_there)

    @property
    def neutralise(self) -> bool:
        """Whether no cell shall be a formula."""
        return self.ticks["neutralise"].isChecked()
