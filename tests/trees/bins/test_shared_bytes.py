"""Columns that share bytes: the trees are those of columns that do not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.trees.test_restraints import rules_for
from workbench.threads.team import Team
from workbench.trees.bins import shared_bytes
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.bins.shared_bytes import ALONE, LEAST_ROWS, bytes_alone, bytes_shared
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower, held_out_rows
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
RULES = (None, {"min_leaf_rows": 3}, {"reg_alpha": 0.5}, {"monotone": np.array([1, 0, -1], np.int8)})


def of_few_values(rng, n, n_values, missing=0.2):
    """Columns of so many values each, the last of them continuous; some values are missing."""
    columns = [rng.integers(0, k, n).astype(np.float32) for k in n_values]
    features = np.column_stack([*columns, rng.normal(size=n).astype(np.float32)])
    features[rng.random(features.shape) < missing] = np.nan
    return features


def cuts_of(features, n=None):
    return find_cuts(features, np.arange(n or len(features)), [0] * features.shape[1], 255)


def test_flags_share_bytes_by_four_and_the_bins_of_each_are_told_from_them():
    features = of_few_values(np.random.default_rng(0), 500, [2] * 9 + [10, 10])
    cuts = cuts_of(features)
    layout = bytes_shared(cuts, LEAST_ROWS)
    assert (layout.n_alone, layout.n_bytes) == (2, 5)  # four flags and four, ten values and ten
    shared = bin_rows(features, np.arange(500), cuts, layout=layout).by_column
    alone = bin_rows(features, np.arange(500), cuts).by_column
    for f in range(12):
        own, line = shared[layout.places[f]], layout.lines[f]
        bins = own if line == ALONE else layout.bins[line][own]
        np.testing.assert_array_equal(bins, alone[f])


def test_few_rows_categories_and_columns_of_many_values_share_nothing():
    rng = np.random.default_rng(1)
    features = of_few_values(rng, 300, [2, 2, 2])
    cuts = cuts_of(features)
    assert bytes_shared(cuts, LEAST_ROWS - 1).n_bytes == 4
    assert bytes_shared(cuts, LEAST_ROWS).n_bytes == 2
    features[:, 0] = rng.integers(0, 2, 300)
    of_categories = find_cuts(features, np.arange(300), [2, 0, 0, 0], 255)
    assert bytes_shared(of_categories, LEAST_ROWS).lines.tolist() == [ALONE, 0, 1, ALONE]
    many = cuts_of(rng.normal(size=(300, 3)).astype(np.float32))
    assert bytes_shared(many, LEAST_ROWS).n_bytes == 3


def rules_of(changes, d):
    if changes is not None and "monotone" in changes:
        changes = {"monotone": np.resize(changes["monotone"], d)}
    return None if changes is None else rules_for(d, **changes)


@examples(60)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 900),
    n_values=st.lists(st.sampled_from([1, 2, 3, 5, 12, 60]), min_size=2, max_size=12),
    missing=st.sampled_from([0.0, 0.3]),
    params=st.sampled_from([
        GrowingParams(), GrowingParams(max_depth=0, max_leaves=25, by_gain=True, reg_lambda=0.0),
        GrowingParams(max_depth=4, gamma=0.2, post_pruning=True, min_child_weight=3.0),
    ]),
    changes=st.sampled_from(RULES),
    few_rows=st.sampled_from([0, 7, 96]),
    threads=st.sampled_from([1, 3]),
    pool_bytes=st.sampled_from([0, 2**20]),
)
def test_trees_are_those_of_columns_that_do_not_share(
    seed, n, n_values, missing, params, changes, few_rows, threads, pool_bytes
):
    rng = np.random.default_rng(seed)
    features = of_few_values(rng, n, n_values, missing)
    held_out = of_few_values(rng, 50, [k + 2 for k in n_values])  # values beyond the last cut, too
    g, h = rng.normal(size=n), rng.random(n)
    drawn = rng.random(n) < 0.8
    drawn[0] = True
    rows = DrawnRows(np.flatnonzero(drawn).astype(np.uint32), np.flatnonzero(~drawn).astype(np.uint32))
    cuts, d = cuts_of(features), features.shape[1]
    grown = []
    for layout in (bytes_alone(cuts), bytes_shared(cuts, LEAST_ROWS)):
        matrix = bin_rows(features, np.arange(n), cuts, layout=layout)
        valid = held_out_rows(bin_rows(held_out, np.arange(50), cuts, layout=layout))
        grower = TreeGrower(matrix, Team(threads), pool_bytes=pool_bytes, few_rows=few_rows)
        for _ in range(2):  # the second finds the memory as the first has left it
            raw, valid_raw = np.zeros(n, np.float32), np.zeros(50, np.float32)
            task = TreeTask(g, h, rows, np.arange(d), params, GO, raw, valid_raw)
            tree = grower.grow(task, valid, rules=rules_of(changes, d))
            grown.append((tree.nodes.tobytes(), raw.tobytes(), valid_raw.tobytes()))
    assert len(set(grown)) == 1


@pytest.mark.parametrize("changes", [
    {}, {"subsample": 0.7, "colsample_bynode": 0.5}, {"min_leaf_rows": 5, "reg_alpha": 0.1},
    {"forced_splits": "major_vessels < 1 {yes: age < 55}"}, {"grow_policy": "best_gain", "max_leaves": 9},
])
def test_a_run_is_the_same_whether_columns_share(monkeypatch, changes):
    frame = pd.read_csv("sample_datasets/heart_disease.csv")
    y = frame.pop("disease")
    frame["is_old"], frame["is_high"] = frame["age"] > 60, frame["cholesterol"] > 250
    found = []
    for least in (LEAST_ROWS, 1):
        monkeypatch.setattr(shared_bytes, "LEAST_ROWS", least)
        model = workbench.fit(frame, y, rounds=8, valid_fraction=0.3, **changes)
        losses = [{k: v for k, v in record.items() if k != "seconds"} for record in model.history]
        found.append((model.predict(frame).tobytes(), repr(losses)))
    assert found[0] == found[1]
