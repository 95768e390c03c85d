"""Answers what is asked about the nodes and rows of a run: replays it on a worker thread, and remembers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from workbench.errors import WorkbenchError
from workbench.session.run_parts.measured import replay_params
from workbench.workers.inquiry import Inquiry
from workbench.workers.replays import Replays
from workbench.workers.rest import Rest
from workbench.workers.whole_trees import TreeSubject, WholeTrees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.explain.candidates import Ranking
    from workbench.explain.compared_node import AskedNode, ComparedNode
    from workbench.explain.derivation.row_loss import RowLoss
    from workbench.explain.node_members import NodeMembers
    from workbench.explain.pruning_path import PruningPath
    from workbench.explain.row_growth import RowGrowth
    from workbench.explain.split_scan import ColumnScan
    from workbench.explain.spread import ColumnSpread
    from workbench.explain.step_functions import StepSolutions
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.workers.jobs import Job, Jobs

KEPT_NODES, KEPT_SCANS, KEPT_GROWTHS, KEPT_MEMBERS = 6, 24, 24, 3
KEPT_WEIGHTS = 3  # rounds whose row weights are remembered
KEPT_PRUNINGS = 8
KEPT_ROWS = 2  # nodes whose rows are remembered


class NodeSubject(NamedTuple):
    """A node of such a tree."""

    run: Run
    round: int
    place: int
    node: int


class ScanSubject(NamedTuple):
    """A column at a node."""

    subject: NodeSubject
    column: int


class NodeFindings(NamedTuple):
    """What is found out about a node: its rows, and what every column had to offer."""

    rows: AskedNode
    ranking: Ranking


class ScanFindings(NamedTuple):
    """What is found out about a column at a node."""

    rows: ComparedNode
    scan: ColumnScan
    spread: ColumnSpread


class GrowthSubject(NamedTuple):
    """A row of a run's dataset, and the rounds of the run, so many."""

    run: Run
    row: int
    rounds: int


class WeightsSubject(NamedTuple):
    """The row weights of a run before a round, from 1."""

    run: Run
    round: int


class PruningSubject(NamedTuple):
    """The tree of a run, once it has been grown."""

    run: Run
    rounds: int


class LossSubject(NamedTuple):
    """A row of a run's dataset, before a tree of a round is added."""

    run: Run
    round: int
    place: int
    row: int


class StepsSubject(NamedTuple):
    """The step functions of a run's column, under a λ and up to so many steps."""

    run: Run
    reg_lambda: float
    most: int


