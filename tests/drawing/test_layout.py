from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import chain_tree, random_tree
from tests.reference.naive_layout import naive_places
from workbench.drawing import layout as layout_module
from workbench.drawing.layout import EVEN, Gaps, lay_out

GAPS = (Gaps(), EVEN, Gaps(1.0, 1.1, 1.3))


@st.composite
def trees(draw):
    return random_tree(np.random.default_rng(draw(st.integers(0, 10**6))), draw(st.integers(0, 60)))


@st.composite
def foldings(draw):
    """A tree, some of its nodes to be folded, and a depth limit."""
    tree = draw(trees())
    splits = np.flatnonzero(~tree.is_leaf).tolist()
    folded = draw(st.sets(st.sampled_from(splits))) if splits else set()
    return tree, folded, draw(st.integers(0, 12))


@given(foldings(), st.sampled_from(GAPS))
def test_places_are_those_of_the_definition(folding, gaps):
    tree, folded, depth = folding

    layout = lay_out(tree, folded=folded, depth=depth, gaps=gaps)

    left = np.where(tree.nodes["depth"] >= depth, -1, tree.nodes["left"])
    left[list(folded)] = -1
    naive = naive_places(left, ~tree.is_leaf, gaps.__getitem__)
    assert layout.x[layout.shown] == pytest.approx(naive[layout.shown])


@given(trees(), st.sampled_from(GAPS))
def test_no_two_nodes_of_a_level_are_nearer_than_their_boxes_let_them(tree, gaps):
    layout = lay_out(tree, gaps=gaps)

    for depth in range(tree.depth + 1):
        level = layout.level(depth)
        assert (tree.nodes["depth"][level] == depth).all()
        splits = (~tree.is_leaf[level]).astype(int)
        least = np.array(gaps)[splits[1:] + splits[:-1]]
        distances = np.diff(layout.x[level])
        assert (distances >= least - 1e-9).all()
        assert (layout.room[level[1:]] <= distances + 1e-9).all()


@given(trees())
def test_parents_stand_over_the_middle_of_their_children_and_the_root_at_0(tree):
    layout = lay_out(tree)

    splits = np.flatnonzero(~tree.is_leaf)
    left, right = tree.nodes["left"][splits], tree.nodes["right"][splits]
    assert layout.x[splits] == pytest.approx((layout.x[left] + layout.x[right]) / 2)
    assert (layout.x[left] < layout.x[right]).all()
    assert layout.x[0] == 0
    assert (layout.y == tree.nodes["depth"]).all()
    assert len(layout.shown) == tree.n_nodes


@given(foldings())
def test_below_a_folded_split_nothing_is_shown(folding):
    tree, folded, depth = folding

    layout = lay_out(tree, folded=folded, depth=depth)

    parent, shown = tree.nodes["parent"], set(layout.shown.tolist())
    for node in range(1, tree.n_nodes):
        upper = int(parent[node])
        hidden = upper not in shown or upper in folded or tree.nodes["depth"][node] > depth
        assert (node not in shown) == hidden
    assert set(np.flatnonzero(layout.folded).tolist()) == {
        node for node in shown if not tree.is_leaf[node] and tree.nodes["left"][node] not in shown}


@given(trees())
def test_cells_share_the_width_of_their_parent_by_rows(tree):
    rng = np.random.default_rng(tree.n_nodes)
    nodes = tree.nodes
    nodes["count"][tree.is_leaf] = rng.integers(0, 50, tree.n_leaves)
    for split in np.flatnonzero(~tree.is_leaf)[::-1]:
        nodes["count"][split] = nodes["count"][nodes["left"][split]] + nodes["count"][nodes["right"][split]]

    layout = lay_out(tree, cells=True)

    begin, end = layout.x - layout.room / 2, layout.x + layout.room / 2
    assert (layout.left, layout.right) == pytest.approx((-tree.n_leaves / 2, tree.n_leaves / 2))
    for split in np.flatnonzero(~tree.is_leaf):
        yes, no = nodes["left"][split], nodes["right"][split]
        assert (begin[yes], end[no]) == pytest.approx((begin[split], end[split]))
        assert end[yes] == pytest.approx(begin[no])
    if nodes["count"][0]:
        share = nodes["count"] / nodes["count"][0]
        known = share > 0
        assert layout.room[known] == pytest.approx(share[known] * tree.n_leaves)


@given(trees(), st.floats(-40, 40), st.floats(0, 40), st.integers(-1, 9), st.integers(0, 9), st.booleans())
def test_a_window_shows_what_stands_in_it(tree, left, width, top, height, cells):
    layout, right, bottom = lay_out(tree, cells=cells), left + width, top + height
    level = (layout.y >= top) & (layout.y <= bottom)
    half = layout.room / 2 if cells else 0

    nodes = layout.nodes_within(left, right, top, bottom)
    assert nodes.tolist() == np.flatnonzero(
        level & (layout.x + half >= left) & (layout.x - half <= right)).tolist()

    edges = layout.edges_within(left, right, top, bottom)
    upper = layout.x[layout.parent]
    crossing = (np.maximum(layout.x, upper) >= left) & (np.minimum(layout.x, upper) <= right)
    assert edges.tolist() == [i for i in np.flatnonzero(level & crossing).tolist() if i]


def test_many_levels_are_searched_at_once_with_the_same_answer(monkeypatch):
    layout = lay_out(chain_tree(300))
    found = layout.nodes_within(-2, 40, 20, 200).tolist(), layout.edges_within(-2, 40, 20, 200).tolist()

    monkeypatch.setattr(layout_module, "FEW_LEVELS", 1000)
    assert found == (layout.nodes_within(-2, 40, 20, 200).tolist(),
                     layout.edges_within(-2, 40, 20, 200).tolist())


def test_small_trees_are_placed_without_machine_code_and_at_the_same_places(monkeypatch):
    tree = random_tree(np.random.default_rng(5), 180)
    plain = lay_out(tree)

    monkeypatch.setattr(layout_module, "FEW_NODES", 0)
    assert (lay_out(tree).x == plain.x).all()


def test_a_lopsided_tree_is_narrow():
    """Leaves of different levels may stand below each other."""
    layout = lay_out(chain_tree(200))

    assert layout.right - layout.left < 160
    assert layout.depth == 200
