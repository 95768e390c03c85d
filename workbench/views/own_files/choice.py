"""Lines under the objective: files that are in use, and two buttons that ask for one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.isolation import isolated
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.flow import FlowLayout
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import empty_layout
from workbench.views.controls.parameter_row import PADDING
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.own_files.desk import OwnFileDesk

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.session.own_file import OwnFile, OwnKind
    from workbench.views.base import Bench

PYTHON = "Python files (*.py);;All files (*)"
LOCKED = "Files stay as they are during a run."
BUTTONS: tuple[tuple[OwnKind, str, str], ...] = (
    ("objective", "Objective…", "Train your own loss: a Python file with loss and gradients"),
    ("metric", "Metric…", "Report your own figure: a Python file with metric"),
)


class OwnFileChoice(QWidget):
    """Shows the path of each file that is in use, and a button that leaves it out."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.desk = OwnFileDesk(bench, self)
        self._shown: tuple[tuple[OwnFile, ...], bool] = ((), False)
        self._lines = QVBoxLayout()
        self._buttons = {kind: self._button(kind, words, help_) for kind, words, help_ in BUTTONS}
        row = FlowLayout()  # in two lines where not all have room in one
        row.setContentsMargins(0, 4, 0, 0)
        for part in (_quiet("From a file"), *self._buttons.values()):
            row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 0, PADDING, 0)
        column.setSpacing(2)
        column.addLayout(self._lines)
        column.addLayout(row)
        self._follow_session()

    @property
    def texts(self) -> tuple[str, ...]:
        """What finds it."""
        return ("custom", *(text for button in BUTTONS for text in button))

    def _follow_session(self) -> None:
        for signal in (self._bench.session.events.plan, self._bench.session.events.state):
            signal.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Show what the session says."""
        session = self._bench.session
        shown = session.own_files.files, bool(session.runs.live)
        for kind, _words, help_ in BUTTONS:
            self._buttons[kind].setEnabled(session.data.table is not None and not shown[1])
            set_tip(self._buttons[kind], LOCKED if shown[1] else help_)
        if shown != self._shown:
            self._shown = shown
            self._show_lines(*shown)

    def holds_run(self, go: Callable[[], object]) -> bool:
        """Whether a run waits until the files are looked at again."""
        return self.desk.check(go)

    def choose(self, kind: OwnKind) -> None:
        """Ask for a file, then whether it may be run."""
        chosen, _ = QFileDialog.getOpenFileName(self, "Choose a Python file", "", PYTHON)
        if chosen:
            self.desk.ask(kind, str(Path(chosen)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_lines(*self._shown)

    def _button(self, kind: OwnKind, words: str, help_: str) -> QPushButton:
        button = QPushButton(words)
        set_look(button, fit="tool")
        set_tip(button, help_)
        button.setAccessibleName(f"{words.removesuffix('…')} from a file")
        button.clicked.connect(partial(self._clicked, kind))
        return button

    def _clicked(self, kind: OwnKind, _checked: bool = False) -> None:
        self.choose(kind)

    def _show_lines(self, files: tuple[OwnFile, ...], locked: bool) -> None:
        empty_layout(self._lines)
        for file in files:
            self._lines.addWidget(self._line(file, locked))

    def _line(self, file: OwnFile, locked: bool) -> QWidget:
        line = QWidget()
        kind, path = _quiet(file.kind.capitalize()), ElidedLabel(file.path, mode=Qt.TextElideMode.ElideLeft)
        path.setFont(ui_font(NOTE))
        path.set_hint(file.path)
        away = QPushButton()
        set_look(away, flat=True, fit="bare")
        away.setFixedSize(px(24), px(24))
        away.setIcon(icon("x", "text2", 12))
        away.setEnabled(not locked)
        set_tip(away, LOCKED if locked else f"Do without {isolated(file.name)}")
        away.setAccessibleName(f"Do without {isolated(file.name)}")
        away.clicked.connect(partial(self._drop, file))
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(kind)
        row.addWidget(path, 1)
        row.addWidget(away)
        return line

    def _drop(self, file: OwnFile, _checked: bool = False) -> None:
        self._bench.session.own_files.drop(file)


def _quiet(text: str) -> Label:
    label = Label(text)
    label.setFont(ui_font(NOTE))
    set_look(label, tone="2")
    return label
