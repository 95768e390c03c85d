"""What happens from round to round: schedules, GOSS, forests, going on, patience, slices."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost

import workbench
from tests.reference.tables import random_dataset, train
from workbench.ensembles.early_stopping import BestRound
from workbench.ensembles.goss import draw_by_gradient
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

MULTICLASS = ("auto", "softmax")


def rows_of(task="regression", n=600, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype(np.float32)
    x[rng.random(x.shape) < 0.05] = np.nan
    signal = np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 1]) ** 2 + rng.normal(size=n) / 3
    return x, signal if task == "regression" else np.digitize(signal, [0.5] if task == "binary" else [0.3, 1])


def margins_in_xgboost(model, x, path):
    model.save(path)
    return xgboost.Booster(model_file=path).predict(
        xgboost.DMatrix(x, feature_names=list(model.schema.names)), output_margin=True
    )


def test_shrinkage_by_round():
    _, rounds, _ = train(random_dataset(), rounds=4, learning_rate=0.5, learning_rate_decay=0.8)
    assert [r.trees[0].learning_rate for r in rounds] == pytest.approx([0.5, 0.4, 0.32, 0.256])


@pytest.mark.parametrize("task", ["regression", "binary", "multiclass"])
@pytest.mark.parametrize(
    "params", [{}, {"subsample": 0.6, "colsample_bytree": 0.6}, {"tree_method": "exact"}], ids=str
)
def test_forests_share_the_step(task, params, tmp_path):
    x, y = rows_of(task)
    model = workbench.fit(x, y, rounds=3, num_parallel_tree=4, learning_rate=0.4, **params)
    k = model.ensemble.n_classes
    assert len(model.trees) == 3 * 4 * k
    assert [t.class_index for t in model.trees[: 4 * k]] == [c for c in range(k) for _ in range(4)]
    assert all(t.learning_rate == pytest.approx(0.1) for t in model.trees)
    assert model.rounds == 3
    assert np.array_equal(margins_in_xgboost(model, x, tmp_path / "m.json"), model.predict_raw(x))
    again = workbench.load_model(tmp_path / "m.json")
    assert again.ensemble.n_parallel == 4
    assert np.array_equal(again.predict_raw(x, 2), model.predict_raw(x, 2))
    if not params:  # the same trees: a single one with the whole step
        single = workbench.fit(x, y, rounds=1, learning_rate=0.4)
        assert model.predict_raw(x, 1) == pytest.approx(single.predict_raw(x), rel=1e-5, abs=1e-6)


def test_goss_keeps_large_gradients_and_sums():
    rng = np.random.default_rng(0)
    g, h = rng.normal(size=(2, 5000)), rng.random((2, 5000))
    sample = draw_by_gradient(g, h, 0.2, 0.1, 3, 7)
    size = np.abs(g * h).sum(axis=0)
    drawn = np.zeros(5000, bool)
    drawn[sample.rows.drawn] = True
    top = np.argsort(-size)[:1000]
    assert drawn[top].all()
    assert drawn.sum() == 1500
    assert (sample.factors[top] == 1).all()
    others = np.setdiff1d(sample.rows.drawn, top)
    assert sample.factors[others] == pytest.approx(np.full(500, 8.0))
    assert np.array_equal(np.sort(np.concatenate(sample.rows)), np.arange(5000))
    sums = [
        draw_by_gradient(g, h, 0.2, 0.1, seed, 1) for seed in range(60)
    ]
    estimates = [s.amplified(g[0], h[0])[0][s.rows.drawn].sum() for s in sums]
    assert np.mean(estimates) == pytest.approx(g[0].sum(), abs=3 * np.std(estimates) / np.sqrt(60))
    everything = draw_by_gradient(g, h, 0.5, 1.0, 0, 1)
    assert len(everything.rows.drawn) == 5000
    assert (everything.factors == 1).all()


@pytest.mark.parametrize("task", ["regression", "binary", "multiclass"])
def test_goss_learns_about_as_well(task):
    x, y = rows_of(task, n=8000)
    metric = {"regression": "rmse", "binary": "logloss", "multiclass": "mlogloss"}[task]
    losses = [
        workbench.fit(x, y, rounds=40, valid_fraction=0.4, **params).history[-1][f"valid:{metric}"]
        for params in ({}, {"sampling_method": "goss"}, {"subsample": 0.05})
    ]
    assert losses[1] < 1.1 * losses[0]
    assert losses[1] < losses[2]


@pytest.mark.parametrize("task", ["regression", "multiclass"])
@pytest.mark.parametrize(
    "params",
    [{}, {"subsample": 0.7, "colsample_bytree": 0.7}, {"tree_method": "exact", "learning_rate_decay": 0.9},
     {"sampling_method": "goss"}, {"num_parallel_tree": 2, "colsample_bynode": 0.5}],
    ids=str,
)  # fmt: skip
def test_going_on_is_one_longer_run(task, params, tmp_path):
    x, y = rows_of(task)
    whole = workbench.fit(x, y, rounds=9, valid_fraction=0.2, **params)
    first = workbench.fit(x, y, rounds=4, valid_fraction=0.2, **params)
    first.save(tmp_path / "first.json")
    both = workbench.fit(
        x, y, rounds=5, valid_fraction=0.2, init_model=workbench.load_model(tmp_path / "first.json"), **params
    )
    assert both.rounds == 9
    assert np.array_equal(both.predict_raw(x), whole.predict_raw(x))
    assert [row["round"] for row in both.history] == list(range(1, 10))
    for mine, theirs in zip(both.history, whole.history, strict=True):
        assert mine.keys() | {"seconds"} == theirs.keys()
        for name in mine.keys() - {"seconds", "rounds"}:
            is_word = not isinstance(mine[name], (int, float))
            expected = theirs[name] if is_word else pytest.approx(theirs[name], rel=1e-6, nan_ok=True)
            assert mine[name] == expected, name
    assert np.array_equal(whole.first_rounds(4).predict_raw(x), first.predict_raw(x))
    assert len(whole.first_rounds(4).history) == 4
    with pytest.raises(WorkbenchError, match="has 9 rounds"):
        whole.first_rounds(10)


def test_going_on_from_something_else_is_refused():
    x, y = rows_of()
    model = workbench.fit(x, y, rounds=2)
    with pytest.raises(WorkbenchError, match="trained for 'squared'"):
        workbench.fit(x, np.exp(y), rounds=2, objective="gamma", init_model=model)
    with pytest.raises(WorkbenchError, match="the model alone has 'f4'"):
        workbench.fit(x[:, :4], y, rounds=2, init_model=model)


def test_a_model_is_gone_on_from_with_more_trees_side_by_side():
    x, y = rows_of()
    model = workbench.fit(x, y, rounds=2)
    further = workbench.fit(x, y, rounds=2, num_parallel_tree=3, init_model=model)
    assert (further.ensemble.parallel_by_round, further.rounds) == ((1, 1, 3, 3), 4)
    assert np.array_equal(further.first_rounds(2).predict_raw(x), model.predict_raw(x))


def test_least_change():
    best = BestRound(higher_is_better=False)
    for number, value in enumerate([1.0, 0.95, 0.9, 0.895, 0.7], 1):
        best.note(number, value, 0.06)
    assert best.round == 5
    values = [1.0, 0.8, 0.79, 0.785, 0.78]
    best = BestRound(higher_is_better=False)
    for number, value in enumerate(values, 1):
        best.note(number, value, 0.06)
    assert (best.round, best.is_exhausted(5, 3), best.is_exhausted(4, 3)) == (2, True, False)


def test_early_stopping_with_a_least_change_stops_sooner():
    x, y = rows_of(n=2000)
    params = {"rounds": 400, "valid_fraction": 0.3, "early_stopping_rounds": 5}
    patient = workbench.fit(x, y, **params)
    strict = workbench.fit(x, y, early_stopping_min_change=0.01, **params)
    assert strict.rounds < patient.rounds
    assert strict.provenance["ended"] == "early stopping"


@pytest.mark.parametrize("rates", [(1.0, 0.1), (0.5, 0.5), (0.9, 0.9)])
def test_goss_may_draw_every_row(rates):
    x, y = rows_of()
    model = workbench.fit(x, y, rounds=3, sampling_method="goss", top_rate=rates[0], other_rate=rates[1])
    plain = workbench.fit(x, y, rounds=3)
    assert model.predict_raw(x) == pytest.approx(plain.predict_raw(x), rel=1e-5, abs=1e-5)


def test_trees_side_by_side_differ_in_every_class():
    x, y = rows_of("multiclass")
    model = workbench.fit(x, y, rounds=1, num_parallel_tree=3, subsample=0.5)
    for k in range(3):
        roots = {tuple(t.nodes["sum_gradient"][:3]) for t in model.trees if t.class_index == k}
        assert len(roots) == 3


def test_going_on_after_early_stopping_keeps_history_and_best():
    x, y = rows_of(n=800)
    params = {"valid_fraction": 0.3, "early_stopping_rounds": 3, "learning_rate": 0.6}
    first = workbench.fit(x, y, rounds=200, **params)
    assert len(first.history) > first.rounds
    both = workbench.fit(x, y, rounds=30, init_model=first, **params)
    assert [row["round"] for row in both.history[: both.rounds]] == list(range(1, both.rounds + 1))
    assert both.rounds >= first.rounds
    best = min(row["valid:rmse"] for row in both.history)
    assert both.history[both.provenance["best_round"] - 1]["valid:rmse"] == best


@pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")
def test_going_on_past_the_best_round_keeps_what_it_went_on_from():
    x, y = rows_of(n=800)
    params = {"valid_fraction": 0.3, "learning_rate": 0.9, "max_depth": 8}
    first = workbench.fit(x, y, rounds=40, **params)
    assert first.provenance["best_round"] < 20
    for patience in (5, 50):
        both = workbench.fit(x, y, rounds=80, early_stopping_rounds=patience, init_model=first, **params)
        assert both.provenance["ended"] == "early stopping"
        assert both.rounds == both.provenance["rounds_kept"] == 40
        assert np.array_equal(both.predict_raw(x), first.predict_raw(x))


def test_going_on_waits_for_the_best_of_its_own_metric_and_rows():
    x, y = rows_of(n=800)
    patient = {"early_stopping_rounds": 3, "learning_rate": 0.05}
    first = workbench.fit(x, 9 * y, rounds=10, metric="r2", valid_fraction=0.3, **patient)
    assert first.history[-1]["valid:r2"] < first.history[-1]["valid:rmse"]
    other = workbench.fit(x, 9 * y, rounds=10, init_model=first, valid_fraction=0.3, **patient)
    assert (other.provenance["watched"], other.rounds) == ("rmse", 20)

    small = np.abs(y) < 1
    first = workbench.fit(x[small], y[small], rounds=10, valid_fraction=0.3, **patient)
    wider = workbench.fit(x, y, rounds=10, init_model=first, valid_fraction=0.3, **patient)
    assert wider.history[10]["valid:rmse"] > first.history[-1]["valid:rmse"]
    assert wider.rounds == 20


def test_going_on_from_a_file_of_xgboost(tmp_path):
    x, y = rows_of()
    table = xgboost.DMatrix(x, y, feature_names=[f"f{i}" for i in range(5)])
    xgboost.train({"max_depth": 3}, table, 5).save_model(tmp_path / "x.json")
    start = workbench.load_model(tmp_path / "x.json")
    model = workbench.fit(x, y, rounds=3, init_model=start)
    assert model.rounds == 8
    assert [row["round"] for row in model.history] == list(range(1, 9))
    assert np.array_equal(model.first_rounds(5).predict_raw(x), start.predict_raw(x))
    assert model.history[-1]["train:rmse"] < np.sqrt(np.mean((start.predict(x) - y) ** 2))


def test_a_metric_that_is_not_defined_cannot_be_waited_for():
    x, y = rows_of()
    params = {"metric": "poisson_deviance", "valid_fraction": 0.3, "rounds": 4}
    assert workbench.fit(x, y, **params).rounds == 4
    with pytest.raises(WorkbenchError, match="metric and early_stopping_rounds clash"):
        workbench.fit(x, y, early_stopping_rounds=2, **params)


def test_one_parameter_by_two_names_is_refused():
    with pytest.raises(WorkbenchError, match="eta and learning_rate are one parameter"):
        workbench.TrainingParams.from_dict({"eta": 0.3, "learning_rate": 0.1})


@pytest.mark.parametrize(
    ("objective", "before", "now", "words"),
    [
        ("huber", {"huber_slope": 1.0}, {"huber_slope": 2.0}, "huber_slope .* with 1.0, not with 2.0"),
        ("quantile", {"quantile_alpha": 0.2}, {"quantile_alpha": 0.8}, "quantile_alpha .* 0.2, not with 0.8"),
        ("tweedie", {}, {"tweedie_variance_power": 1.2}, "tweedie_variance_power .* with 1.5, not with 1.2"),
        (
            "reg:pseudohubererror", {"huber_slope": 3.0}, {"huber_slope": 2.0},
            "huber_slope .* with 3.0, not with 2.0",
        ),
        ("auto", {"softmax_hessian": "diagonal"}, {}, "softmax_hessian .* with diagonal, not with bound"),
        ("softmax", {"softmax_hessian": "diagonal"}, {"softmax_hessian": "diagonal"}, ""),
        ("squared", {}, {"base_score": 9.0}, "base_score .* its base is .*, not 9; leave base_score out"),
        ("poisson", {"base_score": 2.0}, {"base_score": 3.0}, "base_score .* its base is 0.693147"),
        ("squared", {"huber_slope": 3.0, "reg_lambda": 2.0}, {"huber_slope": 1.0}, ""),
        ("squared", {"base_score": 0.25}, {"base_score": 0.25}, ""),
        ("logistic", {"base_score": 0.3}, {"base_score": 0.3}, ""),
        ("poisson", {"base_score": 2.0}, {}, ""),
    ],
)
def test_going_on_with_another_loss_or_base_is_refused(tmp_path, objective, before, now, words):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    y = (x[:, 0] > 0).astype(float) if objective == "logistic" else np.exp(x[:, 0])
    y = np.array(["a", "b", "c"])[np.digitize(x[:, 0], [-0.5, 0.5])] if objective in MULTICLASS else y
    workbench.fit(x, y, objective=objective, rounds=2, **before).save(tmp_path / "m.json")
    start = workbench.load_model(tmp_path / "m.json")
    given = {"objective": objective, "rounds": 2, "init_model": start, **now}
    if not words:
        assert workbench.fit(x, y, **given).rounds == 4
        return
    with pytest.raises(WorkbenchError, match=words):
        workbench.fit(x, y, **given)


def test_a_base_beyond_what_a_number_can_hold_is_refused_at_once():
    with pytest.raises(WorkbenchError, match=r"base_score is 1e\+300; it must be"):
        TrainingParams(base_score=1e300)
