"""The nodes of a tree grown by exact search: what `grown_nodes` has, and where a split lies in its column.

The rows of a split node stand sorted in the list of the column that it asks about:

    BEGIN ……… | CUT_BEGIN ……… | CUT_END ……… | PRESENT_END ……… END
      no       |  yes           |  no          |  missing: as MISSING_LEFT says

A cut between numbers begins with the node itself; a category's rows stand anywhere among the present ones.
The codes of categories that answer "yes" stand from SET_BEGIN to SET_END in a list; see `sets`.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.sorting import row_of
from workbench.trees import grown_nodes
from workbench.trees.grown_nodes import BEGIN, COLUMN, END, LEFT, MISSING_LEFT

CUT_BEGIN, CUT_END, PRESENT_END, SET_BEGIN, SET_END = range(grown_nodes.N_FIELDS, grown_nodes.N_FIELDS + 5)
N_FIELDS = grown_nodes.N_FIELDS + 5

# What the parts of a team share beside arrays: entries of `progress`.
N_NODES, N_LEAVES, N_WAITING, N_WAVE, N_KEPT, N_CODES, IS_STOPPED = range(7)
N_ENTRIES = 7

# Lists of nodes and rows: lines of one array.
WAITING, WAVE, WAVE_OFFSET = range(3)
N_LISTS = 3


@kernel
def left_count(nodes, node):
    """Return how many rows a split sends left."""
    missing = nodes[node, END] - nodes[node, PRESENT_END] if nodes[node, MISSING_LEFT] == 1 else 0
    return nodes[node, CUT_END] - nodes[node, CUT_BEGIN] + missing


@kernel
def owns_rows(nodes, node):
    """Whether rows are listed under a node: it is a leaf, or a split whose rows were not parted."""
    left = nodes[node, LEFT]
    return nodes[node, END] > nodes[node, BEGIN] and (left < 0 or nodes[left, END] == 0)


@kernel
def fill_rows(entries, begin, end, value, by_row):
    """Write a value to the rows of one stretch of a list."""
    for i in range(begin, end):
        by_row[np.uint64(row_of(entries[i]))] = value


@kernel
def fill_sides(entries, nodes, node, yes, no, by_row):
    """Write to each row of a split node one value where it goes left, and another where right.

    Parameters
    ----------
    entries : ndarray of uint64, shape (d, >= m)
        The sorted columns, in which the node's rows have not been parted.
    """
    column = entries[nodes[node, COLUMN]]
    fill_rows(column, nodes[node, BEGIN], nodes[node, CUT_BEGIN], no, by_row)
    fill_rows(column, nodes[node, CUT_BEGIN], nodes[node, CUT_END], yes, by_row)
    fill_rows(column, nodes[node, CUT_END], nodes[node, PRESENT_END], no, by_row)
    missing = yes if nodes[node, MISSING_LEFT] == 1 else no
    fill_rows(column, nodes[node, PRESENT_END], nodes[node, END], missing, by_row)
