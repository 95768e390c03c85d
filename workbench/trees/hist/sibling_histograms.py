"""The histograms of two siblings, finished: what other parts counted is added, the larger's follows."""

from __future__ import annotations

from typing import NamedTuple

from workbench.kernels.kernel import kernel


class Siblings(NamedTuple):
    """A pair of nodes that are searched together.

    Attributes
    ----------
    pair : int
        Their place in the wave.
    smaller, larger : int
        The nodes; `larger` is −1 beside the root.
    is_derived : int
        1 where the slot of the larger one still holds their parent.
    """

    pair: int
    smaller: int
    larger: int
    is_derived: int


@kernel
def add_entries(histogram, other):
    """Add another histogram."""
    for entry in range(len(histogram)):
        histogram[entry] += other[entry]


@kernel
def take_entries(histogram, other):
    """Take away another histogram."""
    for entry in range(len(histogram)):
        histogram[entry] -= other[entry]


@kernel
def add_heads(histogram, node, begin, end, parts, histograms):
    """Add what other parts counted of a node's column."""
    for head in range(1, parts):
        if histograms.head_of_part[head] == node:
            add_entries(histogram, histograms.heads[head, begin:end])


@kernel
def finish_pair(siblings, begin, end, parts, histograms):
    """Finish one column of the histograms of two siblings; return their slots, twice the same for the root.

    Adds what other parts counted, and takes the smaller child's from the parent's, whose slot the larger
    child inherits.
    """
    smaller, larger, pool = siblings.smaller, siblings.larger, histograms.pool
    place = histograms.slots[smaller]
    other_place = histograms.slots[larger] if larger >= 0 else place
    histogram, other_histogram = pool[place, begin:end], pool[other_place, begin:end]
    add_heads(histogram, smaller, begin, end, parts, histograms)
    if larger >= 0:
        add_heads(other_histogram, larger, begin, end, parts, histograms)
    if siblings.is_derived:
        take_entries(other_histogram, histogram)
    return place, other_place
