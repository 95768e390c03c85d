"""A run replayed to any of its rounds: gradients and hessians of all rows, and who grew each tree."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.class_weights import class_weights, counting, row_weights
from workbench.ensembles.column_choices import ColumnChoices
from workbench.ensembles.prediction import leaf_indices
from workbench.ensembles.run.base_margin import base_of
from workbench.ensembles.run.least_gain import gradients_at, least_gain, whole_gain
from workbench.ensembles.run.objective import objective_in, objective_of_run
from workbench.ensembles.tree_plan import TreePlan, draw_sample, growing_params, plan_tree
from workbench.errors import WorkbenchError
from workbench.explain.raw_replay import RawReplay
from workbench.mapped import rows_beside
from workbench.objectives.base import OBJECTIVES, gradients
from workbench.parameters.methods import IMPURITY
from workbench.trees.bins.binning import bins_in_column
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.bins.rare_categories import rare_categories

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.row_sampling import SampledRows
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.bins.cuts import BinCuts
    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.tree import Tree

NO_ROWS = "This model came from a file, without the rows it was trained on."
KEPT_ROUNDS = 3
KEPT_BYTES = 96 * 2**20  # of their gradients; one round is kept whatever it takes; and of all bins
MANY_ROWS = 8  # one of so many


@dataclass(frozen=True, eq=False)
class RowGradients:
    """Some rows of the dataset before a round.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Indices into the dataset, ascending.
    raw : ndarray of float32, shape (K, n)
        Raw predictions at which the gradients were taken.
    gradients, hessians : ndarray of float64, shape (K, n)
        Times the row's weight; before any sampling.
    """

    rows: NDArray[np.int64]
    raw: NDArray[np.float32]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class GrownTree:
    """One tree of a round, and what it was grown on.

    Attributes
    ----------
    tree : Tree
    plan : TreePlan
    growing : GrowingParams
    sample : SampledRows
        Which training rows were drawn (places among them), and how often each counts.
    gradients, hessians : ndarray of float64, shape (n_train,)
        Of its class, as often as each row counts.
    leaves : ndarray of int32, shape (N,)
        The leaf of each row of the dataset.
    """

    tree: Tree
    plan: TreePlan
    growing: GrowingParams
    sample: SampledRows
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]
    leaves: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class RoundState:
    """The rows as they stood before a round, and the trees that the round grew on them."""

    number: int
    params: TrainingParams
    train: RowGradients
    valid: RowGradients
    trees: tuple[Tree, ...]


class Replay:
    """The rounds of one run, recomputed from its data and its trees alone; serial kernels, from any thread.

    Parameters
    ----------
    dataset : Dataset
    begun : Ensemble
        What the run began with (`TrainingStarted.ensemble`): its base, and the trees it went on from.
    params : TrainingParams
        As started, or of the rounds that a branch shares; those in force come with each round.
    rounds : sequence of RoundFinished
        May grow meanwhile.
    objective : Objective, optional
        In place of the one that the parameters name.

    Raises
    ------
    WorkbenchError
        The objective cannot be had again: it came from a person's own file.
    """

    def __init__(
        self,
        dataset: Dataset,
        begun: Ensemble,
        params: TrainingParams,
        rounds: Sequence[RoundFinished],
        objective: Objective | None = None,
    ) -> None:
        self.dataset = dataset
        name = objective_in(params, begun)
        self.begun = begun if name == begun.objective else replace(begun, objective=name)
        self.params, self.rounds = params, rounds
        self.objective = objective or objective_of_run(name, dataset, params)
        self.objective.check(dataset.target)
        self._raw = RawReplay(dataset.features, dataset.offset, self.begun, rounds)
        self._of_class = class_weights(dataset.schema, params)
        self.counts = counting(row_weights(dataset, self._of_class, dataset.train_rows))
        self._choices = params, ColumnChoices(dataset.schema, params)
        self._states: dict[int, RoundState] = {}
        self._bins: dict[int, NDArray[np.uint8]] = {}
        self._last_grown: tuple[tuple[int, int], GrownTree] | None = None
        self._last_held_out: tuple[int, RowGradients] | None = None
        self._lock = threading.Lock()
        self.kept_beside: dict[str, Any] = {}  # what others work out about it, and want once more

    def before(self, place: int, cancelled: Callable[[], bool] | None = None) -> RoundState:
        """Return the rows as they stood before the run's round `place` (from 1), and what it grew."""
        with self._lock:
            known = self._states.get(place)
            if known is not None:
                return known
            event = self.rounds[place - 1]
            data = self.dataset
            raw = self._base(data.offset) if self.is_grown_alone else self._raw.before(place, cancelled)
            train, valid = (self._gradients(raw[:, r], r) for r in (data.train_rows, data.valid_rows))
            state = RoundState(event.round, event.params, train, valid, event.trees)
            self._keep(place, state)
            return state

    def grown(
        self, place: int, index: int, cancelled: Callable[[], bool] | None = None
    ) -> GrownTree:
        """Return a tree of round `place`: by class, in it one beside the other."""
        known = self._last_grown
        if known is not None and known[0] == (place, index):
            return known[1]
        state = self.before(place, cancelled)
        train, params, tree = state.train, state.params, state.trees[index]
        plan = plan_tree(params, self._choices_of(params), state.number, index, len(train.raw))
        sample = draw_sample(params, train.gradients, train.hessians, state.number, plan.beside)
        k = plan.class_index
        g, h = sample.amplified(train.gradients[k], train.hessians[k])
        leaves = leaf_indices((tree,), self.dataset.features)[:, 0]
        growing = growing_params(params, 1.0, self._least_gain)._replace(learning_rate=tree.learning_rate)
        found = GrownTree(tree, plan, growing, sample, g, h, np.ascontiguousarray(leaves))
        self._last_grown = (place, index), found
        return found

    def hold_out(self, place: int, cancelled: Callable[[], bool] | None = None) -> RowGradients:
        """Return the hold-out rows alone as they stood before round `place`: sooner than `before`."""
        known = self._last_held_out
        if known is None or known[0] != place:
            data, rows = self.dataset, self.dataset.valid_rows
            if self.is_grown_alone:
                raw = self._base(None if data.offset is None else data.offset[rows], len(rows))
            else:
                raw = self._held_out.before(place, cancelled)
            known = place, self._gradients(raw, self.dataset.valid_rows)
            self._last_held_out = known
        return known[1]

    def after(self, place: int, cancelled: Callable[[], bool] | None = None) -> NDArray[np.float32]:
        """Return the raw predictions of all rows after round `place`, shape (K, N)."""
        return self._raw.after(place, cancelled)

    @property
    def is_grown_alone(self) -> bool:
        """Whether each tree is grown on the target itself, not on what the trees before it left."""
        return self.params.method in IMPURITY

    @property
    def seeks_in_target(self) -> bool:
        """Whether splits part the target itself: so do AdaBoost's of several classes, under row weights."""
        return self.is_grown_alone or (self.params.method == "adaboost" and self.begun.n_classes > 1)

    @property
    def criterion(self) -> str:
        """The impurity of classes that its splits lower; "" of others."""
        has_classes = self.dataset.schema.task != "regression"
        return self.params.criterion if self.seeks_in_target and has_classes else ""

    def _base(
        self, offset: NDArray[np.float32] | None, n_rows: int | None = None
    ) -> NDArray[np.float32]:
        """Return raw predictions without any tree, shape (K, n)."""
        n = len(self.dataset.features) if n_rows is None else n_rows
        raw = np.repeat(self.begun.base_margin.astype(np.float32)[:, None], n, axis=1)
        return raw if offset is None else raw + offset

    def _choices_of(self, params: TrainingParams) -> ColumnChoices:
        """Return what is chosen of columns: a branch may choose others than the rounds before it."""
        if self._choices[0] is not params:
            self._choices = params, ColumnChoices(self.dataset.schema, params)
        return self._choices[1]

    @cached_property
    def allowed_columns(self) -> frozenset[int]:
        """The columns that splits may ask about."""
        return frozenset(self._choices_of(self.params).allowed.tolist())

    @cached_property
    def cut_at(self) -> NDArray[np.int64]:
        """The training rows whose values are places to cut: all but those of weight 0."""
        rows = self.dataset.train_rows
        return rows if self.counts is None else rows[self.counts]

    @cached_property
    def _least_gain(self) -> float:
        data, objective = self.dataset, self.objective
        if data.groups is not None:
            objective = objective.with_groups(data.groups[data.train_rows])
        weight = row_weights(data, self._of_class, data.train_rows)
        base = base_of(objective, self.begun.n_classes, data, weight)
        return least_gain(whole_gain(*gradients_at(base, objective, data, weight)))

    @cached_property
    def cuts(self) -> BinCuts:
        """The cuts of a run by hist."""
        data, params = self.dataset, self.params
        n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in data.schema.features)
        return find_cuts(
            data.features, self.cut_at, n_categories, params.max_bin, 1, None, params.seed,
            rare_categories(params), kept=self.kept,
        )

    def bins(self, column: int, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the bins of some rows in a column of numbers, not a fine one, of a run by hist.

        Those of all rows are found where many are asked for, and kept if all columns' are few enough.
        """
        features, cuts = self.dataset.features, self.cuts.of_column(column)
        known = self._bins.get(column)
        if known is None and features.size <= KEPT_BYTES and len(rows) * MANY_ROWS >= len(features):
            known = self._bins[column] = bins_in_column(features, column, np.arange(len(features)), cuts)
        return bins_in_column(features, column, rows, cuts) if known is None else known[rows]

    @property
    def kept(self) -> dict[int, NDArray[np.float32]]:
        """Thresholds and codes by column that splits are forced at."""
        return self._choices_of(self.params).forced.values()

    @cached_property
    def hold_out_features(self) -> NDArray[np.float32]:
        """The features of the hold-out rows, shape (n_valid, d)."""
        return np.asfortranarray(rows_beside(self.dataset.features, self.dataset.valid_rows))

    @cached_property
    def _held_out(self) -> RawReplay:
        data = self.dataset
        offset = None if data.offset is None else data.offset[data.valid_rows]
        return RawReplay(self.hold_out_features, offset, self.begun, self.rounds)

    def _keep(self, place: int, state: RoundState) -> None:
        size = state.train.gradients.nbytes + state.valid.gradients.nbytes
        most = min(KEPT_ROUNDS, max(KEPT_BYTES // max(2 * size, 1), 1))
        kept = [(p, s) for p, s in list(self._states.items()) if p != place]
        self._states = dict([*kept, (place, state)][-most:])

    def _gradients(self, raw: NDArray[np.float32], rows: NDArray[np.int64]) -> RowGradients:
        """Return g and h of these rows at their raw predictions, shape (K, n)."""
        data, objective = self.dataset, self.objective
        if not len(rows):
            return RowGradients(rows, raw, np.empty(raw.shape), np.empty(raw.shape))
        if data.groups is not None:
            objective = objective.with_groups(data.groups[rows])
        weight = row_weights(data, self._of_class, rows)
        g, h = gradients(objective, data.target[rows], raw.T, weight)
        return RowGradients(rows, raw, g.T, h.T)


def replay_of(
    dataset: Dataset | None,
    begun: Ensemble,
    params: TrainingParams,
    rounds: Sequence[RoundFinished],
    objective: Objective | None = None,
) -> Replay:
    """Return the replay of a run, or say what it lacks.

    Parameters
    ----------
    objective : Objective, optional
        From the person's own file that the run was trained with.

    Raises
    ------
    WorkbenchError
        A model of a file has no rows; nor has it an objective that was a file.
    """
    lacks = "" if objective is not None or begun is None else OBJECTIVES.get(begun.objective).lacks()
    if dataset is None:
        raise WorkbenchError(f"{NO_ROWS} {lacks}".strip())
    if lacks:
        raise WorkbenchError(lacks)
    return Replay(dataset, begun, params, rounds, objective)
