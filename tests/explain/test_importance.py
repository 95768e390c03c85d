from __future__ import annotations

import numpy as np
import pytest

from tests.reference.tables import fitted, random_dataset
from workbench.explain.importance import feature_importance
from workbench.explain.node_report import node_report


def test_importance_adds_up():
    ensemble = fitted(random_dataset("multiclass"), rounds=4)
    splits = [(t, n) for t in ensemble.trees for n in np.flatnonzero(~t.is_leaf)]
    expected = {
        "gain": lambda t, n: t.nodes["gain"][n],
        "cover": lambda t, n: t.nodes["sum_hessian"][n],
        "count": lambda t, n: 1,
    }
    for by, amount in expected.items():
        importance = feature_importance(ensemble, by)
        for f in range(6):
            total = sum(amount(t, n) for t, n in splits if t.nodes["feature"][n] == f)
            assert importance[f] == pytest.approx(total)
    assert feature_importance(ensemble).argmax() in (0, 1, 5)


def test_no_trees():
    ensemble = fitted(random_dataset(), rounds=1).first_rounds(0)
    assert feature_importance(ensemble).tolist() == [0.0] * 6


def test_gain_follows_from_the_kept_sums():
    tree = fitted(random_dataset(), rounds=1, gamma=0.3, reg_lambda=2.0).trees[0]
    for node in range(tree.n_nodes):
        report = node_report(tree, node)
        record = tree.nodes[node]
        assert report.own.weight == pytest.approx(record["weight"])
        assert report.own.structure_score == pytest.approx(record["structure_score"])
        assert report.gain == pytest.approx(record["gain"], abs=1e-9)
        assert len(report.children) == (0 if tree.is_leaf[node] else 2)
        if report.children:
            left, right = report.children
            assert left.sum_gradient + right.sum_gradient == report.own.sum_gradient
            assert left.sum_hessian + right.sum_hessian == report.own.sum_hessian
            assert left.count + right.count == report.own.count
