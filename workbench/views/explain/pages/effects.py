"""The page Effects: how the prediction follows one column or two, over rows, and round by round."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from workbench.explain.row_path import matrix_row
from workbench.isolation import isolated
from workbench.number_text import count
from workbench.session.explained.effects_asked import EffectAsked, EffectFound, WholeEffectAsked
from workbench.views.controls.label import Label
from workbench.views.controls.phrase_combo import NAME_LETTERS, PhraseCombo
from workbench.views.data.combo import WordCombo
from workbench.views.explain.pages.base import PAGES, ExplainPage
from workbench.views.explain.plots.effect_map import EffectMap, MapScene
from workbench.views.explain.plots.effect_plot import EffectPlot
from workbench.views.explain.plots.effect_scenes import (
    accumulated_scene,
    constant_told,
    map_axis,
    partial_scene,
    place_words,
    told,
)
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.data.schema import DataSchema
    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

ALONE = "no second column"
TOKENS = {"training": "train", "holdout": "validation", "table": "text1"}
KINDS = {"partial": "Partial dependence", "accumulated": "Accumulated effects"}


@PAGES.register
class EffectsPage(ExplainPage):
    """The selected column, or the one that trees ask first; the choice of a column selects it everywhere."""

    name = "effects"
    title = "Effects"
    order = 40
    asks = (EffectAsked, WholeEffectAsked)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.kind, self.scale, self.second = "partial", "prediction", ""
        self.shows_rows, self.is_centred = True, False
        self._found: EffectFound | None = None
        self._drawn: tuple[Any, ...] = ()
        self.plot, self.map = EffectPlot(), EffectMap()
        self._stack = QStackedWidget()
        for plot in (self.plot, self.map):
            self._stack.addWidget(plot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._build_tools())
        column.addWidget(self._stack, 1)

    def _build_tools(self) -> QHBoxLayout:
        self.column_box, self.second_box = WordCombo("Column"), WordCombo("Second column")
        self.kind_box, self.class_box = QComboBox(), PhraseCombo()
        self.kind_box.setAccessibleName("Kind of effect")
        self.class_box.setAccessibleName("Class")
        self.class_box.setMinimumContentsLength(NAME_LETTERS)
        self.kind_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for name, title in KINDS.items():
            self.kind_box.addItem(title, name)
        self.rows_button, self.raw_button = _toggle("Lines of rows"), _toggle("Raw")
        self.centred_button = _toggle("From the left")
        set_tip(self.centred_button, "Every line begins at 0, so that what changes is seen")
        set_tip(self.raw_button, "Before the link")
        self.rows_button.setChecked(True)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 4)
        row.setSpacing(8)
        for box in (self.column_box, self.second_box):
            box.setFixedWidth(164)
            row.addWidget(box)
        for widget in (self.kind_box, self.class_box, self.rows_button, self.centred_button, self.raw_button):
            set_look(widget, fit="tool")
            row.addWidget(widget)
        row.addWidget(Label(), 1)
        self.column_box.textActivated.connect(self.choose)
        self.second_box.textActivated.connect(self.choose_second)
        self.kind_box.activated.connect(lambda place: self._set(kind=self.kind_box.itemData(place)))
        self.class_box.activated.connect(self._session.shown.choose_output)
        self.rows_button.toggled.connect(lambda on: self._set(shows_rows=on))
        self.centred_button.toggled.connect(lambda on: self._set(is_centred=on))
        self.raw_button.toggled.connect(lambda on: self._set(scale="raw" if on else "prediction"))
        return row

    # --- the hand ---------------------------------------------------------------------------

    def choose(self, name: str) -> None:
        """Follow a column."""
        self._session.shown.select(column=name)
        self.synchronize()

    def choose_second(self, name: str) -> None:
        """Follow two columns; the empty choice is none."""
        self._set(second="" if name == ALONE else name)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self._found, self._drawn = None, ()
        self._stack.setCurrentWidget(self.plot)
        self.plot.say(sentence)
        for widget in self._tools:
            widget.setEnabled(False)

    @property
    def _tools(self) -> tuple[QWidget, ...]:
        return (self.column_box, self.second_box, self.kind_box, self.class_box, self.rows_button,
                self.centred_button, self.raw_button)

    def show_subject(self, subject: ExplainSubject) -> None:
        run, schema = subject.run, subject.run.schema
        assert schema is not None
        assert subject.rows is not None
        first = self._column_of(run, schema)
        self._offer(run, schema, first)
        columns = self._columns(schema, first)
        asked = EffectAsked(
            run, subject.round, subject.rows, columns, self.scale, self.kind, self._own(run)  # type: ignore[arg-type]
        )
        found, round = self.ask(asked), self.answered(asked).round
        whole = WholeEffectAsked(*asked)
        if found is not None and not asked.sees_all and not run.is_live:
            found = self._desk.ask(whole) or found
        if found is None and self._desk.problem(asked):
            self.show_nothing(self._desk.problem(asked))
        elif found is not None:
            self._draw(found, subject, columns, round)
        elif self._drawn[:2] != (run, columns):
            self.plot.say(self.why_not(asked))
            self._stack.setCurrentWidget(self.plot)
            self._drawn = ()

    def _column_of(self, run: Run, schema: DataSchema) -> int:
        """Return the selected column, or the one that most trees ask first."""
        name = self._session.shown.selection.column
        if name in schema.names:
            return schema.names.index(name)
        roots = [int(tree.nodes["feature"][0]) for event in run.rounds[:100] for tree in event.trees]
        asked = [root for root in roots if root >= 0]
        return int(np.bincount(asked).argmax()) if asked else 0

    def _own(self, run: Run) -> int:
        """Return the selected row, as the run's dataset has it; −1 for none."""
        row = self._session.shown.selection.row
        place = None if row is None or run.dataset is None else matrix_row(run.dataset, row)
        return -1 if place is None else place

    def _columns(self, schema: DataSchema, first: int) -> tuple[int, ...]:
        second = self.second
        if self.kind == "accumulated" or second not in schema.names or second == schema.names[first]:
            return (first,)
        return (first, schema.names.index(second))

    def _offer(self, run: Run, schema: DataSchema, first: int) -> None:
        """Offer columns and classes."""
        for widget in self._tools:
            widget.setEnabled(True)
        names = run.output_names
        with QSignalBlocker(self.column_box), QSignalBlocker(self.second_box), QSignalBlocker(self.class_box):
            self.column_box.show_items(schema.names, schema.names[first])
            wanted = self.second if self.second in schema.names else ALONE
            self.second_box.show_items((ALONE, *schema.names), wanted)
            if [self.class_box.itemText(k) for k in range(self.class_box.count())] != list(names):
                self.class_box.clear()
                self.class_box.addItems(list(names))
            self.class_box.setCurrentIndex(self._session.shown.output)
        self.class_box.setVisible(len(names) > 1)
        self.second_box.setEnabled(self.kind == "partial")
        for button in (self.rows_button, self.centred_button):
            button.setVisible(self.kind == "partial" and len(self._columns(schema, first)) == 1)

    # --- drawing ----------------------------------------------------------------------------

    def _draw(
        self, found: EffectFound, subject: ExplainSubject, columns: tuple[int, ...], round: int
    ) -> None:
        run, rows = subject.run, subject.rows
        assert rows is not None
        k = self._session.shown.output
        drawn = (run, columns, found, round, k, self.shows_rows, self.is_centred, rows.name)
        if drawn == self._drawn:
            return
        self._drawn, self._found = drawn, found
        schema = run.schema
        assert schema is not None
        names = [schema.names[column] for column in columns]
        if len(found.grids) > 1:
            self._draw_map(found, schema, names, k, rows.name)
            return
        self._stack.setCurrentWidget(self.plot)
        grid = found.grids[0]
        if grid.is_constant:
            self.plot.say(constant_told(grid, schema, names[0]))
            return
        scene = (
            accumulated_scene(found, schema, k) if found.partial is None
            else partial_scene(found, schema, k, shows_rows=self.shows_rows, is_centred=self.is_centred,
                               row=self._session.shown.selection.row)
        )
        label = f"round {count(round)}"
        self.plot.show_scene(
            replace(scene, token=TOKENS[rows.name], label=label),
            f"{KINDS[self.kind]} of {self._what(run, k)} on {isolated(names[0])}",
            told(found, rows.name),
        )

    def _what(self, run: Run, k: int) -> str:
        schema = run.schema
        assert schema is not None
        if self.scale == "raw":
            of = f" of {isolated(run.output_names[k])}" if run.output_names else ""
            return f"the raw prediction ŷ{of}"
        if run.output_names:
            kind = "the probability of " if schema.class_labels else ""
            return f"{kind}{isolated(run.output_names[k])}"
        if len(schema.class_labels) == 2:
            return f"the probability of {isolated(str(schema.class_labels[1]))}"
        return isolated(schema.target)

    def _draw_map(
        self, found: EffectFound, schema: DataSchema, names: list[str], k: int, rows: str
    ) -> None:
        if any(grid.is_constant for grid in found.grids):
            place = next(p for p, grid in enumerate(found.grids) if grid.is_constant)
            self._stack.setCurrentWidget(self.plot)
            self.plot.say(constant_told(found.grids[place], schema, names[place]))
            return
        assert found.partial is not None
        values = found.partial.average[k]
        weight = found.joint if found.joint.any() else np.ones(values.shape)
        across, up = (map_axis(grid, schema) for grid in found.grids)
        scene = MapScene(
            (names[0], names[1]), across.words, up.words, across.edges, up.edges, values, found.joint,
            float(np.average(values, weights=weight)), across.ticks, up.ticks,
        )
        self._stack.setCurrentWidget(self.map)
        self.map.show_scene(scene, f"{KINDS['partial']} of {self._what_now(k)}", told(found, rows))

    def _what_now(self, k: int) -> str:
        run = self._session.shown.run
        return "" if run is None else self._what(run, k)

    # --- export -----------------------------------------------------------------------------

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        plot = self.map if self._stack.currentWidget() is self.map else self.plot
        plot.render(painter, QPoint())

    @property
    def words(self) -> str:
        return ""

    def figures(self) -> list[tuple[Any, ...]]:
        run, found = self._session.shown.run, self._found
        if run is None or run.schema is None or found is None:
            return [("place", "effect")]
        k = self._session.shown.output
        if found.accumulated is not None:
            own = found.accumulated
            edges = zip(own.edges.tolist(), own.effects[k].tolist(), strict=True)
            return [(run.schema.names[own.column], "accumulated effect"), *edges]
        if found.levels is not None:
            scene = accumulated_scene(found, run.schema, k)
            lines = zip(scene.names, scene.mean.tolist(), scene.rows.tolist(), strict=True)
            return [(run.schema.names[found.levels.column], "accumulated effect", "rows"), *lines]
        assert found.partial is not None
        places = [place_words(grid, run.schema) for grid in found.grids]
        head = [run.schema.names[grid.column] for grid in found.grids]
        average = found.partial.average[k]
        if len(places) > 1:
            return [(*head, "prediction", "rows"), *(
                (one, two, float(average[i, j]), int(found.joint[i, j]))
                for i, one in enumerate(places[0]) for j, two in enumerate(places[1])
            )]  # fmt: skip
        earlier = [f"round {number}" for number, _ in found.earlier]
        return [(*head, "prediction", "rows", *earlier), *(
            (place, float(average[i]), int(found.grids[0].rows[i]),
             *(float(own[k][i]) for _, own in found.earlier))
            for i, place in enumerate(places[0])
        )]  # fmt: skip


def _toggle(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setCheckable(True)
    return button
