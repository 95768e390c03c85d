"""The Shapley values of trees, for blocks of rows at once: one walk round a tree does for all its leaves.

At each point t of the integral, `products` of an edge is the product of t·o + (1 − t)·z of the columns on the
way, and `sums` what the leaves below it add up to, each by its product. Divided by its own factor, an edge's
sum is the product without its column: (o − z)/(t·o + (1 − t)·z) is (1 − z)/(t + (1 − t)·z) where the row
passes and −1/(1 − t) where not, whatever z is. Where the column was asked above, what it counted there is
taken back.
"""

from __future__ import annotations

import numpy as np

from workbench.ensembles.flat_trees import COLUMN, LEFT
from workbench.explain.attribution.walks import answer_questions, read_rows
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin


@kernel
def passed(w, z, x):
    """Return w·(1 − z)/(x + (1 − x)·z) + w/(1 − x): by how much more a row counts that passes."""
    return w * (1.0 - z) / (x + (1.0 - x) * z) + w / (1.0 - x)


@kernel
def enter(n, q, points, z, z_above, ones, ones_above, above, before, products, sums):
    """Take an edge's column into the products of a block; nothing lies below it yet.

    Parameters
    ----------
    before, products, sums : ndarray of float64, shape (q, B)
    ones, ones_above : ndarray of float64, shape (B,)
    """
    for k in range(q):
        x = points[k]
        if above:
            factor = x + (1.0 - x) * z_above
            neither = z / z_above if z_above > 0.0 else 0.0
            only_above, both = (1.0 - x) * z / factor - neither, x / factor
            for r in range(n):
                products[k, r] = before[k, r] * (neither + only_above * ones_above[r] + both * ones[r])
                sums[k, r] = 0.0
        else:
            share = (1.0 - x) * z
            for r in range(n):
                products[k, r] = before[k, r] * (share + x * ones[r])
                sums[k, r] = 0.0


@kernel
def leave(n, q, points, weights, z, z_above, ones, ones_above, above, sums, before, added):
    """Add what an edge's column is worth, and the edge's sums to those of its parent's edge.

    Parameters
    ----------
    sums, before : ndarray of float64, shape (q, B)
        Of the edge, and of its parent's.
    added : ndarray of float64, shape (B,)
        Of the column.
    """
    for k in range(q):
        x, w = points[k], weights[k]
        more, less = passed(w, z, x), -w / (1.0 - x)
        if above:
            more_above = passed(w, z_above, x)
            for r in range(n):
                added[r] += (more * ones[r] - more_above * ones_above[r]) * sums[k, r]
                before[k, r] += sums[k, r]
        else:
            for r in range(n):
                added[r] += (less + more * ones[r]) * sums[k, r]
                before[k, r] += sums[k, r]


@kernel
def end(n, q, points, weights, z, value, ones, products, sums, added):
    """Do both for an edge to a leaf whose column is asked for the first time.

    Parameters
    ----------
    products, sums : ndarray of float64, shape (q, B)
        Of the edge above it.
    """
    for k in range(q):
        x, w = points[k], weights[k] * value
        share = (1.0 - x) * z
        for r in range(n):
            product = products[k, r]
            added[r] += w * product * (ones[r] - z)
            sums[k, r] += value * product * (share + x * ones[r])


@kernel
def step_round(walks, trees, t, n, answers, ones, z_at, products, sums, added):
    """Walk round tree t with a block of n rows whose answers are known, and add what its columns are worth.

    Parameters
    ----------
    ones : ndarray of float64, shape (deepest + 1, B)
        Whether each row passes the edge of a depth; the first row is 1.
    z_at : ndarray of float64, shape (deepest + 1,)
    products, sums : ndarray of float64, shape (deepest + 1, most points, B)
    added : ndarray of float64, shape (d, B)
    """
    root, q = trees.roots[t], walks.n_points[t]
    points, weights = walks.points[q], walks.weights[q]
    for k in range(q):
        for r in range(n):
            products[0, k, r], sums[0, k, r] = 1.0, 0.0
    for s in range(walks.begins[t], walks.begins[t + 1]):
        node = walks.steps[s] >> 1
        depth, above, parent = walks.depths[node], walks.above[node], walks.parents[node]
        z, z_above, column = walks.shares[node], z_at[above], trees.questions[parent, COLUMN]
        if walks.steps[s] & 1:
            leave(n, q, points, weights, z, z_above, ones[depth], ones[above], above > 0, sums[depth],
                  sums[depth - 1], added[column])
            continue
        z_at[depth] = z
        answer = answers[parent - root]
        if trees.questions[parent, LEFT] == node:
            for r in range(n):
                ones[depth, r] = ones[above, r] * answer[r]
        else:
            for r in range(n):
                ones[depth, r] = ones[above, r] * (1 - answer[r])
        if trees.questions[node, COLUMN] >= 0 or above > 0:
            enter(n, q, points, z, z_above, ones[depth], ones[above], above > 0,
                  products[depth - 1], products[depth], sums[depth])
        if trees.questions[node, COLUMN] >= 0:
            continue
        if above > 0:
            for k in range(q):
                for r in range(n):
                    sums[depth, k, r] = trees.values[node] * products[depth, k, r]
            leave(n, q, points, weights, z, z_above, ones[depth], ones[above], True, sums[depth],
                  sums[depth - 1], added[column])
        else:
            end(n, q, points, weights, z, trees.values[node], ones[depth], products[depth - 1],
                sums[depth - 1], added[column])


@kernel(allocates=True)
def add_shap(part, parts, rows, trees, walks, block_rows, shares):
    """Write the Shapley values of one part of the rows.

    Parameters
    ----------
    rows : RowsInMemory
    trees : FlatTrees
        With values of float64.
    walks : TreeWalks
    block_rows : int64
        Rows that are walked at once.
    shares : ndarray of float64, shape (n, n_slots, d)
        Of every slot; those without a tree stay as they are.
    """
    n_rows, _, d = shares.shape
    most = walks.points.shape[1]
    block, added = np.empty((d, block_rows), np.float32), np.empty((d, block_rows))
    answers = np.empty((walks.largest, block_rows), np.uint8)
    ones, z_at = np.ones((walks.deepest + 1, block_rows)), np.ones(walks.deepest + 1)
    products = np.empty((walks.deepest + 1, most, block_rows))
    sums = np.zeros((walks.deepest + 1, most, block_rows))
    end_row = part_begin(part + 1, parts, n_rows)
    for first in range(part_begin(part, parts, n_rows), end_row, block_rows):
        n = min(block_rows, end_row - first)
        read_rows(rows, first, n, block)
        place = 0
        while place < len(walks.order):
            slot = walks.slots[walks.order[place]]
            added[:] = 0.0
            while place < len(walks.order) and walks.slots[walks.order[place]] == slot:
                t = walks.order[place]
                answer_questions(trees, t, block, n, answers)
                step_round(walks, trees, t, n, answers, ones, z_at, products, sums, added)
                place += 1
            for column in range(d):
                for r in range(n):
                    shares[first + r, slot, column] = added[column, r]
