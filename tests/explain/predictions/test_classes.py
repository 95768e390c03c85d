"""Confusion matrix, figures by class, calibration and histogram beside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import calibration as sk_calibration
from sklearn import metrics

from tests.explain.predictions.made_rows import three_classes, two_classes
from workbench.explain.predictions import figures
from workbench.explain.predictions.calibration import calibration
from workbench.explain.predictions.confusion import confusion
from workbench.explain.predictions.findings import findings
from workbench.explain.predictions.score_histogram import score_histogram
from workbench.explain.predictions.scored_rows import ScoredRows, known_rows


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("threshold", [None, 0.1, 0.4, 0.8])
def test_the_matrix_and_its_figures_are_those_of_scikit_learn(weighted, threshold):
    rows, k = three_classes(weighted=weighted), 1
    taken = rows.taken_for(k, threshold)
    matrix = confusion(rows.target, taken, rows.labels, rows.weight)
    if threshold is not None:
        assert ((taken == k) == (rows.score(k) > threshold)).all()
    told = {"labels": [0, 1, 2], "sample_weight": rows.weight}
    np.testing.assert_allclose(matrix.cells, metrics.confusion_matrix(rows.target, taken, **told))
    wanted = metrics.precision_recall_fscore_support(rows.target, taken, zero_division=np.nan, **told)
    made = matrix.precision, matrix.recall, matrix.f1, matrix.support
    for found, other in zip(made, wanted, strict=True):
        np.testing.assert_allclose(found, other, atol=1e-12)


def test_above_a_threshold_the_others_are_told_apart_by_the_likeliest():
    rows = ScoredRows("classes", np.zeros(2), np.array([[0.5, 0.2, 0.3], [0.1, 0.2, 0.7]], np.float32),
                      np.arange(2), labels=("a", "b", "c"))
    assert rows.taken_for(0, 0.6).tolist() == [2, 2]
    assert rows.taken_for(1, 0.1).tolist() == [1, 1]
    assert rows.taken_for(2, None).tolist() == [0, 2]


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("k", [0, 1])
def test_calibration_is_that_of_scikit_learn(strategy, k):
    rows = two_classes(900)
    found = calibration(rows.score(k), rows.is_of(k), None, strategy)
    observed, predicted = sk_calibration.calibration_curve(
        rows.is_of(k), rows.score(k), n_bins=10, strategy=strategy)
    np.testing.assert_allclose(found.observed, observed, atol=1e-12)
    np.testing.assert_allclose(found.predicted, predicted, atol=1e-12)
    assert found.weight.sum() == 900


def test_weights_of_calibration_count_rows_as_often():
    rows = two_classes(200)
    weight = np.random.default_rng(0).integers(1, 4, 200)
    once = calibration(rows.score(1), rows.is_of(1), weight.astype(float))
    often = calibration(np.repeat(rows.score(1), weight), np.repeat(rows.is_of(1), weight))
    np.testing.assert_allclose(once.observed, often.observed, atol=1e-12)
    np.testing.assert_allclose(once.weight, often.weight)
    by_rows = calibration(rows.score(1), rows.is_of(1), weight.astype(float), "quantile")
    assert by_rows.weight == pytest.approx(np.full(10, weight.sum() / 10), rel=0.1)


@pytest.mark.parametrize("rows", [two_classes(), two_classes(weighted=True), three_classes(weighted=True)])
def test_the_figures_are_those_of_scikit_learn(rows):
    wanted = metrics.log_loss(
        rows.target, rows.prediction.astype(float), sample_weight=rows.weight, labels=range(len(rows.labels))
    ) if rows.prediction.ndim == 1 else metrics.log_loss(
        rows.target, rows.prediction / rows.prediction.sum(axis=1, keepdims=True), sample_weight=rows.weight)
    assert figures.log_loss(rows) == pytest.approx(wanted, abs=1e-6)
    for k in range(len(rows.labels)):
        wanted = metrics.brier_score_loss(rows.is_of(k), rows.score(k), sample_weight=rows.weight)
        assert figures.brier(rows, k) == pytest.approx(wanted, abs=1e-12)


def test_the_histogram_counts_every_row_once():
    rows = two_classes(weighted=True)
    found = score_histogram(rows.score(1), rows.is_of(1), rows.weight, bins=7)
    for values, side in ((found.positive, rows.is_of(1)), (found.negative, ~rows.is_of(1))):
        wanted, _ = np.histogram(rows.score(1)[side], 7, (0, 1), weights=rows.weight[side])
        np.testing.assert_allclose(values, wanted)


def test_log_odds_have_no_calibration_and_their_own_limits():
    rows = two_classes(50)
    odds = ScoredRows("classes", rows.target, np.log(rows.prediction / (1 - rows.prediction)), rows.rows,
                      labels=rows.labels, boundary=0.0)
    found = findings(odds, 1)
    assert found.of_class.uniform is None
    assert np.isnan(found.figures["brier"])
    assert found.of_class.histogram.edges[0] == pytest.approx(odds.prediction.min())
    assert findings(odds, 0).of_class.curve.auc == pytest.approx(found.of_class.curve.auc)


@pytest.mark.parametrize("places", [[], [0], np.flatnonzero(two_classes(40).target == 1)])
def test_nothing_and_one_class_only_have_findings_too(places):
    rows = two_classes(40).take(np.asarray(places, np.int64))
    found = findings(rows, 1)
    assert np.isnan(found.figures["auc"])
    assert found.confusion.cells.sum() == len(rows)


def test_rows_without_answer_prediction_or_weight_are_left_out():
    target = np.array([0.0, 1.0, np.nan, 1.0, 5.0, 1.0])
    score = np.array([0.1, np.nan, 0.5, 0.9, 0.3, 0.4])
    weight = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 2.0])
    rows = known_rows(ScoredRows("classes", target, score, np.arange(6), weight, ("no", "yes")))
    assert rows.rows.tolist() == [0, 5]
    assert rows.total == 3.0


def test_of_rankings_a_weight_tells_whether_a_row_counts():
    weight, groups = np.array([2.0, 0.0, 0.5]), np.zeros(3, np.int64)
    rows = known_rows(ScoredRows("ranking", np.arange(3.0), np.zeros(3), np.arange(3), weight, groups=groups))
    assert rows.rows.tolist() == [0, 2]
    assert rows.weight is None


def test_two_hundred_classes():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(200), 500).astype(np.float32)
    names = tuple(f"class {k}" for k in range(200))
    target = rng.integers(0, 190, 500).astype(float)
    rows = ScoredRows("classes", target, shares, np.arange(500), labels=names)
    found = findings(rows, 195)
    assert found.confusion.cells.shape == (200, 200)
    assert np.isnan(found.confusion.recall[195])
    assert np.isnan(found.of_class.curve.average_precision)
