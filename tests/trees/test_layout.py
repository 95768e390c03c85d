from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import random_tree
from workbench.trees.layout import lay_out


@st.composite
def trees(draw):
    return random_tree(np.random.default_rng(draw(st.integers(0, 10**6))), draw(st.integers(0, 60)))


@given(trees())
def test_leaves_stand_one_apart_and_no_two_nodes_of_a_level_nearer(tree):
    layout = lay_out(tree)

    leaves = np.sort(layout.x[tree.is_leaf])
    assert np.diff(leaves) == pytest.approx(1.0)
    for depth in range(tree.depth + 1):
        level = np.flatnonzero(tree.nodes["depth"] == depth)
        gaps = np.diff(layout.x[level])
        split = ~tree.is_leaf[level]
        assert (gaps >= 1 + 0.5 * split[1:] + 0.5 * split[:-1] - 1e-9).all()


@given(trees())
def test_parents_stand_over_the_middle_of_their_children_and_the_root_at_0(tree):
    layout = lay_out(tree)

    splits = np.flatnonzero(~tree.is_leaf)
    left, right = tree.nodes["left"][splits], tree.nodes["right"][splits]
    assert layout.x[splits] == pytest.approx((layout.x[left] + layout.x[right]) / 2)
    assert (layout.x[left] < layout.x[right]).all()
    assert layout.x[0] == 0
    assert (layout.y == tree.nodes["depth"]).all()
    assert layout.leaves[0] == tree.n_leaves


def test_a_chain_is_no_wider_than_its_leaves():
    tree = random_tree(np.random.default_rng(0), 200)

    layout = lay_out(tree)

    assert layout.right - layout.left == pytest.approx(tree.n_leaves - 1)
