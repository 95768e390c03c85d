"""The pruning path of a single tree, with the error of rows held out."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from tests.trees.by_node.making import real_table
from workbench.errors import Cancelled
from workbench.explain.pruning_path import pruning_path
from workbench.given import make_dataset


@pytest.fixture(params=["wine", "breast_cancer", "diabetes"])
def table(request):
    return real_table(request.param)


def path_of(table, **values):
    params = workbench.TrainingParams(method="cart", min_leaf_rows=5)
    data = make_dataset(table[0], table[1], None, None, None, 0.0, params, (), None)
    return params, pruning_path(data, params, **values)


def test_every_alpha_of_the_path_gives_the_tree_it_tells(table):
    params, path = path_of(table, folds=0)
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.leaves) < 0).all()
    assert path.leaves[-1] == 1
    for place in (0, len(path.alphas) // 2, len(path.alphas) - 2):
        chosen = params.change(ccp_alpha=float(path.alphas[place] * (1 + 1e-9)))
        model = workbench.fit(table[0], table[1], params=chosen)
        assert model.trees[0].n_leaves == path.leaves[place]


def test_a_tree_that_is_cut_to_its_root_says_so():
    table = real_table("wine")
    with pytest.warns(workbench.WorkbenchWarning, match="Lower ccp_alpha"):
        model = workbench.fit(table[0], table[1], method="cart", ccp_alpha=0.9)
    assert model.trees[0].n_leaves == 1


def test_the_chosen_trees_are_the_best_and_the_smallest_as_good(table):
    _, path = path_of(table, folds=5)
    assert path.error[path.best] == np.nanmin(path.error)
    limit = path.error[path.best] + path.deviation[path.best]
    assert path.error[path.one_deviation] <= limit
    assert not (path.error[path.one_deviation + 1 :] <= limit).any()
    assert path.leaves[path.one_deviation] <= path.leaves[path.best]


def test_the_folds_follow_from_the_seed():
    one, other = (path_of(real_table("wine"), folds=5)[1] for _ in range(2))
    np.testing.assert_array_equal(one.error, other.error)


def test_the_root_alone_has_the_error_of_the_most_frequent_class():
    table = real_table("wine")
    _, path = path_of(table, folds=10)
    assert path.error[-1] == pytest.approx(1 - np.bincount(table[1]).max() / len(table[1]), abs=0.01)


def test_it_can_be_cancelled():
    with pytest.raises(Cancelled):
        path_of(real_table("wine"), cancelled=lambda: True)
