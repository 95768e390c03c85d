"""Which of the forced splits a node makes."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from workbench.explain.forced_split import forced_split, forced_words

TEXT = "f0 {yes: f1 < 0; no: f2 < 99 {yes: f1}}"


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    return workbench.fit(x, x[:, 0] + x[:, 1], rounds=1, threads=1, max_depth=3, forced_splits=TEXT)


def made(model, node, text=TEXT):
    return forced_split(model.trees[0], node, model.schema, text)


def test_a_node_makes_the_split_that_stands_on_its_way(model):
    assert made(model, 0).text == TEXT
    assert made(model, 1).question == "f1 < 0"
    assert [forced_words(made(model, node)) for node in (0, 1)] == ["forced to this column", "forced"]


def test_what_was_left_out_and_what_follows_is_made_by_none(model):
    below = int(model.trees[0].nodes["left"][2])
    assert [made(model, node) for node in (2, below, below + 1)] == [None] * 3
    assert made(model, 0, "") is None
    assert made(model, 0, "f1") is None
