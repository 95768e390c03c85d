"""The histograms of two siblings, finished: what other parts counted is added, the larger's follows."""

from __future__ import annotations

from workbench.kernels.kernel import kernel


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
def add_heads(histogram, node, begin, end, heads, head_of_part, parts):
    """Add what other parts counted of a node's column."""
    for head in range(1, parts):
        if head_of_part[head] == node:
            add_entries(histogram, heads[head, begin:end])


@kernel
def finish_pair(smaller, larger, is_derived, begin, end, slots, pool, heads, head_of_part, parts):
    """Finish one column of the histograms of two siblings; return their slots, twice the same for the root.

    Adds what other parts counted, and takes the smaller child's from the parent's, whose slot the larger
    child inherits.
    """
    place = slots[smaller]
    other_place = slots[larger] if larger >= 0 else place
    histogram, other_histogram = pool[place, begin:end], pool[other_place, begin:end]
    add_heads(histogram, smaller, begin, end, heads, head_of_part, parts)
    if larger >= 0:
        add_heads(other_histogram, larger, begin, end, heads, head_of_part, parts)
    if is_derived:
        take_entries(other_histogram, histogram)
    return place, other_place
