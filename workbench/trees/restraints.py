"""What restrains a tree beyond λ, γ and the least hessian of a child; None where nothing does.

Leaf weights: α (L1), the largest step δ, monotone columns. Splits: the least rows of a leaf, columns that may
stand together on a path, columns drawn by level and by node, splits that
are forced. numba compiles a grower twice, for None and for
this, so that trees without restraints pay nothing.

A node of a tree with monotone columns has bounds for its weight. A split on such a column sets the bound
between its children midway between their weights, as XGBoost does:

    increasing, parent in [a, b]      left in [a, (w_L + w_R) / 2]      right in [(w_L + w_R) / 2, b]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import mix, stream_start, unit
from workbench.trees.forced_splits import NOT_FORCED, ForcedPlaces, ForcedSplits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_SETS = 62  # sets of columns are bits of an int64
NOT_FOUND = -np.inf
LEVELS, NODES = 3, 4  # streams of random numbers
TINY = 1e-12  # the least weight of a column


class Rules(NamedTuple):
    """What restrains one tree.

    Attributes
    ----------
    reg_alpha, max_delta_step : float
        α; largest |w*|, 0 for no limit.
    min_leaf_rows : int
    monotone : ndarray of int8, shape (d,)
        1 where the prediction may only rise with the column, −1 where it may only fall, 0 otherwise.
    column_sets : ndarray of int64, shape (d,)
        The sets of columns that a column is in, a bit each; 0 where it may stand with itself alone, −1 where
        it may stand with any.
    level_share, node_share : float
        Share of the tree's columns that is drawn for a level, and of these for a node.
    column_weights : ndarray of float64, shape (d,)
        How likely a column is drawn.
    seed : int
        Of this tree's draws.
    drawn_columns : ndarray of int64, shape (k,)
        Those drawn for the tree; others are asked about where a split is forced.
    forced : ForcedSplits
    """

    reg_alpha: float
    max_delta_step: float
    min_leaf_rows: int
    monotone: NDArray[np.int8]
    column_sets: NDArray[np.int64]
    level_share: float
    node_share: float
    column_weights: NDArray[np.float64]
    seed: int
    drawn_columns: NDArray[np.int64]
    forced: ForcedSplits


class Restraints(NamedTuple):
    """What restrains a tree, and what a grower keeps of each node for it.

    Attributes
    ----------
    rules : Rules
    places : ForcedPlaces
        Of the forced splits.
    bounds : ndarray of float64, shape (capacity, 2)
        Lowest and highest weight of each node.
    middle : ndarray of float64, shape (capacity,)
        What lies midway between the weights of each split's sides.
    node_sets : ndarray of int64, shape (capacity,)
        The sets that all columns on the way to a node are in: as `Rules.column_sets`, but −2 − f where only
        column f may follow.
    path : ndarray of int64, shape (capacity,)
        A number for each node that follows from the answers on the way to it.
    split_of : ndarray of int64, shape (capacity,)
        The forced split of each node; −1 where it is free, or was left out.
    allowed : ndarray of uint8, shape (2 * n_slots, d)
        Which columns may be asked about, by place of the node in its wave.
    drawing : ndarray of float64, shape (d,)
        Room for drawing columns.
    one_records : ndarray of uint64
        The records of the matrix with a packed gradient of 1: their histograms count rows. Empty where
        `min_leaf_rows` is 1.
    row_pool, row_heads : ndarray of int64
        Histograms of rows; see `GrowingMemory`.
    """

    rules: Rules
    places: ForcedPlaces
    bounds: NDArray[np.float64]
    middle: NDArray[np.float64]
    node_sets: NDArray[np.int64]
    path: NDArray[np.int64]
    split_of: NDArray[np.int64]
    allowed: NDArray[np.uint8]
    drawing: NDArray[np.float64]
    one_records: NDArray[np.uint64]
    row_pool: NDArray[np.int64]
    row_heads: NDArray[np.int64]


def with_room(
    rules: Rules, places: ForcedPlaces, capacity: int, n_scanned: int, one_records: NDArray[np.uint64],
    pool_shape: tuple[int, int], parts: int,
) -> Restraints:
    """Return rules with room for so many nodes.

    Parameters
    ----------
    n_scanned : int
        Nodes that are searched at once, at most.
    one_records, pool_shape
        Records for counting rows, and the shape of their histograms; nothing where rows are not counted so.
    """
    d = len(rules.monotone)
    return Restraints(
        rules,
        places,
        bounds=np.empty((capacity, 2)),
        middle=np.empty(capacity),
        node_sets=np.empty(capacity, np.int64),
        path=np.empty(capacity, np.int64),
        split_of=np.empty(capacity, np.int64),
        allowed=np.empty((n_scanned, d), np.uint8),
        drawing=np.empty(d),
        one_records=one_records,
        row_pool=np.empty(pool_shape, np.int64),
        row_heads=np.empty((parts, pool_shape[1]), np.int64),
    )


def column_sets(sets: Sequence[Sequence[int]], n_columns: int) -> NDArray[np.int64]:
    """Return the sets of columns that may stand together as `Restraints.column_sets`; all may for no sets."""
    found = np.full(n_columns, 0 if sets else -1, np.int64)
    for bit, members in enumerate(sets):
        for column in members:
            found[column] |= np.int64(1) << np.int64(bit)
    return found


@kernel
def restrained_weight(sum_gradient, sum_hessian, reg_lambda, restraints, low, high):
    """Return −soft(G, α)/(H+λ), at most δ in size, within the bounds."""
    alpha, step = restraints.rules.reg_alpha, restraints.rules.max_delta_step
    soft = 0.0
    if sum_gradient > alpha:
        soft = sum_gradient - alpha
    elif sum_gradient < -alpha:
        soft = sum_gradient + alpha
    denominator = sum_hessian + reg_lambda
    weight = -soft / denominator if denominator > 0.0 else 0.0
    if step > 0.0:
        weight = step if weight > step else weight
        weight = -step if weight < -step else weight
    weight = low if weight < low else weight
    return high if weight > high else weight


@kernel
def score_of_weight(sum_gradient, sum_hessian, weight, reg_lambda, reg_alpha):
    """Return Gw + ½(H+λ)w² + α|w|: what a leaf of this weight adds to the objective."""
    return (
        sum_gradient * weight + 0.5 * (sum_hessian + reg_lambda) * weight * weight + reg_alpha * abs(weight)
    )


@kernel
def leaf_score(sum_gradient, sum_hessian, reg_lambda, restraints, node):
    """Return what a node adds to the objective as a leaf."""
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    weight = restrained_weight(sum_gradient, sum_hessian, reg_lambda, restraints, low, high)
    return score_of_weight(sum_gradient, sum_hessian, weight, reg_lambda, restraints.rules.reg_alpha)


@kernel
def gained_by_pull(sum_gradient, sum_hessian, reg_lambda, more_lambda, restraints, node):
    """Return how much a gain is too large that took the whole node with more of λ, as it did its parts."""
    if more_lambda <= 0.0:
        return 0.0
    pulled = leaf_score(sum_gradient, sum_hessian, reg_lambda + more_lambda, restraints, node)
    return pulled - leaf_score(sum_gradient, sum_hessian, reg_lambda, restraints, node)


@kernel
def restrained_gain(left_g, left_h, right_g, right_h, reg_lambda, restraints, direction, node, is_forced):
    """Return how much a split takes off the objective, without γ.

    Against a monotone column `NOT_FOUND`, or, where the split is forced, what it takes with equal weights on
    both sides. `direction` is that of the column asked about: 1, −1 or 0.
    """
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    left = restrained_weight(left_g, left_h, reg_lambda, restraints, low, high)
    right = restrained_weight(right_g, right_h, reg_lambda, restraints, low, high)
    if direction * (right - left) < 0.0:
        if not is_forced:
            return NOT_FOUND
        left = right = 0.5 * (left + right)
    alpha = restraints.rules.reg_alpha
    return leaf_score(left_g + right_g, left_h + right_h, reg_lambda, restraints, node) - (
        score_of_weight(left_g, left_h, left, reg_lambda, alpha)
        + score_of_weight(right_g, right_h, right, reg_lambda, alpha)
    )


@kernel
def middle_weight(left_g, left_h, right_g, right_h, reg_lambda, restraints, node):
    """Return what lies midway between the weights of a split's sides."""
    low, high = restraints.bounds[node, 0], restraints.bounds[node, 1]
    left = restrained_weight(left_g, left_h, reg_lambda, restraints, low, high)
    right = restrained_weight(right_g, right_h, reg_lambda, restraints, low, high)
    return 0.5 * (left + right)


