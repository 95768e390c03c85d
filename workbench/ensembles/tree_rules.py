"""The rules of single trees, from the parameters of a run: names of columns become their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.named_columns import first_unfit
from workbench.ensembles.forced_plan import forced_plan
from workbench.ensembles.kernel_needs import is_restrained
from workbench.errors import WorkbenchError
from workbench.kernels.random_numbers import stream_start
from workbench.trees.forced_splits import NOT_FORCED, ForcedPlaces
from workbench.trees.interaction_constraints import MOST_SETS, column_sets, may_follow
from workbench.trees.restraints import Rules, allow_columns, begin_root, follow_children, with_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams

TREES = 5  # a stream of random numbers


class ColumnChoices:
    """What a run was told about single columns.

    Attributes
    ----------
    weights : ndarray of float64, shape (d,)
    monotone : ndarray of int8, shape (d,)
    sets : ndarray of int64, shape (d,)
        See `Restraints.column_sets`.
    allowed : ndarray of int64
        Places of the columns that splits may ask about, ascending.
    forced : ForcedSplits
    """

    def __init__(self, schema: DataSchema, params: TrainingParams) -> None:
        unfit = first_unfit(schema.features, params)
        if unfit is not None:
            raise WorkbenchError(unfit.text)
        places = {feature.name: place for place, feature in enumerate(schema.features)}
        d = len(schema.features)
        self.weights = np.ones(d)
        for name, weight in params.feature_weights:
            self.weights[places[name]] = weight
        self.monotone = np.zeros(d, np.int8)
        for name, sign in params.monotone_constraints:
            self.monotone[places[name]] = sign
        sets = params.interaction_constraints
        if len(sets) > MOST_SETS:
            raise WorkbenchError(f"interaction_constraints has {len(sets)} sets; {MOST_SETS} at most.")
        self.sets = column_sets([[places[name] for name in names] for names in sets], d)
        self.forced = forced_plan(params.forced_splits, schema, places)
        forbidden = {places[name] for name in params.forbidden_columns}
        self.allowed: NDArray[np.int64] = np.array([f for f in range(d) if f not in forbidden], np.int64)

    def with_forced(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return drawn columns and those that splits are forced on, ascending."""
        return np.union1d(drawn, self.forced.columns) if len(self.forced.columns) else drawn


def rules_of(
    params: TrainingParams, choices: ColumnChoices, tree_number: int, drawn: NDArray[np.int64]
) -> Rules | None:
    """Return what restrains a tree for which these columns were drawn; None where nothing does."""
    if not is_restrained(params):
        return None
    return Rules(
        reg_alpha=params.reg_alpha,
        max_delta_step=params.max_delta_step,
        min_leaf_rows=params.min_leaf_rows,
        monotone=choices.monotone,
        column_sets=choices.sets,
        level_share=params.colsample_bylevel,
        node_share=params.colsample_bynode,
        column_weights=choices.weights,
        seed=int(stream_start(params.seed, tree_number, TREES)),
        drawn_columns=drawn,
        forced=choices.forced,
    )


class ColumnsOnPath(NamedTuple):
    """What a node may be asked about.

    Attributes
    ----------
    may_ask : ndarray of bool, shape (d,)
        Drawn for tree, level and node, and allowed on its path.
    may_stand : ndarray of bool, shape (d,)
        Allowed on its path.
    forced : int
        The column on which its split is forced; −1 for none.
    """

    may_ask: NDArray[np.bool_]
    may_stand: NDArray[np.bool_]
    forced: int


def columns_on_path(rules: Rules, asked: Sequence[tuple[int, int]]) -> ColumnsOnPath:
    """Return which columns a node of a tree may ask about.

    Parameters
    ----------
    asked : sequence of tuple of int
        The way to the node: the column asked about, and 0 for "yes" or 1 for "no".
    """
    nothing = np.empty((0, 0), np.uint64)
    places = ForcedPlaces(np.empty(0, np.int64), nothing)
    room = with_room(rules, places, 2 * len(asked) + 1, 1, nothing, (0, 0), 1)
    begin_root(room)
    node = 0
    for depth, (column, side) in enumerate(asked):
        follow_children(room, node, 2 * depth + 1, column)
        node = 2 * depth + 1 + side
    allow_columns(room, node, len(asked), room.allowed[0])
    may_stand = [may_follow(room.node_sets[node], f, own) for f, own in enumerate(rules.column_sets)]
    split = int(room.split_of[node])
    forced = -1 if split == NOT_FORCED else int(rules.forced.columns[split])
    return ColumnsOnPath(room.allowed[0].astype(np.bool_), np.array(may_stand, np.bool_), forced)
