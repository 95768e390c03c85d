"""Partial dependence, rows' own lines and accumulated effects, against scikit-learn and naive twins."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.inspection import partial_dependence as of_scikit_learn

import workbench
from workbench.data.encoding import encode
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import Cancelled
from workbench.explain.effects.accumulated import accumulated_effects, edges_at_quantiles
from workbench.explain.effects.accumulated_levels import accumulated_levels
from workbench.explain.effects.grid import given_grid, grid_of
from workbench.explain.effects.level_order import column_distances, level_order
from workbench.explain.effects.partial import EffectRows, partial_dependence
from workbench.explain.effects.response import AnyResponse, TreesResponse

CATEGORY = 4


def frame_of(rng, n=150):
    frame = pd.DataFrame(rng.normal(size=(n, 4)).round(2), columns=list("abcd"))
    frame["e"] = pd.Categorical(rng.choice(["p", "q", "r", "s", "t"], n))
    frame[rng.random(frame.shape) < 0.1] = np.nan
    return frame


def answers_of(rng, frame, task):
    score = frame["a"].fillna(2) * (frame["e"] == "q") + frame["b"].fillna(0) ** 2
    score += 0.3 * rng.normal(size=len(frame))
    return score if task == "squared" else np.digitize(score, [1.0] if task == "logistic" else [0.3, 1.5])


@pytest.fixture(scope="module", params=["squared", "logistic", "softmax"])
def fitted(request):
    """A model, its matrix, and how it predicts one."""
    rng = np.random.default_rng(3)
    frame = frame_of(rng)
    model = workbench.fit(frame, answers_of(rng, frame, request.param), objective=request.param, rounds=8,
                          max_depth=4, max_cat_to_onehot=2)  # fmt: skip
    features = np.asfortranarray(encode(model.schema, frame))

    def predict(matrix):
        matrix = np.asfortranarray(matrix, np.float32)
        return model.transform(raw_predictions(model.ensemble, matrix, serial=True))

    return model, features, predict


class Wrapped(BaseEstimator):
    """A model of ours as scikit-learn's inspection asks for it."""

    def __init__(self, predict=None, n_classes=0):
        self.predict_matrix, self.n_classes = predict, n_classes
        self.is_fitted_ = True
        self.classes_ = np.arange(n_classes)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.predict_matrix(X)

    def predict_proba(self, X):
        said = self.predict_matrix(X)
        return np.stack([1 - said, said], axis=1) if said.ndim == 1 else said


class WrappedRegressor(RegressorMixin, Wrapped):
    pass


class WrappedClassifier(ClassifierMixin, Wrapped):
    predict = None


@pytest.mark.parametrize("columns", [[0], [3], [0, 1]])
def test_lines_and_means_are_those_of_scikit_learn(fitted, columns):
    model, features, predict = fitted
    matrix = np.nan_to_num(features)  # whose grids know no missing values
    classes = len(model.schema.class_labels)
    wrapped = WrappedClassifier(predict, classes) if classes else WrappedRegressor(predict)
    if classes:
        wrapped.predict = lambda X: wrapped.predict_proba(X).argmax(axis=1)
    theirs = of_scikit_learn(
        wrapped, matrix, columns, kind="both", method="brute", grid_resolution=12,
        **({"response_method": "predict_proba"} if classes else {}),
    )  # fmt: skip
    grids = [given_grid(c, g) for c, g in zip(columns, theirs["grid_values"], strict=True)]
    rows = EffectRows(np.asfortranarray(matrix), np.arange(len(matrix)))
    ours = partial_dependence(TreesResponse(model.ensemble, model.transform), rows, grids, len(matrix))
    np.testing.assert_allclose(ours.average, theirs["average"], atol=1e-5)
    if len(columns) == 1:
        np.testing.assert_allclose(ours.lines, theirs["individual"], atol=1e-5)


