"""One tree: what its nodes hold, and that each split is the best by a plain search of all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.trees.by_node.making import after_split, grown
from workbench.ensembles.prediction import leaf_indices
from workbench.trees.by_node.impurity import IMPURITIES


def table(n, d, n_classes, seed=0, missing=0.0):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, d)).round(1).astype(np.float32)
    X[generator.random(X.shape) < missing] = np.nan
    known = np.nan_to_num(X)
    y = generator.integers(0, n_classes, n) if n_classes else known[:, 0] ** 2 + generator.normal(size=n)
    return X, y, generator.integers(1, 4, n).astype(float)


def naive_least(X, y, n_classes, criterion, weight, least):
    """Return the least impurity after any split of numbers, missing values on either side."""
    found = np.inf
    for column in X.T:
        missing = np.isnan(column)
        values = np.unique(column[~missing])
        for cut in [*(values[:-1] + values[1:]) / 2, np.inf]:
            for yes in (column < cut, (column < cut) | missing):
                if min(yes.sum(), (~yes).sum()) >= least:
                    found = min(found, after_split(y, n_classes, criterion, yes, weight))
    return found


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("n", [30, 150, 2500])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_root_splits_where_a_plain_search_does(criterion, n_classes, n, missing):
    if not n_classes and criterion != "gini":
        pytest.skip("numbers have one criterion")
    X, y, weight = table(n, 2, n_classes, n, missing)
    least = 3
    tree = grown(
        X, y, n_classes, weight, max_depth=1, min_leaf_rows=least, criterion=IMPURITIES[criterion]
    ).trees[0]
    leaves = leaf_indices((tree,), X)[:, 0]
    found = after_split(y, n_classes, criterion, leaves == 1, weight)
    best = naive_least(X, y, n_classes, criterion, weight, least)
    assert found == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("method", ["exact", "hist"])
def test_nodes_hold_the_sums_of_their_rows(n_classes, method):
    X, y, weight = table(400, 3, n_classes, 1, 0.1)
    weight[::7] = 0.0
    result = grown(X, y, n_classes, weight, method=method, min_leaf_rows=2)
    for k, tree in enumerate(result.trees):
        part = y if not n_classes else (y == (1 if n_classes == 2 else k)).astype(float)
        nodes = tree.nodes
        np.testing.assert_array_equal(result.leaves, leaf_indices((tree,), X)[:, 0])
        leaf = np.flatnonzero(tree.is_leaf)
        held = np.bincount(result.leaves, weight, len(nodes))[leaf]
        np.testing.assert_allclose(nodes["sum_hessian"][leaf], held)
        means = np.bincount(result.leaves, weight * part, len(nodes))[leaf] / held
        np.testing.assert_allclose(nodes["leaf_value"][leaf], means, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(nodes["weight"], -nodes["sum_gradient"] / nodes["sum_hessian"], atol=1e-12)
        split = np.flatnonzero(~tree.is_leaf)
        left = nodes["left"][split]
        assert (nodes["right"][split] == left + 1).all()
        assert (nodes["parent"][left] == split).all()
        for name in ("count", "sum_hessian", "sum_gradient"):
            both = nodes[name][left] + nodes[name][left + 1]
            np.testing.assert_allclose(nodes[name][split], both, atol=1e-9)
        assert (np.diff(nodes["depth"]) >= 0).all()
        by_class = [one.nodes["structure_score"] for one in result.trees]
        whole = sum(scores[split] - scores[left] - scores[left + 1] for scores in by_class)
        of_gini = {0: 1.0, 2: 4.0, 3: 2.0}[n_classes]  # of two classes one tree stands for both
        np.testing.assert_allclose(nodes["gain"][split], of_gini * whole, atol=1e-9)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_categories_are_parted_as_well_as_any_set_parts_them(n_classes):
    generator = np.random.default_rng(3)
    codes = generator.integers(0, 6, 300)
    X = codes[:, None].astype(np.float32)
    y = generator.integers(0, n_classes, 300) if n_classes else codes % 3 + generator.normal(size=300)
    tree = grown(X, y, n_classes, max_depth=1, n_categories=[7]).trees[0]
    yes = np.isin(codes, tree.categories(0))
    np.testing.assert_array_equal(leaf_indices((tree,), X)[:, 0] == 1, yes)
    sizes = range(1, 6) if n_classes <= 2 else (1,)
    sets = [np.isin(codes, chosen) for size in sizes for chosen in combinations(range(6), size)]
    best = min(after_split(y, n_classes, "gini", one) for one in sets)
    assert after_split(y, n_classes, "gini", yes) == pytest.approx(best)


def test_many_categories_and_missing_ones_grow_to_the_end():
    generator = np.random.default_rng(0)
    codes = generator.integers(0, 300, 2000).astype(np.float32)
    codes[::9] = np.nan
    X = np.column_stack([codes, generator.normal(size=2000)]).astype(np.float32)
    for n_classes in (0, 2, 3):
        y = generator.integers(0, n_classes, 2000) if n_classes else generator.normal(size=2000)
        result = grown(X, y, n_classes, n_categories=[300, 0])
        np.testing.assert_array_equal(result.leaves, leaf_indices(result.trees[:1], X)[:, 0])


def test_a_split_that_gains_nothing_is_made_where_the_node_is_impure():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32).repeat(5, axis=0)
    y = (X[:, 0] != X[:, 1]).astype(int)
    tree = grown(X, y, 2).trees[0]
    assert tree.n_leaves == 4
    assert tree.nodes["gain"][0] == 0.0


def test_two_splits_of_the_same_misclassification():
    """400 + 400 rows: (300, 100)/(100, 300), or (200, 400)/(200, 0), which is purer."""
    X = np.zeros((800, 2), np.float32)
    y = np.repeat([0, 1], 400)
    X[100:400, 0] = X[700:, 0] = 1.0  # 300 of class 0 and 100 of class 1
    X[:200, 1] = 1.0  # 200 of class 0 alone
    for criterion, column in (("gini", 1), ("entropy", 1), ("misclassification", 0)):
        tree = grown(X, y, 2, max_depth=1, criterion=IMPURITIES[criterion]).trees[0]
        assert tree.nodes["feature"][0] == column
    assert after_split(y, 2, "misclassification", X[:, 0] > 0) == pytest.approx(200)
    assert after_split(y, 2, "misclassification", X[:, 1] > 0) == pytest.approx(200)


def test_leaves_that_vote_hold_one_for_the_likeliest_class():
    X, y, weight = table(200, 3, 3)
    trees = grown(X, y, 3, weight, min_leaf_rows=10, votes=True).trees
    leaf = trees[0].is_leaf
    votes = np.array([tree.nodes["leaf_value"][leaf] for tree in trees])
    shares = np.array([-tree.nodes["sum_gradient"][leaf] for tree in trees])
    np.testing.assert_array_equal(votes.argmax(axis=0), shares.argmax(axis=0))
    np.testing.assert_array_equal(np.sort(votes, axis=0), [[0.0] * leaf.sum()] * 2 + [[1.0] * leaf.sum()])


@pytest.mark.parametrize("method", ["exact", "hist"])
def test_cuts_drawn_at_random_lie_within_the_node(method):
    X, y, _ = table(500, 4, 2)
    first, second = (
        grown(X, y, 2, method=method, draws_cuts=True, n_drawn=2, number=number) for number in (1, 2)
    )
    assert not np.array_equal(first.leaves, second.leaves)
    for result in (first, second):
        np.testing.assert_array_equal(result.leaves, leaf_indices(result.trees[:1], X)[:, 0])
        assert (result.trees[0].nodes["count"] > 0).all()


def test_columns_are_drawn_anew_for_every_node():
    X, y, _ = table(1000, 6, 0)
    X[:, 3] = 1.0  # never drawn in vain
    roots = [grown(X, y, 0, n_drawn=1, number=k, max_depth=1).trees[0].nodes["feature"][0] for k in range(60)]
    counts = np.bincount(roots, minlength=6)
    assert counts[3] == 0
    assert (counts[[0, 1, 2, 4, 5]] > 3).all()
