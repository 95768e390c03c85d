"""Residuals, their quantiles and profile, coverage and queries beside NumPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from tests.explain.predictions.made_rows import numbers
from workbench.explain.predictions import figures
from workbench.explain.predictions.column_values import ColumnValues
from workbench.explain.predictions.coverage import coverage
from workbench.explain.predictions.findings import QUANTILES, findings
from workbench.explain.predictions.plane import plane
from workbench.explain.predictions.query_metrics import query_metrics
from workbench.explain.predictions.residual_profile import residual_profile
from workbench.explain.predictions.scored_rows import ScoredRows
from workbench.explain.predictions.weighted_quantiles import weighted_quantiles


@pytest.mark.parametrize("rows", [numbers(), numbers(weighted=True)])
def test_the_figures_are_those_of_scikit_learn(rows):
    y, predicted, weight = rows.target, rows.output(), rows.weight
    rmse = metrics.root_mean_squared_error(y, predicted, sample_weight=weight)
    assert figures.rmse(rows) == pytest.approx(rmse)
    assert figures.mae(rows) == pytest.approx(metrics.mean_absolute_error(y, predicted, sample_weight=weight))
    assert figures.r2(rows) == pytest.approx(metrics.r2_score(y, predicted, sample_weight=weight))


def test_quantiles_are_numpys():
    rng = np.random.default_rng(0)
    values, weight = rng.normal(size=301), rng.integers(0, 4, 301).astype(float)
    shares = np.linspace(0.01, 1, 23)
    np.testing.assert_allclose(weighted_quantiles(values, None, shares), np.quantile(values, shares))
    wanted = np.quantile(values, shares, method="inverted_cdf", weights=weight)
    np.testing.assert_allclose(weighted_quantiles(values, weight, shares), wanted)
    assert np.isnan(weighted_quantiles(np.empty(0), None, shares)).all()


def test_residual_quantiles_are_those_of_the_residuals():
    rows = numbers()
    found = findings(rows)
    np.testing.assert_allclose(found.quantiles, np.quantile(rows.target - rows.output(), QUANTILES))


def test_the_profile_has_the_mean_and_quantiles_of_each_bin():
    rng = np.random.default_rng(0)
    column, residual = rng.normal(size=2000), rng.normal(size=2000)
    column[::50] = np.nan
    weight = rng.integers(1, 4, 2000).astype(float)
    found = residual_profile(column, residual, weight, bins=8)
    assert len(found.mean) == 8
    for place in range(8):
        inside = (column >= found.left[place]) & (column < found.right[place])
        if place == 7:
            inside |= column == found.right[place]
        assert found.mean[place] == pytest.approx(np.average(residual[inside], weights=weight[inside]))
        wanted = np.quantile(residual[inside], (0.1, 0.5, 0.9), method="inverted_cdf", weights=weight[inside])
        np.testing.assert_allclose(found.quantiles[:, place], wanted)
        assert found.weight[place] == weight[inside].sum()
        spread = weight[inside] * (residual[inside] - found.mean[place])
        assert found.error[place] == pytest.approx(np.sqrt((spread**2).sum()) / weight[inside].sum())


def test_the_profile_of_categories_begins_with_the_heaviest_and_ends_with_what_is_missing():
    column = np.array([1, 1, 1, 0, np.nan, 1, 0, 2], np.float32)
    residual = np.arange(8.0)
    found = residual_profile(column, residual, None, ("a", "b", "c"))
    assert found.names == ("b", "a", "c", "missing")
    np.testing.assert_allclose(found.mean, [2.0, 4.5, 7.0, 4.0])
    assert found.weight.tolist() == [4, 2, 1, 1]
    assert found.of == 4


def test_what_a_profile_leaves_out_is_told():
    many = residual_profile(np.arange(60.0) % 30, np.arange(60.0), None, tuple(map(str, range(30))))
    assert (len(many.names), many.of) == (24, 30)
    column, weight = np.array([1.0, np.nan, 2.0, 3.0]), np.array([1.0, 2.0, 1.0, 4.0])
    assert residual_profile(column, np.arange(4.0), weight).unknown == 0.25
    assert residual_profile(column, np.arange(4.0)).unknown == 0.25


@pytest.mark.parametrize("column", [np.full(5, np.nan), np.full(5, 3.0), np.empty(0)])
def test_a_column_without_values_or_with_one_has_a_profile_too(column):
    found = residual_profile(column, np.arange(float(len(column))))
    assert found.weight.sum() == np.isfinite(column).sum()


def test_many_rows_are_counted_in_cells_and_no_row_is_lost():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 5000))
    weight = rng.uniform(0.5, 2, 5000)
    x[0] = 1e6
    found = plane(x, y, weight)
    assert found.x.size == 0
    assert found.x_limits[1] < 10
    assert found.cells.sum() + found.outside == pytest.approx(weight.sum())
    assert found.outside >= weight[0]
    few = plane(x[:10], y[:10])
    assert len(few.x) == 10
    assert few.x_limits == (x[:10].min(), 1e6)


@pytest.mark.parametrize("weighted", [False, True])
def test_coverage_is_the_share_at_or_below(weighted):
    rng = np.random.default_rng(0)
    target, middle = rng.normal(size=1000), rng.normal(size=1000)
    weight = rng.uniform(0, 2, 1000) if weighted else None
    lines = np.stack([middle - 1, middle, middle + 1], axis=1)
    lines[:25] = lines[:25, ::-1]
    found = coverage(target, lines, (0.1, 0.5, 0.9), weight)
    for place in range(3):
        wanted = np.average(target <= lines[:, place], weights=weight)
        assert found.shares[place] == pytest.approx(wanted)
        assert np.nanmin(found.by_bin[place]) <= wanted <= np.nanmax(found.by_bin[place])
    own = np.ones(1000) if weight is None else weight
    assert found.crossed == pytest.approx(own[:25].sum() / own.sum())


def test_the_pinball_loss_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    target, lines, weight = rng.normal(size=300), rng.normal(size=(300, 2)), rng.uniform(0.1, 2, 300)
    rows = ScoredRows("quantiles", target, lines, np.arange(300), weight, levels=(0.2, 0.7))
    each = [metrics.mean_pinball_loss(target, lines[:, k], alpha=level, sample_weight=weight)
            for k, level in enumerate(rows.levels)]
    assert figures.pinball(rows) == pytest.approx(np.mean(each))
    assert findings(rows, 1).figures["pinball"] == pytest.approx(np.mean(each))


def test_each_query_has_the_ndcg_of_scikit_learn():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), rng.integers(2, 30, 12))
    relevance = rng.integers(0, 4, len(groups)).astype(float)
    score = rng.normal(size=len(groups)).astype(np.float32)
    found = query_metrics(relevance, score, groups)
    for place, code in enumerate(found.group.tolist()):
        own = groups == code
        wanted = metrics.ndcg_score([2 ** relevance[own] - 1], [score[own]])
        assert found.ndcg[place] == pytest.approx(wanted if relevance[own].any() else 1.0)
        assert found.rows[place] == own.sum()
    rows = ScoredRows("ranking", relevance, score, np.arange(len(groups)), groups=groups)
    assert findings(rows).figures["ndcg"] == pytest.approx(found.ndcg.mean())


def test_residuals_lie_along_another_column_where_it_is_named():
    rows = numbers(100)
    column = ColumnValues("size", np.linspace(0, 1, 100))
    found = findings(rows, 0, column)
    assert found.column == "size"
    assert found.profile.right[-1] == 1.0
    kinds = ColumnValues("kind", np.arange(100) % 2, ("a", "b"))
    assert findings(rows, 0, kinds).residuals is None


def test_nothing_has_findings_too():
    none = numbers(5).take(np.empty(0, np.int64))
    found = findings(none)
    assert np.isnan(found.figures["rmse"])
    assert np.isnan(found.quantiles).all()