@pytest.mark.parametrize("columns", [[0], [CATEGORY], [CATEGORY, 1], [2, 0]])
def test_one_walk_says_what_every_place_predicted_by_itself_says(fitted, columns):
    model, features, predict = fitted
    grids = [grid_of(model.ensemble, c, features[:, c], is_category=c == CATEGORY, most=9) for c in columns]
    assert all(grid.has_missing for grid in grids)
    weight = np.random.default_rng(0).random(len(features))
    rows = EffectRows(features, np.arange(len(features)), weight)
    found = [
        partial_dependence(response, rows, grids)
        for response in (TreesResponse(model.ensemble, model.transform), AnyResponse(predict))
    ]
    np.testing.assert_allclose(found[0].average, found[1].average, atol=1e-6)
    np.testing.assert_allclose(found[0].lines, found[1].lines, atol=1e-6)
    assert found[0].average.shape[1:] == tuple(map(len, grids))


def test_a_prediction_is_the_same_all_over_an_exact_cell(fitted):
    model, features, predict = fitted
    grid = grid_of(model.ensemble, 0, features[:, 0], is_category=False)
    assert grid.is_exact
    assert grid.rows.sum() == len(features)
    row = features[[7]]
    line = partial_dependence(TreesResponse(model.ensemble, model.transform), EffectRows(row, np.array([0])),
                              [grid]).average  # fmt: skip
    for x in np.random.default_rng(1).uniform(grid.edges[0], grid.edges[-1], 40).astype(np.float32):
        moved = row.copy()
        moved[:, 0] = x
        cell = np.searchsorted(grid.edges, x, side="right") - 1
        np.testing.assert_allclose(line[:, cell], np.ravel(predict(moved)), atol=1e-6)


def naive_accumulated(predict, matrix, column, edges):
    """Apley & Zhu's definition, a row at a time."""
    values, n_steps = matrix[:, column], len(edges) - 1
    counts, sums = np.zeros(n_steps), None
    for i, x in enumerate(values):
        if np.isnan(x):
            continue
        step = next(k for k in range(n_steps) if x <= edges[k + 1])
        ends = []
        for edge in edges[step : step + 2]:
            row = matrix[[i]].copy()
            row[0, column] = edge
            ends.append(np.ravel(predict(row)).astype(float))
        sums = np.zeros((len(ends[0]), n_steps)) if sums is None else sums
        sums[:, step] += ends[1] - ends[0]
        counts[step] += 1
    curve = np.concatenate([np.zeros((len(sums), 1)), np.cumsum(sums / counts, axis=1)], axis=1)
    mean = ((curve[:, 1:] + curve[:, :-1]) / 2 * counts).sum(axis=1, keepdims=True) / counts.sum()
    return curve - mean


def test_accumulated_effects_are_those_of_their_definition(fitted):
    model, features, predict = fitted
    rows = EffectRows(features, np.arange(len(features)))
    edges = edges_at_quantiles(features[~np.isnan(features[:, 0]), 0], 10)
    ours = accumulated_effects(TreesResponse(model.ensemble, model.transform), rows, 0, edges)
    np.testing.assert_allclose(ours.effects, naive_accumulated(predict, features, 0, edges), atol=1e-6)
    assert ours.counts.sum() + ours.missing == len(features)


def naive_distances(matrix, column, codes, categorical):
    """Sums over the other columns of how far the distributions of two levels' rows are apart."""
    apart = np.zeros((len(codes), len(codes)))
    for j in (j for j in range(matrix.shape[1]) if j != column):
        known = matrix[~np.isnan(matrix[:, column]) & ~np.isnan(matrix[:, j])]
        cuts = np.quantile(known[:, j], np.linspace(0, 1, 100), method="inverted_cdf")
        for a, one in enumerate(codes):
            for b, other in enumerate(codes):
                x, y = (known[known[:, column] == code, j] for code in (one, other))
                if j in categorical:
                    apart[a, b] += sum(abs((x == v).mean() - (y == v).mean()) for v in set(known[:, j])) / 2
                else:
                    apart[a, b] += max(abs((x <= cut).mean() - (y <= cut).mean()) for cut in cuts)
    return apart


def naive_levels(predict, matrix, column, order):
    """What steps to the next level change, a row at a time; lowered by their mean over the rows."""
    curve, shares = [None], []
    for one, other in itertools.pairwise(order):
        changes = []
        for row in matrix[np.isin(matrix[:, column], [one, other])]:
            ends = np.stack([row, row])
            ends[:, column] = one, other
            said = np.asarray(predict(ends), float).reshape(2, -1)
            changes.append(said[1] - said[0])
        curve.append(np.mean(changes, axis=0))
    curve[0] = np.zeros_like(curve[1])
    effects = np.cumsum(curve, axis=0).T
    shares = np.array([(matrix[:, column] == code).sum() for code in order])
    return effects - (effects * shares).sum(axis=1, keepdims=True) / shares.sum()


