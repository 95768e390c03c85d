"""Slow walks and sums over a finished tree, one row at a time."""

from __future__ import annotations

import numpy as np


def answers_yes(tree, node, row):
    """Whether a row goes left, from the contract in `Tree` alone."""
    record = tree.nodes[node]
    x = row[record["feature"]]
    if np.isnan(x):
        return bool(record["default_left"])
    codes = tree.categories(node)
    if len(codes):
        return int(x) in codes.tolist()
    return bool(np.float32(x) < record["threshold"])


def leaf_of(tree, row):
    node = 0
    while tree.nodes["feature"][node] >= 0:
        left = int(tree.nodes["left"][node])
        node = left if answers_yes(tree, node, row) else left + 1
    return node


def rows_by_node(tree, features):
    """Return which rows pass each node, a list of masks."""
    masks = [np.zeros(len(features), bool) for _ in range(tree.n_nodes)]
    for i, row in enumerate(features):
        node = leaf_of(tree, row)
        while node >= 0:
            masks[node][i] = True
            node = int(tree.nodes["parent"][node])
    return masks


def raw_predictions(ensemble, features, counts=None):
    """Base, then leaves one by one in float32, each times what its tree counts."""
    raw = np.repeat(ensemble.base_margin[None], len(features), axis=0).astype(np.float32)
    counts = np.ones(len(ensemble.trees), np.float32) if counts is None else counts
    for tree, count in zip(ensemble.trees, counts, strict=True):
        for i, row in enumerate(features):
            raw[i, tree.class_index] += count * tree.nodes["leaf_value"][leaf_of(tree, row)]
    return raw[:, 0] if ensemble.n_classes == 1 else raw
