"""Pruning paths equal scikit-learn's, and so do the trees that are cut back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.trees.by_node.making import REAL, as_tree, grown, real_table, sklearn_tree, target_of
from workbench.ensembles.impurity.pruning import steps_of
from workbench.ensembles.prediction import leaf_indices
from workbench.trees.by_node.impurity import IMPURITIES
from workbench.trees.cost_complexity import cut_back, pruning_steps


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_path_of_their_tree_is_theirs(name, criterion):
    X, y, n_classes = real_table(name)
    fitted = sklearn_tree(X, y, n_classes, criterion)
    theirs = fitted.cost_complexity_pruning_path(X, y)
    steps = pruning_steps(*as_tree(fitted))
    last = [np.append(np.flatnonzero(np.diff(a) > 1e-9 * a[-1]), len(a) - 1) for a in
            (steps.alphas, theirs.ccp_alphas)]  # fmt: skip
    np.testing.assert_allclose(steps.alphas[last[0]], theirs.ccp_alphas[last[1]], rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(steps.impurities[last[0]], theirs.impurities[last[1]], rtol=1e-7, atol=1e-12)
    assert (np.diff(steps.leaves) < 0).all()
    assert steps.leaves[-1] == 1


@pytest.mark.parametrize("name", ["wine", "breast_cancer", "diabetes"])
def test_trees_that_are_cut_back_have_the_leaves_of_theirs(name):
    X, y, n_classes = real_table(name)
    result = grown(X, y, n_classes, min_leaf_rows=8)
    steps = steps_of(result, target_of(y, n_classes), np.ones(len(y)), "gini")
    for place in (1, len(steps.alphas) // 2, len(steps.alphas) - 1):
        alpha = steps.alphas[place] * (1 + 1e-9)
        theirs = sklearn_tree(X, y, n_classes, min_samples_leaf=8, ccp_alpha=alpha)
        trees, became = cut_back(result.trees, steps.cut_at(alpha))
        assert trees[0].n_leaves == theirs.get_n_leaves() == steps.leaves[place]
        leaves = leaf_indices(trees[:1], X)[:, 0]
        np.testing.assert_array_equal(leaves, became[result.leaves])
        total = np.bincount(leaves, minlength=len(trees[0].nodes))
        np.testing.assert_array_equal(total[trees[0].is_leaf], trees[0].nodes["count"][trees[0].is_leaf])


def test_impurities_of_misclassification_count_errors():
    X, y, n_classes = real_table("wine")
    result = grown(X, y, n_classes, criterion=IMPURITIES["misclassification"], min_leaf_rows=5)
    steps = steps_of(result, target_of(y, n_classes), np.ones(len(y)), "misclassification")
    assert steps.impurities[-1] == pytest.approx(1 - np.bincount(y).max() / len(y))
