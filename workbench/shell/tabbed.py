"""A row of text tabs over a stack of views: the left dock, the centre and the bottom dock."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from workbench.views.style import set_look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.views.base import View

ROW_HEIGHT = 36
MARGIN = 16  # of the row, left and right together


class SteadyTabs(QTabBar):
    """Tabs that never get narrower, so that nothing moves while a number in a title changes."""

    def __init__(self) -> None:
        super().__init__()
        self._widest: dict[int, int] = {}
        self.is_narrow = False

    def set_narrow(self, narrow: bool) -> None:
        """Stand nearer to each other, or not."""
        self.is_narrow = narrow
        self._widest.clear()
        set_look(self, fit="narrow" if narrow else "wide")

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        self._widest[index] = max(self._widest.get(index, 0), size.width())
        return QSize(self._widest[index], size.height())


class Tabbed(QWidget):
    """Tabs, their views, and the tools of the current view at the right end of the tab row."""

    changed = Signal(str)  # name of the view that is shown

    def __init__(self, views: Sequence[View], ground: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.views = tuple(views)
        set_look(self, ground=ground)
        self.bar = SteadyTabs()
        self.stack = QStackedWidget()
        self._tools = QStackedWidget()
        self._build()

    def _build(self) -> None:
        head = QWidget()
        set_look(head, ground="panel")
        head.setFixedHeight(ROW_HEIGHT)
        row = QHBoxLayout(head)
        row.setContentsMargins(4, 0, MARGIN - 4, 0)
        row.setSpacing(0)
        row.addWidget(self.bar)
        row.addWidget(self._tools, 1)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        for index, view in enumerate(self.views):
            self.bar.addTab(view.title)
            if hasattr(view, "title_changed"):
                view.title_changed.connect(partial(self._retitle, index))
            self.stack.addWidget(view)
            self._tools.addWidget(_tool_row(view.tools()))
        self._wide = self.bar.sizeHint().width()
        self.bar.setMinimumWidth(self._wide)  # the tools give way, not the tabs
        self.bar.currentChanged.connect(self._show)
        rule = QFrame()
        rule.setProperty("rule", "h")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for widget in (head, rule, self.stack):
            self._column.addWidget(widget)

    @property
    def current(self) -> str:
        """Name of the view that is shown."""
        return self.views[self.stack.currentIndex()].name if self.views else ""

    def _retitle(self, index: int, title: str) -> None:
        if title != self.bar.tabText(index):
            self.bar.setTabText(index, title)
            self.bar.setMinimumWidth(self.bar.sizeHint().width())

    def put_below_tabs(self, widget: QWidget) -> None:
        """Put a strip between the tabs and their views."""
        self._column.insertWidget(2, widget)

    def show_view(self, name: str) -> None:
        """Show the view called `name`."""
        for index, view in enumerate(self.views):
            if view.name == name:
                self.bar.setCurrentIndex(index)

    def view(self, name: str) -> View:
        """Return the view called `name`."""
        return next(view for view in self.views if view.name == name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Bring the tabs nearer to each other where they would not all be seen."""
        super().resizeEvent(event)
        if not self.bar.is_narrow:
            self._wide = self.bar.sizeHint().width()
        if self.bar.is_narrow != (self._wide + MARGIN > self.width()):
            self.bar.set_narrow(not self.bar.is_narrow)
            self.bar.setMinimumWidth(self.bar.sizeHint().width())
            for scrolls in (False, True):  # what was scrolled aside comes back
                self.bar.setUsesScrollButtons(scrolls)

    def _show(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self._tools.setCurrentIndex(index)
        self.changed.emit(self.current)


def _tool_row(tools: Sequence[QWidget]) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    if all(tool.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Expanding for tool in tools):
        row.addStretch(1)
    for tool in tools:
        row.addWidget(tool)
    return holder
