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
    nodes = np.zeros(2 * splits + 1, NODE_DTYPE)
    nodes["feature"], nodes["left"], nodes["right"], nodes["parent"], nodes["category"] = -1, -1, -1, -1, -1
    nodes["threshold"] = np.nan
    made, index, left = 1, 0, splits
    while left:
        rest_of_level = made - index
        if rest_of_level == 1 or rng.random() < 0.6:
            nodes["feature"][index], nodes["threshold"][index] = 0, rng.normal()
            nodes["left"][index], nodes["right"][index] = made, made + 1
            nodes["parent"][made : made + 2] = index
            nodes["depth"][made : made + 2] = nodes["depth"][index] + 1
            made, left = made + 2, left - 1
        index += 1
    nodes["sum_gradient"] = rng.normal(0, 10, len(nodes))
    nodes["sum_hessian"] = rng.exponential(10, len(nodes))
    nodes["weight"], nodes["gain"] = rng.normal(0, 1, len(nodes)), rng.exponential(1, len(nodes))
    nodes["count"] = 1
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
