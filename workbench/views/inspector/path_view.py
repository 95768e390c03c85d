"""The way of one row through the shown tree, and what the trees so far add up to for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from workbench.explain.node_figures import test_of
from workbench.explain.row_path import RowSums, matrix_row, row_path, row_sums
from workbench.views.base import VIEWS, Bench, View
from workbench.views.controls.heading import Heading, rule
from workbench.views.inspector.facts import Fact, Facts
from workbench.views.inspector.path_steps import PathSteps, StepLine
from workbench.views.inspector.path_words import sum_facts, truth, value_words
from workbench.views.inspector.row_chooser import RowChooser
from workbench.views.style import set_look
from workbench.views.tree.pace import Pace

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from workbench.data.dataset import Dataset
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.workers.jobs import Job

NO_TREES = "No trees yet. Choose the target, then Train."
NO_TABLE = "This model came from a file, without the rows it was trained on."
NO_ROW = "Type a row's number, or click a row of the table, to see its way through the tree."
LATE_MS = 300  # after which a wait is told
LEFT_WIDTH, RIGHT_WIDTH = 190, 290


@VIEWS.register
class RowPathView(View):
    """Questions, values and answers; then base, earlier trees, this leaf, and the prediction."""

    name, title, place, order = "path", "Path of a row", "bottom", 30

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._pace = Pace(self.synchronize, self)
        self._job: Job | None = None
        self._asked: tuple[object, ...] = ()
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._tell_wait)
        self.chooser, self.steps = RowChooser(), PathSteps()
        self.sums, self.part, self.empty = Facts(numbers=True), QLabel(), QLabel()
        self.sums_heading = Heading("Prediction")
        self._build()

    def _build(self) -> None:
        set_look(self, ground="data")
        for label in (self.part, self.empty):
            set_look(label, tone="2")
            label.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._build_found())
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 14, 8)
        row.setSpacing(16)
        left = _column(self.chooser, self.part)
        left.setFixedWidth(LEFT_WIDTH)
        for widget in (left, rule(vertical=True)):
            row.addWidget(widget)
        row.addWidget(self._pages, 1)
        self.chooser.chosen.connect(self._choose)
        self.steps.picked.connect(self._pick)

    def _build_found(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.steps, 1)
        row.addWidget(rule(vertical=True))
        right = _column(self.sums_heading, self.sums)
        right.setFixedWidth(RIGHT_WIDTH)
        row.addWidget(right)
        return holder

    def bind(self, bench: Bench) -> None:
        self._bench = bench
        events = bench.session.events
        for signal in (events.table, events.runs, events.state, events.selection):
            signal.connect(self.synchronize)
        events.rounds.connect(self._rounds_added)
        self.synchronize()

    def restyle(self) -> None:
        self.chooser.restyle()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronize()

    def _rounds_added(self) -> None:
        if self._bench is not None:
            self._pace.follow(self._bench.session)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the way of the selected row through the shown tree, where somebody sees it."""
        if self._bench is None or not self.isVisible():
            return
        session = self._bench.session
        run, tree, row = session.run, session.shown_tree, session.selection.row
        self.chooser.show_row(row, session.table.n_rows if session.table is not None else 0)
        self.part.setText("")
        if run is None or tree is None:
            self._show_empty(NO_TREES)
        elif run.dataset is None:
            self._show_empty(NO_TABLE)
        elif row is None:
            self._show_empty(NO_ROW)
        else:
            self._show_row(run, run.dataset, tree, row)

    def _show_empty(self, text: str) -> None:
        self._asked = ()
        self.empty.setText(text)
        self._pages.setCurrentIndex(0)

    def _show_row(self, run: Run, dataset: Dataset, tree: Tree, row: int) -> None:
        place = matrix_row(dataset, row)
        if place is None:
            target = dataset.schema.target
            self._show_empty(f"Row {row + 1} has no value for {target}, so it neither trains nor validates.")
            return
        self.part.setText(truth(dataset, place))
        self._pages.setCurrentIndex(1)
        path = row_path(tree, dataset.features[place])
        lines = [
            StepLine(step.node, test_of(tree, step.node, dataset.schema).text,
                     value_words(dataset, tree, step), step.answer)
            for step in path.steps
        ]
        self.steps.show_steps(lines, path.leaf, float(tree.nodes["leaf_value"][path.leaf]))
        self._ask_sums(run, dataset, tree, place)

    def _ask_sums(self, run: Run, dataset: Dataset, tree: Tree, place: int) -> None:
        """Sum the trees in a job; while one is under way for the same row, later rounds wait for it."""
        session = self._bench.session if self._bench is not None else None
        if session is None or self._bench is None:
            return
        subject = (run, place, session.shown_round, tree.class_index)
        if subject == self._asked:
            return
        if self._job is not None:
            if self._asked[:2] == subject[:2] and run.is_live:
                return
            self._job.cancel()
        self._asked = subject
        ensemble, features = run.ensemble(session.shown_round), dataset.features[place]
        if ensemble is not None:
            self._late.start()
            rounds = session.shown_round
            self._job = self._bench.jobs.start(
                lambda _job: row_sums(ensemble, features, rounds),
                done=lambda sums: self._show_sums(sums, run, dataset, tree, rounds), failed=self._fail)

    def _show_sums(self, sums: RowSums, run: Run, dataset: Dataset, tree: Tree, rounds: int) -> None:
        self._job = None
        self._late.stop()
        facts: tuple[Fact, ...] = sum_facts(
            sums, dataset.schema, tree.class_index, rounds, run.output_names
        )
        self.sums.show_facts(facts)
        if self._bench is not None and not (self._bench.session.run and self._bench.session.run.is_live):
            self.synchronize()  # a later round may have waited for this one; a live run comes again by itself

    def _tell_wait(self) -> None:
        self.sums.show_facts((("Adding up the trees", ""),))

    def _fail(self, text: str) -> None:
        self._job = None
        self._late.stop()
        self.sums.show_facts((("Cannot sum the trees", text),))

    # --- what a person does -----------------------------------------------------------------

    def _choose(self, row: int) -> None:
        if self._bench is not None:
            self._bench.session.select(row=row)

    def _pick(self, node: int) -> None:
        if self._bench is not None:
            self._bench.session.select(node=node)


def _column(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(8)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return holder
