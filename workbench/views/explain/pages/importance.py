"""The page Importance: every kind side by side, and how the foremost columns came to their share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QVBoxLayout

from workbench.explain.node_text import SHARE
from workbench.number_text import count, counted, percent
from workbench.session.explained.importance_asked import OUT_OF_BAG, ImportanceAsked, ImportanceFound
from workbench.session.explained.permutation_asked import REPEATS, PermutationAsked, PermutedFound
from workbench.session.no_trees import no_rounds
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.curves.board import CurveBoard
from workbench.views.curves.content import Content, Line, RoundMarks
from workbench.views.curves.vertical_scales import Linear
from workbench.views.explain.kind_list import KindColumn, KindList
from workbench.views.explain.pages.base import PAGES, ExplainPage
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

TITLES = {"total_gain": "Gain, sum", "gain": "Gain, mean", "total_cover": "Cover, sum",
          "cover": "Cover, mean", "count": "Splits", "out_of_bag": "Permuted, out of bag"}
WEIGHTS = "Size of the coefficients of a column's standardised columns, summed"
OF_CLASSES = "Gain is what the splits lower the impurity n·i by; cover is the weight of the rows they part"
PERMUTED = " Permuted: by how much the error of rows left out rises, a tree on average."
WHAT = "Gain is ½[…] − γ of the splits, before shrinkage; cover is their H"


@PAGES.register
class ImportancePage(ExplainPage):
    """Ordered by the kind whose heading was clicked last."""

    name = "importance"
    title = "Importance"
    order = 10
    asks = (PermutationAsked,)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.by = "total_gain"
        self._found: ImportanceFound | None = None
        self._found_of: Run | None = None
        self._permuted: PermutedFound | None = None
        self._why = ""
        self.phrase, self.list, self.board = Label(), KindList(), CurveBoard()
        self.parts = self.list, self.board
        self.phrase.setFont(ui_font(NOTE))
        self.phrase.setContentsMargins(16, 10, 16, 2)
        self.phrase.setWordWrap(True)
        set_look(self.phrase, tone="3")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.phrase)
        column.addWidget(self.list, 3)
        column.addWidget(rule())
        column.addWidget(self.board, 2)
        self.board.hide()  # until it has lines: what is not painted yet shows what stood there before
        self.list.ordered.connect(self._order)
        self.list.chosen.connect(lambda name: self._session.shown.select(column=name))
        self.board.picked.connect(self._pick)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        subject = self._session.explained.subject
        if subject is None:
            self.show_nothing(no_rounds(self._session.shown.run))
        else:
            self.show_subject(subject)  # without rows too: only permuting goes by them

    def show_nothing(self, sentence: str) -> None:
        self._found = self._permuted = None
        self.phrase.setText("")
        self.list.show_nothing(sentence)
        self.board.hide()

    def show_subject(self, subject: ExplainSubject) -> None:
        run = subject.run
        asked = ImportanceAsked(run, subject.round, not run.is_live)
        found = self.ask(asked)
        if found is None and self._desk.problem(asked):
            self.show_nothing(self._desk.problem(asked))
            return
        permuted, why = self._permute(subject)
        if found is not None and (found is not self._found or run is not self._found_of
                                  or permuted is not self._permuted or why != self._why):
            self._found, self._found_of, self._permuted, self._why = found, run, permuted, why
            self._show(run, len(found.grown) or subject.round)  # of an earlier round while a run trains
        elif self._found is not None and self._found_of is not run:
            self.show_nothing("")
        if self._found is not None:
            self.list.mark(self._session.shown.selection.column)
        if found is not None:
            self._show_growth(run)

    def _permute(self, subject: ExplainSubject) -> tuple[PermutedFound | None, str]:
        """Return what permuting does on the rows, or why that is not known."""
        if subject.rows is None:
            return None, ""
        if subject.run.is_live:
            return None, "Permutation follows once the run has ended."
        asked = PermutationAsked(subject.run, subject.round, subject.rows)
        found: PermutedFound | None = self._desk.ask(asked)
        return found, "" if found is not None else f"Permutation: {self.why_not(asked)}"

    def _show(self, run: Run, round: int) -> None:
        assert self._found is not None
        assert run.schema is not None
        if run.is_linear:
            columns = [KindColumn("count", "Weight", self._found.kinds["gain"])]
            columns[0] = columns[0]._replace(name="weight")
            self.phrase.setText(f"{WEIGHTS}, after round {count(round)}.")
        else:
            kinds = self._found.kinds
            columns = [KindColumn(name, title, kinds[name]) for name, title in TITLES.items()
                       if name in kinds and np.isfinite(kinds[name]).all()]
            what, also = OF_CLASSES if run.unit == SHARE else WHAT, PERMUTED if OUT_OF_BAG in kinds else ""
            told = f"{what}. Trees of rounds 1 to {count(round)}.{also} {self._found.left_out}"
            self.phrase.setText(told.strip())
        self.phrase.setText(f"{self.phrase.text()} {self._why}".strip())
        if self._permuted is not None:
            if np.isfinite(self._permuted.mean).all():
                columns.append(_permuted_column(self._permuted))
            self.phrase.setText(f"{self.phrase.text()} {_permuted_words(run, self._permuted)}")
        by = self.by if any(column.name == self.by for column in columns) else columns[-1].name
        self.list.show_kinds(run.schema.names, columns, by)

    def _show_growth(self, run: Run) -> None:
        found = self._found
        assert found is not None
        assert run.schema is not None
        self.board.setVisible(bool(found.grown.size))
        if not found.grown.size:
            return
        names = [run.schema.names[column] for column in found.foremost.tolist()]
        lines = tuple(
            Line(name, f"category{place}", 100 * found.grown[:, place], percent(found.grown[-1, place], 1),
                 dash="solid" if place < 4 else "dashed", swatch=True, tone="text1")
            for place, name in enumerate(names)
        )
        content = Content("Share of the gain so far", "of the splits of rounds 1 to each, %",
                          Linear(from_zero=True), lines, readings=True)
        selected = self._session.shown.selection.round
        pinned = self._session.shown.round if selected is not None else 0
        marks = RoundMarks(rounds=max(run.planned_rounds, 1), newest=len(run.rounds), pinned=pinned)
        self.board.show_contents((content,), marks)

    def restyle(self) -> None:
        super().restyle()
        self.board.restyle()

    # --- the hand ---------------------------------------------------------------------------

    def _order(self, kind: str) -> None:
        self.by = kind
        subject = self._session.explained.subject
        if self._found is not None and subject is not None:
            self._show(subject.run, subject.round)

    def _pick(self, number: int) -> None:
        newest = 0 if self._session.shown.run is None else len(self._session.shown.run.rounds)
        self._session.shown.select(round=None if number >= newest else number)

    # --- export -----------------------------------------------------------------------------

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        model = self.list.model
        spread = [column for column in model.columns if column.spread is not None]
        head = ("feature", *(c.name for c in model.columns), *(f"{c.name}_spread" for c in spread))
        parts = [*(c.values for c in model.columns), *(c.spread for c in spread if c.spread is not None)]
        return [head, *((model.names[place], *(float(part[place]) for part in parts))
                        for place in model.order.tolist())]


def _permuted_column(found: PermutedFound) -> KindColumn:
    token = "validation" if found.asked.rows.name == "holdout" else "train"
    return KindColumn("permutation", "Permutation", found.mean, found.deviation, token)


def _permuted_words(run: Run, found: PermutedFound) -> str:
    """Say what got worse, on which rows."""
    rows = counted(len(found.rows.features), "row")
    some = f"{rows} drawn from {count(found.rows.total)}" if found.rows.is_sample else rows
    metric = run.facts.metric(found.metric).short
    if not np.isfinite(found.mean).all():
        return f"Permutation: {metric} is not defined on {some}."
    return f"Permutation: by how much {metric} gets worse on {some}, {REPEATS} repeats; line: deviation."
