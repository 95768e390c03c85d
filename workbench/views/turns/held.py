"""Widgets that go on showing what they show until it is their turn to be painted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from workbench.views.turns.own_events import own_events, reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QImage

HOLDERS, MADE_OPAQUE = "holders", "made opaque"  # properties of held widgets


def painted_in_own_event(*widgets: QWidget) -> None:
    """Let widgets show what they show until what is under way is done, and paint what is new one by one.

    The first, which may hold the others, is seen now; what nobody sees is painted as it comes to be seen. One
    that waits already goes on waiting.
    """
    if widgets[0].isVisible():
        for widget in widgets:
            if not is_held(widget):
                hold(widget)
                let_go_in_own_event(widget)


def is_held(widget: QWidget) -> bool:
    """Whether a widget waits for its turn."""
    return Shiboken.isValid(widget) and bool(widget.property(HOLDERS))


def hold(widget: QWidget) -> None:
    """Let a widget show what it shows, whatever is painted around it: an opaque one is not painted over.

    Each who holds it lets go of it once.
    """
    holders = int(widget.property(HOLDERS) or 0)
    widget.setProperty(HOLDERS, holders + 1)
    if not holders:
        _stop(widget)


def let_go(widget: QWidget) -> None:
    """Let a widget be painted again, unless another holds it too."""
    holders = int(widget.property(HOLDERS) or 0) - 1
    widget.setProperty(HOLDERS, max(holders, 0))
    if holders <= 0:
        _go_on(widget)


def let_go_in_own_event(widget: QWidget) -> None:
    """Likewise, when what is under way is done: it is painted alone, in the event that follows."""
    own_events().add(partial(_let_go_alone, reference(widget)), widget, alone=True)


def _let_go_alone(kept: Callable[[], QWidget]) -> None:
    widget = kept()
    others = QEvent(QEvent.Type.UpdateRequest)  # what else is to be painted is painted now
    QCoreApplication.sendEvent(widget.window(), others)
    if own_events().is_pass_full:
        own_events().add(partial(let_go, widget), widget, alone=True)
    else:
        let_go(widget)


def picture_of(window: QWidget) -> QImage:
    """Return a picture of a window, with what waits for its turn: Qt leaves that out."""
    waiting = [widget for widget in window.findChildren(QWidget) if is_held(widget)]
    for widget in waiting:
        _go_on(widget)
    picture = window.grab().toImage()
    for widget in waiting:
        _stop(widget)
    return picture


def _stop(widget: QWidget) -> None:
    widget.setUpdatesEnabled(False)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent):
        widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        widget.setProperty(MADE_OPAQUE, True)


def _go_on(widget: QWidget) -> None:
    if widget.property(MADE_OPAQUE):
        widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)
        widget.setProperty(MADE_OPAQUE, None)
    widget.setUpdatesEnabled(True)
