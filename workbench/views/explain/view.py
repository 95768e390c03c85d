"""The centre tab Explain: what a model goes by, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from workbench.session.explained.explained import ROWS_OF
from workbench.views.base import VIEWS, Bench
from workbench.views.explain.pages.base import PAGES
from workbench.views.look.style import set_look
from workbench.views.paged.tab import PagedTab

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@VIEWS.register
class ExplainTab(PagedTab):
    """The session holds which page is shown, and by which rows."""

    name = "explain"
    title = "Explain"
    place = "centre"
    order = 50
    kinds = PAGES

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.rows_box = QComboBox()
        self.rows_box.setAccessibleName("Rows to explain")
        self.rows_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_look(self.rows_box, fit="tool")
        self.rows_box.activated.connect(self._choose_rows)
        events, desk = bench.session.events, bench.explaining
        for signal in (events.explained, events.rounds, events.runs, events.state, events.selection,
                       events.table, events.what_if, desk.answered):
            signal.connect(self.synchronize)
        self.synchronize()

    @property
    def chosen(self) -> str:
        return self._bench.session.explained.view.page

    def choose(self, name: str) -> None:
        self._bench.session.explained.choose(page=name)

    def synchronize(self) -> None:
        if self.isVisible():
            self._offer_rows()
        super().synchronize()

    def _offer_rows(self) -> None:
        """Offer the rows that there are, where the page goes by any."""
        explained = self._bench.session.explained
        page: Any = self.page
        names = explained.choices
        self.rows_box.setEnabled(page.uses_rows and len(names) > 1)
        shown = explained.subject.rows if explained.subject is not None else None
        with QSignalBlocker(self.rows_box):
            if [self.rows_box.itemData(place) for place in range(self.rows_box.count())] != list(names):
                self.rows_box.clear()
                for name in names:
                    self.rows_box.addItem(ROWS_OF[name], name)
            if shown is not None:
                self.rows_box.setCurrentIndex(names.index(shown.name))

    def _choose_rows(self, place: int) -> None:
        self._bench.session.explained.choose(rows=self.rows_box.itemData(place))

    def tools(self) -> tuple[QWidget, ...]:
        return (self.rows_box, self.export_button)
