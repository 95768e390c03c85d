"""A row of text tabs over a stack of views: the left dock, the centre and the bottom dock."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from workbench.shell.seat import Seat, Sizes
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.layout_items import leave_layouts
from workbench.views.look.focus_ring import by_keyboard
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent, QShowEvent

    from workbench.views.base import View

ROW_HEIGHT = 36
MARGIN = 16  # of the row, left and right together
MORE = 32  # pixels of the button for tabs that have no room


class SteadyTabs(QTabBar):
    """Tabs that never get narrower, so that nothing moves while a number in a title changes."""

    def __init__(self) -> None:
        super().__init__()
        self._widest: dict[int, int] = {}
        self.keeps_arrows = False  # only where it was reached by keyboard: else → is the window's
        self.is_narrow = False

    def set_narrow(self, narrow: bool) -> None:
        """Stand nearer to each other, or not."""
        self.is_narrow = narrow
        self._widest.clear()
        set_look(self, fit="narrow" if narrow else "wide")

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.keeps_arrows = by_keyboard(self, event.reason())
        super().focusInEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._widest.clear()  # under another style sheet, or none, tabs have other widths
        super().changeEvent(event)

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        self._widest[index] = max(self._widest.get(index, 0), size.width())
        return QSize(self._widest[index], size.height())


class Tabbed(QWidget):
    """Tabs, their views, and the tools of the current view: at the right end of the tabs, else below."""

    changed = Signal(str)  # name of the view that is shown

    def __init__(self, views: Sequence[View], ground: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.views = tuple(views)
        set_look(self, ground=ground)
        self.bar = SteadyTabs()
        self.stack = QStackedWidget()
        self._tools = [_tool_row(view.tools()) for view in self.views]
        self._seats = [Seat(view) for view in self.views]
        self._said: list[Sizes] = []  # by the seats, when the least size of all was found
        self._least = QSize()
        self._build()

    def _build(self) -> None:
        head = QWidget()
        set_look(head, ground="panel")
        head.setFixedHeight(px(ROW_HEIGHT))
        self._row = QHBoxLayout(head)
        self._row.setContentsMargins(4, 0, MARGIN - 4, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.bar)
        self._row.addWidget(self._build_more())
        self._below = QWidget()
        set_look(self._below, ground="panel")
        self._below.setFixedHeight(px(ROW_HEIGHT))
        self._below.hide()
        self._second_row = QHBoxLayout(self._below)
        self._second_row.setContentsMargins(4, 0, MARGIN - 4, 0)
        for tools in self._tools:
            self._row.addWidget(tools, 1)
            tools.hide()
        self._row.addStretch(0)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        for index, view in enumerate(self.views):
            self.bar.addTab(view.title)
            if hasattr(view, "title_changed"):
                view.title_changed.connect(partial(self._retitle, index))
            self.stack.addWidget(self._seats[index])
        self._wide = self.bar.sizeHint().width()
        self.bar.setMinimumWidth(self._wide)  # the tools give way, not the tabs
        self.bar.currentChanged.connect(self._show)
        rule = QFrame()
        rule.setProperty("rule", "h")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (head, self._below, rule, self.stack):
            column.addWidget(widget)
        self._show(0)

    def _build_more(self) -> CaretButton:
        self.more = CaretButton(flat=True)
        self.more.setAccessibleName("More tabs")
        self.more.setFixedWidth(px(MORE))
        menu = QMenu(self.more)
        menu.triggered.connect(lambda action: self.show_view(action.data()))
        self.more.setMenu(menu)
        self.more.hide()
        return self.more

    @property
    def current(self) -> str:
        """Name of the view that is shown."""
        return self.views[self.stack.currentIndex()].name if self.views else ""

    def _retitle(self, index: int, title: str) -> None:
        if title != self.bar.tabText(index):
            widths = self._widths()
            self.bar.setTabText(index, title)
            if self._widths() != widths or not self.bar.isTabVisible(index):
                self._fit()

    def show_view(self, name: str) -> None:
        """Show the view called `name`."""
        for index, view in enumerate(self.views):
            if view.name == name:
                self.bar.setTabVisible(index, True)
                self.bar.setCurrentIndex(index)

    def view(self, name: str) -> View:
        """Return the view called `name`."""
        return next(view for view in self.views if view.name == name)

    def get_ready(self, name: str) -> Iterator[None]:
        """Lay out a view that is not shown yet, a little a step, so that it is there at once when it is."""
        view = self.view(name)
        seat = view.parentWidget()
        if seat is not None and not view.isVisible():
            seat.resize(self.stack.size())
            yield from view.get_ready()
            view.grab(QRect(0, 0, 1, 1))  # which lays out all of it

    def minimumSizeHint(self) -> QSize:
        """Leave the tools out, which have another place, and how high the views are that are not shown."""
        pages, shown = self._least_of_pages(), self.stack.currentWidget()
        least = max(self.bar.minimumWidth() + MARGIN, pages.width())
        hidden = pages.height() - shown.minimumSizeHint().height() if shown is not None else 0
        return QSize(least, super().minimumSizeHint().height() - hidden)

    def _least_of_pages(self) -> QSize:
        """What the stack needs, found once for what its seats say: Qt asks all of them each time."""
        said = [seat.measured for seat in self._seats]
        if said != self._said:
            self._said, self._least = said, self.stack.minimumSizeHint()
        return self._least

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the best of another width; before it is shown, that is done as it is."""
        super().resizeEvent(event)
        if self.isVisible():
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the tools once the style sheet holds for them."""
        super().showEvent(event)
        for tools in self._tools:
            for tool in tools.findChildren(QWidget):
                tool.ensurePolished()
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Place the tools anew where one of them has come, gone or changed its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Bring the tabs nearer to each other, or put the tools below, where they would not all be seen."""
        if not self.bar.is_narrow:
            self._wide = sum(self._widths())
        beside = max((tools.minimumSizeHint().width() for tools in self._tools), default=0)
        if self.bar.is_narrow != (self._wide + beside + MARGIN > self.width()):
            self.bar.set_narrow(not self.bar.is_narrow)
            self._unscroll()
        self._put_aside(self._without_room())
        self.bar.setMinimumWidth(self.bar.sizeHint().width())
        self._place_tools()

    def _unscroll(self) -> None:
        """Bring back what was scrolled aside."""
        for scrolls in (False, True):
            self.bar.setUsesScrollButtons(scrolls)

    def _widths(self) -> list[int]:
        return [self.bar.tabSizeHint(index).width() for index in range(self.bar.count())]

    def _without_room(self) -> list[int]:
        """The last tabs, as many as stand in no room; the current one keeps its place."""
        widths = self._widths()
        beyond, aside = sum(widths) + MARGIN - self.width(), list[int]()
        if beyond > 0:
            beyond += MORE
        for index in reversed(range(len(widths))):
            if beyond > 0 and index != self.bar.currentIndex():
                aside.insert(0, index)
                beyond -= widths[index]
        return aside

    def _put_aside(self, aside: Sequence[int]) -> None:
        """Show these tabs in a menu at the end of the row; what has not moved keeps the keyboard."""
        moved = [k for k in range(self.bar.count()) if self.bar.isTabVisible(k) == (k in aside)]
        for index in moved:
            self.bar.setTabVisible(index, index not in aside)
        if moved:
            self._unscroll()
        menu = self.more.menu()
        menu.clear()
        for index in aside:
            menu.addAction(self.bar.tabText(index)).setData(self.views[index].name)
        self.more.setVisible(bool(aside))

    def _place_tools(self) -> None:
        """Show the tools of the current view, beside the tabs where there is room."""
        current = self.stack.currentIndex()
        for index, tools in enumerate(self._tools):
            tools.setVisible(index == current)
        if not self._tools:
            return
        tools = self._tools[current]
        needed = self.bar.minimumWidth() + tools.minimumSizeHint().width() + MARGIN
        fits = needed <= self.width() or not tools.findChildren(QWidget)
        if fits == (tools.parentWidget() is self._below):
            leave_layouts(tools, self._row, self._second_row)
            if fits:
                self._row.addWidget(tools, 1)
            else:
                self._second_row.addWidget(tools)
        self._below.setVisible(not fits)

    def _show(self, index: int) -> None:
        painted_in_own_event(self.stack)
        self.stack.setCurrentIndex(index)
        if not all(map(self.bar.isTabVisible, range(self.bar.count()))):
            self._fit()
        self._place_tools()
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
