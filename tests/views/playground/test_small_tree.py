"""The tree beside the plot: questions in two lines where one has no room, and whole under the cursor."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPointF

import workbench
from workbench.explain.node_figures import Test, test_of
from workbench.views.look.fonts import AXIS
from workbench.views.look.text_width import ruler
from workbench.views.look.weight_limits import WeightScale
from workbench.views.playground.small_tree import SmallTree

NAME = "mean annual temperature of the station"


@pytest.fixture(scope="module")
def model():
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.normal(size=(60, 2)), columns=[NAME, "b"])
    return workbench.fit(frame.assign(y=frame[NAME] ** 3 + frame["b"]), target="y", rounds=1, max_depth=2)


@pytest.fixture
def shown(qtbot, model):
    small, tree = SmallTree(), model.ensemble.trees[0]
    qtbot.addWidget(small)
    small.resize(268, small.height())
    small.show_tree(tree, model.schema, WeightScale())
    return small, tree


def test_a_number_that_has_no_room_in_its_own_line_is_rounded(shown):
    question = Test(NAME, "<", "−0.0263301")
    for number in ("< −0.0263301", "< −0.0263", "< −0.026", "< −0.03"):
        name, told = shown[0]._question(question, ruler(AXIS).horizontalAdvance(number) + 1)
        assert told == number
        assert name != NAME
    assert shown[0]._question(Test("b", "<", "1.5"), 100) == ["b < 1.5"]
    assert shown[0]._question(Test(NAME, "<", "2021-03-05"), 40)[1].startswith("< 20")


def test_the_whole_question_and_weight_are_told_where_the_cursor_rests(shown, model):
    small, tree = shown
    places = small._places(tree)
    for node, place in places.items():
        told = small.words_at(place)
        if tree.is_leaf[node]:
            assert float(told.replace("−", "-")) == pytest.approx(float(tree.nodes["weight"][node]), abs=1e-4)
        else:
            assert told == test_of(tree, node, model.schema).text
    assert small.words_at(QPointF(places[0].x(), small.height() - 1)) == ""
    assert NAME in small.words_at(places[0])
