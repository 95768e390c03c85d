"""The derivation: the theory on the shown tree, a row and a leaf, with λ, γ and η to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from workbench.explain.derivation.assumed import Assumed
from workbench.explain.derivation.tree_terms import weights_follow
from workbench.explain.row_path import matrix_row
from workbench.explain.what_if.rescoring import NO_SUMS
from workbench.explain.what_if.tree_sums import directions
from workbench.parameters.methods import METHODS
from workbench.session.no_trees import NO_TREES
from workbench.session.run_parts.by_objective import objective_at
from workbench.session.run_parts.gain_reach import gain_reach
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.inspector.path.subject import NO_TABLE
from workbench.views.look.style import set_look
from workbench.views.paged.page import TabPage
from workbench.views.playground.derivation.assumptions import Assumptions
from workbench.views.playground.derivation.leaf_step import LeafStep
from workbench.views.playground.derivation.loss_step import LossStep
from workbench.views.playground.derivation.omega_step import OmegaStep
from workbench.views.playground.derivation.pruning_step import PruningStep
from workbench.views.playground.derivation.scan_step import ScanStep
from workbench.views.playground.derivation.score_step import ScoreStep
from workbench.views.playground.derivation.shrinkage_step import ShrinkageStep
from workbench.views.playground.derivation.subject import Subject
from workbench.views.playground.pages.base import PAGES
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event
from workbench.workers.explainer import LossSubject, NodeSubject, ScanSubject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.explain.derivation.row_loss import RowLoss
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.base import Bench
    from workbench.views.playground.derivation.step_section import StepSection

OTHER_METHOD = ("The derivation is that of Newton boosting. The method {} fits otherwise, so these formulas "
                "are not its own. Train with Newton boosting to see them.")
SEARCHED = ("This objective has no second derivative to go by, so the weight of a leaf is searched over its "
            "rows and is not the parabola's minimum, which stands for comparison. Splits are still chosen by "
            "G and H.")
HELD = ("More than G, H and λ makes the weights of this tree: another program, or a change by hand. They "
        "stay as they are; the parabola's minimum stands for comparison.")
WAITS = "Working out g and h of the row."
NO_VALUE = "Row {} has no value for the target, so it has no loss."
SCANNING = "Scanning the column of the split."


@PAGES.register
class DerivationPage(TabPage):
    """What is assumed lives here and goes with another run; the model is never changed."""

    name = "derivation"
    title = "The derivation"
    order = 30

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.empty = Label()
        self.steps: list[StepSection] = []  # in the order of the theory
        self.subject: Subject | None = None
        self._asked: dict[str, float] = {}
        self._other: int | None = None
        self._run: Run | None = None
        self._follows: tuple[Tree, bool, str] | None = None
        self._lay_out()
        self._in_turns = InTurns(self._show_steps, self, self.area)

    def _lay_out(self) -> None:
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(40, 0, 40, 0)
        set_look(self.empty, tone="2")
        self._content = QWidget()
        set_look(self._content, ground="data")
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._content)
        shown = QWidget()
        self._whole = whole = QVBoxLayout(shown)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(shown)
        # From here on inwards: Qt goes through all that stands in a widget when that is put into another.
        for part in (rule(), self.area):
            whole.addWidget(part)

    def build(self) -> Iterator[None]:
        self.assumptions = Assumptions()
        self._whole.insertWidget(0, self.assumptions)
        yield
        yield from self.assumptions.build()
        yield from self._add(loss := LossStep(self._content))
        yield from self._add(leaf := LeafStep(self._content))
        yield from self._add(omega := OmegaStep(self._content))
        yield from self._add(score := ScoreStep(self._content))
        yield from self._add(scan := ScanStep(self._content))
        yield from self._add(pruning := PruningStep(self._content))
        yield from self._add(shrinkage := ShrinkageStep(self._content))
        self.loss, self.leaf, self.omega, self.score = loss, leaf, omega, score
        self.scan, self.pruning, self.shrinkage = scan, pruning, shrinkage
        self._connect()

    def _add(self, step: StepSection) -> Iterator[None]:
        self.steps.append(step)
        self._column.addWidget(step)
        yield
        yield from step.build()

    def _connect(self) -> None:
        shown, explainer = self._bench.session.shown, self._bench.explainer
        self.assumptions.changed.connect(self._assume)
        self.assumptions.back_wanted.connect(self.reset)
        self.assumptions.row_chosen.connect(lambda row: shown.select(row=row))
        self.assumptions.class_chosen.connect(shown.choose_output)
        for choice in (self.leaf.choice, self.scan.choice):
            choice.node_chosen.connect(lambda node: shown.select(node=node))
        self.score.rounds.chosen.connect(self._compare)
        for inquiry in (explainer.losses, explainer.scans):
            inquiry.answered.connect(self._catch_up)

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        for chooser in (self.assumptions.chooser, self.score.rounds):
            chooser.restyle()
        self.update()

    # --- what a person does -----------------------------------------------------------------

    def reset(self) -> None:
        """Go back to the model's λ, γ and η."""
        self._asked = {}
        self.synchronize()

    def assume(self, **values: float) -> None:
        """Read the steps with other values of λ, γ or η."""
        self._asked |= values
        self.synchronize()

    def _assume(self, name: str, value: float) -> None:
        self.assume(**{name: float(value)})

    def _compare(self, place: int) -> None:
        self._other = place + 1
        self.synchronize()

    def _catch_up(self) -> None:
        if self.isVisible():
            self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        run = self._bench.playground.run
        if run is not self._run:
            self._run, self._asked, self._other = run, {}, None
        words = self._problem(run)
        if words or run is None:
            self._pages.setCurrentIndex(0)
            self.empty.setText(words)
            self.subject = None
            return
        if not self._pages.currentIndex():
            self._pages.setCurrentIndex(1)
            in_own_event(self._catch_up, self)  # to lay out all steps takes long enough
            return
        self.subject = subject = self._made(run)
        self.assumptions.rows["gamma"].reach(gain_reach(run))
        self.assumptions.show_values(subject.stored, self._asked)
        self._show_choices(run, subject)
        in_own_event(self._in_turns.start, self)

    def _show_steps(self) -> Iterator[None]:
        """Show the subject, a part of a step a turn, once the leaves of both trees are written."""
        if (subject := self.subject) is None:
            return
        for made in ("texts", "other_texts", "fates", "questions"):
            getattr(subject, made)
            yield
        for step in self.steps:
            yield from step.show_subject(subject)
            yield
        self._show_scan(subject)
        painted_in_own_event(*self.steps)

    def _problem(self, run: Run | None) -> str:
        """Why there is nothing to derive; "" where there is."""
        if run is None or not run.rounds or not self._bench.playground.round or run.schema is None:
            return NO_TREES
        method = METHODS.get(run.params.method)
        if method is not None and method.name != "newton":
            return OTHER_METHOD.format(method.label)
        tree = self._tree(run)
        return "" if tree.knows_sums and np.isfinite(tree.nodes["sum_gradient"]).all() else NO_SUMS

    def _tree(self, run: Run, round: int = 0) -> Tree:
        trees = run.trees(round or self._bench.playground.round)
        return trees[self._place(trees)]

    def _place(self, trees: tuple[Tree, ...]) -> int:
        return min(self._bench.session.shown.selection.class_index, len(trees) - 1)

    def _made(self, run: Run) -> Subject:
        session, round = self._bench.session, self._bench.playground.round
        tree, schema = self._tree(run), run.schema
        assert schema is not None
        signs = directions(run.params_at(round), schema.names)
        is_shown = tree is session.shown.tree
        node = session.shown.selection.node if is_shown else None
        chosen = node if node is not None and node < tree.n_nodes else -1
        follows, restraint = self._restraint(run, round, tree, signs)
        other = self._other_round(run, round)
        row, loss, words = self._loss(run, round, tree)
        return Subject(
            run, schema, round, self._place(run.trees(round)), tree,
            Assumed.of(tree, **self._asked), Assumed.of(tree), signs, follows, restraint, chosen,
            other, self._tree(run, other) if other else None, row, loss, words,
        )

    def _restraint(self, run: Run, round: int, tree: Tree, signs: np.ndarray) -> tuple[bool, str]:
        """Whether weights follow from G and H, and what else makes them; kept of the last tree."""
        if self._follows is None or self._follows[0] is not tree:
            follows = weights_follow(tree, signs)
            self._follows = tree, follows, "" if follows else _why(run, round)
        return self._follows[1:]

    def _other_round(self, run: Run, round: int) -> int:
        """The round beside: the chosen one, else the one before, else the one after; 0 for none."""
        n = len(run.rounds)
        if n < 2:
            return 0
        wanted = self._other if self._other is not None and self._other <= n else round - 1
        return wanted if wanted >= 1 else 2

    def _loss(self, run: Run, round: int, tree: Tree) -> tuple[int | None, RowLoss | None, str]:
        """The selected row, else the first that trains; its loss, and why there is none."""
        problem = run.no_rows(NO_TABLE) if run.dataset is None else run.no_replay(round)
        if problem or run.dataset is None:
            return None, None, problem
        row = self._bench.session.shown.selection.row
        if row is None:
            row = int(run.dataset.table_rows[run.dataset.train_rows[0]])
        place = matrix_row(run.dataset, row)
        if place is None:
            return row, None, NO_VALUE.format(row + 1)
        asked = LossSubject(run, round, self._place(run.trees(round)), place)
        loss = self._bench.explainer.row_loss(asked)
        return row, loss, "" if loss is not None else self._bench.explainer.losses.problem(asked) or WAITS

    def _show_choices(self, run: Run, subject: Subject) -> None:
        rows = 0 if run.dataset is None or run.no_replay(subject.round) else run.dataset.schema.rows
        self.assumptions.show_row(subject.row, rows)
        names = run.output_names
        self.assumptions.show_classes(names, subject.tree.class_index)

    def _show_scan(self, subject: Subject) -> None:
        if subject.split < 0:
            return
        run = subject.run
        problem = run.no_replay(subject.round) if run.has_rows else NO_TABLE
        if problem:
            self.scan.show_scan(subject, None, problem)
            return
        node = NodeSubject(run, subject.round, subject.place, subject.split)
        column = int(subject.tree.nodes["feature"][subject.split])
        found = self._bench.explainer.scan(node, column)
        problem = self._bench.explainer.scans.problem(ScanSubject(node, column))
        self.scan.show_scan(subject, found, problem or SCANNING)


def _why(run: Run, round: int) -> str:
    """What makes weights of a round that do not follow from G and H."""
    from workbench.objectives.base import OBJECTIVES

    name = objective_at(run, round)
    searches = any(known.name == name and known.searches_leaves for known in OBJECTIVES)
    return SEARCHED if searches else HELD
