"""Trees made by hand, so that no kernel is compiled to lay out, look at or explain one."""

from __future__ import annotations

import numpy as np

from workbench.trees.tree import NODE_DTYPE, Tree


def tree_of(questions, gradients, hessians, features, *, reg_lambda=1.0, learning_rate=0.1, gamma=0.0):
    """Return the tree of nested questions (feature, threshold or set of codes, yes, no); None is a leaf."""
    records, codes = [_record(np.arange(len(gradients)), -1, 0)], [()]
    waiting = [questions]
    for index, record in enumerate(records):
        _weigh(record, gradients, hessians, reg_lambda)
        if waiting[index] is None:
            record["leaf_value"] = learning_rate * record["weight"]
            continue
        feature, test, yes, no = waiting[index]
        values = features[record["rows"], feature]
        left = np.isin(values, list(test)) if isinstance(test, set) else values < test
        record |= {"feature": feature, "left": len(records), "right": len(records) + 1}
        record |= {"category": min(test)} if isinstance(test, set) else {"threshold": test}
        codes[index] = tuple(sorted(test)) if isinstance(test, set) else ()
        for rows, child in ((record["rows"][left], yes), (record["rows"][~left], no)):
            records.append(_record(rows, index, record["depth"] + 1))
            codes.append(())
            waiting.append(child)
    nodes = np.zeros(len(records), NODE_DTYPE)
    for name in NODE_DTYPE.names:
        nodes[name] = [record[name] for record in records]
    _add_gains(nodes, gamma)
    begin = np.cumsum([0, *map(len, codes)]).astype(np.int32)
    listed = np.array([code for some in codes for code in some], np.int32)
    return Tree(nodes, begin, listed, 0, learning_rate, reg_lambda, gamma)


def random_tree(rng, splits):
    """Return a tree of any shape with so many splits and random figures."""
    is_split, left, open_ = [], splits, 1  # nodes of this level and the next that nobody has asked yet
    while left:
        asks = open_ == 1 or rng.random() < 0.6
        is_split.append(asks)
        open_, left = open_ + (1 if asks else -1), left - asks
    return shaped_tree(rng, is_split + [False] * open_)


def chain_tree(splits):
    """Return a tree as deep as can be: every "no" is asked again."""
    return shaped_tree(np.random.default_rng(0), [True, *[False, True] * (splits - 1), False, False])


def full_tree(depth):
    """Return a tree all of whose leaves are at `depth`."""
    splits = 2**depth - 1
    return shaped_tree(np.random.default_rng(0), [True] * splits + [False] * (splits + 1))


def stairs_tree(rng, splits, depth):
    """Return a tree with so many splits that is so deep, wide at half its depth."""
    is_split, level, left = [True], 2, splits - 1
    for place in range(1, depth):
        asks = min(max(left // (depth - place), 1), level, left - (depth - place) + 1)
        flags = [True] * asks + [False] * (level - asks)
        rng.shuffle(flags)
        is_split, level, left = is_split + flags, 2 * asks, left - asks
    return shaped_tree(rng, is_split + [False] * level)


def shaped_tree(rng, is_split):
    """Return a tree of which nodes, breadth-first, are splits; random figures."""
    nodes = np.zeros(len(is_split), NODE_DTYPE)
    for name in ("feature", "left", "right", "parent", "category"):
        nodes[name] = -1
    nodes["threshold"] = np.nan
    splits = np.flatnonzero(is_split)
    nodes["feature"][splits], nodes["threshold"][splits] = 0, rng.normal(size=len(splits))
    nodes["left"][splits] = 1 + 2 * np.arange(len(splits))
    nodes["right"][splits] = 2 + 2 * np.arange(len(splits))
    nodes["parent"][1:] = np.repeat(splits, 2)
    depth = [0]
    for parent in nodes["parent"][1:].tolist():
        depth.append(depth[parent] + 1)
    nodes["depth"] = depth
    nodes["sum_gradient"] = rng.normal(0, 10, len(nodes))
    nodes["sum_hessian"] = rng.exponential(10, len(nodes))
    nodes["weight"], nodes["gain"] = rng.normal(0, 1, len(nodes)), rng.exponential(1, len(nodes))
    rows = (~np.asarray(is_split, bool)).astype(int).tolist()
    for node in range(len(nodes) - 1, 0, -1):
        rows[nodes["parent"][node]] += rows[node]
    nodes["count"] = rows
    return Tree(nodes, np.zeros(len(nodes) + 1, np.int32), np.empty(0, np.int32))


def _record(rows, parent, depth):
    return {"rows": rows, "parent": parent, "depth": depth, "feature": -1, "threshold": np.nan,
            "category": -1, "default_left": False, "forced": False, "left": -1, "right": -1,
            "leaf_value": 0.0, "gain": 0.0}


def _weigh(record, gradients, hessians, reg_lambda):
    g, h = gradients[record["rows"]].sum(), hessians[record["rows"]].sum()
    record |= {"count": len(record["rows"]), "sum_gradient": g, "sum_hessian": h}
    record |= {"weight": -g / (h + reg_lambda), "structure_score": -0.5 * g * g / (h + reg_lambda)}


def _add_gains(nodes, gamma):
    splits = np.flatnonzero(nodes["feature"] >= 0)
    scores = nodes["structure_score"]
    gains = scores[splits] - scores[nodes["left"][splits]] - scores[nodes["right"][splits]] - gamma
    nodes["gain"][splits] = gains
    hessians = nodes["sum_hessian"]
    nodes["default_left"][splits] = hessians[nodes["left"][splits]] >= hessians[nodes["right"][splits]]
