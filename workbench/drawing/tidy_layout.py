r"""Places of a tree's nodes, compiled: the tidy drawing of Reingold and Tilford, and cells by rows.

Nodes stand breadth-first, so going backwards every child comes before its parent. A subtree's outline is a
chain of nodes, one a level: the right child of a split, or where a leaf ends it the thread to the next level:

             5          outline of the right side: 5, 8, 12 | 12 is a leaf; its thread leads to 15,
           /   \        which stands a level deeper in the left part of the same subtree
          7     8
         / \   / \
       10   . .   12 - - thread
       / \
      .   15
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel


@kernel
def mark_drawn(left, drawn):
    """Mark the root and everything below it; `left` is −1 where nothing is drawn below, `drawn` all False."""
    drawn[0] = True
    for i in range(len(left)):
        if drawn[i] and left[i] >= 0:
            drawn[left[i]] = drawn[left[i] + 1] = True


@kernel(allocates=True)
def tidy_places(left, is_split, leaf_gap, mixed_gap, split_gap, x):
    """Place nodes as near each other as their boxes let them, parents over the middle of their children.

    Reingold and Tilford, "Tidier Drawings of Trees" (1981), for full binary trees; O(n).

    Parameters
    ----------
    left : ndarray of int32, shape (n,)
        The "yes" child; the "no" child follows it. −1 where nothing is drawn below.
    is_split : ndarray of bool, shape (n,)
        Which boxes are those of splits, also where nothing is drawn below.
    leaf_gap, mixed_gap, split_gap : float
        Least distance of two leaves, of a leaf and a split, of two splits beside each other.
    x : ndarray of float64, shape (n,)
        Receives the places; 0 at the root. Nodes below one with `left` −1 have no meaning.
    """
    n = len(left)
    half = np.zeros(n)  # from a split to each of its children
    depth_left, depth_right = np.arange(n), np.arange(n)  # ends of the deepest level below
    left_x, right_x = np.zeros(n), np.zeros(n)  # where they stand beside the node
    next_left, next_right = np.full(n, -1), np.full(n, -1)  # threads
    step_left, step_right = np.zeros(n), np.zeros(n)
    for i in range(n - 1, -1, -1):
        a = left[i]
        if a < 0:
            continue
        b = a + 1
        inner, outer = a, b  # right outline of the left part, left outline of the right part
        x_inner = x_outer = apart = 0.0
        while inner >= 0 and outer >= 0:
            splits = int(is_split[inner]) + int(is_split[outer])
            gap = leaf_gap if splits == 0 else (mixed_gap if splits == 1 else split_gap)
            apart = max(apart, x_inner - x_outer + gap)
            if left[inner] >= 0:
                x_inner += half[inner]
                inner = left[inner] + 1
            else:
                x_inner += step_right[inner]
                inner = next_right[inner]
            if left[outer] >= 0:
                x_outer -= half[outer]
                outer = left[outer]
            else:
                x_outer += step_left[outer]
                outer = next_left[outer]
        side = apart / 2
        half[i] = side
        low_left, low_right = a, b
        if inner >= 0:  # the left part is deeper
            end = depth_right[b]
            next_right[end] = inner
            step_right[end] = (x_inner - side) - (side + right_x[b])
            low_right = a
        elif outer >= 0:
            end = depth_left[a]
            next_left[end] = outer
            step_left[end] = (x_outer + side) - (left_x[a] - side)
            low_left = b
        depth_left[i], depth_right[i] = depth_left[low_left], depth_right[low_right]
        left_x[i] = left_x[low_left] + (side if low_left == b else -side)
        right_x[i] = right_x[low_right] + (side if low_right == b else -side)
    x[0] = 0.0
    for i in range(n):
        a = left[i]
        if a >= 0:
            x[a] = x[i] - half[i]
            x[a + 1] = x[i] + half[i]


@kernel
def cell_places(left, rows, x, width):
    """Give every node a cell as wide as its share of its parent's rows; O(n).

    Kruskal and Landwehr, "Icicle Plots" (1983).

    Parameters
    ----------
    left : ndarray of int32, shape (n,)
        As in `tidy_places`.
    rows : ndarray of float64, shape (n,)
        Rows of each node, or another measure that is not negative.
    x, width : ndarray of float64, shape (n,)
        Receive the middles and the widths; `width[0]` is given. 0 is the middle of the root.
    """
    x[0] = 0.0
    for i in range(len(left)):
        a = left[i]
        if a < 0:
            continue
        both = rows[a] + rows[a + 1]
        share = rows[a] / both if both > 0.0 else 0.5
        begin = x[i] - width[i] / 2
        width[a], width[a + 1] = width[i] * share, width[i] * (1.0 - share)
        x[a] = begin + width[a] / 2
        x[a + 1] = begin + width[a] + width[a + 1] / 2
