"""The way of one row through the shown tree and through all rounds, and what it adds up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedLayout, QVBoxLayout, QWidget

from workbench.explain.node_figures import test_of
from workbench.explain.row_path import row_path
from workbench.number_text import counted
from workbench.parameters.methods import METHODS
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.export.export_menu import add_pictures, open_menu
from workbench.views.export.pictures import save_picture
from workbench.views.export.records import RecordsExport
from workbench.views.inspector.node.facts import Facts
from workbench.views.inspector.path.growth_view import GrowthView
from workbench.views.inspector.path.leaf_list import LeafList, leaf_records
from workbench.views.inspector.path.steps import PathSteps, StepLine
from workbench.views.inspector.path.subject import PathSubject, subject_of
from workbench.views.inspector.path.tools import PathTools
from workbench.views.inspector.path.words import is_held_out, sum_facts, truth, value_words
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.pace import LATE_MS, Pace
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.explain.row_growth import RowGrowth
    from workbench.session.session import Session
    from workbench.views.export.records import Gather

RIGHT_WIDTH = 300


@VIEWS.register
class RowPathView(LazyView):
    """Three pages: the shown tree's questions, the raw prediction over rounds, the leaf of every tree."""

    name, title, place, order = "path", "Path of a row", "bottom", 30

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._pace = Pace(bench.session, self.synchronize, self)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self.path_tools = PathTools(self)
        self.chooser, self.part = self.path_tools.chooser, self.path_tools.truth
        self.steps, self.sums, self.empty = PathSteps(), Facts(numbers=True), Label()
        self.growth, self.leaves = GrowthView(), LeafList()
        self.export = RecordsExport(bench, self, "row", self._gatherer)
        self._steps_of: tuple[PathSubject | None, int] = None, 0  # with the round of its tree
        self._build()
        self._connect()
        self._follow_session()

    def _build(self) -> None:
        set_look(self, ground="data")
        set_look(self.empty, tone="2")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout(self)
        self._page_of = {"empty": self.empty, "tree": self._build_tree_page(), "rounds": self.growth,
                         "leaves": self.leaves}
        for page in self._page_of.values():
            self._pages.addWidget(page)

    def _build_tree_page(self) -> QWidget:
        holder, right = QWidget(), QWidget()
        right.setFixedWidth(px(RIGHT_WIDTH))
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Heading("Prediction"))
        column.addWidget(self.sums)
        column.addStretch(1)
        row = QHBoxLayout(holder)
        row.setContentsMargins(14, 6, 14, 8)
        row.setSpacing(16)
        row.addWidget(self.steps, 1)
        row.addWidget(rule(vertical=True))
        row.addWidget(right)
        return holder

    def _connect(self) -> None:
        self._late.timeout.connect(self._tell_wait)
        self.chooser.chosen.connect(lambda row: self._select(row=row))
        self.steps.picked.connect(self._pick_node)
        self.growth.picked.connect(self._pick_round)
        self.leaves.line_chosen.connect(lambda line: self._pick_round(self.leaves.leaves.round_of(line)))
        self.path_tools.page_chosen.connect(lambda _: self.synchronize())
        self.path_tools.export.clicked.connect(self._open_export)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.table, events.runs, events.state, events.selection):
            signal.connect(self.synchronize)
        self._bench.explainer.growths.answered.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return tuple(self.path_tools.widgets)

    def restyle(self) -> None:
        self.path_tools.restyle()
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the selected row on the page that is wanted, where somebody sees it."""
        if not self.isVisible():
            return
        session = self._bench.session
        row = session.shown.selection.row
        self.chooser.show_row(row, session.data.table.n_rows if session.data.table is not None else 0)
        subject, problem = subject_of(session)
        self.part.setText("" if subject is None else truth(subject.dataset, subject.place))
        self.path_tools.export.setEnabled(subject is not None)
        if subject is None:
            self._show_empty(problem)
        else:
            self._show(session, subject, self._bench)

    def _show_empty(self, text: str) -> None:
        self._late.stop()
        self.empty.setText(text)
        self._show_page("empty")

    def _show_page(self, name: str) -> None:
        self._pages.setCurrentWidget(self._page_of[name])

    def _show(self, session: Session, subject: PathSubject, bench: Bench) -> None:
        page = self.path_tools.page
        growth = self._bench.explainer.row_growth(subject.run, subject.place)
        if growth is None:
            self._show_steps_alone(session, subject)
            self._await(self._bench.explainer.row_growth_problem(subject.run, subject.place))
            return
        self._late.stop()
        painted_in_own_event(self)
        self._show_page(page)
        shown = min(session.shown.round, growth.rounds)
        {"tree": self._show_tree, "rounds": self._show_rounds, "leaves": self._show_leaves}[page](
            session, subject, growth, shown)

    def _show_tree(self, session: Session, subject: PathSubject, growth: RowGrowth, shown: int) -> None:
        """Show questions and sums of one tree: of the newest that was walked, where training is ahead."""
        self._show_steps(subject._replace(tree=session.shown.tree_of(shown) or subject.tree), shown)
        self.sums.show_facts(sum_facts(
            growth, subject.dataset.schema, subject.tree.class_index, shown, subject.run.output_names,
            has_offset=subject.dataset.offset is not None))

    def _show_steps_alone(self, session: Session, subject: PathSubject) -> None:
        """Show the questions of a tree, and no sums of another, while its own are worked out."""
        if self.path_tools.page != "tree":
            return
        self._show_page("tree")
        if self._steps_of != (subject, session.shown.round):
            self._show_steps(subject, session.shown.round)
            self.sums.show_facts(())

    def _show_steps(self, subject: PathSubject, number: int) -> None:
        self._steps_of = subject, number
        tree, dataset = subject.tree, subject.dataset
        path = row_path(tree, dataset.features[subject.place])
        lines = [
            StepLine(step.node, test_of(tree, step.node, dataset.schema),
                     value_words(dataset, tree, step), step.answer)
            for step in path.steps
        ]
        averages = METHODS[subject.run.params.method].averages
        value = float(tree.nodes["leaf_value"][path.leaf])
        self.steps.show_steps(lines, path.leaf, value, averages=averages)

    def _show_rounds(self, session: Session, subject: PathSubject, growth: RowGrowth, shown: int) -> None:
        self.growth.show_growth(
            subject.run, subject.dataset.schema, growth, subject.row, class_index=subject.tree.class_index,
            shown=shown, pinned=session.shown.selection.round is not None,
            held_out=is_held_out(subject.dataset, subject.place))

    def _show_leaves(self, session: Session, subject: PathSubject, growth: RowGrowth, shown: int) -> None:
        self.leaves.leaves.show(
            (subject.run, subject.place), growth, subject.dataset.schema, subject.tree.class_index)
        self.leaves.choose_round(shown)

    def _await(self, problem: str) -> None:
        """Say why there is no answer, or later that it is worked out."""
        if problem:
            self._late.stop()
            self._tell(problem)
        elif not self._late.isActive():
            self._late.start()

    def _tell_wait(self) -> None:
        subject = subject_of(self._bench.session)[0]
        if subject is not None:
            trees = sum(len(event.trees) for event in subject.run.rounds)
            self._tell(f"Walking down {counted(trees, 'tree')}.")

    def _tell(self, text: str) -> None:
        if self.path_tools.page == "tree":
            self.sums.show_facts(((text, ""),))
        else:
            self._show_empty(text)

    # --- what a person does -----------------------------------------------------------------

    def _select(self, **values: int | None) -> None:
        self._bench.session.shown.select(**values)

    def _pick_node(self, node: int) -> None:
        """Select a node of the tree whose steps are shown, which a run that trains may have left behind."""
        subject, number = self._steps_of
        if subject is not None:
            self._select(node=node, **({"round": number} if subject.run.is_live else {}))

    def _pick_round(self, number: int) -> None:
        if self._bench.session.shown.run is not None:
            newest = len(self._bench.session.shown.run.rounds)
            self._select(round=None if number >= newest else number)

    # --- export -----------------------------------------------------------------------------

    def _open_export(self) -> None:
        menu = QMenu(self)
        if self.path_tools.page == "rounds":
            add_pictures(menu, self, self.save_picture, "row", self.export.fail)
        self.export.fill(menu)
        open_menu(menu, self.path_tools.export)

    def save_picture(self, path: Path) -> None:
        """Write the plot over rounds as PNG or SVG."""
        board = self.growth.board
        save_picture(path, board.size(), board.paint_picture, "Raw prediction of a row")

    def _gatherer(self) -> Gather | None:
        """What makes the records of every tree: the leaf, its weight and what it adds."""
        subject, _ = subject_of(self._bench.session)
        if subject is None:
            return None
        growth = self._bench.explainer.row_growth(subject.run, subject.place)
        schema, k = subject.dataset.schema, subject.tree.class_index
        return None if growth is None else lambda _job: leaf_records(growth, schema, k)
