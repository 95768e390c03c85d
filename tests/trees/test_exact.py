"""Trees of exact search are checked against the slow twin on the rows themselves, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.naive_exact import best_exact_split
from tests.reference.naive_tree import rows_by_node
from workbench.trees.exact_grower import ExactGrower
from workbench.trees.grower import DrawnRows, GrowingParams
from workbench.trees.team import Team

GO = np.zeros(1, np.uint8)
NOBODY = np.empty(0, np.uint32)


def table(rng, n, kinds, missing):
    features = np.empty((n, len(kinds)), np.float32, order="F")
    for f, kind in enumerate(kinds):
        values = rng.normal(size=n)
        features[:, f] = rng.integers(0, 5, n) if kind == "category" else values.round(1 if f % 2 else 7)
    features[rng.random(features.shape) < missing] = np.nan
    return features


def is_category(kinds):
    return np.array([kind == "category" for kind in kinds])


def grow(features, kinds, g, h, params, threads=1, drawn=None, columns=None):
    n, d = features.shape
    mask = np.ones(n, bool) if drawn is None else drawn
    rows = DrawnRows(np.flatnonzero(mask).astype(np.uint32), np.flatnonzero(~mask).astype(np.uint32))
    grower = ExactGrower(features, np.arange(n), is_category(kinds), Team(threads))
    raw = np.zeros(n, np.float32)
    tree = grower.grow(g, h, rows, np.arange(d) if columns is None else columns, params, GO, raw)
    return tree, raw


def check_against_naive(tree, features, kinds, columns, g, h, params, drawn):
    """G, H and counts are sums over rows; splits are best splits; leaves could not be split."""
    codes = [np.unique(column[~np.isnan(column)]) for column in features.T]
    for node, mask in enumerate(rows_by_node(tree, features)):
        record = tree.nodes[node]
        own = mask & drawn
        assert record["count"] == own.sum()
        assert record["sum_gradient"] == pytest.approx(g[own].sum(), abs=1e-9 * (1 + abs(g).sum()))
        assert record["sum_hessian"] == pytest.approx(h[own].sum(), rel=1e-9, abs=1e-12)
        weight_sum = h[own].sum() + params.reg_lambda
        expected = -g[own].sum() / weight_sum if weight_sum > 0 else 0.0
        assert record["weight"] == pytest.approx(expected, rel=1e-6, abs=1e-9)
        best = best_exact_split(
            features[own], columns, is_category(kinds), codes, g[own], h[own], params.reg_lambda,
            params.gamma, params.min_child_weight,
        )
        slack = 1e-5 * (1 + abs(g).sum() ** 2 / (h.sum() + params.reg_lambda))
        if record["feature"] >= 0:
            assert record["feature"] in columns
            assert record["gain"] == pytest.approx(best.gain, abs=slack)
            assert record["gain"] >= 0
            left = int(record["left"])
            children = tree.nodes[left : left + 2]
            assert record["right"] == left + 1
            assert (children["parent"] == node).all()
            assert (children["depth"] == record["depth"] + 1).all()
            assert (children["sum_hessian"] >= params.min_child_weight).all()
            assert (children["count"] > 0).all()
            check_threshold(record, features[own])
        elif (params.max_depth == 0 or record["depth"] < params.max_depth) and best is not None:
            assert best.gain < slack


def check_threshold(record, features):
    """A threshold lies midway between two adjacent values of the node itself."""
    if record["category"] >= 0:
        assert np.isnan(record["threshold"])
        return
    values = features[:, record["feature"]]
    values = np.unique(values[~np.isnan(values)])
    k = np.searchsorted(values, record["threshold"])
    if k < len(values):
        assert record["threshold"] == np.float32((values[k - 1] + values[k]) * np.float32(0.5))
    else:
        assert np.isnan(features[:, record["feature"]]).any()
        assert not record["default_left"]


@settings(deadline=None, max_examples=100)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 60),
    kinds=st.lists(st.sampled_from(["number", "category"]), min_size=1, max_size=4),
    missing=st.sampled_from([0.0, 0.3, 0.9]),
    reg_lambda=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    gamma=st.sampled_from([0.0, 0.1, 2.0]),
    max_depth=st.integers(0, 6),
    min_child_weight=st.sampled_from([0.0, 0.3, 3.0]),
    weights=st.sampled_from(["equal", "various", "some 0"]),
    sampled=st.booleans(),
    threads=st.sampled_from([1, 2]),
)
def test_against_naive(
    seed, n, kinds, missing, reg_lambda, gamma, max_depth, min_child_weight, weights, sampled, threads
):
    rng = np.random.default_rng(seed)
    features = table(rng, n, kinds, missing)
    h = np.ones(n) if weights == "equal" else rng.random(n) + 0.01
    if weights == "some 0":
        h[rng.random(n) < 0.3] = 0.0
    g = rng.normal(size=n) * h
    drawn = rng.random(n) < 0.7 if sampled else np.ones(n, bool)
    drawn[0] = True
    columns = np.arange(len(kinds))
    if sampled:
        columns = columns[:: 2 if len(kinds) > 2 else 1].copy()
    params = GrowingParams(reg_lambda, gamma, 0.3, min_child_weight, max_depth)
    tree, raw = grow(features, kinds, g, h, params, threads, drawn, columns)
    check_against_naive(tree, features, kinds, columns, g, h, params, drawn)
    for node, mask in enumerate(rows_by_node(tree, features)):
        if tree.is_leaf[node]:
            assert (raw[mask] == np.float32(0.3 * tree.nodes["weight"][node])).all()
