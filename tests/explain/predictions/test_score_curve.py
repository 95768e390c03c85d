"""ROC, precision and recall, gain and costs beside scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from tests.explain.predictions.made_rows import three_classes, two_classes
from workbench.explain.predictions.score_curve import score_curve, thinned

CASES = [two_classes(), two_classes(weighted=True), two_classes(ties=True, weighted=True)]


def curve_of(rows, k=1):
    return score_curve(rows.score(k), rows.is_of(k), rows.weight)


@pytest.mark.parametrize("rows", CASES)
@pytest.mark.parametrize("k", [0, 1])
def test_the_curves_are_those_of_scikit_learn(rows, k):
    curve, y, score = curve_of(rows, k), rows.is_of(k), rows.score(k)
    fpr, tpr, thresholds = metrics.roc_curve(y, score, sample_weight=rows.weight, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_positive_rate, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.recall, tpr, atol=1e-12)
    np.testing.assert_array_equal(curve.scores, thresholds[1:])
    assert curve.auc == pytest.approx(metrics.roc_auc_score(y, score, sample_weight=rows.weight), abs=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(y, score, sample_weight=rows.weight)
    np.testing.assert_allclose(curve.precision[::-1], precision, atol=1e-12)
    np.testing.assert_allclose(curve.recall[::-1], recall, atol=1e-12)
    wanted = metrics.average_precision_score(y, score, sample_weight=rows.weight)
    assert curve.average_precision == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("rows", CASES)
@pytest.mark.parametrize("threshold", [-0.1, 0.0, 0.2, 0.5, 0.7, 0.99, 1.5])
def test_counts_above_a_threshold_are_the_confusion_matrix(rows, threshold):
    counts = curve_of(rows).counts(threshold)
    taken = rows.score(1) > threshold
    cells = metrics.confusion_matrix(rows.target, taken, labels=[0, 1], sample_weight=rows.weight)
    (tn, fp), (fn, tp) = cells.tolist()
    assert counts == pytest.approx((tp, fp, fn, tn))
    wanted = metrics.precision_recall_fscore_support(
        rows.target, taken, average="binary", sample_weight=rows.weight, zero_division=np.nan
    )
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx(wanted[:3], nan_ok=True)
    assert counts.accuracy == pytest.approx(
        metrics.accuracy_score(rows.target, taken, sample_weight=rows.weight))


@pytest.mark.parametrize("rows", CASES)
def test_the_threshold_of_a_cut_leads_back_to_it(rows):
    curve = curve_of(rows)
    for cut in range(len(curve.scores) + 1):
        assert curve.cut(curve.threshold(cut)) == cut


@pytest.mark.parametrize(("of_false", "of_missed"), [(1, 1), (10, 1), (1, 25), (0, 1), (1, 0)])
def test_the_cheapest_threshold_is_that_of_all_thresholds(of_false, of_missed):
    rows = two_classes(120, weighted=True)
    curve = curve_of(rows)
    cut, cost = curve.cheapest(of_false, of_missed)
    def paid(threshold):
        counts = curve.counts(threshold)
        return of_false * counts.false_positive + of_missed * counts.false_negative
    tried = [paid(threshold) for threshold in np.linspace(-0.01, 1.01, 2000)]
    assert cost == pytest.approx(min(tried))
    assert paid(curve.threshold(cut)) == pytest.approx(cost)


def test_gain_is_the_share_found_among_the_highest():
    rows = two_classes(weighted=True)
    curve, order = curve_of(rows), np.argsort(-rows.score(1))
    cut = len(curve.scores) // 3
    first = order[:cut]
    weight, positive = rows.weight, rows.is_of(1)
    assert curve.taken[cut] == pytest.approx(weight[first].sum() / weight.sum())
    assert curve.recall[cut] == pytest.approx(weight[first][positive[first]].sum() / weight[positive].sum())


@pytest.mark.parametrize("answer", [0.0, 1.0])
def test_of_one_class_what_is_not_defined_is_nan(answer):
    rows = two_classes(30)
    rows = rows.take(rows.target == answer)
    curve = curve_of(rows)
    assert np.isnan(curve.auc)
    assert np.isnan(curve.average_precision) == (answer == 0.0)
    assert not curve.has_both
    assert len(curve_of(rows.take(np.empty(0, np.int64))).scores) == 0


def test_one_class_of_several_against_the_others():
    rows = three_classes(weighted=True)
    for k in range(3):
        wanted = metrics.roc_auc_score(rows.target == k, rows.prediction[:, k], sample_weight=rows.weight)
        assert curve_of(rows, k).auc == pytest.approx(wanted, abs=1e-12)


def test_a_thinned_curve_keeps_its_ends_and_its_shape():
    rows = two_classes(20_000)
    curve = curve_of(rows)
    x, y = curve.false_positive_rate, curve.recall
    kept = thinned(x, y, 300)
    assert len(kept) <= 602
    assert (kept[0], kept[-1]) == (0, len(x) - 1)
    assert np.abs(np.interp(x, x[kept], y[kept]) - y).max() < 0.005
