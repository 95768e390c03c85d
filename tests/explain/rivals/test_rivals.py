"""Who came second at each split, against the ranking of all columns there."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.ensembles.base import make_trainer
from workbench.errors import Cancelled
from workbench.explain.candidates import rank_columns
from workbench.explain.node_rows import node_rows
from workbench.explain.replay import Replay
from workbench.explain.rivals.rivals import NOBODY, Defeat, rival_sums, sampled_rows, tree_defeats
from workbench.parameters.training import TrainingParams
from workbench.session.growing import rows_of_plan
from workbench.session.plan import Plan


@pytest.fixture(scope="module")
def replay():
    """A run in which a column has a twin that is a little noisier."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3)).astype(np.float32)
    x[:, 1] = x[:, 0] + 0.1 * rng.normal(size=300)
    y = (2 * x[:, 0] + x[:, 2] ** 2).astype(np.float32)
    names = ("own", "twin", "other", "y")
    columns = tuple(Column(n, "number", v) for n, v in zip(names, (*x.T, y), strict=True))
    plan = Plan(dict.fromkeys(names, "feature") | {"y": "target"}, "squared", False, 0.0)
    data = rows_of_plan(Table("twins", columns), plan)
    params = TrainingParams(objective="squared", rounds=4, max_depth=3)
    started, *rounds, _ = make_trainer(data, params).rounds()
    return Replay(data, started.ensemble, params, rounds)


def test_the_second_is_that_of_the_ranking(replay):
    for round in range(1, 5):
        tree = replay.grown(round, 0).tree
        expected = []
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            first, *others = rank_columns(node_rows(replay, round, 0, node)).ranked
            second = (others[0].feature, others[0].gain) if others and others[0].gain > 0 else (NOBODY, 0.0)
            expected.append((first.feature, *second))
        found = tree_defeats(replay, round, 0)
        assert [(d.winner, d.second, d.lost) for d in found] == expected
        assert all(d.lost <= d.won + 1e-6 for d in found)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"min_child_weight": 0.0, "reg_alpha": 0.5, "max_delta_step": 0.3, "gamma": 0.2},
        {"subsample": 0.6, "colsample_bynode": 0.6, "colsample_bytree": 0.8, "min_leaf_rows": 9},
        {"monotone_constraints": {"a": 1, "c": -1}, "max_leaves": 7, "max_depth": 0},
        {"interaction_constraints": (("a", "b", "k"), ("c", "d")), "max_bin": 7, "scale_pos_weight": 3.0},
    ],
)  # fmt: skip
def test_all_splits_at_once_are_those_of_each_alone(monkeypatch, params):
    """With missing values, few distinct ones, equal columns, categories and rows of weight 0."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 6)).astype(np.float32)
    x[:, 1], x[:, 2] = x[:, 0], np.round(x[:, 2])
    x[rng.random((400, 6)) < 0.1] = np.nan
    y = (np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 3]) ** 2 + rng.normal(size=400) > 0.5).astype(np.float32)
    names = (*"abcdef", "weight", "y")
    columns = [Column(n, "number", v) for n, v in zip(names, (*x.T, rng.integers(0, 3, 400), y), strict=True)]
    kinds = np.array(["u", "v", "w", "x", "z"])
    columns.append(Column("k", "category", rng.integers(0, 5, 400).astype(np.float32), tuple(kinds)))
    roles = dict.fromkeys((*"abcdef", "k"), "feature") | {"y": "target", "weight": "weight"}
    data = rows_of_plan(Table("mixed", tuple(columns)), Plan(roles, "logistic", False, 0.0))
    settings = TrainingParams(objective="logistic", rounds=3, **{"max_depth": 4, **params})
    started, *rounds, _ = make_trainer(data, settings).rounds()

    def found():
        made = Replay(data, started.ensemble, settings, rounds)
        return [defeat for round in (1, 2, 3) for defeat in tree_defeats(made, round, 0)]

    at_once = found()
    monkeypatch.setattr("workbench.explain.rivals.bin_scans.MOST_SUMS", 0)
    alone = found()
    assert [d[:3] for d in at_once] == [d[:3] for d in alone]
    assert [d.lost for d in at_once] == pytest.approx([d.lost for d in alone], rel=1e-9)
    assert len({d.second for d in alone}) > 2


def test_a_twin_loses_most_to_the_column_that_it_copies(replay):
    sums = rival_sums((d for round in range(1, 5) for d in tree_defeats(replay, round, 0)), 3)
    places = {column: place for place, column in enumerate(sums.columns.tolist())}
    lost = sums.matrix(3)
    assert lost[places[1]].argmax() == places[0]
    assert lost[places[1], places[0]] == lost.max() == sums.lost.max()
    assert sums.winner[sums.of_second(places[1])[0]] == places[0]


def test_sums_count_defeats_and_what_winners_gained():
    sums = rival_sums([Defeat(4, 2, 9.0, 5.0), Defeat(4, 2, 3.0, 1.0), Defeat(2, 7, 1.0, 0.5)], 10)
    assert sums.columns.tolist() == [4, 2, 7]
    assert sums.matrix(9)[1].tolist() == [6.0, 0.0, 0.0]
    assert sums.matrix(1).tolist() == [[0.0]]
    assert sums.times[sums.of_second(1)].tolist() == [2]
    assert sums.won.tolist() == [12.0, 1.0, 0.0]


def test_what_a_column_won_is_its_gain_also_where_nobody_came_second(replay):
    alone = rival_sums([Defeat(4, 2, 9.0, 5.0), Defeat(4, NOBODY, 3.0, 0.0), Defeat(6, NOBODY, 2.0, 0.0)], 10)
    assert dict(zip(alone.columns.tolist(), alone.won.tolist(), strict=True)) == {4: 12.0, 2: 0.0, 6: 2.0}
    assert alone.times.tolist() == [1]
    sums = rival_sums((d for round in range(1, 5) for d in tree_defeats(replay, round, 0)), 3)
    trees = [replay.grown(round, 0).tree.nodes for round in range(1, 5)]
    gain = sum(np.bincount(n["feature"][n["left"] >= 0], n["gain"][n["left"] >= 0], 3) for n in trees)
    assert sums.won == pytest.approx(gain[sums.columns])


def test_nothing_adds_up_to_nothing():
    assert rival_sums([], 10).matrix(14).shape == (0, 0)


def test_a_sample_counts_for_the_rows_that_are_left_out(replay):
    data = replay.dataset
    some = sampled_rows(data, 200)
    assert len(some.features) == 200
    assert some.weight.sum() == pytest.approx(len(data.train_rows))
    small = Replay(some, replay.begun, replay.params, replay.rounds)
    own, all_ = (rival_sums(tree_defeats(one, 1, 0), 3) for one in (small, replay))
    assert own.won == pytest.approx(all_.won)
    assert own.lost.sum() == pytest.approx(all_.lost.sum(), rel=0.3)


def test_it_can_be_cancelled(replay):
    with pytest.raises(Cancelled):
        tree_defeats(replay, 1, 0, lambda: True)
