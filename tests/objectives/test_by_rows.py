"""Objectives written with numpy: slopes, constants, line searches, and whole runs beside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.ensemble import HistGradientBoostingRegressor

import workbench
from tests.reference.naive_tree import leaf_of
from tests.reference.tables import dataset, train
from workbench.ensembles.tree_plan import draw_sample
from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS
from workbench.objectives.base import OBJECTIVES, gradients, loss_sum
from workbench.objectives.line_search import clipped_mean, weighted_quantile
from workbench.parameters.training import TrainingParams

PARAMS = TrainingParams(quantile_alpha=0.8, huber_slope=0.7, tweedie_variance_power=1.3)
NAMES = ("absolute", "huber", "quantile", "poisson", "gamma", "tweedie", "exponential")
ZERO_HESSIAN = ("absolute", "huber", "quantile")  # of the loss; theirs is set to 1
STEP = 2.0**-7


def pinball(y, p):
    return sk.mean_pinball_loss(y, p, alpha=0.8)


def objective_of(name):
    return OBJECTIVES.get(name).with_params(PARAMS)


def targets(name, rng, n):
    if name == "exponential":
        return rng.integers(0, 2, n).astype(float)
    if name in ("poisson", "tweedie"):
        return rng.poisson(1.5, n).astype(float)
    return rng.gamma(2.0, size=n) if name == "gamma" else rng.normal(size=n) + 2.0**-10 / 3


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_the_slope_of_the_loss(name):
    rng = np.random.default_rng(0)
    objective = objective_of(name)
    target, weight = targets(name, rng, 60), rng.integers(0, 4, 60).astype(float)
    raw = (rng.integers(-256, 256, 60) / 128).astype(np.float32)
    g, h = gradients(objective, target, raw, weight)
    here, above, below = (
        np.array([
            loss_sum(objective, target[i : i + 1], raw[i : i + 1] + np.float32(step), weight[i : i + 1])
            for i in range(60)
        ])
        for step in (0, STEP, -STEP)
    )
    smooth = np.abs(np.abs(target - raw) - (0.7 if name == "huber" else 0.0)) > 2 * STEP
    smooth |= name not in ZERO_HESSIAN
    np.testing.assert_allclose(g[smooth], ((above - below) / (2 * STEP))[smooth], atol=4e-3, rtol=1e-3)
    expected = weight if name in ZERO_HESSIAN else (above - 2 * here + below) / STEP**2
    np.testing.assert_allclose(h, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_no_other_constant_is_better(name):
    rng = np.random.default_rng(1)
    objective = objective_of(name)
    target, weight = targets(name, rng, 301), rng.integers(0, 4, 301).astype(float)
    base = objective.base_margin(target, weight, 0)

    def loss(shift):
        return loss_sum(objective, target, np.full(301, base[0] + np.float32(shift), np.float32), weight)

    assert loss(0) <= min(loss(0.01), loss(-0.01)) + 1e-6 * loss(0)


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.integers(0, 3)), min_size=1, max_size=25),
    st.floats(0.05, 0.95), st.floats(0.1, 30),
)
def test_line_searches_find_the_minimum(pairs, share, slope):
    values, weight = (np.array(part, float) for part in zip(*pairs, strict=True))
    if not weight.any():
        return

    def pinball(v):
        distance = values - v
        return float((weight * np.maximum(share * distance, (share - 1) * distance)).sum())

    def huber(v):
        near = np.minimum(np.abs(values - v), slope)
        return float((weight * near * (np.abs(values - v) - near / 2)).sum())

    for loss, found in (
        (pinball, weighted_quantile(values, weight, share)), (huber, clipped_mean(values, weight, slope))
    ):
        tried = [loss(v) for v in np.concatenate([values, np.linspace(-50, 50, 101)])]
        assert loss(found) <= min(tried) + 1e-7 * (1 + abs(min(tried)))


def test_median_of_even_numbers_is_the_middle():
    assert weighted_quantile(np.array([4.0, 1, 3, 2]), np.ones(4), 0.5) == 2.5


@pytest.mark.parametrize("name", ZERO_HESSIAN)
@pytest.mark.parametrize("method", ["hist", "exact"])
def test_leaves_are_searched(name, method):
    """Each leaf's weight is what minimises the loss of its rows; raw predictions are those of the trees."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(400, 3))
    y = x[:, 0] + rng.standard_t(2, 400)
    weight = rng.integers(0, 3, 400)
    data = dataset(x, y, weight=weight, n_valid=100)
    params = {"objective": name, "rounds": 3, "max_depth": 3, "learning_rate": 0.5, "tree_method": method}
    params |= {"quantile_alpha": 0.8, "huber_slope": 0.7}
    started, rounds, _ = train(data, **params)
    objective = objective_of(name)
    raw = np.full(300, started.ensemble.base_margin[0], np.float32)
    for event in rounds:
        tree = event.trees[0]
        from workbench.ensembles.prediction import leaf_indices

        leaf = leaf_indices((tree,), data.features[:300])[:, 0]
        for node in np.unique(leaf):
            own = leaf == node
            expected = objective.leaf_weight(data.target[:300][own] - raw[own], data.weight[:300][own])
            assert tree.nodes["weight"][node] == pytest.approx(expected, rel=1e-6, abs=1e-9)
            assert tree.nodes["leaf_value"][node] == np.float32(0.5 * tree.nodes["weight"][node])
        raw += tree.nodes["leaf_value"][leaf]
        loss = loss_sum(objective, data.target[:300], raw, data.weight[:300])
        assert event.loss == pytest.approx(loss)
    first = rounds[0].train[objective.metrics[0]], rounds[-1].train[objective.metrics[0]]
    assert first[1] < first[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "theirs", "score"),
    [
        ("absolute", {"loss": "absolute_error"}, sk.mean_absolute_error),
        ("quantile", {"loss": "quantile", "quantile": 0.8}, pinball),
        ("poisson", {"loss": "poisson"}, sk.mean_poisson_deviance),
        ("gamma", {"loss": "gamma"}, sk.mean_gamma_deviance),
    ],
)
def test_as_good_as_scikit_learn(name, theirs, score):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(6000, 5)).astype(np.float32)
    mean = np.exp(0.6 * x[:, 0] + 0.4 * np.abs(x[:, 1]))
    drawn = {"poisson": lambda: rng.poisson(mean), "gamma": lambda: rng.gamma(2, mean / 2) + 1e-3}
    y = drawn.get(name, lambda: mean + rng.standard_t(3, 6000))().astype(float)
    model = workbench.fit(
        x[:3000], y[:3000], objective=name, rounds=80, max_depth=4, reg_lambda=0, quantile_alpha=0.8
    )
    other = HistGradientBoostingRegressor(
        max_iter=80, max_depth=4, max_leaf_nodes=None, early_stopping=False, l2_regularization=0,
        min_samples_leaf=1, **theirs,
    ).fit(x[:3000], y[:3000])
    ours, reference = score(y[3000:], model.predict(x[3000:])), score(y[3000:], other.predict(x[3000:]))
    assert ours <= 1.03 * reference