def test_accumulated_effects_of_categories_are_those_of_their_definition(fitted):
    model, features, predict = fitted
    rows = EffectRows(features, np.arange(len(features)))
    grid = grid_of(model.ensemble, CATEGORY, features[:, CATEGORY], is_category=True)
    response, categorical = TreesResponse(model.ensemble, model.transform), [False] * 4 + [True]
    ours = accumulated_levels(response, rows, grid, categorical)
    assert sorted(ours.codes.tolist()) == [0, 1, 2, 3, 4]
    naive = naive_levels(predict, features, CATEGORY, ours.codes.tolist())
    np.testing.assert_allclose(ours.effects, naive, atol=1e-6)
    assert ours.counts.sum() + ours.missing == len(features)
    level = features[:, CATEGORY]
    others = [(features[~np.isnan(level), j], False) for j in range(4)]
    apart = sum(column_distances(level[~np.isnan(level)].astype(int), *other, 5) for other in others)
    np.testing.assert_allclose(apart, naive_distances(features, CATEGORY, range(5), ()), atol=1e-12)


def test_levels_stand_beside_those_whose_rows_are_alike():
    """Of levels whose rows lie along a line, in a number and in a category, the order is that of the line."""
    rng = np.random.default_rng(5)
    level = rng.permutation(np.repeat(np.arange(6), 200))
    along = np.array([2, 5, 0, 4, 1, 3])[level]  # where each level lies
    number = (along + rng.normal(size=1200)).astype(np.float32)
    category = np.clip(along + rng.integers(-1, 2, 1200), 0, 5).astype(np.float32)
    for others in ([(number, False)], [(category, True)], [(number, False), (category, True)]):
        assert level_order(level, others).tolist() in ([2, 4, 0, 5, 3, 1], [1, 3, 5, 0, 4, 2])
    apart = column_distances(level, category, True, 6)
    matrix = np.stack([level, category], axis=1)
    np.testing.assert_allclose(apart, naive_distances(matrix, 0, range(6), {1}), atol=1e-12)
    assert level_order(level, [(np.full(1200, np.nan, np.float32), False)]).tolist() == list(range(6))


def test_a_column_that_says_nothing_has_a_grid_of_one_place(fitted):
    model = fitted[0]
    constant, nothing = np.full(20, 3.0, np.float32), np.full(20, np.nan, np.float32)
    assert grid_of(model.ensemble, 0, constant, is_category=False).is_constant
    empty = grid_of(model.ensemble, 0, nothing, is_category=False)
    assert (empty.is_constant, empty.has_missing, empty.rows.tolist()) == (True, True, [20])


def test_ends_far_away_are_left_out_and_counted():
    values = np.append(np.linspace(0, 1, 4000), [1e6, 2e6]).astype(np.float32)
    grid = grid_of(None, 0, values, is_category=False)
    assert grid.edges[-1] < 2
    assert grid.beyond >= 2
    assert grid.rows.sum() + grid.beyond == len(values)


def test_offsets_are_added_and_samples_are_told(fitted):
    model, features, _ = fitted
    offset = np.full(len(features), 0.5, np.float32)
    rows = EffectRows(features, np.arange(len(features)), None, offset)
    grid = grid_of(model.ensemble, 0, features[:, 0], is_category=False)
    plain = partial_dependence(TreesResponse(model.ensemble), EffectRows(features, rows.rows), [grid])
    moved = partial_dependence(TreesResponse(model.ensemble), rows, [grid])
    np.testing.assert_allclose(moved.average, plain.average + 0.5, atol=1e-6)
    some = partial_dependence(TreesResponse(model.ensemble), rows.some(50), [grid])
    assert (some.rows, some.of_rows) == (50, len(features))


def test_it_can_be_cancelled(fitted):
    model, features, _ = fitted
    rows = EffectRows(features, np.arange(len(features)))
    grid = grid_of(model.ensemble, 0, features[:, 0], is_category=False)
    with pytest.raises(Cancelled):
        partial_dependence(TreesResponse(model.ensemble), rows, [grid], cancelled=lambda: True)
