from __future__ import annotations

import json
from bisect import bisect
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.making import TASKS, make_model, make_rows
from tests.reference import naive_tree
from tests.reference.naive_dart import counts_after
from tests.reference.tables import fitted, random_dataset
from workbench.errors import Cancelled
from workbench.explain import row_growth as module
from workbench.explain.row_growth import row_growth
from workbench.objectives.base import OBJECTIVES

KINDS = ("regression", "binary", "multiclass")


def check_against_naive(ensemble, row, offset=0.0):
    """Every number of the growth, from a walk of one row down one tree at a time."""
    growth = row_growth(ensemble, row, offset)
    base = ensemble.base_margin + np.float32(offset)
    np.testing.assert_array_equal(growth.raw[0], base)
    for number in range(1, ensemble.rounds + 1):
        counts = counts_after([d for d in ensemble.dropouts if d.round <= number], number)
        raw = base.copy()
        begins = ensemble.round_begins.tolist()
        for place, tree in enumerate(ensemble.trees[: begins[number]]):
            if place == begins[number - 1]:
                np.testing.assert_array_equal(growth.before[number - 1], raw)
            r = bisect(begins, place) - 1
            k, p = divmod(place - begins[r], ensemble.parallel_of(r + 1))
            leaf = naive_tree.leaf_of(tree, row)
            assert growth.leaves[r, k, p] == leaf
            assert growth.added[r, k, p] == tree.nodes["leaf_value"][leaf]
            assert growth.leaf_weights(r + 1, k)[p] == tree.nodes["weight"][leaf]
            raw[tree.class_index] += tree.nodes["leaf_value"][leaf] * counts[r]
        np.testing.assert_array_equal(growth.raw[number], raw)
        told = OBJECTIVES.get(ensemble.objective).transform(raw[None] if len(raw) > 1 else raw)
        np.testing.assert_array_equal(growth.predictions[number], np.ravel(told))
    return growth


@examples(40)
@given(
    st.integers(0, 10**6), st.sampled_from(tuple(TASKS)), st.integers(0, 6), st.integers(1, 5), st.booleans()
)
def test_random_models_against_one_row_and_one_tree_at_a_time(seed, objective, rounds, n_features, dart):
    model = make_model(seed, objective, n_features, rounds, dart=dart)
    check_against_naive(model.ensemble, make_rows(model)[seed % 8].astype(np.float32))


@pytest.mark.parametrize("task", KINDS)
@pytest.mark.parametrize("beside", [1, 3])
@pytest.mark.parametrize("rate_drop", [0.0, 0.4])
def test_trained_models_with_gaps_categories_and_forests(task, beside, rate_drop):
    data = random_dataset(task, n=300)
    ensemble = fitted(
        data, rounds=5, max_depth=4, num_parallel_tree=beside, subsample=0.7, rate_drop=rate_drop
    )
    assert bool(ensemble.dropouts) == bool(rate_drop)
    for row in data.features[:12]:
        check_against_naive(ensemble, row, offset=0.75 if task != "multiclass" else 0.0)


def test_equals_xgboost_round_by_round():
    pytest.importorskip("xgboost")
    from tests.formats.xgboost.test_parity import XGB, booster_of, matrix

    for objective in ("squared", "logistic", "softmax", "poisson"):
        model = make_model(11, objective, 4, 6)
        row, written = make_rows(model)[:1].astype(np.float32), XGB.write(model)
        growth, booster = row_growth(model.ensemble, row[0]), booster_of(written)
        rows = matrix(booster, row)
        leaves = booster.predict(rows, pred_leaf=True).reshape(-1)
        trees = json.loads(written)["learner"]["gradient_booster"]["model"]["trees"]
        lead = len(trees) - len(model.trees)
        values = [tree["split_conditions"][int(leaf)] for tree, leaf in zip(trees, leaves, strict=True)]
        np.testing.assert_array_equal(np.array(values[lead:], np.float32), growth.added.reshape(-1))
        for number in range(1, growth.rounds + 1):
            rounds = (0, number + (lead > 0))
            margin = booster.predict(rows, output_margin=True, iteration_range=rounds)
            np.testing.assert_array_equal(np.ravel(margin), growth.raw[number])


def test_more_rounds_go_on_from_what_is_known(monkeypatch):
    data = random_dataset("binary", n=200)
    ensemble = fitted(data, rounds=7)
    row = data.features[3]
    walked = []
    leaves_of = module._leaves_of
    monkeypatch.setattr(module, "_leaves_of", lambda *a: walked.append(len(a[0])) or leaves_of(*a))

    early = row_growth(ensemble.first_rounds(4), row)
    late = row_growth(ensemble, row, known=early)
    other = row_growth(replace(ensemble, trees=ensemble.trees[::-1]), row, known=early)

    assert walked == [4, 3, 7]
    np.testing.assert_array_equal(late.raw, row_growth(ensemble, row).raw)
    np.testing.assert_array_equal(late.raw[:5], early.raw)
    np.testing.assert_array_equal(other.leaves, late.leaves[::-1])


def test_many_nodes_are_walked_in_stretches_and_can_be_broken_off(monkeypatch):
    ensemble = fitted(random_dataset("binary", n=200), rounds=9)
    row = random_dataset("binary", n=200).features[0]
    whole = row_growth(ensemble, row)
    monkeypatch.setattr(module, "MOST_NODES", 2 * ensemble.trees[0].n_nodes)
    asked = []

    again = row_growth(ensemble, row, cancelled=lambda: asked.append(1))
    np.testing.assert_array_equal(again.leaves, whole.leaves)
    assert len(asked) > 3
    with pytest.raises(Cancelled):
        row_growth(ensemble, row, cancelled=lambda: len(asked) > 3)
