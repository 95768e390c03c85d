"""The rules of single trees, from the parameters of a run and what it was told about columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import is_restrained
from workbench.kernels.random_numbers import stream_start
from workbench.trees.forced_splits import NO_SPLITS, ForcedPlaces
from workbench.trees.hist.histogram_memory import no_histograms
from workbench.trees.interaction_constraints import may_follow
from workbench.trees.restraints import (
    FirstNode,
    Rules,
    allow_columns,
    begin_root,
    follow_children,
    with_capacity,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.column_choices import ColumnChoices
    from workbench.parameters.training import TrainingParams
    from workbench.trees.restraints import Restraints

TREES = 5  # a stream of random numbers


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
    """

    may_ask: NDArray[np.bool_]
    may_stand: NDArray[np.bool_]


def columns_on_path(rules: Rules, asked: Sequence[tuple[int, int]]) -> ColumnsOnPath:
    """Return which columns a node of a tree may ask about.

    Parameters
    ----------
    asked : sequence of tuple of int
        The way to the node: the column asked about, and 0 for "yes" or 1 for "no".
    """
    restraints, node = _walked(rules, asked)
    allow_columns(restraints, node, len(asked), restraints.allowed[0])
    may_stand = [may_follow(restraints.node_sets[node], f, own) for f, own in enumerate(rules.column_sets)]
    return ColumnsOnPath(restraints.allowed[0].astype(np.bool_), np.array(may_stand, np.bool_))


def rules_below(
    rules: Rules, asked: Sequence[tuple[int, int]], low: float, high: float, columns: NDArray[np.int64]
) -> Rules:
    """Return the rules of a tree for a part of it: what grows is what would grow there in the whole.

    But for splits that are forced, of which there are none.

    Parameters
    ----------
    asked : sequence of tuple of int
        See `columns_on_path`.
    low, high : float
        Of the weight of the part's first node.
    columns : ndarray of int64
        That may be asked about, of those drawn for the tree; ascending.
    """
    restraints, node = _walked(rules, asked)
    first = FirstNode(
        float(low), float(high), int(restraints.node_sets[node]), int(restraints.path[node]), len(asked)
    )
    return rules._replace(first=first, drawn_columns=columns, forced=NO_SPLITS)


def _walked(rules: Rules, asked: Sequence[tuple[int, int]]) -> tuple[Restraints, int]:
    """Return what is known of the nodes on a way, and the number of the last."""
    nothing = np.empty((0, 0), np.uint64)
    places = ForcedPlaces(np.empty(0, np.int64), nothing, np.empty(0, np.bool_))
    restraints = with_capacity(rules, places, 2 * len(asked) + 1, 1, nothing, no_histograms())
    begin_root(restraints)
    node = 0
    for depth, (column, side) in enumerate(asked):
        follow_children(restraints, node, 2 * depth + 1, column)
        node = 2 * depth + 1 + side
    return restraints, node
