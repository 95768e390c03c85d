"""Trees equal scikit-learn's, node for node up to counted ties, on six real tables."""

from __future__ import annotations

import numpy as np
import pytest

from tests.trees.by_node.making import REAL, after_split, coded, grown, real_table, sklearn_tree, target_of
from workbench.trees.by_node.grower import NodeGrowing, grow
from workbench.trees.by_node.impurity import IMPURITIES

# Of scikit-learn's splits so many tie with ours; in nodes of two rows, say, any column parts them.
MOST_TIES = {"iris": 4, "wine": 6, "breast_cancer": 12, "digits": 120, "diabetes": 260, "concrete": 400}


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_split_of_theirs_is_ours_or_ties_with_it(name, criterion):
    X, y, n_classes = real_table(name)
    theirs = sklearn_tree(X, y, n_classes, criterion).tree_
    columns, target = coded(X), target_of(y, n_classes)
    shape = NodeGrowing(IMPURITIES[criterion], max_depth=1)
    todo, ties = [(0, np.arange(len(y)))], 0
    while todo:
        node, rows = todo.pop()
        weight = np.zeros(len(y))
        weight[rows] = 1.0
        own = grow(columns, target, weight, shape, np.arange(X.shape[1])).trees[0].nodes
        assert own["count"][0] == len(rows)
        if theirs.children_left[node] < 0:
            assert len(own) == 1, "they have a leaf where we split"
            continue
        if len(own) == 1:  # numbers that differ by rounding
            assert not n_classes
            assert np.ptp(y[rows]) < 1e-9
            continue
        left = X[rows, theirs.feature[node]] <= theirs.threshold[node]
        ours = X[rows, own["feature"][0]] < own["threshold"][0]
        same = own["feature"][0] == theirs.feature[node] and np.isclose(
            own["threshold"][0], theirs.threshold[node]
        )
        if not same:
            ties += 1
            best, found = (after_split(y[rows], n_classes, criterion, yes) for yes in (left, ours))
            assert found == pytest.approx(best, rel=1e-9, abs=1e-9)
        todo += [(theirs.children_left[node], rows[left]), (theirs.children_right[node], rows[~left])]
    assert ties <= MOST_TIES[name]


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_without_ties_whole_trees_are_the_same(n_classes):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(800, 6)).astype(np.float32)
    signal = X[:, 0] * X[:, 1] + X[:, 2] + generator.normal(size=800)
    y = signal if not n_classes else (signal * 3).astype(int) % n_classes
    weight = generator.random(800) + 0.5
    tree = grown(X, y, n_classes, weight, min_leaf_rows=25).trees[0]
    fitted = sklearn_tree(X, y, n_classes, min_samples_leaf=25, sample_weight=weight)
    theirs, inner = fitted.tree_, tree.nodes[~tree.is_leaf]
    split = theirs.children_left >= 0
    assert split.sum() == len(inner) > 10
    for own, other in (("feature", "feature"), ("threshold", "threshold"), ("count", "n_node_samples")):
        np.testing.assert_allclose(np.sort(inner[own]), np.sort(getattr(theirs, other)[split]), rtol=1e-5)