@kernel
def bound_children(bounds, node, child, direction, middle):
    """Write the bounds of a split node's children, `child` and `child + 1`."""
    for side in range(2):
        bounds[child, side] = bounds[child + 1, side] = bounds[node, side]
    if direction != 0:
        rises = direction > 0
        bounds[child, 1 if rises else 0] = middle
        bounds[child + 1, 0 if rises else 1] = middle


@kernel
def free_root(restraints):
    """Let the root weigh anything."""
    restraints.bounds[0, 0] = -np.inf
    restraints.bounds[0, 1] = np.inf


@kernel
def begin_root(restraints):
    """Let the root weigh anything and ask about any column, but for the first of the forced splits."""
    free_root(restraints)
    restraints.node_sets[0] = -1
    restraints.path[0] = 1
    restraints.split_of[0] = 0 if len(restraints.rules.forced.columns) > 0 else NOT_FORCED


@kernel
def sets_after(node_set, column, column_set):
    """Return the sets that a node's children may still ask about, once it has asked about a column."""
    if column_set == -1:
        return node_set
    if column_set == 0:
        return np.int64(-2) - column
    return column_set if node_set == -1 else node_set & column_set


@kernel
def follow_children(restraints, node, child, column):
    """Tell a split node's children, `child` and `child + 1`, how they were come to."""
    sets = sets_after(restraints.node_sets[node], column, restraints.rules.column_sets[column])
    for side in range(2):
        restraints.node_sets[child + side] = sets
        restraints.path[child + side] = np.int64(mix(np.uint64(2 * restraints.path[node] + side)))
        split = restraints.split_of[node]
        follows = restraints.rules.forced.children[split, side] if split != NOT_FORCED else NOT_FORCED
        restraints.split_of[child + side] = follows


