"""Answers of several questions at once, unfolded into trees that ask about one column a node."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from workbench.formats.answers import Among, Border, codes_of, diagram, mask_of, unfolded
from workbench.formats.catboost.trees import Levels

SIZES = (4, 3, 2)  # categories with the unknown one last, of two columns; sides of a border
QUESTIONS = (Among(0, 3, 1, ()), Among(1, 2, 2, ()), Border(2, np.float32(0.5), False, False, True))
ONE_MORE = Border(2, np.float32(1.5), False, False, True)
ANSWERS = arrays.arrays(np.bool_, SIZES)


def leaf_of(tree, values):
    """Walk down with a code for each column of categories, and a number."""
    node = 0
    while (asked := tree.asked[node]) is not None:
        value = values[asked.column]
        yes = bool(asked.mask >> value & 1) if asked.mask else value < asked.threshold
        node = tree.left[node] + (not yes)
    return tree.place[node]


@given(st.lists(ANSWERS, min_size=1, max_size=3))
def test_every_row_ends_where_the_answers_lead(answers):
    tree = unfolded(Levels([ONE_MORE, *(diagram(one, QUESTIONS) for one in answers)]), (0, 0), 10**6)
    for first, second, number in product(range(4), range(3), (0.0, 1.0, 2.0)):
        expected = [number >= 1.5, *(one[first, second, int(number >= 0.5)] for one in answers)]
        level, bits = leaf_of(tree, (first, second, number))
        assert (level, bits) == (len(expected), sum(1 << k for k, yes in enumerate(expected) if yes))


@given(st.lists(ANSWERS, min_size=1, max_size=3))
def test_every_leaf_is_reached_and_unknown_categories_answer_no(answers):
    tree = unfolded(Levels([diagram(one, QUESTIONS) for one in answers]), (0, 0), 10**6)
    reached = {}

    def walk(node, known):
        asked = tree.asked[node]
        if asked is None:
            reached[node] = known
            return
        if asked.mask:
            assert asked.mask >> QUESTIONS[asked.column].others == 0
            assert asked.mask & known[asked.column] == asked.mask != known[asked.column]
            rest = known[asked.column] ^ asked.mask
            assert asked.default_left == bool(asked.mask >> QUESTIONS[asked.column].missing & 1)
            walk(tree.left[node], {**known, asked.column: asked.mask})
            walk(tree.left[node] + 1, {**known, asked.column: rest})
        else:
            walk(tree.left[node], known)
            walk(tree.left[node] + 1, known)

    walk(0, {0: 0b1111, 1: 0b111})
    assert len(reached) == sum(asked is None for asked in tree.asked)


@given(st.lists(ANSWERS, min_size=1, max_size=3))
def test_no_more_nodes_than_are_allowed(answers):
    walk = Levels([diagram(one, QUESTIONS) for one in answers])
    size = len(unfolded(walk, (0, 0), 10**6).asked)
    assert unfolded(walk, (0, 0), size) is not None
    assert size == 1 or unfolded(walk, (0, 0), size - 1) is None


@given(arrays.arrays(np.bool_, st.integers(0, 70)))
def test_masks_are_the_places_that_are_chosen(chosen):
    assert codes_of(mask_of(chosen)).tolist() == np.flatnonzero(chosen).tolist()
