from __future__ import annotations

import pytest

from tests.reference.tables import fitted, random_dataset
from workbench.explain.node_figures import node_figures


def test_figures_and_gain_follow_from_the_kept_sums():
    tree = fitted(random_dataset(), rounds=1, gamma=0.3, reg_lambda=2.0).trees[0]
    for node in range(tree.n_nodes):
        own, record = node_figures(tree, node), tree.nodes[node]
        assert own.weight == pytest.approx(record["weight"])
        assert own.score == pytest.approx(record["structure_score"])
        if tree.is_leaf[node]:
            continue
        left, right = (node_figures(tree, int(record[side])) for side in ("left", "right"))
        assert own.score - left.score - right.score - tree.gamma == pytest.approx(record["gain"], abs=1e-9)
        assert left.sum_gradient + right.sum_gradient == own.sum_gradient
        assert left.sum_hessian + right.sum_hessian == own.sum_hessian
        assert left.count + right.count == own.count
        assert left.share + right.share == pytest.approx(own.share)