@kernel
def may_follow(node_set, column, column_set):
    """Whether a node with these sets may ask about a column."""
    if node_set == -1:
        return True
    if node_set < -1:
        return column == -2 - node_set
    return (node_set & column_set) != 0


@kernel
def draw_share(allowed, share, start, weights, keys):
    """Leave a share of the allowed columns, at least one, drawn by weight without replacement.

    A column's key is ln(u) / weight; those with the largest stay (Efraimidis and Spirakis 2006).

    Parameters
    ----------
    allowed : ndarray of uint8, shape (d,)
        Changed.
    start : int
        Where the random numbers begin.
    keys : ndarray of float64, shape (d,)
        Room.
    """
    if share >= 1.0:
        return
    n_allowed = 0
    for column in range(len(allowed)):
        keys[column] = -np.inf
        if allowed[column]:
            n_allowed += 1
            weight = weights[column] if weights[column] > TINY else TINY
            keys[column] = np.log(unit(start + column)) / weight
            allowed[column] = 0
    n_drawn = max(1, round(share * n_allowed))
    for _ in range(min(n_drawn, n_allowed)):
        best = 0
        for column in range(1, len(keys)):
            best = column if keys[column] > keys[best] else best
        keys[best] = -np.inf
        allowed[best] = 1


@kernel
def allow_columns(restraints, node, depth, allowed):
    """Fill which columns a node may be split on, shape (d,), where no split is forced."""
    rules = restraints.rules
    allowed[:] = 0
    for item in range(len(rules.drawn_columns)):
        allowed[rules.drawn_columns[item]] = 1
    of_level = stream_start(rules.seed, depth, LEVELS)
    draw_share(allowed, rules.level_share, of_level, rules.column_weights, restraints.drawing)
    of_node = stream_start(rules.seed, restraints.path[node], NODES)
    draw_share(allowed, rules.node_share, of_node, rules.column_weights, restraints.drawing)
    sets = restraints.node_sets[node]
    for column in range(len(allowed)):
        if allowed[column] and not may_follow(sets, column, rules.column_sets[column]):
            allowed[column] = 0


@kernel
def forced_at(restraints, node, column):
    """Return the split that is forced on a node where it asks about this column; −1 otherwise."""
    split = restraints.split_of[node]
    is_here = split != NOT_FORCED and restraints.rules.forced.columns[split] == column
    return split if is_here else np.int64(NOT_FORCED)
