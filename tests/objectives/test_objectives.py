from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES, gradients, loss_sum
from workbench.objectives.smooth_functions import exp, log1p_of_unit, log_from_one, sum_in_eight
from workbench.parameters.training import TrainingParams
from workbench.threads.team import Team

NAMES = ("squared", "logistic", "softmax")
STEP = 2.0**-7  # exact in float32 for the raw predictions below


def some_rows(name, seed=0, n=50):
    rng = np.random.default_rng(seed)
    k = 3 if name == "softmax" else 1
    raw = (rng.integers(-512, 512, (n, k)) / 128).astype(np.float32)
    target = rng.normal(size=n) if name == "squared" else rng.integers(0, max(2, k), n).astype(float)
    return target, raw[:, 0] if k == 1 else raw, rng.integers(0, 4, n).astype(float)


def loss_by_row(objective, target, raw, weight):
    return np.array(
        [loss_sum(objective, target[i : i + 1], raw[i : i + 1], weight[i : i + 1]) for i in range(len(raw))]
    )


@pytest.mark.parametrize(
    ("name", "chosen", "factor"),
    [
        ("squared", {}, 1.0), ("logistic", {}, 1.0), ("softmax", {}, 0.5),
        ("softmax", {"softmax_hessian": "diagonal"}, 1.0),
    ],
)
def test_gradients_are_the_slope_of_the_loss(name, chosen, factor):
    objective = OBJECTIVES.get(name).with_params(TrainingParams(**chosen))
    target, raw, weight = some_rows(name)
    g, h = gradients(objective, target, raw, weight)
    for k in range(1 if raw.ndim == 1 else raw.shape[1]):
        up, down = raw.copy(), raw.copy()
        column = np.s_[:] if raw.ndim == 1 else np.s_[:, k]
        up[column] += np.float32(STEP)
        down[column] -= np.float32(STEP)
        here = loss_by_row(objective, target, raw, weight)
        above = loss_by_row(objective, target, up, weight)
        below = loss_by_row(objective, target, down, weight)
        np.testing.assert_allclose(g[column], (above - below) / (2 * STEP), atol=1e-4)
        np.testing.assert_allclose(factor * h[column], (above - 2 * here + below) / STEP**2, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_base_margin_is_the_best_constant(name):
    objective = OBJECTIVES.get(name)
    target, raw, weight = some_rows(name, n=400)
    base = objective.base_margin(target, weight, 3)
    constant = np.repeat(base[None], len(target), axis=0)
    constant = constant[:, 0] if raw.ndim == 1 else constant
    g, _ = gradients(objective, target, constant, weight)
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-3)


def test_squared_by_hand():
    objective = OBJECTIVES.get("reg:squarederror")
    target, raw = np.array([1.0, 2.0]), np.array([3.0, 0.0], np.float32)
    g, h = gradients(objective, target, raw, np.array([1.0, 2.0]))
    assert g.tolist() == [2.0, -4.0]
    assert h.tolist() == [1.0, 2.0]
    assert loss_sum(objective, target, raw, np.array([1.0, 2.0])) == 2.0 + 4.0
    assert objective.metric_of_loss(2.0) == 2.0


def test_logistic_stays_finite_far_out():
    objective = OBJECTIVES.get("binary:logistic")
    raw = np.array([-1e4, -800, -40, 0, 40, 800, 1e4], np.float32)
    p = objective.transform(raw)
    assert np.isfinite(p).all()
    assert p[0] == p[1] == 0.0
    assert p[3] == 0.5
    assert p[-1] == 1.0
    g, h = gradients(objective, np.ones(7), raw)
    assert np.isfinite(g).all()
    assert (h >= 1e-16).all()
    losses = loss_by_row(objective, np.ones(7), raw, np.ones(7))
    np.testing.assert_allclose(losses, np.logaddexp(0, -raw.astype(float)), rtol=1e-12, atol=1e-300)


def test_softmax_against_numpy():
    objective = OBJECTIVES.get("multi:softprob")
    target, raw, weight = some_rows("softmax", n=3000)
    shifted = np.exp(raw - raw.max(axis=1, keepdims=True).astype(float))
    p = shifted / shifted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(objective.transform(raw), p, rtol=1e-6)
    g, h = gradients(objective, target, raw, weight)
    hit = target[:, None] == np.arange(3)
    np.testing.assert_allclose(g, weight[:, None] * (p - hit), atol=1e-12)
    np.testing.assert_allclose(h, weight[:, None] * 2 * p * (1 - p), rtol=1e-9)
    np.testing.assert_allclose(loss_sum(objective, target, raw, weight), -(weight * np.log(p[hit])).sum())


