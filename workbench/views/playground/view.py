"""The centre tab Playground: a model over one or two variables, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut

from workbench.views.base import VIEWS, Bench
from workbench.views.paged.tab import PagedTab
from workbench.views.playground.pages.base import PAGES
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Iterator


@VIEWS.register
class PlaygroundTab(PagedTab):
    """The session holds which page is shown."""

    name = "playground"
    title = "Playground"
    place = "centre"
    order = 55
    kinds = PAGES
    export_tip = "Save the picture as PNG or SVG, or the points as CSV"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._swap = QShortcut(QKeySequence("X"), self)
        self._swap.activated.connect(self._swap_ink)
        events, desk = bench.session.events, bench.playground
        for signal in (events.playground, events.rounds, events.runs, events.state, events.table,
                       events.plan, events.params, desk.changed, desk.answered):
            signal.connect(self.synchronize)
        self._selected = InTurns(self._follow_selection, self)  # the ruler has its own event
        events.selection.connect(self._selected.start_soon)
        self.synchronize()

    @property
    def chosen(self) -> str:
        return self._bench.session.playground.view.page

    def choose(self, name: str) -> None:
        self._bench.session.playground.choose(page=name)

    def walk(self, by: int) -> bool:
        """Go to another round; not of a run that grows, which a step lets grow on."""
        run = self._bench.playground.run
        if run is None or not run.rounds or run.is_live:
            return False
        self._bench.playground.step(by)
        return True

    def _follow_selection(self) -> Iterator[None]:
        self.synchronize()
        yield

    def _swap_ink(self) -> None:
        playground = self._bench.session.playground
        playground.choose(ink=1 - playground.view.ink)
