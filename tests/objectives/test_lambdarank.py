"""Rankings: slopes, metrics, whole runs beside XGBoost."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn import metrics as sk

import workbench
from tests.reference import naive_ranking
from tests.reference.naive_ranking import query_slices
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError
from workbench.given import make_dataset
from workbench.metrics.base import METRICS
from workbench.objectives.base import OBJECTIVES, gradients, loss_sum
from workbench.threads.team import ALONE, Team

STEP = 2.0**-9


def made(seed=0, n_queries=120, n_columns=5):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_queries), rng.integers(2, 30, n_queries))
    x = rng.normal(size=(len(groups), n_columns)).astype(np.float32)
    signal = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=len(groups)) / 2
    relevance = np.clip(np.round(signal + 1), 0, 4)
    return x, relevance, groups + 1000 * (groups % 7)


def test_gradients_are_the_slope_of_the_loss():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(4), [1, 5, 9, 3])
    y, weight = rng.integers(0, 4, 18).astype(float), rng.integers(1, 4, 18).astype(float)
    raw = rng.permutation(18).astype(np.float32) / 8  # no ties: a small step exchanges nobody
    objective = OBJECTIVES.get("rank:ndcg").with_groups(groups)
    g, h = gradients(objective, y, raw, weight)
    here = loss_sum(objective, y, raw, weight)
    for i in range(18):
        steps = [raw.copy(), raw.copy()]
        steps[0][i] += np.float32(STEP)
        steps[1][i] -= np.float32(STEP)
        above, below = (loss_sum(objective, y, moved, weight) for moved in steps)
        assert g[i] == pytest.approx((above - below) / (2 * STEP), abs=1e-5)
        assert h[i] == pytest.approx((above - 2 * here + below) / STEP**2, abs=1e-3)
    for rows in query_slices(groups):
        assert g[rows].sum() == pytest.approx(0.0, abs=1e-12)


def test_metrics_beside_scikit_learn():
    _, y, groups = made(1, 40)
    raw = np.random.default_rng(2).normal(size=len(y)).astype(np.float32)
    for name, k in (("ndcg", None), ("ndcg@5", 5), ("ndcg@10", 10)):
        expected = np.mean([
            sk.ndcg_score([2 ** y[rows] - 1], [raw[rows]], k=k) if y[rows].any() else 1.0
            for rows in query_slices(groups)
        ])
        assert METRICS.get(name).by_query(y, raw, groups) == pytest.approx(expected, rel=1e-9)
    expected = np.mean([
        sk.average_precision_score(y[rows] > 0, raw[rows]) if y[rows].any() else 1.0
        for rows in query_slices(groups)
    ])
    assert METRICS.get("map").by_query(y, raw, groups) == pytest.approx(expected, rel=1e-9)


def test_ties_count_as_the_mean_over_their_orders():
    rng = np.random.default_rng(3)
    for _ in range(30):
        n = int(rng.integers(2, 7))
        y, raw = rng.integers(0, 3, n).astype(float), rng.integers(0, 3, n).astype(np.float32)
        if not y.any():
            continue
        for k in (1, 2, 4, 1000):
            one = np.zeros(n, np.int64)
            ours = METRICS.get(f"ndcg@{k}").by_query(y, raw, one)
            assert ours == pytest.approx(sk.ndcg_score([2**y - 1], [raw], k=k), rel=1e-9)
            orders = [o for o in itertools.permutations(range(n)) if (np.diff(raw[list(o)]) <= 0).all()]
            each = [naive_map(y[list(order)] > 0, k) for order in orders]
            ours = METRICS.get(f"map@{k}").by_query(y, raw, one)
            assert ours == pytest.approx(np.mean(each), rel=1e-9)


def naive_map(hits, k):
    precisions = [np.mean(hits[: i + 1]) for i in range(min(k, len(hits))) if hits[i]]
    return sum(precisions) / min(hits.sum(), k)


def test_a_constant_model_is_not_perfect_on_sorted_rows():
    y = np.repeat([4.0, 2.0, 0.0], 20)
    for raw in (np.zeros(60, np.float32), np.float32(1e9) + np.zeros(60, np.float32)):
        assert METRICS.get("ndcg@5").by_query(y, raw, np.zeros(60, np.int64)) < 0.5
        assert METRICS.get("map@5").by_query(y - 2, raw, np.zeros(60, np.int64)) < 0.5


def test_any_number_of_places():
    x, y, groups = made(5, 40)
    more = ["ndcg@3", "map@1000"]
    model = workbench.fit(x, y, group=groups, objective="lambdarank", rounds=2, more_metrics=more)
    raw = model.predict_raw(x)
    expected = METRICS.get("ndcg@3").by_query(y, raw, groups)
    assert model.history[-1]["train:ndcg@3"] == pytest.approx(expected, rel=1e-9)
    for wrong in ("ndcg@0", "ndcg@1001", "map@", "ndcg@05", "ndcg@5.5", "ndcg@-1"):
        with pytest.raises(WorkbenchError, match=f"no metric called '{wrong}'. The nearest is '(ndcg|map)"):
            METRICS.get(wrong)


@pytest.mark.parametrize("size", [1.0, 1e5])
def test_targets_that_are_no_relevances_have_no_ndcg(size):
    x, y, groups = made(5, 40)
    params = {"objective": "squared", "metric": "ndcg@3", "more_metrics": ["map"], "valid_fraction": 0.3}
    model = workbench.fit(x, size * (y - 1), group=groups, rounds=2, **params)
    assert np.isnan(model.history[-1]["valid:ndcg@3"])
    assert model.history[-1]["valid:map"] > 0
    with pytest.raises(WorkbenchError, match="metric and early_stopping_rounds clash: 'ndcg@3' is not defi"):
        workbench.fit(x, size * (y - 1), group=groups, rounds=2, early_stopping_rounds=1, **params)


@pytest.mark.slow
def test_as_good_as_xgboost(tmp_path):
    x, y, groups = made(3, 400)
    train = np.isin(groups, np.unique(groups)[:200])
    model = workbench.fit(
        x[train], y[train], group=groups[train], objective="lambdarank", rounds=60, max_depth=4
    )
    order = np.argsort(groups[train], kind="stable")
    table = xgboost.DMatrix(x[train][order], y[train][order], qid=np.sort(groups[train]))
    params = {"objective": "rank:ndcg", "max_depth": 4, "eta": 0.1, "nthread": 1}
    theirs = xgboost.train(params, table, 60).predict(xgboost.DMatrix(x[~train]))
    score = METRICS.get("ndcg").by_query
    ours = score(y[~train], model.predict_raw(x[~train]), groups[~train])
    assert ours > 0.99 * score(y[~train], theirs, groups[~train])
    assert ours > score(y[~train], np.zeros(int((~train).sum()), np.float32), groups[~train]) + 0.05
    model.save(tmp_path / "m.json")
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    rows = xgboost.DMatrix(x, feature_names=booster.feature_names)
    assert np.array_equal(booster.predict(rows, output_margin=True), model.predict_raw(x))


def test_whole_queries_are_held_out_and_watched():
    x, y, groups = made(4)
    model = workbench.fit(
        x, y, group=groups, objective="lambdarank", rounds=200, valid_fraction=0.3, early_stopping_rounds=10,
        more_metrics=["map@5", "rmse"],
    )
    assert model.provenance["watched"] == "ndcg"
    assert model.provenance["ended"] == "early stopping"
    last = model.history[model.rounds - 1]
    assert {"valid:ndcg", "train:ndcg", "valid:map@5", "valid:rmse"} <= last.keys()
    dataset = make_dataset(
        x, y, None, None, None, 0.3, workbench.TrainingParams(objective="lambdarank"), group=groups
    )
    assert not set(groups[dataset.valid_rows]) & set(groups[dataset.train_rows])
    rows = dataset.valid_rows
    expected = METRICS.get("ndcg").by_query(y[rows], model.predict_raw(x[rows]), groups[rows])
    assert last["valid:ndcg"] == pytest.approx(expected, rel=1e-9)


def test_the_sample_of_rankings(tmp_path):
    frame = pd.read_csv(sample_file("baking_contest_ranking"))
    target = next(c for c in frame.columns if c in ("relevance", "label", "rank", "grade", "points"))
    from workbench.__main__ import main

    out = tmp_path / "m.json"
    arguments = ["train", str(sample_file("baking_contest_ranking")), "--target", target, "--objective",
                 "lambdarank", "--rounds", "5", "--export", str(out), "--quiet"]  # fmt: skip
    assert main(arguments) == 0
    assert workbench.load_model(out).ensemble.objective == "lambdarank"


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"group": None}, "role of a group"),
        ({"metric": "poisson_deviance", "objective": "squared", "more_metrics": ["auc"]}, "auc"),
        ({"objective": "squared", "metric": "pinball"}, "metric and objective clash"),
    ],
)
def test_what_does_not_fit_is_refused(params, words):
    x, y, groups = made(5, 10)
    with pytest.raises(WorkbenchError, match=words):
        workbench.fit(x, y, **{"group": groups, "objective": "lambdarank", "rounds": 2} | params)
    with pytest.raises(WorkbenchError, match="relevances from 0 to 31"):
        workbench.fit(x, y - 1, group=groups, objective="lambdarank", rounds=2)


def ranked(sizes, scale=1.0, levels=5, seed=0):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    n = len(groups)
    y, raw = rng.integers(0, levels, n).astype(float), (scale * rng.normal(size=n)).astype(np.float32)
    raw = np.where(rng.random(n) < 0.5, np.round(raw), raw)
    return rng.permutation(groups), y, raw, rng.uniform(0.5, 2, n)


SIZES = [1, 2, 7, 8, 9, 16, 17, 40, 127, 128, 200]


@pytest.mark.parametrize(
    ("scale", "levels", "half"), [(1, 5, 0), (3, 2, 0), (1e4, 5, 0), (1, 4, 0.5), (1, 1, 0)]
)
def test_pairs_beside_the_naive_twin(scale, levels, half):
    groups, y, raw, weight = ranked(SIZES, scale, levels)
    y += half * (y == 1)
    objective = OBJECTIVES.get("lambdarank").with_groups(groups)
    g, h, losses = np.empty((1, len(y))), np.empty((1, len(y))), np.empty(len(y))
    loss, _ = objective.evaluate(y, raw[None], weight, g, h, losses, ALONE)
    expected = naive_ranking.lambdas(y, raw, weight, groups)
    for found, wanted in zip((g[0], h[0], losses), expected, strict=False):
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert loss == pytest.approx(expected[3], rel=1e-12)
    assert objective.evaluate(y, raw[None], weight, g, h, np.empty(0), ALONE)[0] == loss


@pytest.mark.parametrize("scale", [0, 1, 100])
def test_figures_of_queries_beside_the_naive_twin(scale):
    groups, y, raw, _ = ranked(SIZES, scale)
    y[groups == 8] = 0
    y[groups == 7] += 0.25
    for family, of_query in (("ndcg", naive_ranking.ndcg), ("map", naive_ranking.average_precision)):
        for k in (1, 3, 150, 1000):
            found = METRICS.get(f"{family}@{k}").by_query(y, raw, groups)
            wanted = naive_ranking.mean_over_queries(of_query, k, y, raw, groups)
            assert found == pytest.approx(wanted, rel=1e-12)


def test_threads_do_not_change_a_bit():
    groups, y, raw, weight = ranked([300, 700, 5, 400, 900, 1])
    objective = OBJECTIVES.get("lambdarank").with_groups(groups)
    seen = []
    for team in (ALONE, Team(2), Team(3)):
        g, h, losses = np.empty((1, len(y))), np.empty((1, len(y))), np.empty(len(y))
        loss, _ = objective.evaluate(y, raw[None], weight, g, h, losses, team)
        score = METRICS.get("ndcg").by_query(y, raw, groups, team)
        seen.append((g.tobytes(), h.tobytes(), losses.tobytes(), loss, score))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_groups_without_a_value_are_refused(missing):
    x, y, groups = made(7, 10)
    given = groups.astype(object)
    given[3] = missing
    with pytest.raises(WorkbenchError, match="no value in row 3"):
        workbench.fit(x, y, group=given, objective="lambdarank", rounds=2)
