"""Space and → act on the run, in the playground → and ← on what is shown, but in a field that takes text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
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
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.shell.frame import Frame
    from workbench.shell.run_commands import RunCommands

TEXT_FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
WALKS = {Qt.Key.Key_Right.value: 1, Qt.Key.Key_Left.value: -1}
BARE = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class RunKeys(QObject):
    """Space pauses and resumes, → steps; Enter presses what has the focus, in place of Space.

    A centre view that has a `walk` goes by → and ← from round to round, unless that says that it does not.
    A widget in which arrows walk says so by `keeps_arrows`. Enter takes what is typed in a field and gives
    both keys back to the run; a field that stays to be typed in says so by `keeps_typing`.
    """

    def __init__(self, runs: RunCommands, frame: Frame) -> None:
        super().__init__(frame)
        self._runs, self._frame = runs, frame
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    def take(self, event: QKeyEvent, widget: QWidget | None = None) -> bool:
        """Do what a key says that reached a widget, or none; return whether it says anything."""
        on_workbench = self._frame.pages.currentWidget() is self._frame.workbench
        is_seen = widget is None or widget.isVisible()  # one of a page that was left has the keyboard still
        if not (on_workbench and is_seen) or event.modifiers() not in BARE or _takes_text(widget):
            return False
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._runs.primary()
            return True
        by = 0 if getattr(widget, "keeps_arrows", False) else WALKS.get(event.key(), 0)
        if by and self._walk(by):
            return True
        if by > 0:
            if self._frame.transport.step_button.isEnabled():
                self._runs.step()
            return True
        return event.key() in ENTER and _press(widget)

    def _walk(self, by: int) -> bool:
        """Let what stands in the centre go on or back; return whether it does."""
        centre = self._frame.centre
        walk: Callable[[int], bool] | None = getattr(centre.view(centre.current), "walk", None)
        return walk is not None and walk(by)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at a key before the widget that has the focus does."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            widget = watched if isinstance(watched, QWidget) else None
            if self.take(event, widget):
                return True
            if isinstance(widget, QLineEdit) and event.key() in ENTER and event.modifiers() in BARE:
                widget.event(event)  # first, so that what is typed is taken
                self._leave(widget)
                return True
        return super().eventFilter(watched, event)

    def _leave(self, field: QLineEdit) -> None:
        """Give the keyboard to what a field stands in, from where Tab goes on; not out of a wrong one."""
        is_wrong = not field.hasAcceptableInput() or field.property("wrong") == "true"
        if is_wrong or getattr(field, "keeps_typing", False) or not field.hasFocus():
            return
        holder = field.parentWidget()
        while holder is not None and holder is not self._frame and _takes_keys(holder):
            holder = holder.parentWidget()
        (holder or self._frame).setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and isValid(old):
            old.removeEventFilter(self)
        if new is not None and self._frame.isAncestorOf(new):
            new.installEventFilter(self)


def _press(widget: QWidget | None) -> bool:
    if isinstance(widget, QAbstractButton):
        widget.click()
        return True
    if isinstance(widget, QComboBox):
        widget.showPopup()
        return True
    return False


def _takes_keys(widget: QWidget) -> bool:
    return widget.focusProxy() is not None or widget.focusPolicy() != Qt.FocusPolicy.NoFocus


def _takes_text(widget: QWidget | None) -> bool:
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, TEXT_FIELDS) and not widget.isReadOnly()
