"""How far the run goes, and what pauses it: opened below a button, usable while a run trains."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from workbench.ensembles.breakpoints.goals import RunFor, RunTo, RunUntilStale
from workbench.views.breakpoints.settings_row import SettingsRow
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import Breakpoint
    from workbench.session.session import Session

WIDTH = 560
GOALS = (  # before the field, the goal, and after the field
    ("Run to round", RunTo(), ""),
    ("Run for", RunFor(), "seconds"),
    ("Run until no better for", RunUntilStale(), "rounds"),
)
BOUND = "The run still ends with the last of its rounds, as set under Parameters."


class BreakpointsPanel(QFrame):
    """`aimed` carries a goal that was chosen; breakpoints are set in the session at once."""

    aimed = Signal(object)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        set_look(self, popup=True)
        self.setFixedWidth(px(WIDTH))
        self.setAccessibleName("Run until, and breakpoints")
        self.goals: dict[str, SettingsRow] = {}
        self.buttons: dict[str, QPushButton] = {}
        self.checks: dict[str, QCheckBox] = {}
        self.rows: dict[str, SettingsRow] = {}
        self._note = NoteLabel()
        set_look(self._note, tone="error")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(8)
        column.addWidget(Heading("Run until"))
        column.addLayout(self._build_goals())
        bound = NoteLabel()
        set_look(bound, tone="3")
        column.addWidget(bound)
        column.addWidget(rule())
        column.addWidget(Heading("Breakpoints: pause when"))
        column.addLayout(self._build_breakpoints())
        column.addWidget(self._note)
        bound.say(BOUND)

    def focus_on(self, name: str) -> None:
        """Put the keyboard into the field of a goal, or on the first breakpoint where `name` is none."""
        first: QWidget = next(iter(self.checks.values()))
        self.goals.get(name, first).setFocus(Qt.FocusReason.TabFocusReason)

    def _build_goals(self) -> QGridLayout:
        grid = _grid()
        for line, (before, goal, after) in enumerate(GOALS):
            row = SettingsRow(goal, with_words=False)
            row.refused.connect(self._note.say)
            button = QPushButton("Go")
            button.setAccessibleName(f"{before} {after}: go".replace(" :", ":"))
            set_look(button, fit="tool")
            button.clicked.connect(partial(self._aim, row))
            for place, widget in enumerate((Label(before), row, _quiet(after), button)):
                grid.addWidget(widget, line, place)
            self.goals[goal.name], self.buttons[goal.name] = row, button
        grid.setColumnStretch(2, 1)
        return grid

    def _build_breakpoints(self) -> QGridLayout:
        grid = _grid()
        points, columns = self._session.breakpoints, self._columns()
        for line, one in enumerate(points.kinds):
            check = QCheckBox(one.title)
            check.setChecked(points.is_on(one))
            check.toggled.connect(partial(self._switch, one.name))
            row = SettingsRow(one, columns)
            row.changed.connect(points.set)
            row.refused.connect(self._note.say)
            grid.addWidget(check, line, 0)
            grid.addWidget(row, line, 1)
            self.checks[one.name], self.rows[one.name] = check, row
        grid.setColumnStretch(1, 1)
        return grid

    def _columns(self) -> tuple[str, ...]:
        return tuple(name for name, role in self._session.data.plan.roles.items() if role == "feature")

    def _switch(self, name: str, on: bool) -> None:
        self._session.breakpoints.switch(name, on=on)

    def _aim(self, row: SettingsRow) -> None:
        self.setFocus()  # a field takes what was typed when the keyboard leaves it
        if row.is_wrong:
            return
        goal: Breakpoint = row.breakpoint
        self.close()
        self.aimed.emit(goal)


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(4)
    return grid


def _quiet(text: str) -> Label:
    label = Label(text)
    set_look(label, tone="2")
    return label
