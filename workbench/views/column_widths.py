"""How wide the columns of a table are: fitted when they come into view, for a table may have thousands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from workbench.views.pace import once_painted
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QTableView

FEW = 60  # columns of a narrow table are all fitted soon, so that nothing moves while it is scrolled
MEASURED = 12  # columns of a wide one, for a mean


class ColumnWidths(QObject):
    """Fits the columns of a table to `width_of`, the pixels that a column wants by its place."""

    def __init__(self, table: QTableView, width_of: Callable[[int], int]) -> None:
        super().__init__(table)
        self._table, self._width_of = table, width_of
        self._fitted: set[int] = set()
        self._soon = once_painted(InTurns(self._fit_all, self).start, self)
        table.horizontalScrollBar().valueChanged.connect(self.fit_shown)
        table.viewport().installEventFilter(self)

    def start_anew(self) -> None:
        """Forget how wide columns were: the model has others now."""
        header = self._table.horizontalHeader()
        self._fitted.clear()
        if header.count() > FEW:  # those not yet seen stand for a mean one
            wanted = [*map(self._width_of, range(MEASURED))]
            header.setDefaultSectionSize(sum(wanted) // MEASURED)
            for place, width in enumerate(wanted):
                self._fit(place, width)
            self.fit_shown()
        else:
            self.fit_shown()
            self._soon.start()

    def _fit_all(self) -> Iterator[None]:
        """Fit the columns of a narrow table, one a turn."""
        for place in range(FEW):
            if place < self._table.horizontalHeader().count() <= FEW:
                self._fit(place)
                yield

    def fit_shown(self) -> None:
        """Fit the columns that came into view; what stands right of one that is cut at the left stays."""
        table, header = self._table, self._table.horizontalHeader()
        x, room = 0, table.viewport().width()
        while x < room and (place := header.logicalIndexAt(x)) >= 0:
            self._fit(place)
            x = header.sectionViewportPosition(place) + header.sectionSize(place)

    def _fit(self, place: int, wanted: int | None = None) -> None:
        if place in self._fitted:
            return
        self._fitted.add(place)
        header, bar = self._table.horizontalHeader(), self._table.horizontalScrollBar()
        wider = (self._width_of(place) if wanted is None else wanted) - header.sectionSize(place)
        is_cut = header.sectionViewportPosition(place) < 0
        header.resizeSection(place, header.sectionSize(place) + wider)
        if is_cut and wider:
            self._table.updateGeometry()
            bar.setValue(bar.value() + wider)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.fit_shown()
        return super().eventFilter(watched, event)
