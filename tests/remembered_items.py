"""Items of layouts that PySide remembers: it must not remember any that Qt has deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Container, Iterable


def remembered() -> set[int]:
    """Where the items stand, or stood, that PySide remembers."""
    items = [known for known in Shiboken.getAllValidWrappers() if isinstance(known, QLayoutItem)]
    return {_address(item) for item in items if not isinstance(item, QLayout)}


def misled(
    tops: Iterable[QWidget], before: set[int] = frozenset(), moved: Container[QWidget] = ()
) -> list[int]:
    """Return what is remembered, but for what was `before`, of items that are in no layout of `tops`.

    Another item may have come to stand at the same place: those of widgets that were `moved` are new. Ask
    once, at the end: those that are there are remembered from then on.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    known = remembered() - before
    layouts = [layout for top in tops for layout in _layouts_of(top)]
    items = [layout.itemAt(place) for layout in layouts for place in range(layout.count())]
    widgets = {_address(item): item.widget() for item in items}
    return [place for place in known if place not in widgets or widgets[place] in moved]


def _layouts_of(top: QWidget) -> list[QLayout]:
    own = [part.layout() for part in [top, *top.findChildren(QWidget)] if part.layout() is not None]
    return [*own, *top.findChildren(QLayout)]


def _address(item: QLayoutItem) -> int:
    return int(Shiboken.getCppPointer(item)[0])
