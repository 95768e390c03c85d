from __future__ import annotations

import numpy as np
import pytest

from tests.reference.free_rules import rules_for
from workbench.trees.colsample import draw_columns, draw_for_node


@pytest.mark.parametrize(("share", "n"), [(0.01, 1), (0.5, 5), (1.0, 10)])
def test_columns(share, n):
    columns = draw_columns(np.arange(10), share, 0, 1)
    assert len(columns) == n
    assert (np.diff(columns) > 0).all()


def test_trees_draw_different_columns():
    draws = {tuple(draw_columns(np.arange(20), 0.5, 0, tree)) for tree in range(50)}
    assert len(draws) == 50


def drawn_for(depth, path, **shares):
    allowed = np.ones(20, np.uint8)
    rules = rules_for(20, drawn_columns=np.arange(0, 20, 2), **shares)
    draw_for_node(rules, depth, path, np.empty(20), allowed)
    return set(np.flatnonzero(allowed).tolist())


def test_a_node_draws_of_its_level_and_a_level_of_its_tree():
    of_tree = set(range(0, 20, 2))
    assert drawn_for(1, 5) == of_tree
    of_level = drawn_for(1, 5, level_share=0.5)
    assert (len(of_level), of_level <= of_tree) == (5, True)
    assert of_level == drawn_for(1, 9, level_share=0.5)  # whatever the way to the node
    of_node = drawn_for(1, 5, level_share=0.5, node_share=0.4)
    assert (len(of_node), of_node <= of_level) == (2, True)
    assert len({frozenset(drawn_for(1, way, node_share=0.4)) for way in range(20)}) > 5
    assert len({frozenset(drawn_for(depth, 5, level_share=0.4)) for depth in range(20)}) > 5
