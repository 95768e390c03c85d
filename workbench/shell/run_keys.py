"""Space and → act on the run wherever the keyboard is, but in a field that takes text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
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

PRESSED = (QAbstractButton, QComboBox)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
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
        if new is not None and not writes and isinstance(new, PRESSED):
            new.installEventFilter(self)

    def step(self) -> None:
        """Grow one round, where the button does."""
        shown = self._frame.pages.currentWidget() is self._frame.workbench
        if shown and self._frame.transport.step_button.isEnabled():
            self._runs.step()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Press what the keyboard is on."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in ENTER:
            if isinstance(watched, QAbstractButton) and self._frame.workbench.isAncestorOf(watched):
                watched.click()
                return True
            if isinstance(watched, QComboBox) and self._frame.workbench.isAncestorOf(watched):
                watched.showPopup()
                return True
        return super().eventFilter(watched, event)


def _takes_text(widget: QWidget | None) -> bool:
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, TEXT_FIELDS) and not widget.isReadOnly()
