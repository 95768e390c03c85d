"""The focus ring is for the keyboard: a click or the window's own first focus shows none."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTabBar, QWidget

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason,
               Qt.FocusReason.ShortcutFocusReason)


def by_keyboard(widget: QWidget, reason: Qt.FocusReason) -> bool:
    """Whether a key brought the focus: Qt calls it Tab too where what had it was disabled or hidden."""
    return reason in BY_KEYBOARD and widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)


def show_focus_rings(app: QApplication) -> None:
    """Give `ring="true"` to buttons, combo boxes and tabs that were reached by keyboard."""
    app.focusChanged.connect(_focus_changed)


def _focus_changed(old: QWidget | None, new: QWidget | None) -> None:
    _show(old, False)
    _show(new, new is not None and new.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange))


def _show(widget: QWidget | None, ring: bool) -> None:
    if isinstance(widget, (QAbstractButton, QComboBox, QTabBar)) and bool(widget.property("ring")) != ring:
        widget.setProperty("ring", ring)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
