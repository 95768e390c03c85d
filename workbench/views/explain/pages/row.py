"""The page Row: one row with other values, and what becomes of prediction, contributions and path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import trail
from workbench.explain.row_path import matrix_row, row_path
from workbench.isolation import isolated
from workbench.number_text import count, figure, fixed, signed
from workbench.session.explained.row_asked import RowAsked, RowBook, RowFound
from workbench.views.controls.label import Label
from workbench.views.controls.phrase_combo import NAME_LETTERS, PhraseCombo
from workbench.views.curves.kpi_strip import Cell, KpiStrip, Widths
from workbench.views.explain.pages.base import NO_ROWS, PAGES, ExplainPage
from workbench.views.explain.plots.move_bars import MoveBars, MoveScene
from workbench.views.explain.row_values import RowValues
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.data.schema import DataSchema
    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

VALUES_WIDTH = 372
LONGEST = 72  # letters of a question on the way: one may name many categories
COLUMNS = (Widths(190, 130), Widths(190, 130), Widths(170, 110), Widths(190, 120))
NO_CONTRIBUTIONS = "The file of this model tells neither H nor rows of its nodes, so nothing is taken apart."
WHAT = "SHAP values{}; outlined as it is, filled what if; with base {} they are ŷ"
WEIGHED = {"hessian": ", weighed by H", "rows": ", weighed by rows", "": ""}


@PAGES.register
class RowPage(ExplainPage):
    """The selected row, or the first of the rows that are explained; what is typed is forgotten with it."""

    name = "row"
    title = "Row"
    order = 35
    asks = (RowAsked,)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._book: RowBook | None = None
        self._shown: tuple[Any, ...] = ()  # schema and row of the values at the left
        self._arranged: tuple[Any, ...] = ()
        self._offset = 0.0
        self.found: RowFound | None = None
        self.chooser, self.class_box = RowChooser(), PhraseCombo()
        self.back_button, self.refusal = QPushButton("Back to the row"), Label()
        self.values, self.figures_strip, self.bars = RowValues(), KpiStrip(COLUMNS), MoveBars()
        self.parts = self.figures_strip, self.bars
        self.own_path, self.other_path = Label(), Label()
        self._build()

    def _build(self) -> None:
        self.class_box.setAccessibleName("Class")
        self.class_box.setMinimumContentsLength(NAME_LETTERS)
        for widget in (self.back_button, self.class_box):
            set_look(widget, fit="tool")
        for label, tone in ((self.own_path, "2"), (self.other_path, "2"), (self.refusal, "2")):
            label.setFont(ui_font(NOTE))
            label.setWordWrap(True)
            set_look(label, tone=tone)
            label.setContentsMargins(16, 2, 16, 2)
        head = QHBoxLayout()
        head.setContentsMargins(4, 6, 16, 6)
        head.setSpacing(8)
        head.addWidget(self.chooser)
        head.addWidget(self.back_button)
        head.addWidget(self.refusal, 1)
        head.addWidget(self.class_box)
        self.values.setFixedWidth(px(VALUES_WIDTH))
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.figures_strip)
        right.addWidget(self.bars, 1)
        right.addWidget(self.own_path)
        right.addWidget(self.other_path)
        right.addSpacing(8)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.values)
        body.addLayout(right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(body, 1)
        self.chooser.chosen.connect(lambda row: self._session.shown.select(row=row))
        self.back_button.clicked.connect(self.values.values.put_back)
        self.values.values.edited.connect(self._take_edit)
        self.values.values.refused.connect(self.refusal.setText)
        self.values.line_chosen.connect(
            lambda line: self._session.shown.select(column=self.values.values.feature(line).name))
        self.class_box.activated.connect(self._session.shown.choose_output)

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self.found, self._shown = None, ()
        self.values.values.forget()
        self._set_parts(False)
        self.bars.say(sentence)

    def restyle(self) -> None:
        self.chooser.restyle()

    def _set_parts(self, there: bool) -> None:
        for part in (self.values, self.figures_strip, self.own_path, self.other_path, self.back_button):
            part.setVisible(there)
        self.class_box.setVisible(there and self.class_box.count() > 1)

    def show_subject(self, subject: ExplainSubject) -> None:
        run, schema = subject.run, subject.run.schema
        assert schema is not None
        row = self._row(subject)
        if row is None:
            self.show_nothing(NO_ROWS)
            return
        table = self._session.data.table
        self.chooser.show_row(row, table.n_rows if table is not None else 0)
        if self._shown != (id(schema), row):
            try:
                own = self._own_values(subject, row)
            except WorkbenchError as error:  # the open table lacks columns of the model
                self.show_nothing(str(error))
                return
            if own is None:
                target = isolated(schema.target)
                lacks = f"Row {count(row + 1)} has no value for {target}"
                self.show_nothing(f"{lacks}, so this run does not know it.")
                return
            self._shown, self._arranged = (id(schema), row), ()
            painted_in_own_event(self.values)
            self.values.values.show(schema, own)
            self.refusal.setText("")
        if self._book is None or not self._book.is_of(run, subject.round):
            self._book = RowBook(run, subject.round)
        self._offer_outputs(run)
        self._set_parts(True)
        self._ask(run, schema)

    def _row(self, subject: ExplainSubject) -> int | None:
        """Return the selected row of the table, or the first that is explained."""
        assert subject.rows is not None
        row = self._session.shown.selection.row
        if row is not None:
            return row
        if subject.run.dataset is not None:
            data = subject.run.dataset
            places = data.valid_rows if subject.rows.name == "holdout" else data.train_rows
            return int(data.table_rows[places[0]]) if len(places) else None
        return 0 if subject.rows.total else None

    def _own_values(self, subject: ExplainSubject, row: int) -> NDArray[np.float32] | None:
        """Return a row as the model reads it."""
        data, table = subject.run.dataset, self._session.data.table
        self._offset = 0.0
        if data is not None:
            place = matrix_row(data, row)
            if place is None:
                return None
            self._offset = 0.0 if data.offset is None else float(data.offset[place])
            return np.asarray(data.features[place], np.float32)
        if table is None or subject.run.schema is None or row >= table.n_rows:
            return None
        from workbench.data.encoding import encode

        alone = tuple(
            replace(c, values=c.values[[row]], exact=None if c.exact is None else c.exact[[row]],
                    texts=c.texts[row : row + 1])
            for c in table.columns
        )  # fmt: skip
        return encode(subject.run.schema, replace(table, columns=alone))[0]

    def _offer_outputs(self, run: Run) -> None:
        names = list(run.output_names)
        if [self.class_box.itemText(k) for k in range(self.class_box.count())] != names:
            self.class_box.clear()
            self.class_box.addItems(names)
        self.class_box.setCurrentIndex(self._session.shown.output)

    def _ask(self, run: Run, schema: DataSchema) -> None:
        assert self._book is not None
        values = self.values.values
        asked = RowAsked(self._book, values.own.tobytes(), values.other.tobytes(), self._offset)
        found = self.ask(asked)
        if found is None and self._desk.problem(asked):
            self.show_nothing(self._desk.problem(asked))
        elif found is not None:
            self.found = found
            self._show(found, run, schema)
        elif self.found is None:
            self.bars.say(self.why_not(asked))
        self.back_button.setEnabled(bool(values.changed.any()))
        self._show_paths(run, schema)

    def _show(self, found: RowFound, run: Run, schema: DataSchema) -> None:
        k, values = self._session.shown.output, self.values.values
        said = found.predictions[:, min(k, found.predictions.shape[1] - 1)]
        name = "Prediction"
        if schema.class_labels:
            label = run.output_names[k] if run.output_names else str(schema.class_labels[-1])
            name = f"Probability of {isolated(label)}"
        moved = f"of {count(found.trees)} trees" if found.trees else ""
        is_changed = bool(values.changed.any())
        self.figures_strip.show_cells([
            Cell(name, figure(float(said[0])), "as it is"),
            Cell("What if", figure(float(said[1])) if is_changed else "–",
                 signed(float(said[1] - said[0]), 4) if is_changed else "type another value"),
            Cell("Raw prediction ŷ", fixed(float(found.raw[1, k]), 4),
                 f"from {fixed(float(found.raw[0, k]), 4)}" if is_changed else ""),
            Cell("Ends elsewhere", count(found.moved) if is_changed else "–", moved),
        ])  # fmt: skip
        if found.contributions is None:
            self.bars.say(NO_CONTRIBUTIONS)
            return
        before, after = found.contributions[:, k]
        if self._arranged != self._shown:
            self._arranged = self._shown
            painted_in_own_event(self.values)
            self.values.values.arrange(before)
        scene = MoveScene(schema.names, before, after, values.changed)
        self.bars.show_scene(scene, WHAT.format(WEIGHED[found.by], fixed(float(found.base[k]), 3)))

    def _show_paths(self, run: Run, schema: DataSchema) -> None:
        """Say both ways through the shown tree."""
        shown = self._session.shown
        tree = shown.tree
        if tree is None:
            self.own_path.setText("")
            self.other_path.setText("")
            return
        beside = len(run.trees(shown.round)) // max(len(run.output_names), 1)
        name = f"Tree {count(shown.place_in_round % beside + 1)} of round" if beside > 1 else "Tree"
        values = self.values.values
        ways = [row_path(tree, row) for row in (values.own, values.other)]
        whole = [trail(tree, way.leaf, schema)[:-1] for way in ways]
        told = [" › ".join(map(_cut, words)) or "a single leaf" for words in whole]
        adds = [signed(float(tree.nodes["leaf_value"][way.leaf]), 4) for way in ways]
        self.own_path.setText(f"{name} {count(shown.round)}: {told[0]} › adds {adds[0]}")
        set_tip(self.own_path, " › ".join(whole[0]))
        set_tip(self.other_path, " › ".join(whole[1]))
        is_moved = ways[0].leaf != ways[1].leaf
        self.other_path.setText(
            f"What if: {told[1]} › adds {adds[1]}" if is_moved
            else "What if: the same way" if values.changed.any() else "")

    # --- the hand ---------------------------------------------------------------------------

    def _take_edit(self) -> None:
        self.refusal.setText("")
        self.synchronize()

    # --- export -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        return ""

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        head = ("column", "row", "what if", "contribution of the row", "contribution what if")
        run, found, values = self._session.shown.run, self.found, self.values.values
        if run is None or found is None:
            return [head]
        k = self._session.shown.output
        shares = np.full((2, len(values.own)), np.nan) if found.contributions is None else (
            found.contributions[:, k])
        texts = [
            [values.data(values.index(line, column)) for column in range(3)]
            for line in range(values.rowCount())
        ]
        places = values.order.tolist()
        return [head, *((*told, *shares[:, at].tolist()) for at, told in zip(places, texts, strict=True))]


def _cut(question: str) -> str:
    if len(question) <= LONGEST:
        return question
    begin = question[: LONGEST - 2]
    return f"{begin.rpartition(', ')[0] or begin}, …"
