"""Runs as cards in a list: what each of them says, worked out when it is first seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import Qt

from workbench.isolation import isolated
from workbench.number_text import count, figure
from workbench.session.comparison.differences import card_words, varying
from workbench.session.comparison.run_tree import RunPlace, places
from workbench.session.comparison.verdict import words_against
from workbench.session.run import RunState
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel
from workbench.views.ruler.words import duration

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.views.rows_model import Index

POINTS = 34  # of a small curve
STATES = {RunState.PREPARING: "preparing", RunState.RUNNING: "trains", RunState.PAUSED: "paused",
          RunState.FAILED: "failed"}


class Card(NamedTuple):
    """What is written on a run's card; the curve is of the watched metric, its best point by place."""

    name: str
    differs: str
    best: str
    facts: str
    curve: NDArray[np.float64]
    best_point: int


class CardsModel(RowsModel):
    """The listed runs as a tree, in an order, those that are sought."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.places: list[RunPlace] = []
        self.order, self.words = "making", ""
        self._varying: frozenset[str] = frozenset()
        self._placed: tuple[Any, ...] = ()  # what the places are made of
        self._cards: dict[int, tuple[tuple[Any, ...], Card]] = {}

    def refresh(self) -> None:
        """Show the runs that there are now."""
        runs = self.session.runs
        self._varying = varying(runs)
        made_of = (self.order, self.words, len(runs.all), [(run, run.card) for run in runs])
        if made_of != self._placed or self.words or self.order == "best metric":  # these go by figures too
            self._placed = made_of
            self.places = places(runs, runs.all, self.order, self.words, self._sought)
        if len(self.places) != self.rowCount():
            self.show_rows(len(self.places))
        else:
            self.tell_changed()

    def _sought(self, run: Run) -> str:
        return f"{run.name} {card_words(run, self._varying)} {run.card.note}"

    def run_at(self, row: int) -> Run:
        """Return the run of a row."""
        return self.places[row].run

    def row_of(self, run: Run | None) -> int:
        """Return the row of a run, −1 where it is not shown."""
        return next((row for row, place in enumerate(self.places) if place.run is run), -1)

    def card(self, run: Run) -> Card:
        """Return what a run's card says."""
        shown = self.session.shown.run
        judged = "" if shown is None else words_against(run, shown, self.session.validation)
        key = (len(run.rounds), run.state, run.card, run.ended, run.made, self._varying, judged)
        known = self._cards.get(run.number)
        if known is None or known[0] != key:
            known = self._cards[run.number] = key, card_of(run, self._varying, judged)
        return known[1]

    def tell_grown(self) -> None:
        """Say that runs that train have more rounds."""
        for row, place in enumerate(self.places):
            if place.run.is_live:
                self.dataChanged.emit(self.index(row), self.index(row))

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        run = self.run_at(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return run.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            card, place = self.card(run), self.places[index.row()]
            level = f"level {place.depth + 1}, " if place.depth else ""
            ticked = "drawn" if self.session.overlay.is_ticked(run) else "not drawn"
            return f"{isolated(card.name)}, {level}{card.differs}, {card.best}, {card.facts}, {ticked}"
        if role == Qt.ItemDataRole.ToolTipRole:
            card = self.card(run)
            return as_it_stands("\n".join(filter(None, (card.name, card.differs, run.card.note))))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        run, title = self.run_at(index.row()), " ".join(str(value).split())
        if role == Qt.ItemDataRole.EditRole and title != run.name:
            self.session.runs.write_on(run, title="" if title == f"Run {run.number}" else title)
        return True


def card_of(run: Run, names: frozenset[str], judged: str = "") -> Card:
    """Work out what a run's card says; `judged` is how it compares with the shown one."""
    seconds = float(run.history.column("seconds").sum())
    facts = [STATES[run.state]] if run.state in STATES else []
    facts += [judged] if judged else []
    best = ""
    if run.known_best is not None:
        round, value = run.known_best
        best = figure(value)
        facts.append(f"best at {count(round)} of {count(len(run.rounds))}")
    if run.rounds and math.isfinite(seconds):
        facts.append(duration(seconds))
    if run.card.note:
        facts.append(" ".join(run.card.note.split()))
    curve, place = watched_values(run), -1
    if len(curve):
        rounds = np.linspace(0, len(curve) - 1, min(POINTS, len(curve))).astype(int)
        curve, place = curve[rounds], int(np.searchsorted(rounds, run.best_round - 1))
    return Card(run.name, card_words(run, names), best, ", ".join(facts) or "no round yet", curve, place)


def watched_values(run: Run) -> NDArray[np.float64]:
    """The watched metric of each round, on hold-out rows where there are any."""
    return values_of(run, run.watched)


def values_of(run: Run, metric: str) -> NDArray[np.float64]:
    """A metric of each round, on hold-out rows where there are any."""
    for part in ("valid", "train"):
        values = run.history.column(f"{part}:{metric}")
        if len(values) and np.isfinite(values).any():
            return values
    return np.empty(0)