@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_beside_scikit_learn(weighted):
    rng = np.random.default_rng(4)
    y, p = rng.gamma(2, size=500), rng.gamma(2, size=500).astype(np.float32)
    w = rng.integers(0, 4, 500).astype(float) if weighted else None
    expected = {
        "mape": sk.mean_absolute_percentage_error(y, p, sample_weight=w),
        "poisson_deviance": sk.mean_poisson_deviance(y, p, sample_weight=w),
        "gamma_deviance": sk.mean_gamma_deviance(y, p, sample_weight=w),
    }
    for name, value in expected.items():
        assert METRICS.get(name).value(y, p, w) == pytest.approx(value, rel=1e-9)
    classes, raw = rng.integers(0, 2, 500).astype(float), rng.normal(size=500).round(1).astype(np.float32)
    assert METRICS.get("pr_auc").value(classes, raw, w) == pytest.approx(
        sk.average_precision_score(classes, raw, sample_weight=w), rel=1e-9
    )


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("tweedie", lambda y, p: sk.mean_tweedie_deviance(y, p, power=1.3)),
        ("quantile", pinball),
        ("poisson", sk.mean_poisson_deviance),
        ("gamma", sk.mean_gamma_deviance),
    ],
)
def test_the_first_metric_is_that_of_scikit_learn(name, score):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(600, 3)).astype(np.float32)
    y = targets(name, rng, 600)
    model = workbench.fit(
        x[:400], y[:400], valid=(x[400:], y[400:]), objective=name, rounds=5, quantile_alpha=0.8,
        tweedie_variance_power=1.3,
    )
    metric = OBJECTIVES.get(name).metrics[0]
    last = model.history[-1]
    assert last[f"train:{metric}"] == pytest.approx(score(y[:400], model.predict(x[:400])), rel=1e-5)
    assert last[f"valid:{metric}"] == pytest.approx(score(y[400:], model.predict(x[400:])), rel=1e-5)


@pytest.mark.parametrize(("name", "bad"), [("poisson", -1.0), ("gamma", 0.0), ("tweedie", -0.5)])
def test_impossible_targets_are_refused(name, bad):
    with pytest.raises(WorkbenchError, match=f"'{name}' needs targets .*; 'target' is {bad:g} in row 4"):
        workbench.fit(np.arange(6.0)[:, None], [1, 2, 3, bad, 5, 6.5], objective=name, rounds=2)


