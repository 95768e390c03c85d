"""The slow, obvious twin of DART: what a round should have been, from the rounds before it alone."""

from __future__ import annotations

import numpy as np

from tests.formats.making import leaves


def counts_after(dropouts, rounds):
    """What each round counts after all these dropouts."""
    counts = [np.float32(1)] * rounds
    for dropout in dropouts:
        for number in dropout.dropped.tolist():
            counts[number - 1] = counts[number - 1] * dropout.factor
    return counts


def added_up(base, trees, counts, features, left_out=(), offset=None):
    """Base and offset, then the leaves of each round as it counts, one by one in float32; shape (K, n)."""
    raw = np.repeat(np.asarray(base, np.float32)[:, None], len(features), axis=1)
    if offset is not None:
        raw += offset
    for number, (of_round, count) in enumerate(zip(trees, counts, strict=True), 1):
        for tree in () if number in left_out else of_round:
            raw[tree.class_index] += tree.nodes["leaf_value"][leaves(tree, features)] * count
    return raw


def new_and_dropped(k, eta, normalize_type):
    """What new trees and k dropped rounds count, from the rule of the paper.

    The new trees shrunk by η and the dropped ones together must be as much as the dropped ones were before,
    if the new ones point where those did: k parts against η (tree), or the whole against η (forest).
    """
    whole = 1.0 if normalize_type == "forest" else float(k)
    dropped = whole / (whole + eta)
    return dropped / whole, dropped
