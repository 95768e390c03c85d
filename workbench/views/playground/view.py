"""The centre tab Playground: a switch between its pages, each a file of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
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
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import rule
from workbench.views.export.export_menu import add_exports, icon_button, open_menu
from workbench.views.export.pictures import save_picture
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.playground.pages.base import PAGES, PlaygroundPage

if TYPE_CHECKING:
    from pathlib import Path

SWITCH_HEIGHT, KEY_HEIGHT = 44, 28
LEAST_WIDTH, LEAST_HEIGHT = 520, 240


@VIEWS.register
class PlaygroundTab(LazyView):
    """Shows the chosen page, and lets it follow the session while it is seen."""

    name = "playground"
    title = "Playground"
    place = "centre"
    order = 55

    status_changed = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        kinds = sorted(PAGES, key=lambda page: page.order)
        self.pages: list[PlaygroundPage] = [made(bench) for made in kinds]
        self.buttons: dict[str, QPushButton] = {}
        self._stack, self._keys = QStackedWidget(), QStackedWidget()
        self._said = ""
        self.export_button = icon_button("Export", "Save the picture as PNG or SVG, or the points as CSV")
        self.export_button.clicked.connect(self._open_export)
        self._build()
        set_look(self, ground="data")
        self.restyle()
        self._swap = QShortcut(QKeySequence("X"), self)
        self._swap.activated.connect(self._swap_ink)
        self._follow()

    def _build(self) -> None:
        head = QWidget()
        head.setFixedHeight(px(SWITCH_HEIGHT))
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        group = QButtonGroup(self)
        for page in self.pages:
            button = QPushButton(page.title)
            button.setCheckable(True)
            set_look(button, fit="tool")
            button.clicked.connect(partial(self.choose, page.name))
            group.addButton(button)
            self.buttons[page.name] = button
            row.addWidget(button)
            self._stack.addWidget(page)
            self._keys.addWidget(page.key() or QWidget())
        self._keys.setFixedHeight(px(KEY_HEIGHT))
        row.addWidget(self._keys, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (head, rule(), self._stack):
            column.addWidget(part)

    def _follow(self) -> None:
        events, desk = self._bench.session.events, self._bench.playground
        for signal in (events.playground, events.rounds, events.runs, events.state, events.selection,
                       events.table, events.plan, events.params, desk.changed, desk.answered):
            signal.connect(self.synchronize)
        self.synchronize()

    @property
    def page(self) -> PlaygroundPage:
        """The page that is shown."""
        wanted = self._bench.session.playground.view.page
        return next((page for page in self.pages if page.name == wanted), self.pages[0])

    def choose(self, name: str) -> None:
        """Show another page."""
        self._bench.session.playground.choose(page=name)

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        page = self.page
        self.buttons[page.name].setChecked(True)
        self._stack.setCurrentWidget(page)
        self._keys.setCurrentIndex(self.pages.index(page))
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
        for page in self.pages:
            page.restyle()
        self.update()

    # --- export -----------------------------------------------------------------------------

    def _open_export(self) -> None:
        menu = QMenu(self)
        add_exports(menu, self, self, "playground", self._say)
        open_menu(menu, self.export_button)

    def _say(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "export")

    def save_picture(self, path: Path) -> None:
        """Write what the page shows as PNG or SVG."""
        page = self.page
        save_picture(path, page.picture_size, page.paint_picture, f"Playground, {page.title.lower()}")

    def save_csv(self, path: Path) -> None:
        """Write the points with their figures."""
        atomic_write(path, csv_text(self.page.figures(), neutralise=self._is_harmless))

    def values_text(self) -> str:
        """The same for a spreadsheet."""
        return tab_separated(self.page.figures(), neutralise=self._is_harmless) + "\n"

    @property
    def _is_harmless(self) -> bool:
        return self._bench.session.harmless_formulas

    def _swap_ink(self) -> None:
        playground = self._bench.session.playground
        playground.choose(ink=1 - playground.view.ink)
