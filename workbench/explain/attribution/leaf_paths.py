"""The columns of the path to a leaf, each with the last of its questions, for what goes leaf by leaf."""

from __future__ import annotations

from workbench.ensembles.flat_trees import COLUMN, LEFT
from workbench.kernels.kernel import kernel


@kernel
def pass_edge(trees, walks, root, node, n, answers, passes):
    """Write which of n rows pass all questions of a column down to the edge of a node.

    Parameters
    ----------
    root : int64
        Of the node's tree.
    answers : ndarray of uint8, shape (nodes, B)
    passes : ndarray of uint8, shape (deepest + 1, B)
        By the depth of edges; the first row is 1.
    """
    parent, depth = walks.parents[node], walks.depths[node]
    before = passes[walks.above[node]]
    answer = answers[parent - root]
    if trees.questions[parent, LEFT] == node:
        for r in range(n):
            passes[depth, r] = before[r] & answer[r]
    else:
        for r in range(n):
            passes[depth, r] = before[r] & (1 - answer[r])


@kernel
def path_columns(trees, walks, leaf, at_depth, columns, nodes):
    """Write the distinct columns of the path to a leaf and the last edge of each, and return how many.

    Parameters
    ----------
    at_depth : ndarray of int64, shape (deepest + 1,)
        Scratch: whether the edge of a depth is followed by one of the same column.
    columns, nodes : ndarray of int64, shape (deepest,)
    """
    depth = walks.depths[leaf]
    for place in range(depth + 1):
        at_depth[place] = 0
    node, m = leaf, 0
    for place in range(depth, 0, -1):
        above = walks.above[node]
        if above > 0:
            at_depth[above] = 1
        if at_depth[place] == 0:
            columns[m] = trees.questions[walks.parents[node], COLUMN]
            nodes[m] = node
            m += 1
        node = walks.parents[node]
    return m
