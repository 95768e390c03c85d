"""What each tree of a round is grown with: its rows and columns, shape and rules; from seed and round."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.goss import draw_by_gradient
from workbench.ensembles.impurity.drawn_weights import draw_counts
from workbench.ensembles.row_sampling import SampledRows, draw_rows
from workbench.ensembles.tree_rules import rules_of
from workbench.parameters.methods import IMPURITY
from workbench.threads.team import ALONE
from workbench.trees.colsample import draw_columns
from workbench.trees.growing_params import DrawnRows, GrowingParams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.column_choices import ColumnChoices
    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team
    from workbench.trees.restraints import Rules

BESIDE = 1_000_000_007  # between the random numbers of trees side by side


class TreePlan(NamedTuple):
    """One tree of a round.

    Attributes
    ----------
    class_index, beside : int
        Its class, and its place among the trees side by side.
    columns : ndarray of int64
        Drawn for it, and those that splits are forced on, ascending.
    rules : Rules, optional
    """

    class_index: int
    beside: int
    columns: NDArray[np.int64]
    rules: Rules | None


def plan_tree(
    params: TrainingParams, choices: ColumnChoices, number: int, place: int, n_classes: int
) -> TreePlan:
    """Return the plan of the tree at a place in round `number` (from 1)."""
    k, beside = divmod(place, params.num_parallel_tree)
    tree_number = number * n_classes + k + BESIDE * beside
    drawn = draw_columns(
        choices.allowed, params.colsample_bytree, params.seed, tree_number, choices.weights
    )
    rules = rules_of(params, choices, tree_number, drawn)
    return TreePlan(k, beside, choices.with_forced(drawn), rules)


def draw_sample(
    params: TrainingParams,
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    number: int,
    beside: int = 0,
    team: Team = ALONE,
) -> SampledRows:
    """Return the rows that a tree of round `number` is grown on.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (K, n)
        Of all training rows, before the round.
    """
    if params.method in IMPURITY:
        counts = draw_counts(params, number, gradients.shape[1])
        drawn, left_out = (np.flatnonzero(which).astype(np.uint32) for which in (counts > 0, counts == 0))
        return SampledRows(DrawnRows(drawn, left_out), counts)
    drawing = number + BESIDE * beside
    if params.sampling_method == "goss":
        return draw_by_gradient(
            gradients, hessians, params.top_rate, params.other_rate, params.seed, drawing
        )
    return SampledRows(draw_rows(gradients.shape[1], params.subsample, params.seed, drawing, team))


def growing_params(params: TrainingParams, learning_rate: float, least_gain: float) -> GrowingParams:
    """Return what shapes the trees of a round that is shrunk so; trees side by side share the step."""
    return GrowingParams(
        params.reg_lambda, params.gamma, learning_rate / params.num_parallel_tree, params.min_child_weight,
        params.max_depth, params.max_leaves, params.grow_policy == "best_gain", params.pruning == "post",
        params.max_cat_to_onehot, params.cat_smooth, params.cat_l2, params.min_category_rows,
        least_gain,
    )
