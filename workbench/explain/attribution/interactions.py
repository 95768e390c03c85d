"""How much two columns are worth together beyond what each is: SHAP interaction values, leaf by leaf.

At a leaf of value v it is ½·v·(o_i − z_i)(o_j − z_j) ∫ ∏_{k≠i,j} (t·o_k + (1 − t)·z_k) dt, half for each
order of the two (Lundberg et al. 2018); the letters are those of `walks`.
"""

from __future__ import annotations

import numpy as np

from workbench.ensembles.flat_trees import COLUMN
from workbench.explain.attribution.leaf_paths import pass_edge, path_columns
from workbench.explain.attribution.walks import answer_questions, read_rows
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin


@kernel
def ratios(q, points, weights, n, m, value, nodes, walks, passes, product, ratio):
    """Write at each point the whole product of a leaf, weighed by its value, and of each column the ratio
    (o − z)/(t·o + (1 − t)·z) by which it is one without the column.

    Parameters
    ----------
    product : ndarray of float64, shape (q, B)
    ratio : ndarray of float64, shape (m, q, B)
    """  # noqa: D205
    for k in range(q):
        x = points[k]
        for r in range(n):
            product[k, r] = 0.5 * weights[k] * value
        for e in range(m):
            z, one = walks.shares[nodes[e]], passes[walks.depths[nodes[e]]]
            share, less = (1.0 - x) * z, -1.0 / (1.0 - x)
            more = (1.0 - z) / (x + share)
            for r in range(n):
                product[k, r] *= x + share if one[r] else share
                ratio[e, k, r] = more if one[r] else less


@kernel(allocates=True)
def add_interactions(part, parts, rows, trees, walks, block_rows, pairs):
    """Add the interaction of every two columns to one part of the rows.

    Parameters
    ----------
    rows, trees, walks, block_rows
        As in `add_shap`.
    pairs : ndarray of float64, shape (n, n_slots, d + 1, d + 1)
        What has an equal column twice is left alone.
    """
    n_rows, d = len(pairs), pairs.shape[2] - 1
    most, deepest = walks.points.shape[1], walks.deepest
    block, answers = np.empty((d, block_rows), np.float32), np.empty((walks.largest, block_rows), np.uint8)
    passes = np.ones((deepest + 1, block_rows), np.uint8)
    at_depth = np.empty(deepest + 1, np.int64)
    columns, nodes = np.empty(deepest + 1, np.int64), np.empty(deepest + 1, np.int64)
    product, ratio = np.empty((most, block_rows)), np.empty((deepest + 1, most, block_rows))
    worth = np.empty(block_rows)
    end_row = part_begin(part + 1, parts, n_rows)
    for first in range(part_begin(part, parts, n_rows), end_row, block_rows):
        n = min(block_rows, end_row - first)
        read_rows(rows, first, n, block)
        for t in range(len(walks.order)):
            root, q, slot = trees.roots[t], walks.n_points[t], walks.slots[t]
            answer_questions(trees, t, block, n, answers)
            for s in range(walks.begins[t], walks.begins[t + 1]):
                node = walks.steps[s] >> 1
                if walks.steps[s] & 1:
                    continue
                pass_edge(trees, walks, root, node, n, answers, passes)
                if trees.questions[node, COLUMN] >= 0:
                    continue
                m = path_columns(trees, walks, node, at_depth, columns, nodes)
                ratios(q, walks.points[q], walks.weights[q], n, m, trees.values[node], nodes, walks, passes,
                       product, ratio)
                for i in range(m):
                    for j in range(i):
                        for r in range(n):
                            worth[r] = 0.0
                        for k in range(q):
                            for r in range(n):
                                worth[r] += product[k, r] * ratio[i, k, r] * ratio[j, k, r]
                        one, other = columns[i], columns[j]
                        for r in range(n):
                            pairs[first + r, slot, one, other] += worth[r]
                            pairs[first + r, slot, other, one] += worth[r]


@kernel(allocates=True)
def add_partners(part, parts, rows, trees, walks, block_rows, column, found):
    """Add the interactions of one column with each other one to one part of the rows.

    Parameters
    ----------
    rows, trees, walks, block_rows
        As in `add_shap`; all trees add up.
    column : int64
    found : ndarray of float64, shape (n, d)
    """
    n_rows, d = found.shape
    most, deepest = walks.points.shape[1], walks.deepest
    block, answers = np.empty((d, block_rows), np.float32), np.empty((walks.largest, block_rows), np.uint8)
    passes = np.ones((deepest + 1, block_rows), np.uint8)
    at_depth = np.empty(deepest + 1, np.int64)
    columns, nodes = np.empty(deepest + 1, np.int64), np.empty(deepest + 1, np.int64)
    product, ratio = np.empty((most, block_rows)), np.empty((deepest + 1, most, block_rows))
    end_row = part_begin(part + 1, parts, n_rows)
    for first in range(part_begin(part, parts, n_rows), end_row, block_rows):
        n = min(block_rows, end_row - first)
        read_rows(rows, first, n, block)
        for t in range(len(walks.order)):
            root, q = trees.roots[t], walks.n_points[t]
            answer_questions(trees, t, block, n, answers)
            for s in range(walks.begins[t], walks.begins[t + 1]):
                node = walks.steps[s] >> 1
                if walks.steps[s] & 1:
                    continue
                pass_edge(trees, walks, root, node, n, answers, passes)
                if trees.questions[node, COLUMN] >= 0:
                    continue
                m = path_columns(trees, walks, node, at_depth, columns, nodes)
                own = -1
                for e in range(m):
                    if columns[e] == column:
                        own = e
                if own < 0:
                    continue
                ratios(q, walks.points[q], walks.weights[q], n, m, trees.values[node], nodes, walks, passes,
                       product, ratio)
                for e in range(m):
                    if e == own:
                        continue
                    for k in range(q):
                        for r in range(n):
                            found[first + r, columns[e]] += product[k, r] * ratio[own, k, r] * ratio[e, k, r]
