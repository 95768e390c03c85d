"""Where everything stands: top bar, ruler row, docks, centre, status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from workbench.shell.seat import Seat
from workbench.shell.status import StatusLine
from workbench.shell.strip_stack import StripStack
from workbench.shell.tabbed import Tabbed
from workbench.shell.top_bar import TopBar
from workbench.shell.transport import Transport
from workbench.views.base import VIEWS
from workbench.views.controls.notice_strip import NoticeStrip
from workbench.views.importing.page import ImportPage
from workbench.views.look.scale import scale
from workbench.views.look.style import set_look
from workbench.views.ruler.round_ruler import RoundRuler
from workbench.views.scoring.page import ScorePage
from workbench.views.turns.held import painted_in_own_event
from workbench.views.welcome import Welcome

if TYPE_CHECKING:
    import threading

    from PySide6.QtGui import QAction, QResizeEvent

    from workbench.views.base import Bench, View

RULER_ROW = 56
TRANSPORT_WIDTH = 264  # the least, also for when the left dock is hidden
LEFT_WIDTHS = ((1366, 264), (1800, 304), (100_000, 320))  # windows narrower than the first get the second
INSPECTOR_HEIGHTS = ((740, 232), (860, 272), (1000, 308), (100_000, 340))  # the same for lower windows
WITH_INSPECTOR = "tree"  # the centre view that the bottom dock belongs to


class Frame(QWidget):
    """Lays out what the registry of views knows; pages for welcome, workbench and what is doubtful."""

    def __init__(self, actions: dict[str, QAction], bench: Bench, rare_ready: threading.Event) -> None:
        super().__init__()
        set_look(self, ground="data")
        self.top_bar, self.status = TopBar(actions), StatusLine()
        self.welcome, self.importing = Welcome(), ImportPage(bench.jobs)
        self.scoring = ScorePage(bench.jobs, rare_ready)
        self.waiting, self.notice = NoticeStrip(), NoticeStrip()
        self.pages = QStackedWidget()
        self._inspector_wanted = True
        self._before_companion = ""  # the bottom view that was left for the companion of a left panel
        self._left_width = 0  # as the window's size asks for
        self.inspector_height = 0  # that a person gave it; 0: as the window's size asks for
        self._build_docks(bench)
        self.pages.addWidget(self.welcome)
        self.workbench = _column(self._build_ruler_row(bench), rule(), self._build_body())
        self.pages.addWidget(self.workbench)
        self.pages.addWidget(self.importing)
        self.pages.addWidget(self.scoring)
        self._before_import: QWidget = self.welcome
        _column(self.top_bar, rule(), self.pages, rule(), Seat(self.status), holder=self)
        self._strips = StripStack(self, (self.waiting, self.notice))
        self.setTabOrder(self.ruler.field, self.ruler)  # as they stand, from left to right

    def _build_docks(self, bench: Bench) -> None:
        by_place: dict[str, list[View]] = {"left": [], "centre": [], "bottom": []}
        for view_class in sorted(VIEWS, key=lambda item: item.order):
            by_place[view_class.place].append(view_class(bench))
        self.left = Tabbed(by_place["left"], "panel")
        self.centre = Tabbed(by_place["centre"], "data")
        self.bottom = Tabbed(by_place["bottom"], "data")
        self.left.setMinimumWidth(TRANSPORT_WIDTH)
        self.left.setProperty("keeps_size", True)
        for tabs, name in ((self.left, "Panels"), (self.centre, "Views"), (self.bottom, "Inspector")):
            tabs.bar.setAccessibleName(name)

    def _build_ruler_row(self, bench: Bench) -> QWidget:
        self.transport, self.ruler = Transport(bench.session, bench.controller.cluster), RoundRuler(bench)
        holder = QWidget()
        holder.setFixedHeight(RULER_ROW)
        holder.setProperty("keeps_size", True)
        set_look(holder, ground="panel")
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.transport, rule("v")):
            row.addWidget(widget)
        row.addWidget(self.ruler, 1)
        return holder

    def _build_body(self) -> QWidget:
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self.body = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.centre, self.bottom):
            self.upright.addWidget(part)
        self.body.addWidget(self.left)
        self.body.addWidget(self.upright)
        for splitter in (self.body, self.upright):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.body.setStretchFactor(1, 1)
        self.upright.setStretchFactor(0, 1)
        self.body.splitterMoved.connect(self.align_ruler)
        self.upright.splitterMoved.connect(self._keep_inspector)
        self.centre.changed.connect(self._show_inspector)
        self.left.changed.connect(self._show_companion)
        self.bottom.hide()
        return self.body

    @property
    def views(self) -> tuple[View, ...]:
        """Every view, in reading order."""
        return (*self.left.views, *self.centre.views, *self.bottom.views)

    @property
    def on_welcome(self) -> bool:
        """Whether the welcome page is shown."""
        return self.pages.currentWidget() is self.welcome

    @property
    def strip(self) -> NoticeStrip:
        """Where a sentence for the person appears on the page that is shown."""
        return self.notice if self.pages.currentWidget() is self.workbench else self.waiting

    def show_import(self, shown: bool) -> None:
        """Show the page on which a file is looked at, or what was shown before it."""
        if shown and self.pages.currentWidget() is not self.importing:
            self._before_import = self.welcome if self.on_welcome else self.workbench
            self.pages.setCurrentWidget(self.importing)
        elif not shown and self.pages.currentWidget() is self.importing:
            self.pages.setCurrentWidget(self._before_import)

    def show_scoring(self, shown: bool) -> None:
        """Show the page on which a table is to be scored, or the workbench."""
        if shown or self.pages.currentWidget() is self.scoring:
            self.pages.setCurrentWidget(self.scoring if shown else self.workbench)

    def show_workbench(self, shown: bool) -> None:
        """Show the workbench, or the welcome page."""
        if shown and self.on_welcome:
            painted_in_own_event(self.pages, self.centre, self.left)
        self.pages.setCurrentIndex(1 if shown else 0)
        self.top_bar.set_workbench(shown)
        self._fit_left()
        self.align_ruler()

    def default_sizes(self, width: int) -> None:
        """Give the docks the widths that suit a window of `width`."""
        self._left_width = _fitting(LEFT_WIDTHS, width)
        self.body.setSizes([self._left_width, width - self._left_width])

    def show_left(self, shown: bool) -> None:
        """Show or hide the left dock."""
        self.left.setVisible(shown)
        self.align_ruler()

    def want_inspector(self, wanted: bool) -> None:
        """Show or hide the bottom dock wherever it belongs."""
        self._inspector_wanted = wanted
        self._show_inspector()

    def rescale(self) -> None:
        """Give the docks the sizes that suit the scale."""
        self._fit_left()
        self._fit_inspector()
        self.align_ruler()

    def align_ruler(self) -> None:
        """Let the ruler begin where the plots begin."""
        self.transport.set_width(max(self.body.sizes()[0], TRANSPORT_WIDTH))

    def restyle(self) -> None:
        """Follow the theme."""
        self.top_bar.restyle()
        self.transport.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep docks that nobody has moved at the sizes that suit the window."""
        super().resizeEvent(event)
        self._strips.place()
        self._fit_left()
        self._fit_inspector()
        self.align_ruler()

    def _fit_left(self) -> None:
        left, rest = self.body.sizes()
        wanted = _fitting(LEFT_WIDTHS, self.width())
        if left == self._left_width != wanted:
            self._left_width = wanted
            self.body.setSizes([wanted, left + rest - wanted])

    def _fit_inspector(self) -> None:
        above, height = self.upright.sizes()  # one that is hidden has none, but keeps what it is given
        wanted = self.inspector_height or _fitting(INSPECTOR_HEIGHTS, self.height())
        if height != wanted:
            self.upright.setSizes([above + height - wanted, wanted])

    def _keep_inspector(self) -> None:
        self.inspector_height = self.upright.sizes()[1]

    def _show_companion(self, name: str) -> None:
        """Show the bottom view that is beside a left panel; after it, what was shown before."""
        companion = next((view.name for view in self.bottom.views if view.beside == name), "")
        if companion:
            self._before_companion = self._before_companion or self.bottom.current
            self.bottom.show_view(companion)
        elif self._before_companion:
            self.bottom.show_view(self._before_companion)
            self._before_companion = ""

    def _show_inspector(self) -> None:
        shown = self._inspector_wanted and self.centre.current == WITH_INSPECTOR
        if shown and self.bottom.isHidden():
            self._fit_inspector()
        self.bottom.setVisible(shown)


def _fitting(sizes: tuple[tuple[int, int], ...], room: int) -> int:
    """The size for a window with this much room; in a larger scale half as much more as the letters."""
    return round(next(size for limit, size in sizes if room < limit) * (1 + scale()) / 2)


def rule(kind: str = "h") -> QFrame:
    """A hairline."""
    line = QFrame()
    line.setProperty("rule", kind)
    return line


def _column(*widgets: QWidget, holder: QWidget | None = None) -> QWidget:
    holder = holder or QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return holder
