"""The page Rivals: which columns came second to which, and what becomes of the model without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout

from workbench.isolation import isolated
from workbench.number_text import count, counted, figure
from workbench.session.explained.rivals_asked import SAMPLED, RivalBook, RivalsAsked, RivalsFound
from workbench.views.controls.label import Label
from workbench.views.explain.pages.base import PAGES, WAITING, ExplainPage
from workbench.views.explain.plots.rival_matrix import MOST, RivalMatrix, RivalScene
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.explain.rivals.rivals import RivalSums
    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

KEPT_BOOKS = 3
WHAT = "Gain that a column's best cut would have brought where it came second, by who won"
NO_RIVALS = "No split had a second column with a cut that gains anything."
TRAIN = "Train without it"
SHOWN_WINNERS = 3


@PAGES.register
class RivalsPage(ExplainPage):
    """Grows tree by tree while it is seen; what is known of a run is kept."""

    name = "rivals"
    title = "Rivals"
    order = 70
    uses_rows = False
    asks = (RivalsAsked,)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._books: list[RivalBook] = []
        self._asked: RivalsAsked | None = None
        self.found: RivalsFound | None = None
        self._run: Run | None = None
        self.phrase, self.told, self.matrix = Label(), Label(), RivalMatrix()
        self.leave_button = QPushButton(TRAIN)
        self._build()

    def _build(self) -> None:
        for label, tone in ((self.phrase, "3"), (self.told, "2")):
            label.setFont(ui_font(NOTE))
            set_look(label, tone=tone)
        self.phrase.setContentsMargins(16, 10, 16, 2)
        self.told.setWordWrap(True)
        set_look(self.leave_button, fit="tool")
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 16, 10)
        row.setSpacing(12)
        row.addWidget(self.told, 1)
        row.addWidget(self.leave_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.phrase)
        column.addWidget(self.matrix, 1)
        column.addLayout(row)
        self.matrix.chosen.connect(lambda name: self._session.shown.select(column=name))
        self.leave_button.clicked.connect(self._leave_out)

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self.found = None
        self.phrase.setText("")
        self.told.setText("")
        self.leave_button.hide()
        self.matrix.show_scene(RivalScene(), sentence)

    def show_subject(self, subject: ExplainSubject) -> None:
        run, round = subject.run, subject.round
        book = self._book(run)
        if self._asked is None or self._asked.book is not book or self._asked.round != round:
            self._asked = RivalsAsked(book, round, book.looks)
        found = self.ask(self._asked)
        if found is None and self._desk.problem(self._asked):
            self.show_nothing(self._desk.problem(self._asked))
            return
        if found is not None and not found.is_whole:
            self._asked = RivalsAsked(book, round, found.looks)
            self._desk.ask(self._asked)
        if found is not None:
            self.found, self._run = found, run
        elif self._run is not run:
            self.show_nothing(WAITING)
        if self.found is not None and self._run is run:
            self._show(self.found, run)

    def _book(self, run: Run) -> RivalBook:
        book = next((book for book in self._books if book.is_of(run)), None) or RivalBook(run)
        others = [other for other in self._books if other is not book]
        self._books = [*others[1 - KEPT_BOOKS :], book]
        return book

    def _show(self, found: RivalsFound, run: Run) -> None:
        assert run.schema is not None
        sums, names = found.sums, run.schema.names
        trees = f"{counted(found.of_trees, 'tree')}" if found.trees == found.of_trees else (
            f"{count(found.trees)} of {counted(found.of_trees, 'tree')} so far")
        if found.under_way[1] and not found.trees:
            trees += ", {} of {} splits of the first".format(*map(count, found.under_way))
        if found.exact < found.trees:
            trees += f", {count(found.trees - found.exact)} by a sample of {count(SAMPLED)} rows"
        more = len(sums.columns) - MOST
        rest = f"; {counted(more, 'column')} with less left out" if more > 0 else ""
        self.phrase.setText(f"{WHAT}. {trees}{rest}.")
        shown = sums.columns[:MOST]
        selected = self._session.shown.selection.column or ""
        scene = RivalScene(
            tuple(names[column] for column in shown.tolist()), sums.matrix(MOST), sums.won[:MOST], selected,
            np.array([sums.lost[sums.second == place].sum() for place in range(len(shown))]),
        )
        if not len(sums.lost):
            self.matrix.show_scene(RivalScene(), NO_RIVALS if found.is_whole else WAITING)
        else:
            self.matrix.show_scene(scene)
        place = next((p for p, c in enumerate(sums.columns.tolist()) if names[c] == selected), None)
        self.told.setText("" if place is None else rival_words(sums, place, names))
        self.leave_button.setVisible(place is not None)
        if place is not None:
            self.leave_button.setEnabled(not run.is_live and run.dataset is not None)
            self.leave_button.setAccessibleName(f"Train beside this run without {selected}")

    # --- the hand ---------------------------------------------------------------------------

    def _leave_out(self) -> None:
        """Train beside the shown run without the selected column."""
        run, column = self._session.shown.run, self._session.shown.selection.column
        if run is not None and column is not None:
            made = self._bench.controller.train_without(run, column)
            if made is not None:
                said = f"{made.name} trains without {isolated(column)}, beside {run.name}."
                self._session.notices.say(f"{said} Both stand under Runs.", "info", "training")

    # --- export -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        return ""

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        head = ("second", "winner", "times", "gain lost")
        if self.found is None or self._run is None or self._run.schema is None:
            return [head]
        sums, names = self.found.sums, self._run.schema.names
        found = sums.columns.tolist()
        pairs = zip(sums.second.tolist(), sums.winner.tolist(), sums.times.tolist(), sums.lost.tolist(),
                    strict=True)
        return [head, *((names[found[i]], names[found[j]], times, lost) for i, j, times, lost in pairs)]


def rival_words(sums: RivalSums, place: int, names: tuple[str, ...]) -> str:
    """Say of one column how often it came second, and to whom it lost most."""
    own, name = sums.of_second(place), isolated(names[int(sums.columns[place])])
    if not len(own):
        return f"{name} never came second; its own splits gain {figure(float(sums.won[place]), 3)}."
    to = ", ".join(
        f"{figure(float(sums.lost[pair]), 3)} to {isolated(names[int(sums.columns[sums.winner[pair]])])}"
        for pair in own[:SHOWN_WINNERS].tolist()
    )
    times, lost = int(sums.times[own].sum()), float(sums.lost[own].sum())
    return (
        f"{name} came second {counted(times, 'time')} and lost {figure(lost, 3)} of gain: {to}. "
        f"Its own splits gain {figure(float(sums.won[place]), 3)}."
    )