def test_exponential_is_half_the_log_odds():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(3000, 2)).astype(np.float32)
    y = (rng.random(3000) < 1 / (1 + np.exp(-2 * x[:, 0]))).astype(int)
    model = workbench.fit(x, y, objective="exponential", rounds=60, learning_rate=0.2, max_depth=2)
    truth = 1 / (1 + np.exp(-2 * x[:, 0]))
    assert np.abs(model.predict(x) - truth).mean() < 0.06
    np.testing.assert_allclose(model.predict(x), 1 / (1 + np.exp(-2 * model.predict_raw(x))), rtol=1e-5)


def test_class_weights_are_weights():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(500, 3)).astype(np.float32)
    y = (x[:, 0] + rng.normal(size=500) > 0.8).astype(int)
    weighted = workbench.fit(x, y, weight=np.where(y == 1, 4.0, 1.0), rounds=5)
    for params in ({"scale_pos_weight": 4}, {"class_weights": {"1": 4}}):
        model = workbench.fit(x, y, rounds=5, **params)
        assert np.array_equal(model.predict_raw(x), weighted.predict_raw(x))
        assert model.history[-1]["train:logloss"] == weighted.history[-1]["train:logloss"]
    for params, words in (
        ({"class_weights": {"2": 4}}, "names '2'"), ({"class_weights": {"0": 0, "1": 0}}, "every class")
    ):
        with pytest.raises(WorkbenchError, match=words):
            workbench.fit(x, y, rounds=2, **params)
    with pytest.raises(WorkbenchError, match="for classes"):
        workbench.fit(x, x[:, 0], rounds=2, scale_pos_weight=2)


def test_truth_values_have_weights_as_a_table_or_as_python_writes_them():
    x = np.arange(40.0)[:, None]
    weighted, *others = (
        workbench.fit(x, x[:, 0] % 3 > 1, rounds=2, **params)
        for params in (
            {"scale_pos_weight": 4.0}, {"class_weights": "true: 4"}, {"class_weights": {True: 4, False: 1}},
        )
    )
    for model in others:
        assert np.array_equal(model.predict_raw(x), weighted.predict_raw(x))
    with pytest.raises(WorkbenchError, match=r"names 'yes', which is no class\. Known: false, true"):
        workbench.fit(x, x[:, 0] % 3 > 1, rounds=2, class_weights="yes: 4")


def test_means_that_no_number_holds_are_refused():
    """e^ŷ is beyond float32 from 88.8 on, long before the loss is beyond float64."""
    x, y = np.arange(40.0)[:, None], np.repeat([1.0, 2000.0], 20)
    rounds = {"objective": "poisson", "base_score": 0.3, "learning_rate": 1.0, "rounds": 3, "reg_lambda": 0.0}
    with pytest.raises(WorkbenchError, match=r"In round 1 the predictions grew beyond .* max_delta_step"):
        workbench.fit(x, y, **rounds)
    assert np.isfinite(workbench.fit(x, y, max_delta_step=0.7, **rounds).predict(x)).all()


def test_a_tweedie_target_of_0_has_no_slope_where_the_mean_is_0():
    raw = np.array([-3000.0, -1e30], np.float32)
    g, h = gradients(OBJECTIVES.get("tweedie"), np.zeros(2), raw)
    assert g.tolist() == h.tolist() == [0.0, 0.0]
    assert loss_sum(OBJECTIVES.get("tweedie"), np.zeros(2), raw) == 0.0


@pytest.mark.parametrize("sampling", [{"subsample": 0.4}, {"sampling_method": "goss", "other_rate": 0.3}])
def test_leaves_search_among_the_drawn_rows(sampling):
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(300, 2)).astype(np.float32), rng.normal(size=300)
    params = TrainingParams(objective="absolute", rounds=1, max_depth=2, **sampling)
    model = workbench.fit(x, y, params=params)
    rows, factors = draw_sample(params, np.where(y < np.median(y), 1.0, -1.0)[None], np.ones((1, 300)), 1)
    (tree,) = model.trees
    leaf = np.array([leaf_of(tree, row) for row in x[rows.drawn]])
    for node in np.flatnonzero(tree.is_leaf):
        own = rows.drawn[leaf == node]
        counts = np.ones(len(own)) if factors is None else factors[own]
        residual = y[own] - model.ensemble.base_margin[0]
        assert tree.nodes["count"][node] == len(own)
        assert tree.nodes["weight"][node] == weighted_quantile(residual, counts, 0.5)