@given(st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=6))
def test_softmax_bounds_the_hessian_of_all_classes(raw):
    raw = np.array([raw], np.float32)
    chosen = (TrainingParams(softmax_hessian=name) for name in ("bound", "diagonal"))
    softmax = OBJECTIVES.get("softmax")
    bound, own = (gradients(softmax.with_params(params), np.zeros(1), raw)[1] for params in chosen)
    p = np.exp(raw[0].astype(float) - raw.max())
    p /= p.sum()
    whole = np.diag(p) - np.outer(p, p)
    np.testing.assert_allclose(own[0], np.diag(whole), rtol=1e-6, atol=1e-12)
    np.testing.assert_array_equal(bound[bound > 1e-15], 2 * own[bound > 1e-15])
    assert np.linalg.eigvalsh(np.diag(bound[0]) - whole).min() > -1e-12


@pytest.mark.parametrize("hessian", ["bound", "diagonal"])
def test_softmax_far_out(hessian):
    objective = OBJECTIVES.get("softmax").with_params(TrainingParams(softmax_hessian=hessian))
    raw = np.array([[1e4, 0, -1e4], [-1e4, -1e4, -1e4]], np.float32)
    np.testing.assert_allclose(objective.transform(raw), [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-6)
    g, h = gradients(objective, np.array([2.0, 0.0]), raw)
    assert np.isfinite(g).all()
    assert (h >= 1e-16).all()


def test_base_scores():
    squared, logistic, softmax = (OBJECTIVES.get(name) for name in NAMES)
    y = np.array([0.0, 1.0])
    assert squared.base_margin(y, None, 0, 7.5).tolist() == [7.5]
    assert logistic.base_margin(y, None, 2, 0.5).tolist() == [0.0]
    assert softmax.base_margin(y, None, 3, 0.5).tolist() == [0.5] * 3
    with pytest.raises(WorkbenchError, match="probability"):
        logistic.base_margin(y, None, 2, 1.0)
    assert np.isfinite(logistic.base_margin(np.ones(3), None, 2)).all()
    assert np.isfinite(softmax.base_margin(y, None, 3)).all()
    for objective in (squared, logistic, softmax):
        assert np.isfinite(objective.base_margin(y, np.zeros(2), 3)).all()


@pytest.mark.usefixtures("threads_for_few_rows")
@pytest.mark.parametrize("name", NAMES)
def test_threads_change_nothing(name):
    objective = OBJECTIVES.get(name)
    target, raw, weight = some_rows(name, n=40_000)
    by_class = np.ascontiguousarray(raw.T if raw.ndim == 2 else raw[None])
    results = []
    for threads in (1, 2, 3):
        g, h = np.empty(by_class.shape), np.empty(by_class.shape)
        losses = np.empty(len(target))
        loss, _ = objective.evaluate(target, by_class, weight, g, h, losses, Team(threads))
        assert loss == pytest.approx(losses.sum())
        results.append((loss, g, h))
    for loss, g, h in results[1:]:
        assert loss == results[0][0]
        np.testing.assert_array_equal(g, results[0][1])
        np.testing.assert_array_equal(h, results[0][2])


@pytest.mark.usefixtures("threads_for_few_rows")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_metrics_taken_on_the_way_are_those_taken_alone(name, threads):
    objective = OBJECTIVES.get(name)
    target, raw, weight = some_rows(name, n=40_000)
    by_class = np.ascontiguousarray(raw.T if raw.ndim == 2 else raw[None])
    g, h = np.empty(by_class.shape), np.empty(by_class.shape)
    _, found = objective.evaluate(target, by_class, weight, g, h, np.empty(0), Team(threads))
    assert found == {
        other: measure(METRICS.get(other), objective, target, raw, weight) for other in objective.metrics[1:]
        if METRICS.get(other).is_cheap
    }


@given(st.floats(1.0, 1e300))
def test_logarithm(x):
    assert log_from_one(x) == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


@given(st.floats(-700, 700))
def test_exp(x):
    assert math.isclose(exp(x), math.exp(x), rel_tol=1e-14)


@given(st.floats(0, 1))
def test_log1p(z):
    assert math.isclose(log1p_of_unit(z), math.log1p(z), rel_tol=2e-15, abs_tol=1e-300)


@given(st.lists(st.integers(-1000, 1000), max_size=40))
def test_sum_in_eight(values):
    assert sum_in_eight(np.array(values, float)) == sum(values)
