"""How rows are divided into folds, and what folds and refits have said: opened below a button."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.data.split_columns import columns_for, likely_column
from workbench.errors import WorkbenchError
from workbench.number_text import count, counted, figure
from workbench.parameters.folds import FOLD_TITLES, FOLDED
from workbench.validation.fold_plan import FOLDS_BY, FoldPlan
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.data.combo import WordCombo, Words
from workbench.views.data.holdout import CHOOSE_COLUMN, COLUMN_WORDS
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from workbench.session.run import Run
    from workbench.views.base import Bench

WIDTH, PADDING = 380, 16
FIELDS = {"folds": "folds", "repeats": "repeats", "fold_seed": "seed"}  # of the plan, by parameter
NEEDS_RUN = "Train a run first: folds take its parameters."
NO_HOLD_OUT = "The run holds no rows out, so there is no figure whose noise could be measured."
CUT = "Rows of one query may stand in both parts of a fold; at random queries stay whole."
NOISE_TIP = (
    "30 refits with other seeds on other draws of the split, while nothing else is done. A run is called "
    "better only beyond it."
)  # fmt: skip


class FoldsPanel(QFrame):
    """Changes how rows are divided; starts folds and ends them."""

    def __init__(self, bench: Bench, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._bench, self._session = bench, bench.session
        set_look(self, popup=True)
        self.setFixedWidth(px(WIDTH))
        self.setAccessibleName("Folds and noise floor")
        self.heading = Heading("Cross-validate")
        self.by = WordCombo("Rows divided by", tuple(FOLD_TITLES.values()))
        self.column = WordCombo("Column of the folds")
        self.rows = {declared.name: ParameterRow(declared) for declared in FOLDED}
        self.start_button, self.stop_button = QPushButton("Cross-validate"), QPushButton("Stop")
        self.noise = QCheckBox("Measure the noise floor when idle")
        self.note, self.noise_note = NoteLabel(), NoteLabel()
        self._plan = FoldPlan()
        self._build()
        self._session.events.validation.connect(self.synchronize)
        self._session.events.state.connect(self.synchronize)

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 14)
        column.setSpacing(6)
        for part in (self.heading, self.by, self.column):
            column.addLayout(_inset(part))
        for row in self.rows.values():
            row.changed.connect(self._set_number)
            column.addWidget(row)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(PADDING, 0, PADDING, 0)
        buttons.setSpacing(8)
        set_look(self.start_button, primary=True)
        for button in (self.start_button, self.stop_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addLayout(_inset(self.note))
        column.addWidget(rule())
        column.addLayout(_inset(self.noise))
        column.addLayout(_inset(self.noise_note))
        for note in (self.note, self.noise_note):
            set_look(note, tone="2")
        set_tip(self.by, "How rows come into folds")
        set_tip(self.noise, NOISE_TIP)
        self.stop_button.setAccessibleName("Stop the folds")
        self.by.activated.connect(self._choose_way)
        self.column.activated.connect(lambda place: self._choose(column=self.column.itemText(place)))
        self.start_button.clicked.connect(self._start)
        self.stop_button.clicked.connect(self._bench.validating.stop)
        self.noise.toggled.connect(self._session.validation.want_noise)

    # --- showing ----------------------------------------------------------------------------

    @property
    def _run(self) -> Run | None:
        return self._session.shown.run

    def synchronize(self) -> None:
        """Show how rows are divided, and what was said."""
        if not self.isVisible():
            return
        validation, run, table = self._session.validation, self._run, self._session.data.table
        self.heading.set_title(f"Cross-validate {run.name}" if run is not None else "Cross-validate")
        if run is not None:
            self._plan = validation.plan_of(run)
        plan, live = self._plan, validation.live is not None
        self.by.setCurrentIndex(FOLDS_BY.index(plan.by))
        needs_column = plan.by in ("groups", "time")
        self.column.setVisible(needs_column)
        if needs_column and table is not None:
            target = self._session.data.plan.target
            names = tuple(name for name in columns_for(table, plan.by) if name != target)
            self.column.show_items(names, plan.column or "")
            self.column.say(*_column_words(plan))
        for name, row in self.rows.items():
            row.set_value(getattr(plan, FIELDS[name]))
            row.setEnabled(not live and not (plan.by == "time" and name != "folds"))
        for widget in (self.by, self.column):
            widget.setEnabled(not live and table is not None)
        lacks_column = needs_column and plan.column is None
        trains = run is not None and run.is_live
        self.start_button.setEnabled(run is not None and not (live or lacks_column or trains))
        self.stop_button.setEnabled(live)
        self.note.say(self._words())
        self._show_noise()
        self.adjustSize()

    def _words(self) -> str:
        """What folds have said of the shown run, or what is to be done."""
        validation, run = self._session.validation, self._run
        if run is None:
            return NEEDS_RUN
        if validation.problem:
            return validation.problem
        result, plan = validation.result(run), validation.plan_used(run)
        if result is None or plan is None or not result.done:
            return CUT if self._may_cut(run) else ""
        metric, n = run.facts.metric(result.watched), len(result.figures())
        figures = f"{metric.label} {figure(result.mean())} ± {figure(result.sd(), 2)}"
        undefined = len(result.done) - n
        lacking = f" It is not defined in {counted(undefined, 'fold')}." if undefined else ""
        done = f" {count(len(result.done))} of {count(len(result.folds))} so far."
        so_far = "" if result.is_whole else done
        return f"{figures}, mean and standard deviation of {plan.words}.{so_far}{lacking}"

    def _may_cut(self, run: Run) -> bool:
        """Whether rows of one query of a ranking may be divided."""
        group = None if run.schema is None else run.schema.group
        return group is not None and self._plan.by in ("groups", "time") and self._plan.column != group

    def _show_noise(self) -> None:
        validation, run = self._session.validation, self._run
        self.noise.blockSignals(True)
        self.noise.setChecked(validation.wants_noise)
        self.noise.blockSignals(False)
        floor, words = validation.floor(run), ""
        if run is not None and run.dataset is not None and not len(run.dataset.valid_rows):
            words = NO_HOLD_OUT
        elif floor is not None and floor.refits and run is not None:
            width = floor.at(run.watched, run.best_round)
            moved = f": chance moves {run.facts.metric(run.watched).label} by ± {figure(width, 2)}"
            made = f"{count(len(floor.refits))} of {count(floor.wanted)} refits"
            words = f"{made}{moved if width == width else ''}."
        self.noise_note.say(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronize()

    # --- the hand ---------------------------------------------------------------------------

    def _choose(self, **values: Any) -> None:
        try:
            plan = replace(self._plan, **values)
        except WorkbenchError as error:
            self.note.say(str(error))
            return
        self._session.validation.choose(plan)

    def _set_number(self, name: str, value: Any) -> None:
        self._choose(**{FIELDS[name]: value})

    def _choose_way(self, place: int) -> None:
        by, table = FOLDS_BY[place], self._session.data.table
        needs = table is not None and by in ("groups", "time")
        target = self._session.data.plan.target
        column = likely_column(table, by, target) if needs and table is not None else None
        repeats = {"repeats": 1} if by == "time" else {}
        self._choose(by=by, column=column, **repeats)

    def _start(self) -> None:
        self.setFocus()  # a field takes what was typed when the keyboard leaves it
        if self._bench.validating.cross_validate(self._run, self._plan):
            self.close()


def _column_words(plan: FoldPlan) -> tuple[Words, ...]:
    if plan.column is None:
        return (Words(CHOOSE_COLUMN, "text3"),)
    said = COLUMN_WORDS["groups"] if plan.by == "groups" else "forward by"
    return Words(said, "text3"), Words(plan.column)


def _inset(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(PADDING, 0, PADDING, 0)
    row.addWidget(widget)
    return row
