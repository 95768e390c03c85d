"""The nodes of a run whose rows stay on a cluster: each is added up there when it is asked about."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np

from workbench.cluster.nodes.asking import Forgotten, asked
from workbench.cluster.nodes.desk import DeskQuestion, forget
from workbench.cluster.nodes.node_there import NodeThere, Searched
from workbench.cluster.nodes.piece import PlaceThere, TrainedThere
from workbench.cluster.nodes.sketch import SketchColumns, cuts_of
from workbench.cluster.nodes.tally import Binning, NodeTally, TallyNode
from workbench.ensembles.column_choices import ColumnChoices
from workbench.ensembles.run.objective import objective_in
from workbench.ensembles.tree_plan import growing_params, plan_tree
from workbench.objectives.base import OBJECTIVES
from workbench.trees.structure_score import LEAST_LOSS_CHANGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.cluster.connection import Connection
    from workbench.cluster.nodes.sketch import ColumnSketch
    from workbench.cluster.placed_table import RowsThere
    from workbench.cluster.table_there import TableThere
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

    Cancelling = Callable[[], bool] | None
    Telling = Callable[[int, int], object] | None


class _Asked(NamedTuple):
    """A run as the workers know it: its name there, what it is, and which rounds it has."""

    name: str
    rows: RowsThere
    trained: TrainedThere
    begun: Ensemble
    rounds: Sequence[RoundFinished]


class NodesThere:
    """Asks the workers that hold a table about nodes of trees that were grown on it."""

    def __init__(self, connection: Connection, table: TableThere) -> None:
        self._connection, self._table = connection, table
        self._asked: _Asked | None = None
        self._sent = 0  # trees
        self._sketches: tuple[RowsThere, list[ColumnSketch]] | None = None
        self._lock = threading.Lock()

    def node(
        self, begun: Ensemble, params: TrainingParams, rounds: Sequence[RoundFinished], round: int,
        place: int, node: int, cancelled: Cancelling = None, progress: Telling = None,
    ) -> NodeThere:  # fmt: skip
        """Return a node of a run.

        Parameters
        ----------
        begun : Ensemble
            What the run began with: its base, and the trees it went on from.
        params : TrainingParams
            As started, or of the rounds that a branch shares.
        rounds : sequence of RoundFinished
            May grow meanwhile.
        round, place, node : int
            Of the run, from 1; place of the tree in the round, from 0; node of the tree.

        Raises
        ------
        Cancelled
        WorkbenchError
        """
        rows = self._table.place(self._connection, params, begun.objective, cancelled, progress)
        run = self._run(rows, begun, params, rounds)
        event = rounds[round - 1]
        tree = event.trees[place]
        before = begun.with_rounds(rounds[: round - 1])
        ask = partial(self._ask, run, before)
        sketches = self._sketched(run, ask, cancelled, progress)
        binnings = tuple(
            _binning(feature.is_categorical, len(feature.categories), sketch, params.max_bin, tree, column)
            for column, (feature, sketch) in enumerate(
                zip(self._table.schema.features, sketches, strict=True)
            )
        )
        at = PlaceThere(len(before.trees), tree, node)
        tally = ask(TallyNode(at, binnings), cancelled, progress)
        codes = [sketch.values.astype(np.int64) for sketch in sketches]
        for column, feature in enumerate(self._table.schema.features):
            codes[column] = codes[column][codes[column] < len(feature.categories)]
        searched = self._searched(event, place, begun.n_classes, run.trained.objective, tree)
        return NodeThere(
            ask, self._table.schema, round, at, searched, tally or NodeTally(None, None), binnings, codes
        )

    def release(self) -> None:
        """Leave nothing of it on the workers."""
        asked_about, self._asked = self._asked, None
        if asked_about is not None and not self._connection.is_lost:
            self._connection.tell(forget, asked_about.name, workers=self._connection.workers)

    def _run(
        self, rows: RowsThere, begun: Ensemble, params: TrainingParams, rounds: Sequence[RoundFinished]
    ) -> _Asked:
        """Return the run under its name there; under another one where it is not the same."""
        with self._lock:
            known = self._asked
            is_it = known is not None and known.rounds is rounds and known.rows is rows
            if known is not None and is_it and known.begun is begun and known.trained.params == params:
                return known
        self.release()
        with self._lock:
            trained = TrainedThere(self._table.schema, objective_in(params, begun), params, begun.base_margin)
            self._asked, self._sent = _Asked(uuid4().hex, rows, trained, begun, rounds), 0
            return self._asked

    def _ask(
        self, run: _Asked, before: Ensemble, what: Any, cancelled: Cancelling = None, progress: Telling = None
    ) -> Any:
        """Ask all workers, with the trees that they do not know yet."""
        keys = {
            worker: [
                (str(part.key), is_held_out)
                for parts, is_held_out in ((run.rows.train, False), (run.rows.valid, True))
                for part in parts.get(worker, ())
            ]
            for worker in {*run.rows.train, *run.rows.valid}
        }
        trees, weights = before.counted()
        while True:
            first = min(self._sent, len(trees))
            question = DeskQuestion(run.name, run.trained, keys, first, trees[first:], weights[first:], what)
            try:
                found = asked(self._connection, question, cancelled, progress)
            except Forgotten:
                self._sent = 0
                if not first:
                    raise
                continue
            self._sent = max(self._sent, len(trees))
            return found

    def _sketched(
        self, run: _Asked, ask: Callable[..., Any], cancelled: Cancelling, progress: Telling
    ) -> list[ColumnSketch]:
        if self._sketches is None or self._sketches[0] is not run.rows:
            self._sketches = run.rows, ask(SketchColumns(), cancelled, progress)
        return self._sketches[1]

    def _searched(
        self, event: RoundFinished, place: int, n_classes: int, objective: str, tree: Tree
    ) -> Searched:
        """Return how a tree was grown; what XGBoost drew is not known, so all counts."""
        params = event.params
        every = params.change(colsample_bytree=1.0, colsample_bylevel=1.0, colsample_bynode=1.0)
        choices = ColumnChoices(self._table.schema, every)
        growing = growing_params(params, 1.0, LEAST_LOSS_CHANGE)._replace(
            learning_rate=tree.learning_rate, cat_smooth=params.reg_lambda, cat_l2=0.0
        )
        return Searched(
            params, plan_tree(every, choices, event.round, place, n_classes), growing, choices.allowed,
            place, OBJECTIVES.get(objective).searches_leaves,
        )  # fmt: skip


def _binning(
    is_categorical: bool, n_codes: int, sketch: ColumnSketch, max_bin: int, tree: Tree, column: int
) -> Binning:
    if is_categorical:
        return Binning(np.empty(0, np.float32), n_codes)
    asks = tree.nodes["feature"] == column
    made: NDArray[np.float32] = tree.nodes["threshold"][asks]
    cuts = cuts_of(sketch, max_bin, made[~np.isnan(made)])
    return Binning(cuts, len(cuts))
