"""The lists of nodes that the parts of a team share while a tree grows, and the counts of how long they are.

WAITING   nodes whose best split is known: a stack, or a heap where the order of splitting matters
WAVE      nodes that are parted next, and where their rows begin
COUNTED   children whose rows are counted next
FREE      histograms that no node has; HOLDER, the waiting node whose histogram a slot holds
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.grown_nodes import BEGIN, DEPTH, END, LEFT, NOTHING, new_node
from workbench.trees.heap import is_ahead, pop, push

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What the parts of a team share beside arrays: entries of `progress`.
N_NODES, N_LEAVES, N_WAITING, N_FREE, N_WAVE, N_COUNTED, N_OWNERS, N_KEPT, IS_STOPPED = range(9)
N_ENTRIES = 9

# Lists of nodes, slots and rows: lines of one array.
WAITING, FREE, WAVE, WAVE_BEGIN, WAVE_OFFSET = range(5)
SMALLER, LARGER, IS_DERIVED, COUNTED, COUNTED_BEGIN, COUNTED_OFFSET = range(5, 11)
HOLDER = 11
N_LISTS = 12


class ListedNodes(NamedTuple):
    """Some nodes, and where their rows stand in the list of rows.

    Attributes
    ----------
    nodes, begins : ndarray of int64, shape (>= n_nodes,)
        Their numbers, and where each one's rows begin.
    offsets : ndarray of int64, shape (> n_nodes,)
        Rows of the nodes before each; the last is the number of all.
    n_nodes : int
    """

    nodes: NDArray[np.int64]
    begins: NDArray[np.int64]
    offsets: NDArray[np.int64]
    n_nodes: int


@kernel
def new_pair(nodes, slots, progress, node, begin, middle, end):
    """Write the two children of a node, which get the next numbers; return the left one."""
    left = progress[N_NODES]
    nodes[node, LEFT] = left
    new_node(nodes, left, node, begin, middle, nodes[node, DEPTH] + 1)
    new_node(nodes, left + 1, node, middle, end, nodes[node, DEPTH] + 1)
    slots[left] = slots[left + 1] = NOTHING
    progress[N_NODES] += 2
    return left


@kernel
def take_slot(lists, progress):
    """Take a free histogram."""
    progress[N_FREE] -= 1
    return lists[FREE, progress[N_FREE]]


@kernel
def free_slot(lists, progress, slots, node):
    """Give back the histogram of a node, if it has one."""
    if slots[node] >= 0:
        lists[FREE, progress[N_FREE]] = slots[node]
        lists[HOLDER, slots[node]] = NOTHING
        progress[N_FREE] += 1
        slots[node] = NOTHING


@kernel
def add_counted(lists, progress, nodes, node):
    """Put a node on the list of those whose rows are counted next."""
    k = progress[N_COUNTED]
    lists[COUNTED, k] = node
    lists[COUNTED_BEGIN, k] = nodes[node, BEGIN]
    lists[COUNTED_OFFSET, k + 1] = lists[COUNTED_OFFSET, k] + nodes[node, END] - nodes[node, BEGIN]
    progress[N_COUNTED] = k + 1


@kernel
def begin_with_root(lists, progress, nodes, slots, n_slots, n_rows):
    """Begin with the root alone: the one node to count, without a sibling."""
    progress[:] = 0
    for slot in range(n_slots):
        lists[FREE, slot] = n_slots - 1 - slot
        lists[HOLDER, slot] = NOTHING
    progress[N_FREE] = n_slots
    zero = np.int64(0)
    new_node(nodes, zero, np.int64(NOTHING), zero, n_rows, zero)
    progress[N_NODES] = progress[N_LEAVES] = progress[N_WAVE] = 1
    slots[0] = take_slot(lists, progress)
    lists[SMALLER, 0] = 0
    lists[LARGER, 0] = NOTHING
    lists[IS_DERIVED, 0] = 0
    lists[COUNTED_OFFSET, 0] = 0
    add_counted(lists, progress, nodes, zero)


@kernel
def add_waiting(lists, progress, slots, node, gains, by_gain, is_ordered):
    """Let a node wait: on a heap where the order of splitting matters, otherwise on a stack."""
    n_waiting = progress[N_WAITING]
    if slots[node] >= 0:
        lists[HOLDER, slots[node]] = node
    if is_ordered:
        push(lists[WAITING], n_waiting, node, gains, by_gain)
    else:
        lists[WAITING, n_waiting] = node
    progress[N_WAITING] += 1


@kernel
def take_waiting(lists, progress, slots, gains, by_gain, is_ordered):
    """Take the node that is split next off the waiting ones."""
    n_waiting = progress[N_WAITING]
    taken = pop(lists[WAITING], n_waiting, gains, by_gain) if is_ordered else lists[WAITING, n_waiting - 1]
    if slots[taken] >= 0:
        lists[HOLDER, slots[taken]] = NOTHING
    progress[N_WAITING] -= 1
    return taken


@kernel
def forget_one(lists, progress, slots, gains, n_slots, by_gain, is_limited):
    """Free the histogram of the waiting node that is split last; its children are both counted then."""
    victim = np.int64(NOTHING)
    for slot in range(n_slots):
        node = lists[HOLDER, slot]
        if node == NOTHING:
            continue
        is_later = victim == NOTHING
        if not is_later:
            is_later = is_ahead(victim, node, gains, by_gain) if by_gain or is_limited else node < victim
        victim = node if is_later else victim
    free_slot(lists, progress, slots, victim)
