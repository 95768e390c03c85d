"""Two models part where they do, by the margin that their rows give; rows move as they are predicted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from workbench.explain.replay import replay_of
from workbench.session.comparison.first_difference import Side, first_partings
from workbench.session.comparison.moved_rows import ScoredModel, aligned, most_parted_tree, moved_rows
from workbench.study.study import Study

RNG = np.random.default_rng(11)
FRAME = pd.DataFrame(RNG.normal(size=(300, 4)), columns=list("abcd"))
FRAME["city"] = RNG.choice(["Bonn", "Kiel", "Ulm"], 300)
SIGNAL = FRAME.a + FRAME.b**2 + (FRAME.city == "Ulm") + RNG.normal(size=300) / 3
FRAME["y"] = np.where(SIGNAL > 1, "yes", "no")


def side(run) -> Side:
    own = run.run
    replay = replay_of(own.dataset, own.kept().started.ensemble, own.params, own.rounds, None)
    return Side([event.trees for event in own.rounds], own.schema, lambda _: replay)


def scored(run) -> ScoredModel:
    return ScoredModel(run.run.ensemble(), run.run.schema)


@pytest.fixture(scope="module")
def study():
    return Study(FRAME, target="y")


@pytest.fixture(scope="module")
def first(study):
    return study.train(rounds=12, max_depth=3)


def test_a_run_and_its_copy_do_not_part(first):
    again = first.branch(at=6).grow(6)
    found = first_partings(side(first), side(again))
    assert (found.weight, found.question, found.shared) == (None, None, 12)
    moved = moved_rows(first.run.dataset, scored(first), scored(again), 20)
    assert len(moved.rows) == 0
    assert most_parted_tree(scored(first), scored(again), first.run.dataset, 3) is None


def test_more_lambda_weighs_leaves_at_once_and_asks_otherwise_later(first):
    branch = first.branch(at=4, reg_lambda=50.0).grow(8)
    found = first_partings(side(first), side(branch))
    assert found.weight is None or found.weight.round >= 5
    assert found.question.round >= 5
    assert found.question.words[0] != found.question.words[1]


def test_the_margin_is_what_the_choice_gains_over_the_others(first):
    """Under another column weight the same rows are asked something else, which gains less."""
    root = first.run.rounds[0].trees[0]
    best = first.run.schema.names[int(root.nodes["feature"][0])]
    other = first.study.train(rounds=2, max_depth=3, forbidden_columns=[best])
    found = first_partings(side(first), side(other)).question
    assert (found.round, found.nodes) == (1, (0, 0))
    chosen, instead = (float(run.run.rounds[0].trees[0].nodes["gain"][0]) for run in (first, other))
    assert found.margins[0] == pytest.approx(chosen - instead, rel=1e-6)
    assert found.margins[1] == pytest.approx(instead - chosen, rel=1e-6)


def test_a_leaf_where_the_other_splits(first):
    stump = first.study.train(rounds=1, max_depth=1)
    found = first_partings(side(first), side(stump)).question
    assert found.words[1].startswith("leaf")
    node = found.nodes[0]
    assert found.margins[0] == pytest.approx(float(first.run.rounds[0].trees[0].nodes["gain"][node]))
    assert found.margins[1] == pytest.approx(-found.margins[0], rel=1e-4)


def test_moved_rows_are_those_of_the_largest_move(first):
    other = first.study.train(rounds=12, max_depth=1, learning_rate=0.3)
    data = first.run.dataset
    moved = moved_rows(data, scored(first), scored(other), 10)
    predicted = [run.model.predict(FRAME)[data.table_rows] for run in (first, other)]
    moves = np.abs(predicted[1] - predicted[0])[data.valid_rows]
    assert moved.are_held_out
    assert moved.of == len(data.valid_rows)
    np.testing.assert_allclose(np.abs(moved.second - moved.first), np.sort(moves)[::-1][:10], atol=1e-6)
    np.testing.assert_allclose(moved.first, predicted[0][moved.rows], atol=1e-6)


def test_columns_of_another_model_are_found_by_name_and_label(first):
    renamed = FRAME[["city", "c", "a"]].assign(extra=1.0, y=FRAME.y)
    renamed["city"] = renamed.city.replace({"Bonn": "Wien"})
    other = Study(renamed, target="y").train(rounds=2)
    rows = np.arange(40)
    made = aligned(first.run.dataset, other.run.schema, rows)
    names = list(other.run.schema.names)
    np.testing.assert_array_equal(made[:, names.index("c")], first.run.dataset.features[rows, 2])
    labels = other.run.schema.features[names.index("city")].categories
    for row in rows:
        code, known = made[row, names.index("city")], FRAME.city[first.run.dataset.table_rows[row]]
        assert np.isnan(code) if known == "Bonn" else labels[int(code)] == known
    if "extra" in names:
        assert np.isnan(made[:, names.index("extra")]).all()


def test_categories_without_names_are_those_of_the_dataset_by_code(first):
    own, data = first.run.schema, first.run.dataset
    features = tuple(
        replace(one, categories=("0", "1", "2")) if one.is_categorical else one for one in own.features
    )
    unnamed = replace(own, features=features)
    rows = np.arange(40)
    np.testing.assert_array_equal(aligned(data, unnamed, rows), data.features[rows])
    trees = [tuple(replace(tree) for tree in event.trees) for event in first.run.rounds]
    found = first_partings(side(first), Side(trees, unnamed, None))
    assert (found.question, found.weight, found.shared) == (None, None, 12)