class Explainer(QObject):
    """One for all views, so that what one has asked for the others need not ask again.

    Each method returns what is known, or None and works it out; `answered` of `nodes`, `scans`, `growths`,
    `members`, `weights`, `prunings`, `losses` and `steps` tells when to ask again. Brings numba with it, on
    worker threads.

    Attributes
    ----------
    whole_trees : WholeTrees
        What is asked about whole trees.
    replays : Replays
        Of the runs, one for all questions.
    """

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = session.shown
        self.replays = Replays()
        self.rest = rest = Rest(self)
        self.whole_trees = WholeTrees(session, jobs, self.replays, rest, self)
        self.nodes = Inquiry(jobs, self._rank, KEPT_NODES, rest, self, _is_there)
        self.scans = Inquiry(jobs, self._scan, KEPT_SCANS, rest, self, _is_there)
        self.growths = Inquiry(jobs, self._grow, KEPT_GROWTHS, rest, self)
        self.members = Inquiry(jobs, self._gather, KEPT_MEMBERS, rest, self, _is_there)
        self.weights = Inquiry(jobs, self._weigh, KEPT_WEIGHTS, rest, self)
        self.prunings = Inquiry(jobs, self._prune, KEPT_PRUNINGS, rest, self)
        self.losses = Inquiry(jobs, self._lose, KEPT_GROWTHS, rest, self)
        self.steps = Inquiry(jobs, self._step, KEPT_PRUNINGS, rest, self)
        self._rows: dict[NodeSubject, AskedNode] = {}
        self._lock = threading.Lock()
        self._looked_at = self._listed = -1  # the nodes whose columns and rows were asked for last
        self._scanned: tuple[int, set[int]] = (-1, set())  # the node that was scanned last, and its columns
        self._followed: tuple[Run, int] | None = None  # the row whose growth was asked for last
        session.events.table.connect(self.forget)
        self.nodes.answered.connect(self._take_tree)

    def findings(self, subject: NodeSubject) -> NodeFindings | None:
        """Return what every column had to offer at a node; None while it is not known."""
        follows = self._shown.follows(subject.run) and subject.node == self._looked_at
        self._looked_at = subject.node
        found: NodeFindings | None = self.nodes.ask(subject, follows=follows)
        return found

    def scan(self, subject: NodeSubject, column: int) -> ScanFindings | None:
        """Return every cut of a column at a node; None while it is not known."""
        goes_along = self._goes_along(subject, column)
        follows = self._shown.follows(subject.run) and goes_along
        found: ScanFindings | None = self.scans.ask(ScanSubject(subject, column), follows=follows)
        return found

    def _goes_along(self, subject: NodeSubject, column: int) -> bool:
        """Whether the node was asked about before, in this column or the one that it asks about by now."""
        node, columns = self._scanned
        if node != subject.node:
            self._scanned = subject.node, {column}
            return False
        tree = subject.run.trees(subject.round)[subject.place]
        known = column in columns or column == int(tree.nodes["feature"][node])
        columns.add(column)
        return known

    def row_growth(self, run: Run, row: int) -> RowGrowth | None:
        """Return how the raw prediction of a row of the dataset grows; maybe not yet over all rounds."""
        follows = run.is_live and self._followed == (run, row)
        self._followed = (run, row)
        found: RowGrowth | None = self.growths.ask(self._growth(run, row), follows=follows)
        return found or self._known_growth(run, row)

    def row_growth_problem(self, run: Run, row: int) -> str:
        """Return why there is no growth of a row, "" where nothing is known against it."""
        return self.growths.problem(self._growth(run, row))

    def _growth(self, run: Run, row: int) -> GrowthSubject:
        return GrowthSubject(run, row, len(run.rounds))

    def _known_growth(self, run: Run, row: int) -> RowGrowth | None:
        """Return what was known of fewer rounds."""
        newest = self.growths.newest
        if not isinstance(newest, GrowthSubject) or newest[:2] != (run, row):
            return None
        found: RowGrowth | None = self.growths.known(newest)
        return found

    def node_members(self, subject: NodeSubject) -> NodeMembers | None:
        """Return the rows that pass a node, maybe of an earlier round of a live run; None while not known."""
        follows = self._shown.follows(subject.run) and subject.node == self._listed
        self._listed = subject.node
        found: NodeMembers | None = self.members.ask(subject, follows=follows)
        newest = self.members.newest
        if found is None and follows and isinstance(newest, NodeSubject) and (
            (newest.run, newest.place, newest.node) == (subject.run, subject.place, subject.node)
        ):
            found = self.members.known(newest)  # of an earlier round: the run is ahead of the answers
        return found

    def row_weights(self, run: Run, round: int) -> NDArray[np.float32] | None:
        """Return what AdaBoost gave each row of the table before a round; None while it is not known."""
        subject = WeightsSubject(run, round)
        found: NDArray[np.float32] | None = self.weights.ask(subject, follows=self._shown.follows(run))
        return found

    def step_functions(self, run: Run, reg_lambda: float, most: int) -> StepSolutions | None:
        """Return the step functions of a run's column by every search; None while they are not known."""
        found: StepSolutions | None = self.steps.ask(StepsSubject(run, reg_lambda, most))
        return found

    def pruning(self, run: Run) -> PruningPath | None:
        """Return how the single tree of a run is pruned; None while it is not known."""
        found: PruningPath | None = self.prunings.ask(PruningSubject(run, len(run.rounds)))
        return found

    def pruning_problem(self, run: Run) -> str:
        """Return why there is no path, "" where nothing is known against it."""
        return self.prunings.problem(PruningSubject(run, len(run.rounds)))

    def row_loss(self, subject: LossSubject) -> RowLoss | None:
        """Return the loss of a row before a tree is added, with g and h; None while it is not known."""
        found: RowLoss | None = self.losses.ask(subject, follows=self._shown.follows(subject.run))
        return found

    def forget(self) -> None:
        """Drop what is known: another table is open."""
        for inquiry in (self.nodes, self.scans, self.growths, self.members, self.weights, self.prunings,
                        self.losses, self.steps):
            inquiry.forget()
        self.whole_trees.forget()
        self._rows.clear()
        self._followed = None
        self.replays.clear()

    def _rank(self, subject: NodeSubject, job: Job) -> NodeFindings:
        from workbench.explain.candidates import rank_columns

        rows = self._rows_of(subject, job)
        return NodeFindings(rows, rank_columns(rows, job.cancelled, job.progress))

    def _take_tree(self) -> None:
        """Keep what became known of a tree with a node of it."""
        subject = self.nodes.newest
        found: NodeFindings | None = self.nodes.known(subject)
        figures = None if found is None else found.rows.of_tree
        if figures is not None and isinstance(subject, NodeSubject):
            self.whole_trees.take(TreeSubject(*subject[:3]), figures)

    def _scan(self, asked: ScanSubject, job: Job) -> ScanFindings:
        rows, column = self._rows_of(asked.subject, job), asked.column
        return ScanFindings(rows, rows.scan(column), rows.spread(column, job.cancelled))

    def _rows_of(self, subject: NodeSubject, job: Job) -> AskedNode:
        """Return the rows of a node; found once for its columns and its scan."""
        from workbench.explain.node_here import node_here

        run, round, place, node = subject
        with self._lock:
            found = self._rows.get(subject)
            if found is None and run.there is not None:
                begun, params = run.kept().started.ensemble, replay_params(run, round)
                found = run.there.node(
                    begun, params, run.rounds, round, place, node, job.cancelled, job.progress
                )
            elif found is None:
                found = node_here(self.replays.telling(run, round), round, place, node, job.cancelled)
            if subject not in self._rows:
                self._rows = dict([*list(self._rows.items())[1 - KEPT_ROWS :], (subject, found)])
            return found

    def _grow(self, subject: GrowthSubject, job: Job) -> RowGrowth:
        from workbench.explain.replay import NO_ROWS
        from workbench.explain.row_growth import row_growth

        run, row, rounds = subject
        kept, data = run.kept(), run.known_rows
        if data is None:
            raise WorkbenchError(run.no_rows(NO_ROWS))
        ensemble = kept.started.ensemble.with_rounds(kept.rounds[:rounds])
        offset = 0.0 if data.offset is None else float(data.offset[row])
        known = self._known_growth(run, row)
        return row_growth(ensemble, data.features[row], offset, known, job.cancelled)

    def _lose(self, subject: LossSubject, job: Job) -> RowLoss:
        from workbench.explain.derivation.row_loss import row_loss

        run, round, place, row = subject
        return row_loss(self.replays.telling(run, round), round, place, row, job.cancelled)

    def _gather(self, subject: NodeSubject, job: Job) -> NodeMembers:
        return self._rows_of(subject, job).members(job.cancelled)

    def _step(self, subject: StepsSubject, job: Job) -> StepSolutions:
        from workbench.explain.replay import NO_ROWS
        from workbench.explain.step_functions import step_solutions

        run, reg_lambda, most = subject
        if run.dataset is None or run.started is None:
            raise WorkbenchError(run.no_rows(NO_ROWS))
        params = run.params.change(reg_lambda=reg_lambda, max_leaves=most)
        return step_solutions(run.dataset, params, float(run.started.ensemble.base_margin[0]))

    def _prune(self, subject: PruningSubject, job: Job) -> PruningPath:
        from workbench.explain.pruning_path import FOLDS, pruning_path
        from workbench.explain.replay import NO_ROWS

        data, params = subject.run.dataset, subject.run.params
        if data is None:
            raise WorkbenchError(NO_ROWS)
        folds = min(FOLDS, len(data.train_rows))
        return pruning_path(data, params, folds if folds > 1 else 0, job.cancelled)

    def _weigh(self, subject: WeightsSubject, job: Job) -> NDArray[np.float32]:
        from workbench.explain.row_weights import row_weights

        run, round = subject
        return row_weights(self.replays.telling(run, round), round, job.cancelled)


def _is_there(subject: NodeSubject | ScanSubject) -> bool:
    """Whether a node's rows are on a cluster, whose workers are asked."""
    node = subject.subject if isinstance(subject, ScanSubject) else subject
    return node.run.there is not None
