"""Columns with more cuts than a byte can tell apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.free_rules import rules_for
from tests.reference.naive_fine import as_fine, bins_of, gains_of_all_cuts
from tests.reference.naive_tree import rows_by_node
from workbench import memory
from workbench.errors import WorkbenchError
from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.bins.fine_columns import MOST_FINE_BINS
from workbench.trees.forced_splits import ForcedSplits
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist import histogram_memory
from workbench.trees.hist.grower import TreeGrower, held_out_rows
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
FORCED = ForcedSplits(  # x0 < .2, then x1 in {1, 4} and x3 < 9, which parts nothing
    np.array([0, 1, 3]), np.array([0.2, np.nan, 9.0], np.float32), np.array([0, 0, 2, 2]), np.array([1, 4]),
    np.array([[1, 2], [-1, -1], [-1, -1]]),
)
KINDS = ("number", "category", "few", "number", "number")


def table(rng, n, missing=0.1):
    features = np.empty((n, len(KINDS)), np.float32)
    for f, kind in enumerate(KINDS):
        features[:, f] = rng.integers(0, 6, n) if kind != "number" else rng.normal(size=n)
    features[rng.random(features.shape) < missing] = np.nan
    return features


def grow(features, cuts, g, h, params, drawn=None, threads=1, rules=None, pool_bytes=None, n_valid=50):
    """Trees on all rows but the last, which are held out; returns the tree and all raw predictions."""
    n = len(features) - n_valid
    matrix = bin_rows(features, np.arange(n), cuts)
    valid = bin_rows(features, np.arange(n, len(features)), cuts)
    held_out = held_out_rows(valid)
    mask = np.ones(n, bool) if drawn is None else drawn[:n]
    rows = DrawnRows(np.flatnonzero(mask).astype(np.uint32), np.flatnonzero(~mask).astype(np.uint32))
    raw, valid_raw = np.zeros(n, np.float32), np.zeros(n_valid, np.float32)
    grower = TreeGrower(matrix, Team(threads), pool_bytes=pool_bytes)
    task = TreeTask(g[:n], h[:n], rows, np.arange(features.shape[1]), params, GO, raw, valid_raw)
    tree = grower.grow(task, held_out, rules=rules)
    return tree, np.concatenate([raw, valid_raw])


@examples(20)
@given(
    st.lists(st.floats(width=32, allow_nan=True, allow_infinity=False), min_size=1, max_size=40),
    st.integers(300, 700), st.integers(0, 10**6),
)
def test_bins_are_what_the_cuts_say(odd, max_bin, seed):
    rng = np.random.default_rng(seed)
    column = np.concatenate([rng.normal(size=800), odd]).astype(np.float32)
    rows = rng.permutation(len(column))[:700]
    for features in (column[:, None], np.asfortranarray(np.column_stack([column, column]))):
        cuts = find_cuts(features, rows, [0] * features.shape[1], max_bin)
        own = cuts.fine[0]
        assert 254 < len(own) == cuts.n_bins[0] <= max_bin
        assert (np.diff(own) > 0).all()
        matrix = bin_rows(features, np.arange(len(column)), cuts)
        np.testing.assert_array_equal(matrix.fine[0], bins_of(column, own))
        assert matrix.by_column.shape == (0, len(column))


def test_only_columns_that_need_it_are_fine():
    features = table(np.random.default_rng(0), 3000)
    cuts = find_cuts(features, np.arange(3000), [0, 6, 0, 0, 0], 400)
    assert list(cuts.fine) == [0, 3, 4]
    assert cuts.n_bins.tolist() == [400, 6, 6, 400, 400]
    assert np.isnan(cuts.cuts[0]).all()
    matrix = bin_rows(features, np.arange(3000), cuts)
    assert matrix.by_column.shape == (2, 3000)
    assert not find_cuts(features, np.arange(3000), [0, 6, 0, 0, 0], 255).fine


@examples(40)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(60, 400),
    params=st.sampled_from([
        GrowingParams(), GrowingParams(max_depth=0, max_leaves=9, by_gain=True, reg_lambda=0.0),
        GrowingParams(max_depth=4, gamma=0.2, post_pruning=True, min_child_weight=3.0),
        GrowingParams(max_depth=0, reg_lambda=0.0, min_child_weight=0.0),
    ]),
    equal_hessians=st.booleans(),
    sampled=st.booleans(),
    missing=st.sampled_from([0.0, 0.3]),
    changes=st.sampled_from([
        None, {"min_leaf_rows": 7}, {"reg_alpha": 0.5, "max_delta_step": 0.3},
        {"monotone": np.array([1, 0, -1, -1, 0], np.int8)}, {"level_share": 0.6, "node_share": 0.6},
        {"column_sets": column_sets([[0, 1], [2, 3, 4]], 5), "min_leaf_rows": 3}, {"forced": FORCED},
    ]),
    threads=st.sampled_from([1, 3]),
)
def test_bins_of_16_bits_grow_the_same_trees_as_bytes(
    seed, n, params, equal_hessians, sampled, missing, changes, threads
):
    rng = np.random.default_rng(seed)
    features = table(rng, n, missing).round(1)
    g, h = rng.normal(size=n), np.ones(n) if equal_hessians else rng.random(n)
    drawn = rng.random(n) < 0.7 if sampled else None
    rules = None if changes is None else rules_for(len(KINDS), **changes)
    kept = FORCED.values() if rules and len(rules.forced.columns) else {}
    cuts = find_cuts(features, np.arange(n - 50), [0, 6, 0, 0, 0], 255, kept=kept)
    tree, raw = grow(features, cuts, g, h, params, drawn, 1, rules)
    other, other_raw = grow(features, as_fine(cuts), g, h, params, drawn, threads, rules)
    assert other.nodes.tobytes() == tree.nodes.tobytes()
    np.testing.assert_array_equal(other.category_codes, tree.category_codes)
    np.testing.assert_array_equal(other_raw, raw)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_every_split_is_the_best_of_all_cuts(seed, missing):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(700, 2)).astype(np.float32)
    features[rng.random(features.shape) < missing] = np.nan
    g, h = rng.normal(size=700) + np.nan_to_num(features[:, 0]) ** 2, rng.random(700) + 0.1
    cuts = find_cuts(features, np.arange(700), [0, 0], 1000)
    assert cuts.n_bins.min() > 500
    params = GrowingParams(max_depth=3, min_child_weight=2.0)
    tree, raw = grow(features, cuts, g, h, params, n_valid=0)
    for node, mask in enumerate(rows_by_node(tree, features)):
        record = tree.nodes[node]
        best = max(gains_of_all_cuts(features[mask], cuts.fine, g[mask], h[mask], params), default=-1.0)
        if record["feature"] >= 0:
            assert record["gain"] == pytest.approx(best, abs=1e-5 * (1 + abs(g).sum()))
        else:
            assert (raw[mask] == record["leaf_value"]).all()
            assert record["depth"] == 3 or best < 1e-3


@pytest.mark.parametrize("changes", [None, {"min_leaf_rows": 4}])
def test_threads_and_memory_change_nothing(changes, monkeypatch):
    rng = np.random.default_rng(5)
    n = 9000
    features = table(rng, n)
    g, h = rng.normal(size=n) + np.nan_to_num(features[:, 0]), rng.random(n)
    cuts = find_cuts(features, np.arange(n - 50), [0, 6, 0, 0, 0], 3000)
    rules = None if changes is None else rules_for(len(KINDS), **changes)
    params = GrowingParams(max_depth=0, min_child_weight=0.1)
    drawn = rng.random(n) < 0.8
    trees = [grow(features, cuts, g, h, params, drawn, threads, rules) for threads in (1, 2, 3)]
    monkeypatch.setattr(histogram_memory, "ASKED_BYTES", 0)
    monkeypatch.setattr(histogram_memory, "MOST_BYTES", 0)
    trees.append(grow(features, cuts, g, h, params, drawn, 2, rules))
    assert trees[0][0].depth > 10
    for tree, raw in trees[1:]:
        assert tree.nodes.tobytes() == trees[0][0].nodes.tobytes()
        np.testing.assert_array_equal(raw, trees[0][1])


def test_as_many_bins_as_there_can_be():
    values = np.random.default_rng(0).permutation(200_000).astype(np.float32)
    features = np.column_stack([values, -values])
    cuts = find_cuts(features, np.arange(200_000), [0, 0], 65_535)
    assert cuts.n_bins.tolist() == [MOST_FINE_BINS] * 2
    matrix = bin_rows(features, np.arange(200_000), cuts)
    assert matrix.fine.max() == MOST_FINE_BINS - 1
    counts = np.bincount(matrix.fine[0])
    assert counts.min() >= 3
    assert counts.max() <= 4
    g = np.where(values < 777, -1.0, 0.1)
    features[:, 1] = 0
    tree, raw = grow(features, cuts, g, np.ones(200_000), GrowingParams(max_depth=1), n_valid=0)
    assert abs(tree.nodes["threshold"][0] - 777) <= 4
    left, right = tree.nodes["leaf_value"][1:3]
    np.testing.assert_array_equal(raw, np.where(values < tree.nodes["threshold"][0], left, right))


def test_memory_is_asked_for_ahead(monkeypatch, tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable:     2048 kB\n")
    monkeypatch.setattr(memory, "MEMORY_INFO", tmp_path / "meminfo")
    with pytest.raises(WorkbenchError, match="max_bin and the memory clash") as refused:
        histogram_memory.pool_shape(65_536 * 100, 127, 6, 2**26)
    assert "\n" not in str(refused.value)
    (tmp_path / "meminfo").write_text("MemAvailable:     524288 kB\n")
    shape = histogram_memory.pool_shape(65_536 * 100, 127, 6, 2**26, 2)
    assert (shape.n_slots + 2) * 65_536 * 800 <= 2**29
    assert shape.reserve < shape.n_slots
    assert histogram_memory.pool_shape(264 * 28, 127, 6, 2**26).n_slots == 10 + 63
