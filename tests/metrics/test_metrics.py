from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

import workbench
from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES


def rows(seed, n=2000, k=1):
    rng = np.random.default_rng(seed)
    raw = rng.normal(size=(n, k)).round(2).astype(np.float32)
    return rng, raw[:, 0] if k == 1 else raw, rng.integers(0, 3, n).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
def test_regression(weighted):
    rng, p, w = rows(0)
    w = w if weighted else None
    y = p + rng.normal(size=len(p))
    expected = {
        "rmse": sk.root_mean_squared_error(y, p, sample_weight=w),
        "mae": sk.mean_absolute_error(y, p, sample_weight=w),
        "r2": sk.r2_score(y, p, sample_weight=w),
    }
    for name, value in expected.items():
        assert METRICS.get(name).value(y, p, w) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_binary(weighted):
    rng, raw, w = rows(1)
    w = w if weighted else None
    y = (raw + rng.normal(size=len(raw)) > 0).astype(float)
    p = 1 / (1 + np.exp(-raw.astype(float)))
    expected = {
        "logloss": sk.log_loss(y, p, sample_weight=w),
        "error": 1 - sk.accuracy_score(y, raw > 0, sample_weight=w),
        "auc": sk.roc_auc_score(y, raw, sample_weight=w),
    }
    for name, value in expected.items():
        assert METRICS.get(name).value(y, raw, w) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_multiclass(weighted):
    rng, raw, w = rows(2, k=4)
    w = w if weighted else None
    y = (raw + rng.normal(size=raw.shape)).argmax(axis=1).astype(float)
    p = np.exp(raw.astype(float))
    p /= p.sum(axis=1, keepdims=True)
    expected = {
        "mlogloss": sk.log_loss(y, p, sample_weight=w),
        "merror": 1 - sk.accuracy_score(y, raw.argmax(axis=1), sample_weight=w),
        "mauc": sk.roc_auc_score(y, p, multi_class="ovr", sample_weight=w),
        "mpr_auc": np.mean([sk.average_precision_score(y == k, p[:, k], sample_weight=w) for k in range(4)]),
    }
    for name, value in expected.items():
        close = 1e-6 if "auc" in name else 1e-9  # ranks are taken in single precision
        assert METRICS.get(name).value(y, raw, w) == pytest.approx(value, rel=close)


def test_classes_without_rows_do_not_count():
    """Of rows of two classes of three it is the mean over these two, as of validation rows that lack one."""
    raw = np.array([[3, 0, 9], [1, 0, 9], [0, 1, 9], [2, 1, 9]], np.float32)
    y = np.array([0.0, 0.0, 1.0, 1.0])
    of_two = (0.75 + sk.roc_auc_score(y == 1, raw[:, 1] - np.log(np.exp(raw[:, 0]) + np.exp(9)))) / 2
    assert METRICS.get("mauc").value(y, raw) == pytest.approx(of_two)
    assert np.isnan(METRICS.get("mauc").value(np.zeros(4), raw))
    assert METRICS.get("mpr_auc").value(np.zeros(4), raw) == 1.0


def test_what_is_not_defined_is_nan():
    empty = np.empty(0), np.empty(0, np.float32)
    for metric in METRICS:
        if metric.formula is None:
            continue
        prediction = np.empty((0, 3), np.float32) if "multiclass" in metric.tasks else empty[1]
        assert np.isnan(metric.value(empty[0], prediction, None))
    assert np.isnan(METRICS.get("auc").value(np.ones(3), np.arange(3, dtype=np.float32)))
    assert np.isnan(METRICS.get("r2").value(np.ones(3), np.ones(3, np.float32)))


def test_measure_reads_the_right_scale():
    logistic = OBJECTIVES.get("logistic")
    y, raw = np.array([0.0, 1.0]), np.array([0.0, 0.0], np.float32)
    assert measure(METRICS.get("rmse"), logistic, y, raw) == 0.5
    assert measure(METRICS.get("logloss"), logistic, y, raw) == pytest.approx(np.log(2))


def test_every_objective_names_metrics_of_its_task():
    for objective in OBJECTIVES:
        for name in objective.metrics:
            metric = METRICS.get(name)
            assert objective.task in metric.tasks
            assert metric.label
            assert metric.unit


@pytest.mark.parametrize("name", ["squared", "logistic", "softmax"])
def test_the_first_metric_follows_from_the_loss(name):
    from workbench.objectives.base import loss_sum

    objective = OBJECTIVES.get(name)
    _, raw, w = rows(3, k=3 if name == "softmax" else 1)
    y = np.random.default_rng(4).integers(0, 2, len(w)).astype(float)
    mean = loss_sum(objective, y, raw, w) / w.sum()
    value = measure(METRICS.get(objective.metrics[0]), objective, y, raw, w)
    assert objective.metric_of_loss(mean) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("alias", "name"), [("roc_auc", "auc"), ("aucpr", "pr_auc"), ("average_precision", "pr_auc")]
)
def test_names_of_other_libraries(alias, name):
    assert METRICS.get(alias).name == name
    x = np.random.default_rng(0).normal(size=(60, 2))
    model = workbench.fit(x, x[:, 0] > 0, metric=alias, rounds=2)
    assert model.provenance["watched"] == name
    longer = workbench.fit(x, x[:, 0] > 0, metric=alias, rounds=2, init_model=model)
    assert longer.provenance["best_round"] == workbench.fit(
        x, x[:, 0] > 0, metric=name, rounds=4
    ).provenance["best_round"]


def test_a_mistyped_name_is_answered_with_the_nearest():
    with pytest.raises(WorkbenchError, match=r"no metric called 'RSME'. The nearest is 'rmse'. Known: "):
        METRICS.get("RSME")


@pytest.mark.parametrize("name", ["poisson_deviance", "gamma_deviance"])
def test_deviances_of_infinite_means_are_large_numbers(name):
    target = np.array([1.0, 2.0])
    near = METRICS.get(name).value(target, np.array([1.0, 3.0], np.float32))
    assert near < METRICS.get(name).value(target, np.array([1.0, np.inf], np.float32)) < np.inf
