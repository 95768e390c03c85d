"""The page Waterfall: how a row comes by its prediction, column by column, in all, by round and by tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.number_text import count, signed
from workbench.session.explained.row_shap_asked import RowShapAsked, RowShares
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.curves.board import CurveBoard
from workbench.views.curves.content import Content, Line, RoundMarks
from workbench.views.curves.vertical_scales import Linear
from workbench.views.explain.pages.base import PAGES, ExplainPage
from workbench.views.explain.plots.waterfall import Waterfall, WaterfallScene
from workbench.views.explain.row_values import value_text
from workbench.views.explain.unknown_choice import UnknownChoice
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

MOST_LINES = 5  # columns that are followed over rounds
MOST_TOLD = 100  # columns whose values are told


@PAGES.register
class WaterfallPage(ExplainPage):
    """The selected row, or the first of the rows that are explained."""

    name = "waterfall"
    title = "Waterfall"
    asks = (RowShapAsked,)
    order = 30

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.choice, self.chooser = UnknownChoice(bench.session), RowChooser()
        self.phrase, self.fall, self.board = Label(), Waterfall(), CurveBoard()
        self.parts = self.fall, self.board
        self._found: RowShares | None = None
        self._found_of: Run | None = None
        self.phrase.setFont(ui_font(NOTE))
        set_look(self.phrase, tone="3")
        head = QHBoxLayout()
        head.setContentsMargins(4, 6, 16, 2)
        head.setSpacing(8)
        head.addWidget(self.chooser)
        head.addWidget(self.phrase, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.fall, 3)
        self._rule = rule()
        column.addWidget(self._rule)
        column.addWidget(self.board, 2)
        for part in (self._rule, self.board):
            part.hide()  # until there are lines
        self.chooser.chosen.connect(lambda row: self._session.shown.select(row=row))
        self.fall.picked.connect(self._pick_column)
        self.board.picked.connect(self._pick_round)

    def key(self) -> QWidget:
        return self.choice

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self._found, self._found_of = None, None
        self.choice.synchronize(self._session.shown.run)
        self.phrase.setText("")
        self.chooser.show_row(None, 0)
        self.fall.say(sentence)
        self._rule.hide()
        self.board.hide()

    def show_subject(self, subject: ExplainSubject) -> None:
        run, view, row = subject.run, self._session.explained.view, self._session.shown.selection.row
        assert subject.rows is not None
        self.choice.synchronize(run)
        output = self._session.shown.output
        asked = RowShapAsked(run, subject.round, subject.rows, view.by, output, row)
        found = self.ask(asked)
        if found is None and self._desk.problem(asked):
            self.show_nothing(self._desk.problem(asked))
            return
        if found is None and self._found_of is not run:
            self.show_nothing(self.why_not(asked))
            return
        if found is not None:
            self._found, self._found_of = found, run
        self._show(run)

    def _show(self, run: Run) -> None:
        found, schema = self._found, run.schema
        assert found is not None
        assert schema is not None
        table = self._session.data.table
        self.chooser.show_row(found.row, table.n_rows if table is not None else 0)
        names = list(schema.names)
        for column in np.argsort(-np.abs(found.total[:-1]), kind="stable")[:MOST_TOLD].tolist():
            names[column] += f" = {value_text(float(found.values[column]), schema.features[column])}"
        chosen = self._session.shown.selection.column
        rounds = 0 if found.by_round is None else len(found.by_round) - 1
        place = schema.names.index(chosen) if chosen in schema.names else -1
        self.fall.show_scene(WaterfallScene(tuple(names), found.total, *self._part(found), place))
        trees = f"trees of rounds 1 to {count(rounds)}; " if rounds else ""
        self.phrase.setText(f"SHAP values of the raw prediction, {trees}{found.words}.")
        self._show_growth(run, found)

    def _part(self, found: RowShares) -> tuple[NDArray[np.float64], str]:
        """Return what the last round adds, or of several trees of it the shown one, and which that is."""
        if found.by_round is None:
            return np.empty(0), ""
        last = count(len(found.by_round) - 1)
        if len(found.of_trees):
            tree = self._session.shown.place_in_round % len(found.of_trees)
            return found.of_trees[tree], f"Tree {count(tree + 1)} of round {last}"
        return found.by_round[-1], f"Round {last}"

    def _show_growth(self, run: Run, found: RowShares) -> None:
        sizes = np.abs(found.total[:-1])
        has_lines = found.by_round is not None and bool(sizes.any())
        self._rule.setVisible(has_lines)
        self.board.setVisible(has_lines)
        if found.by_round is None or run.schema is None or not has_lines:
            return
        foremost = np.argsort(-sizes, kind="stable")[:MOST_LINES]
        grown = found.by_round[:, foremost].cumsum(axis=0)[1:]
        lines = tuple(
            Line(run.schema.names[column], f"category{place}", grown[:, place],
                 signed(float(grown[-1, place])), dash="solid" if place < 4 else "dashed", swatch=True,
                 tone="text1")
            for place, column in enumerate(foremost.tolist()) if sizes[column] > 0
        )
        content = Content("Contribution so far", "of rounds 1 to each, each counting as in the end", Linear(),
                          lines, zero=True, readings=True)
        selected = self._session.shown.selection.round
        pinned = self._session.shown.round if selected is not None else 0
        self.board.show_contents(
            (content,), RoundMarks(rounds=max(run.planned_rounds, 1), newest=len(run.rounds), pinned=pinned))

    def restyle(self) -> None:
        self.chooser.restyle()
        self.fall.update()
        self.board.restyle()

    # --- the hand ---------------------------------------------------------------------------

    def _pick_column(self, column: int) -> None:
        run = self._session.shown.run
        if run is not None and run.schema is not None:
            self._session.shown.select(column=run.schema.names[column])

    def _pick_round(self, number: int) -> None:
        newest = 0 if self._session.shown.run is None else len(self._session.shown.run.rounds)
        self._session.shown.select(round=None if number >= newest else number)

    # --- export -----------------------------------------------------------------------------

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        run, found = self._session.shown.run, self._found
        if run is None or run.schema is None or found is None:
            return []
        names = (*run.schema.names, "base")
        texts = [value_text(float(value), feature)
                 for value, feature in zip(found.values, run.schema.features, strict=True)]
        parts = [found.total] if found.by_round is None else [found.total, *found.by_round]
        last = len(parts) - 2
        trees = [f"tree {number} of round {last}" for number in range(1, len(found.of_trees) + 1)]
        head = ("column", "value", "contribution", *(f"round {number}" for number in range(last + 1)), *trees)
        columns = [names, [*texts, ""], *(part.tolist() for part in [*parts, *found.of_trees])]
        return [head, *zip(*columns, strict=True)]
