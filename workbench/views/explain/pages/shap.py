"""The page SHAP: what each column adds to the rows, and one of them by its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.number_text import count, counted, figure
from workbench.session.explained.shap_asked import (
    PartnersAsked,
    PartnersFound,
    ShapAsked,
    ShapFound,
    WholeSizesAsked,
)
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.curves.ink import write
from workbench.views.explain.pages.base import PAGES, WAITING, ExplainPage
from workbench.views.explain.plots.dependence_plot import DependencePlot, DependenceScene
from workbench.views.explain.swarm_list import HEAD, ROW, SwarmList, paint_dots, paint_line
from workbench.views.explain.unknown_choice import UnknownChoice
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

MOST_IN_PICTURE = 30
FOLLOWS = "; bars of all rows follow"


@PAGES.register
class ShapPage(ExplainPage):
    """Few rows first, then as many as time allows; at the right the selected column, or the foremost."""

    name = "shap"
    title = "SHAP"
    asks = (ShapAsked, PartnersAsked, WholeSizesAsked)
    order = 20

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.swarm, self.plot, self.choice = SwarmList(), DependencePlot(), UnknownChoice(bench.session)
        self.parts = (self.plot,)  # the swarm has its dots first
        self.phrase, self.note = Label(), Label()
        self._found: ShapFound | None = None
        self._found_of: Run | None = None
        self._whole: tuple[Any, ShapFound] | None = None  # sizes of all rows, and values with them
        self._why = ""  # what is said of rows that have no dot
        self._drawn: tuple[Any, int, int] | None = None  # SHAP values, column and partner at the right
        for label in (self.phrase, self.note):
            label.setFont(ui_font(NOTE))
            label.setWordWrap(True)
            set_look(label, tone="3")
        self.phrase.setContentsMargins(16, 10, 16, 4)
        self.note.setContentsMargins(8, 2, 16, 10)
        self._right = QWidget()
        right = QVBoxLayout(self._right)
        right.setContentsMargins(8, 8, 8, 0)
        right.addWidget(self.plot, 1)
        right.addWidget(self.note)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.swarm, 11)
        self._rule = rule(vertical=True)
        body.addWidget(self._rule)
        body.addWidget(self._right, 9)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.phrase)
        column.addLayout(body, 1)
        self.swarm.chosen.connect(lambda name: self._session.shown.select(column=name))

    def key(self) -> QWidget:
        return self.choice

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self._found, self._found_of = None, None
        self.choice.synchronize(self._session.shown.run)
        self.phrase.setText("")
        self.note.setText("")
        self.swarm.show_nothing(sentence)
        self._drawn = None
        self.plot.show_scene(DependenceScene())
        self._rule.hide()
        self._right.hide()

    def show_subject(self, subject: ExplainSubject) -> None:
        run, view = subject.run, self._session.explained.view
        assert subject.rows is not None
        self.choice.synchronize(run)
        output, self._why = self._session.shown.output, ""
        few = ShapAsked(run, subject.round, subject.rows, view.by, output, True)
        found = self.ask(few)
        if found is None and self._desk.problem(few):
            self.show_nothing(self._desk.problem(few))
            return
        if found is not None and found.rows.is_sample and not run.is_live:
            found = self._of_more(few, found)
        if found is None and self._found_of is not run:
            self.show_nothing(self.why_not(few))
            return
        if found is not None and not len(found.shares):
            self.show_nothing("There are no such rows.")
            return
        if found is not None and found is not self._found:
            self._found, self._found_of = found, run
            self.paint_in_parts()
        self._show(run, subject, output)

    def _of_more(self, few: ShapAsked, found: ShapFound) -> ShapFound:
        """Return what is known of more rows: values of as many as are drawn, then sizes of all."""
        more = self._desk.ask(few._replace(few=False))
        if more is None or not more.rows.is_sample:
            self._desk.leave(WholeSizesAsked)
            return more or found
        asked = WholeSizesAsked(*few[:-1])
        sizes, problem = self._desk.ask(asked), self._desk.problem(asked)
        self._why = "" if problem else FOLLOWS
        if sizes is None:
            return more
        if self._whole is None or self._whole[0] is not sizes:
            self._whole = sizes, more.with_sizes(sizes)
        return self._whole[1]

    def _show(self, run: Run, subject: ExplainSubject, output: int) -> None:
        found, schema = self._found, run.schema
        assert found is not None
        assert schema is not None
        assert subject.rows is not None
        self._rule.show()
        self._right.show()
        self.swarm.show_found(found, schema)
        self.phrase.setText(_words(run, found, self._why))
        name = self._session.shown.selection.column
        column = schema.names.index(name) if name in schema.names else int(found.order[0])
        self.swarm.mark(column)
        by = self._session.explained.view.by
        asked = PartnersAsked(run, subject.round, subject.rows, by, output, column)
        partners = None if run.is_linear else self.ask(asked)
        self._show_dependence(run, column, partners)

    def _show_dependence(self, run: Run, column: int, partners: PartnersFound | None) -> None:
        found, schema = self._found, run.schema
        assert found is not None
        assert schema is not None
        before = self.plot.scene
        partner = partners.partner if partners is not None else -1
        if partners is None and before.column is schema.features[column] and before.partner is not None:
            partner = schema.features.index(before.partner)  # until the new one is known
        drawn = self._drawn
        if drawn is None or drawn[0] is not found.shares or drawn[1:] != (column, partner):
            self._drawn = found.shares, column, partner
            self.plot.show_scene(DependenceScene(
                schema.features[column], found.rows.features[:, column], found.shares[:, column],
                schema.features[partner] if partner >= 0 else None,
                found.rows.features[:, partner] if partner >= 0 else np.empty(0, np.float32),
                "SHAP value of each row",
            ))
        self.note.setText("" if run.is_linear else _partner_words(schema.names, partners))

    def restyle(self) -> None:
        self.swarm.update()
        self.plot.update()

    # --- export -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        return ""

    @property
    def picture_size(self) -> QSize:
        rows = self.swarm.shown_rows(MOST_IN_PICTURE)
        high = max(px(HEAD) + rows * px(ROW) + 30, self.plot.height() + 30)
        return QSize(self.swarm.width() + self.plot.width() + 8, high)

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        write(painter, self.phrase.text(), 16, 14)
        painter.translate(0, 26)
        self.swarm.head.paint(painter, self.swarm.width())
        for row in range(self.swarm.shown_rows(MOST_IN_PICTURE)):
            place = QRectF(0, px(HEAD) + row * px(ROW), self.swarm.width(), px(ROW))
            paint_line(painter, place, self.swarm.model, row, False)
            paint_dots(painter, place, self.swarm.model, row)
        painter.translate(self.swarm.width() + 8, 0)
        self.plot.paint(painter)

    def figures(self) -> list[tuple[Any, ...]]:
        run, found = self._session.shown.run, self._found
        if found is None or run is None or run.schema is None:
            return []
        head = ("row", "base", *run.schema.names)
        offset = 0.0 if found.rows.offset is None else found.rows.offset.astype(np.float64)
        base = np.full(len(found.shares), found.base) + offset
        rows = (found.rows.table_rows + 1).tolist()
        return [head, *((row, own_base, *own) for row, own_base, own in zip(
            rows, base.tolist(), found.shares.tolist(), strict=True))]


def _words(run: Run, found: ShapFound, why: str) -> str:
    """Say what is shown: which rows, of which trees, and what stands for an unknown column."""
    asked = found.asked
    assert asked.rows is not None
    kind = {"holdout": "hold-out row", "training": "training row", "table": "row"}[asked.rows.name]
    rows = f"All {counted(found.rows.total, kind)}"
    if found.rows.is_sample:
        rows = f"{count(len(found.rows.features))} of {counted(found.rows.total, kind)}, drawn at random"
        rows += "; bars and order are of all rows" if found.is_whole else why
    trees = "" if run.is_linear else f", trees of rounds 1 to {count(asked.round)}"
    output = f", for {run.output_names[asked.output]}" if run.output_names else ""
    return f"{rows}{trees}{output}; {found.words}."


def _partner_words(names: tuple[str, ...], partners: PartnersFound | None) -> str:
    if partners is None:
        return WAITING
    if partners.partner < 0:
        return "It interacts with no other column."
    largest = np.argsort(-partners.sizes, kind="stable")[:3]
    told = [f"{names[place]} {figure(float(partners.sizes[place]), 3)}" for place in largest.tolist()
            if partners.sizes[place] > 0]
    return f"Interacts most with {', '.join(told)} (mean size of the interaction value)."
