"""Space and → act on the run wherever the keyboard is, but in a field that takes text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.shell.frame import Frame
    from workbench.shell.run_commands import RunCommands

TEXT_FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)


class RunKeys(QObject):
    """Space pauses and resumes, → steps; Enter presses what has the focus, in place of Space.

    A widget in which arrows walk says so by `keeps_arrows`.
    """

    def __init__(self, runs: RunCommands, frame: Frame) -> None:
        super().__init__(frame)
        self._runs, self._frame = runs, frame
        self.space = self._key(Qt.Key.Key_Space, runs.primary)
        self.right = self._key(Qt.Key.Key_Right, self.step)
        self.enter = (self._key(Qt.Key.Key_Return, self._press), self._key(Qt.Key.Key_Enter, self._press))
        self.right.setAutoRepeat(True)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self._follow_focus(None, None)

    def _key(self, key: Qt.Key, call: Callable[[], object]) -> QShortcut:
        made = QShortcut(QKeySequence(key), self._frame.workbench, context=Qt.ShortcutContext.WindowShortcut)
        made.setAutoRepeat(False)
        made.activated.connect(call)
        return made

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        writes = _takes_text(new)
        self.space.setEnabled(not writes)
        self.right.setEnabled(not writes and not getattr(new, "keeps_arrows", False))
        for enter in self.enter:
            enter.setEnabled(not writes and isinstance(new, (QAbstractButton, QComboBox)))

    def step(self) -> None:
        """Grow one round, where the button does."""
        shown = self._frame.pages.currentWidget() is self._frame.workbench
        if shown and self._frame.transport.step_button.isEnabled():
            self._runs.step()

    def _press(self) -> None:
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton):
            focus.click()
        elif isinstance(focus, QComboBox):
            focus.showPopup()


def _takes_text(widget: QWidget | None) -> bool:
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, TEXT_FIELDS) and not widget.isReadOnly()
