"""A centre tab with a switch between its pages, each of which is made in turns when it is shown first."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.formats.bytes.csv_text import csv_text, tab_separated
from workbench.formats.bytes.files import atomic_write
from workbench.views.base import Bench, LazyView, View
from workbench.views.controls.heading import rule
from workbench.views.export.export_menu import add_exports, icon_button, open_menu
from workbench.views.export.pictures import save_picture
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.pace import once_painted
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QShowEvent

    from workbench.registry import Registry
    from workbench.views.paged.page import TabPage

SWITCH_HEIGHT, KEY_HEIGHT = 44, 28
LEAST_WIDTH, LEAST_HEIGHT = 520, 240
AHEAD_MS = 250  # after the tab is shown


class PagedTab(LazyView):
    """Shows the chosen page, and lets it follow the session while it is seen; the others are made meanwhile.

    A subclass says what its pages are, which one is chosen, and how another one is; it connects what it
    follows to `synchronize`.
    """

    kinds: ClassVar[Registry[Any]]
    export_tip: ClassVar[str] = "Save the picture as PNG or SVG, or the figures as CSV"

    status_changed = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._kinds = {kind.name: kind for kind in sorted(self.kinds, key=lambda kind: kind.order)}
        self.pages: dict[str, TabPage] = {}
        self.buttons: dict[str, QPushButton] = {}
        self._half_made: dict[str, Iterator[None]] = {}
        self._stack, self._keys = QStackedWidget(), QStackedWidget()
        self._first = InTurns(self._make_chosen, self, self._stack)
        self._ahead = InTurns(self._make_others, self)
        self._soon = once_painted(self._ahead.start, self, AHEAD_MS)
        self._said = ""
        self.export_button = icon_button("Export", self.export_tip)
        self.export_button.clicked.connect(self._open_export)
        self._build()
        set_look(self, ground="data")
        self.restyle()

    def _build(self) -> None:
        head = QWidget()
        head.setFixedHeight(px(SWITCH_HEIGHT))
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        group = QButtonGroup(self)
        for name, kind in self._kinds.items():
            button = QPushButton(kind.title)
            button.setCheckable(True)
            set_look(button, fit="tool")
            button.clicked.connect(partial(self.choose, name))
            group.addButton(button)
            self.buttons[name] = button
            row.addWidget(button)
        self._keys.setFixedHeight(px(KEY_HEIGHT))
        row.addWidget(self._keys, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (head, rule(), self._stack):
            column.addWidget(part)

    # --- the chosen page --------------------------------------------------------------------

    @property
    def chosen(self) -> str:
        """The name of the page that is wanted."""
        raise NotImplementedError

    def choose(self, name: str) -> None:
        """Show another page."""
        raise NotImplementedError

    @property
    def _chosen(self) -> str:
        """The same, or the first page where there is none of that name."""
        return self.chosen if self.chosen in self._kinds else next(iter(self._kinds))

    @property
    def page(self) -> TabPage:
        """The page that is shown."""
        name = self._chosen
        if name not in self.pages:
            deque(self._made(name), maxlen=0)
        return self.pages[name]

    def _made(self, name: str) -> Iterator[None]:
        """Return the steps that make a page, or what is left of them."""
        return self._half_made.setdefault(name, self._make(name))

    def _make(self, name: str) -> Iterator[None]:
        made = self._kinds[name](self._bench)
        key = made.key() or QWidget()
        for part, stack in ((made, self._stack), (key, self._keys)):
            part.resize(0, 0)  # Qt paints anew what stands where it would be, though it is not shown
            stack.addWidget(part)
        yield
        yield from made.build()
        made.restyle()
        self.pages[name] = made
        yield

    def _make_chosen(self) -> Iterator[None]:
        """Make the page that is wanted, and show it."""
        yield from self._made(self._chosen)
        in_own_event(self.synchronize, self)

    def _make_others(self) -> Iterator[None]:
        """Make the pages that nobody has asked for yet."""
        for name in self._kinds:
            yield from self._made(name)

    def showEvent(self, event: QShowEvent) -> None:
        if self._chosen in self.pages:
            super().showEvent(event)
        else:
            View.showEvent(self, event)
            self._first.start()
        self._soon.start()

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        page = self.page
        self.buttons[page.name].setChecked(True)
        if self._stack.currentWidget() is not page:
            painted_in_own_event(self._stack)
        self._stack.setCurrentWidget(page)
        self._keys.setCurrentIndex(self._stack.currentIndex())
        page.synchronize()
        if page.words != self._said:
            self._said = page.words
            self.status_changed.emit(self._said)

    def minimumSizeHint(self) -> QSize:
        """Leave the inspector its height; what has no room is cut off."""
        return QSize(LEAST_WIDTH, LEAST_HEIGHT)

    def tools(self) -> tuple[QWidget, ...]:
        return (self.export_button,)

    def restyle(self) -> None:
        self.export_button.setIcon(icon("download-simple", pixels=14))
        for page in self.pages.values():
            page.restyle()
        self.update()

    # --- export -----------------------------------------------------------------------------

    def _open_export(self) -> None:
        menu = QMenu(self)
        add_exports(menu, self, self, self.name, self._say)
        open_menu(menu, self.export_button)

    def _say(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    def save_picture(self, path: Path) -> None:
        """Write what the page shows as PNG or SVG."""
        page = self.page
        save_picture(path, page.picture_size, page.paint_picture, f"{self.title}, {page.title.lower()}")

    def save_csv(self, path: Path) -> None:
        """Write the figures of the page."""
        atomic_write(path, csv_text(self.page.figures(), neutralise=self._is_harmless))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        return tab_separated(self.page.figures(), neutralise=self._is_harmless) + "\n"

    @property
    def _is_harmless(self) -> bool:
        return self._bench.session.harmless_formulas
