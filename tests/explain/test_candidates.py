"""Every cut of every column against the rows parted one by one; the winner is what was stored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.test_replay import replayed
from tests.reference.tables import dataset, random_dataset
from workbench.explain.candidates import Why, rank_columns
from workbench.explain.holdout_gain import holdout_gains
from workbench.explain.node_figures import test_of as question_of
from workbench.explain.node_rows import node_rows
from workbench.explain.node_text import gain_text
from workbench.explain.split_scan import LEFT, CutRefusal
from workbench.views.inspector.why.words import others_text

ROUNDED = 1e-6  # of the scores: what the search may misjudge, as it reads rounded sums


def naive_weight(g, h, tree, bounds):
    soft = np.sign(g) * max(abs(g) - tree.reg_alpha, 0.0)
    w = -soft / (h + tree.reg_lambda) if h + tree.reg_lambda > 0 else 0.0
    limit = tree.max_delta_step or np.inf
    return min(max(min(max(w, -limit), limit), bounds.low), bounds.high)


def naive_score(mask, node):
    tree = node.grown.tree
    g, h = node.gradients[mask].sum(), node.hessians[mask].sum()
    w = naive_weight(g, h, tree, node.limits.bounds)
    return g * w + 0.5 * (h + tree.reg_lambda) * w * w + tree.reg_alpha * abs(w), w


def naive_gain(yes, node):
    (left, _), (right, _), (whole, _) = (naive_score(m, node) for m in (yes, ~yes, yes | ~yes))
    return whole - left - right - node.grown.tree.gamma


def answers(node, column, threshold, codes, default_left):
    values = node.replay.dataset.features[node.rows, column]
    yes = [
        bool(default_left) if np.isnan(x) else int(x) in codes if len(codes) else bool(x < threshold)
        for x in values
    ]
    return np.array(yes, bool)


def size_of(node):
    """What gains are made of, so that a difference can be judged."""
    return abs(naive_score(np.ones(len(node.rows), bool), node)[0]) + np.abs(node.gradients).sum() ** 2 / (
        node.hessians.sum() + node.grown.tree.reg_lambda + 1e-9
    )


def check_scan(node, column):
    scan = node.scan(column)
    params = node.params
    monotone = dict(params.monotone_constraints).get(f"x{column}", 0)
    for side in (0, 1):
        for place in range(len(scan.places)):
            if np.isnan(scan.gain[side, place]):
                continue
            threshold = scan.thresholds[place] if scan.is_numeric else np.nan
            codes = () if scan.is_numeric else scan.codes(place)
            yes = answers(node, column, threshold, codes, side == LEFT)
            assert yes.any()
            assert not yes.all()
            assert yes.sum() == scan.left.rows[side, place]
            assert scan.left.g[side, place] == pytest.approx(node.gradients[yes].sum(), abs=1e-9)
            gain = naive_gain(yes, node)
            assert scan.gain[side, place] == pytest.approx(gain, abs=1e-9 * (1 + size_of(node)))
            light = min(node.hessians[yes].sum(), node.hessians[~yes].sum())
            rows = min(yes.sum(), (~yes).sum())
            weights = [naive_score(m, node)[1] for m in (yes, ~yes)]
            refused = scan.refused[side, place]
            if refused == CutRefusal.LIGHT:
                assert light < params.min_child_weight + 1e-9 or light <= 1e-9
            elif refused == CutRefusal.FEW_ROWS:
                assert rows < params.min_leaf_rows
            elif refused == CutRefusal.MONOTONE:
                assert monotone * (weights[1] - weights[0]) < 1e-9
            else:
                assert light >= params.min_child_weight - 1e-9
                assert rows >= params.min_leaf_rows
                assert monotone * (weights[1] - weights[0]) > -1e-9


def check_split(node):
    tree = node.grown.tree
    record = tree.nodes[node.node]
    ranking = rank_columns(node)
    first = ranking.ranked[0]
    assert first.is_chosen
    assert ranking.leaf_reason == ""
    assert first.test == question_of(tree, node.node, node.replay.dataset.schema)
    assert first.default_left == record["default_left"]
    assert first.gain == pytest.approx(record["gain"], abs=1e-9 * (1 + size_of(node)))
    for other in ranking.ranked[1:]:
        assert other.compared <= first.compared + ROUNDED * (1 + size_of(node))
        yes = answers(node, other.feature, other.threshold, other.codes, other.default_left)
        assert other.gain == pytest.approx(naive_gain(yes, node), abs=1e-9 * (1 + size_of(node)))
    told = {c.feature for c in ranking.ranked} | {column for column, _ in ranking.others}
    assert told == set(range(node.replay.dataset.features.shape[1]))


def check_leaf(node):
    ranking = rank_columns(node)
    assert ranking.leaf_reason.startswith("A leaf: ")
    assert not any(c.is_chosen for c in ranking.ranked)
    if "rounded" in ranking.leaf_reason:
        assert ranking.ranked[0].compared <= ROUNDED * (1 + size_of(node))


METHODS = {
    "tree_method": st.sampled_from(["hist", "exact", "approx"]),
    "reg_lambda": st.sampled_from([0.0, 1.0, 10.0]),
    "gamma": st.sampled_from([0.05, 0.5]),
    "min_child_weight": st.sampled_from([0.0, 5.0]),
    "subsample": st.just(0.6),
    "colsample_bytree": st.just(0.5),
    "max_bin": st.just(8),
    "max_cat_to_onehot": st.just(20),
    "cat_smooth": st.just(10.0),
    "cat_l2": st.just(5.0),
    "max_leaves": st.just(4),
    "grow_policy": st.just("best_gain"),
    "rate_drop": st.just(0.5),
}
RESTRAINTS = {
    "reg_alpha": st.just(0.5),
    "max_delta_step": st.just(0.4),
    "min_leaf_rows": st.just(7),
    "colsample_bynode": st.just(0.5),
    "colsample_bylevel": st.just(0.7),
    "monotone_constraints": st.sampled_from([(("x0", 1.0),), (("x2", -1.0), ("x3", 1.0))]),
    "interaction_constraints": st.just((("x0", "x1"), ("x2", "x3"))),
    "forbidden_columns": st.just(("x2",)),
    "pruning": st.just("post"),
}


def some(options):
    return st.fixed_dictionaries({}, optional=options)


@examples(25)
@given(
    task=st.sampled_from(["regression", "binary", "multiclass"]), params=some(METHODS),
    rules=st.just({}) | some(RESTRAINTS), weighted=st.booleans(), seed=st.integers(0, 20), data=st.data(),
)
def test_the_winner_is_what_was_stored_and_every_cut_is_that_of_the_rows(
    task, params, rules, weighted, seed, data
):
    table = random_dataset(task, n=170, d=4, n_valid=40, seed=seed, weighted=weighted)
    replay = replayed(table, rounds=3, max_depth=3, threads=1, seed=seed, **params, **rules)
    round = data.draw(st.integers(1, 3), label="round")
    trees = replay.rounds[round - 1].trees
    place = data.draw(st.integers(0, len(trees) - 1), label="tree")
    tree = trees[place]
    for index in range(tree.n_nodes):
        node = node_rows(replay, round, place, index)
        (check_leaf if tree.is_leaf[index] else check_split)(node)
    node = node_rows(replay, round, place, data.draw(st.integers(0, tree.n_nodes - 1), label="node"))
    for column in range(4):
        check_scan(node, column)


@pytest.mark.parametrize("onehot", [4, 1_000_000])
def test_columns_of_more_categories_than_bins(onehot):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 400, 3000)
    effect = rng.normal(size=400)
    x = np.column_stack([codes, rng.normal(size=3000)])
    table = dataset(x, effect[codes] + rng.normal(size=3000) / 2, categories={0: 400}, n_valid=500)
    replay = replayed(table, rounds=2, max_depth=3, threads=1, max_cat_to_onehot=onehot, min_category_rows=3)
    tree = replay.rounds[1].trees[0]
    assert (tree.nodes["feature"] == 0).any()
    for index in range(tree.n_nodes):
        node = node_rows(replay, 2, 0, index)
        (check_leaf if tree.is_leaf[index] else check_split)(node)


def test_reasons_in_words():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=(300, 3)), np.ones(300), rng.normal(size=300)])
    table = dataset(x, x[:, 0] + rng.normal(size=300) / 9, n_valid=60)
    replay = replayed(
        table, rounds=1, max_depth=1, threads=1, gamma=3.0, min_child_weight=100.0,
        interaction_constraints=(("x0", "x1", "x3"), ("x4",)), forbidden_columns=("x4",),
    )
    root = rank_columns(node_rows(replay, 1, 0, 0))
    others = dict(root.others)
    assert root.ranked[0].test.feature == "x0"
    assert others[3] is Why.CONSTANT
    assert others[4] is Why.FORBIDDEN
    left = node_rows(replay, 1, 0, 1)
    below = rank_columns(left)
    assert below.leaf_reason == "A leaf: 1 questions are the most on a path (max depth)."
    others = dict(below.others)
    assert others[2] is Why.APART
    assert others[0] is Why.LIGHT
    assert others[0].words(left.params) == "a child has H below 100"


def test_a_forced_split_says_so_and_the_better_ones_are_ranked_below():
    table = random_dataset("regression", n=200, d=4)
    replay = replayed(table, rounds=1, threads=1, max_depth=2, forced_splits="x2 < 0.123")
    root = node_rows(replay, 1, 0, 0)
    ranking = rank_columns(root)
    assert ranking.ranked[0].feature == 2
    assert ranking.ranked[0].is_chosen
    assert ranking.ranked[0].gain == pytest.approx(root.grown.tree.nodes["gain"][0])
    assert max(c.gain for c in ranking.ranked[1:]) > ranking.ranked[0].gain
    assert ranking.leaf_reason.startswith("This split is forced")
    assert ranking.ranked[1].margin == pytest.approx(ranking.ranked[1].gain / ranking.ranked[0].gain - 1)
    assert not ranking.ranked[1].is_near_tie


def test_a_column_forced_alone_says_so_and_makes_its_best_cut():
    table = random_dataset("regression", n=200, d=4)
    replay = replayed(table, rounds=1, threads=1, max_depth=2, forced_splits="x2")
    root = node_rows(replay, 1, 0, 0)
    scan, ranking = root.scan(2), rank_columns(root)
    assert ranking.ranked[0].is_chosen
    assert ranking.ranked[0].feature == 2
    assert ranking.ranked[0].gain == pytest.approx(scan.gain[scan.best])
    assert ranking.leaf_reason.startswith("This split is forced to this column (forced splits)")
    below = rank_columns(node_rows(replay, 1, 0, int(root.grown.tree.nodes["right"][0])))
    assert "forced" not in below.leaf_reason


def test_a_forced_split_keeps_its_own_threshold_for_the_rows_held_out():
    table = random_dataset("regression", n=200, d=4, n_valid=80)
    replay = replayed(
        table, rounds=1, threads=1, max_depth=1, tree_method="exact", forced_splits="x2 < 0.123"
    )
    root = node_rows(replay, 1, 0, 0)
    assert np.float32(0.123) not in root.scan(2).thresholds
    first = rank_columns(root).ranked[0]
    assert first.threshold == np.float32(0.123)
    assert first.test.text == "x2 < 0.123"
    assert first.holdout_gain == pytest.approx(holdout_gains(replay, 1, 0).gain[0])


def test_gamma_is_given_as_the_reason():
    table = random_dataset("regression", n=200, d=3)
    replay = replayed(table, rounds=1, threads=1, gamma=1e4)
    root = rank_columns(node_rows(replay, 1, 0, 0))
    assert "less than γ = 10000" in root.leaf_reason
    assert all(candidate.gain < 0 for candidate in root.ranked)


def test_a_column_that_was_not_drawn_says_so():
    table = random_dataset("regression", n=200, d=6)
    replay = replayed(table, rounds=1, threads=1, colsample_bytree=0.4)
    root = rank_columns(node_rows(replay, 1, 0, 0))
    assert sum(why is Why.NOT_DRAWN for _, why in root.others) == 4


def test_a_column_of_other_values_is_not_called_the_same():
    rng = np.random.default_rng(0)
    n = 300
    town, x, idle = rng.permutation(n).astype(float), rng.normal(size=n), np.arange(n) < 20
    table = dataset(
        np.column_stack([town, x, ~idle]), x + rng.normal(size=n) / 9, categories={0: n}, weight=~idle
    )
    replay = replayed(table, rounds=1, threads=1, max_depth=2, max_bin=2)
    root, child = (dict(rank_columns(node_rows(replay, 1, 0, node)).others) for node in (0, 1))
    assert root[0] is child[0] is Why.RARE
    assert root[2] is Why.CONSTANT_BY_WEIGHT
    assert child[1] is Why.ONE_BIN


def test_copies_of_a_column_are_ties():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2))
    table = dataset(np.column_stack([x, x[:, 0]]), 2.0 * x[:, 0] + rng.normal(size=300) / 9)
    root = rank_columns(node_rows(replayed(table, rounds=1, threads=1), 1, 0, 0))
    assert [c.feature for c in root.ranked[:2]] == [0, 2]
    assert root.ranked[1].is_near_tie
    assert root.ranked[1].margin == 0.0
    assert not root.ranked[0].is_near_tie


KINDS = {
    "quantiles": {"objective": "quantile", "quantile_alpha": (0.1, 0.5, 0.9)},
    "huber": {"objective": "huber"},
    "poisson": {"objective": "poisson"},
    "lambdarank": {"objective": "lambdarank"},
    "dropout": {"rate_drop": 0.5, "max_depth": 0, "max_leaves": 5, "grow_policy": "best_gain"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_runs_of_every_kind(kind):
    table = random_dataset("regression", n=300, d=4, n_valid=60)
    target = np.clip(np.round(np.abs(table.target)), 0, 4)
    table = replace(table, target=target, groups=np.arange(300) // 10, offset=None)
    replay = replayed(table, rounds=3, threads=1, **KINDS[kind])
    for round in (1, 3):
        for place, tree in enumerate(replay.rounds[round - 1].trees):
            for index in np.flatnonzero(~tree.is_leaf)[:4]:
                check_split(node_rows(replay, round, place, int(index)))


def test_categories_that_gain_by_chance_alone_say_so():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 60, 400)
    table = dataset(codes[:, None].astype(float), rng.normal(size=400), categories={0: 60})
    replay = replayed(table, rounds=1, threads=1, max_cat_to_onehot=1)
    node = node_rows(replay, 1, 0, 0)
    ranking = rank_columns(node)
    assert ranking.others == ((0, Why.BY_CHANCE),)
    assert ranking.by_chance[0] == pytest.approx(np.nanmax(node.scan(0).gain))
    assert ranking.by_chance[0] > 1.0
    assert ranking.leaf_reason == "A leaf: no cut gains more than many categories gain by chance."
    said = others_text(ranking, table.schema, node.params)
    assert f"x0: gains up to {gain_text(ranking.by_chance[0])}, less than its many categories" in said
    assert said.count("x0") == 1


def test_a_leaf_where_nothing_is_gained_does_not_say_that_no_cut_may_be_made():
    x = np.random.default_rng(0).normal(size=(60, 2))
    table = dataset(x, np.full(60, 2.0))
    ranking = rank_columns(node_rows(replayed(table, rounds=1, threads=1), 1, 0, 0))
    assert {why for _, why in ranking.others} == {Why.NO_GAIN}
    assert ranking.leaf_reason == "A leaf: no cut that may be made here gains anything."


def test_a_leaf_kept_by_gamma_says_what_was_compared():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 60, 600)
    effect = rng.normal(size=60)
    table = dataset(codes[:, None].astype(float), effect[codes] + rng.normal(size=600), categories={0: 60})
    replay = replayed(table, rounds=1, threads=1, max_cat_to_onehot=1, gamma=1e4)
    ranking = rank_columns(node_rows(replay, 1, 0, 0))
    best = ranking.ranked[0]
    assert best.compared < best.gain
    compared = f"the best cut gains {best.compared + 1e4:.3g} beyond what its many categories gain by chance"
    assert compared in ranking.leaf_reason


@pytest.mark.parametrize(("cat_l2", "more"), [(3.0, ", with 3 more of λ"), (0.0, "")])
def test_what_many_categories_were_compared_as_is_said(cat_l2, more):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 30, 600)
    target = rng.normal(size=30)[codes] + rng.normal(size=600)
    table = dataset(codes[:, None].astype(float), target, categories={0: 30})
    replay = replayed(table, rounds=1, threads=1, max_depth=1, gamma=0.0, cat_l2=cat_l2)
    node = node_rows(replay, 1, 0, 0)
    ranking = rank_columns(node)
    best = ranking.ranked[0]
    said = others_text(ranking, table.schema, node.params)
    compared = f"x0: compared as {gain_text(best.compared)}{more}"
    assert said == f"{compared}, as its many categories gain by chance too."
