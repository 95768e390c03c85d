"""The estimators under scikit-learn's own checks, and input that its conventions speak of."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.estimators import BoostedTreesClassifier, BoostedTreesRanker, BoostedTreesRegressor

sklearn = pytest.importorskip("sklearn")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 3))
Y = X[:, 0] + (X[:, 1] > 0)
# Of 15 rows, two of the 30 columns part them alike: their gains are one, but for how sums are rounded, and a
# row that stands three times is added up otherwise than one that weighs three times. Scikit-learn leaves the
# same checks out of all of its own boosted trees.
WHY = "columns that part the rows alike have one gain; which is larger by a bit, rounding says"
EXPECTED: dict[Any, dict[str, str]] = {
    BoostedTreesRegressor: {},
    BoostedTreesClassifier: {
        f"check_sample_weight_equivalence_on_{kind}_data": WHY for kind in ("dense", "sparse")
    },
}
ESTIMATORS = (BoostedTreesRegressor, BoostedTreesClassifier)


class OneQuery(BoostedTreesRanker):
    """A ranker as scikit-learn's checks call one: with whatever target, and without queries."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        values = np.asarray(y)
        if values.ndim == 1 and values.dtype.kind in "fiu" and np.isfinite(values).all():
            values = np.unique(values, return_inverse=True)[1] % 5
        return super().fit(X, y if y is None else values, [len(values.ravel())], sample_weight=sample_weight)

    def score(self, X: Any, y: Any) -> float:
        self._rows(X)
        return super().score(X, np.unique(y, return_inverse=True)[1] % 5, [len(y)])


@pytest.mark.slow
def test_scikit_learns_own_checks_of_a_ranker() -> None:
    of_pairs = "a row that stands twice makes more pairs of its query, which is more than twice a weight"
    checked_alike(OneQuery(rounds=5), {
        f"check_sample_weight_equivalence_on_{kind}_data": of_pairs for kind in ("dense", "sparse")
    }, passed=40)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_scikit_learns_own_checks(kind: Any) -> None:
    checked_alike(kind(rounds=20), EXPECTED[kind], passed=50)


def checked_alike(made: Any, expected: dict[str, str], passed: int) -> None:
    from sklearn.utils.estimator_checks import check_estimator

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(made, expected_failed_checks=expected, on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert not failed
    assert sum(result["status"] == "passed" for result in results) > passed


def test_weights_of_classes_count_as_rows_where_no_two_columns_part_them_alike() -> None:
    from sklearn.utils import estimator_checks as checks

    made = BoostedTreesClassifier(rounds=20, min_child_weight=0.5)
    checks.check_sample_weight_equivalence_on_dense_data("classifier", made)
    checks.check_sample_weight_equivalence_on_sparse_data("classifier", made)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([0, 1, np.nan] * 20, "Input y contains NaN, first in row 2"),
        (pd.array([True, None] * 30, dtype="boolean"), "Input y contains NaN, first in row 1"),
        ([0, 1, None] * 20, "Input y contains NaN"),
        (np.array([0, np.inf] * 30), "Input y contains infinity, first in row 1"),
        (None, "requires y to be passed"),
        (np.ones((60, 2)), "shape"),
        (np.ones(60) + 1j, "Complex data not supported"),
    ],
)
def test_targets_that_are_refused(kind: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as refused:
        kind(rounds=2).fit(X[:60], y)
    assert isinstance(refused.value, WorkbenchError)


def test_classes_are_of_one_kind_and_not_measured() -> None:
    with pytest.raises(ValueError, match="mixes texts with other values"):
        BoostedTreesClassifier(rounds=2).fit(X, np.array(["a", 1] * 50, object))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        BoostedTreesClassifier(rounds=2).fit(X, Y)


@pytest.mark.parametrize("label", ["yes", 0, 1, -1.5, True, 2**53 + 1])
def test_a_fold_of_one_class(label: Any) -> None:
    y = np.array([label] * 100)
    with pytest.warns(WorkbenchWarning, match=f"is '?{str(label).lower()}'? in every row"):
        fitted = BoostedTreesClassifier(rounds=2).fit(X, y, eval_set=(X[:9], y[:9]))
    assert fitted.classes_.tolist() == [label]
    assert fitted.predict(X).tolist() == y.tolist()
    assert fitted.predict_proba(X).tolist() == [[1.0]] * 100
    assert fitted.model_.predict_label(X).tolist() == y.tolist()
    assert fitted.score(X, y) == 1


def test_a_fold_of_one_number(tmp_path: Any) -> None:
    import workbench

    with pytest.warns(WorkbenchWarning, match=r"is 3\.25 in every row"):
        fitted = BoostedTreesRegressor(rounds=2).fit(X, np.full(100, 3.25))
    np.testing.assert_array_equal(fitted.predict(X), np.full(100, 3.25))
    assert "3.25 in every row" in fitted.model_.provenance["notes"][0]
    fitted.model_.save(tmp_path / "m.json")
    np.testing.assert_array_equal(workbench.load_model(tmp_path / "m.json").predict(X), fitted.predict(X))


def test_long_numbers_are_classes_of_their_own() -> None:
    y = np.array([2**53, 2**53 + 1, 5, 7] * 25)
    fitted = BoostedTreesClassifier(rounds=2).fit(X, y)
    assert fitted.classes_.tolist() == list(fitted.model_.schema.class_labels) == [5, 7, 2**53, 2**53 + 1]
    assert BoostedTreesClassifier(rounds=2).fit(X, y.astype(object)).classes_.dtype == np.int64


@pytest.mark.parametrize(
    "eval_set", [(X, Y), [X, Y], [(X, Y)], ((X, Y),), [(X, Y, np.ones(100))], [[X.tolist(), Y.tolist()]]]
)
def test_validation_rows_in_every_form(eval_set: Any) -> None:
    fitted = BoostedTreesRegressor(rounds=2).fit(X, Y, eval_set=eval_set)
    assert fitted.model_.provenance["n_valid"] == 100


def test_validation_rows_that_are_refused() -> None:
    with pytest.raises(ValueError, match="2 sets of validation rows where one is taken"):
        BoostedTreesRegressor(rounds=2).fit(X, Y, eval_set=[(X, Y), (X, Y)])
    with pytest.raises(ValueError, match="valid is no pair"):
        BoostedTreesRegressor(rounds=2).fit(X, Y, eval_set=X)


def test_a_score_takes_the_target_in_every_form() -> None:
    fitted = BoostedTreesRegressor(rounds=5).fit(X, Y)
    expected = fitted.score(X, Y)
    for y in (Y[:, None], Y.tolist(), pd.Series(Y, index=range(7, 107)), pd.DataFrame(Y)):
        assert fitted.score(X, y, np.ones((100, 1))) == expected
    with pytest.raises(ValueError, match=r"shape \(5,\)"):
        fitted.score(X, Y[:5])
    with pytest.raises(ValueError, match="contains NaN"):
        fitted.score(X, np.full(100, np.nan))
    classes = BoostedTreesClassifier(rounds=5).fit(X, np.where(Y > 0, "a", "b"))
    assert classes.score(X, np.where(Y > 0, "a", "b")[:, None]) > 0.9


@pytest.mark.parametrize("method", ["predict", "predict_proba", "score"])
def test_an_estimator_without_a_model_says_so_as_scikit_learn_does(method: str) -> None:
    from sklearn.exceptions import NotFittedError

    arguments = (X, Y) if method == "score" else (X,)
    with pytest.raises(NotFittedError, match="not fitted yet; call fit first") as refused:
        getattr(BoostedTreesClassifier(), method)(*arguments)
    assert isinstance(refused.value, WorkbenchError)


def test_names_that_are_no_text_are_no_feature_names() -> None:
    fitted = BoostedTreesRegressor(rounds=2).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]
    fitted.fit(pd.DataFrame(X), pd.Series(Y, name=3))
    assert not hasattr(fitted, "feature_names_in_")
    assert fitted.model_.schema.names == ("0", "1", "2")


def test_tables_of_arrow_and_their_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 2] > 0, "u", "v")})
    fitted = BoostedTreesRegressor(rounds=3).fit(table, pa.array(Y), sample_weight=pa.array(np.ones(100)))
    frame = table.to_pandas()
    expected = BoostedTreesRegressor(rounds=3).fit(frame, Y)
    np.testing.assert_array_equal(fitted.predict(table), expected.predict(frame))
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]
    classes = BoostedTreesClassifier(rounds=3).fit(table, table["c"])
    assert classes.score(table, table["c"]) == 1


def test_sparse_rows_are_those_with_their_zeros() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rows = np.where(RNG.random((100, 4)) < 0.7, 0.0, RNG.normal(size=(100, 4)))
    dense = BoostedTreesRegressor(rounds=3).fit(rows, Y)
    fitted = BoostedTreesRegressor(rounds=3).fit(sparse.csr_matrix(rows), Y)
    assert fitted.predict(sparse.csc_array(rows)).tolist() == dense.predict(rows).tolist()


def test_a_number_that_is_missing_is_so_in_every_call() -> None:
    rows = X.copy()
    rows[::3, 0] = -1
    marked = BoostedTreesRegressor(rounds=3, missing=-1).fit(rows, Y, eval_set=(rows[:9], Y[:9]))
    blank = np.where(rows == -1, np.nan, rows)
    plain = BoostedTreesRegressor(rounds=3).fit(blank, Y)
    assert marked.predict(rows).tolist() == plain.predict(blank).tolist()
    assert marked.model_.predict(rows).tolist() == plain.predict(blank).tolist()
    frame = pd.DataFrame(rows, columns=list("abc"))
    assert BoostedTreesRegressor(rounds=3, missing=-1).fit(frame, Y).predict(frame).tolist() == (
        plain.predict(blank).tolist())


def test_a_classifier_tells_log_odds_and_their_kin_by_round() -> None:
    y = (Y > 0).astype(int)
    fitted = BoostedTreesClassifier(rounds=4).fit(X, y, eval_set=[(X[:20], y[:20])])
    shares = fitted.predict_proba(X)
    odds = np.log(shares[:, 1] / shares[:, 0])
    assert fitted.decision_function(X) == pytest.approx(odds, abs=1e-5)
    assert fitted.predict_log_proba(X) == pytest.approx(np.log(shares), abs=1e-6)
    stages = list(fitted.staged_predict_proba(X))
    assert len(stages) == 4
    assert stages[-1].tolist() == shares.tolist()
    first = BoostedTreesClassifier(rounds=1).fit(X, y)
    assert stages[0] == pytest.approx(first.predict_proba(X), abs=1e-7)
    assert [stage.tolist() for stage in fitted.staged_predict(X)][-1] == fitted.predict(X).tolist()
    assert len(fitted.evals_result_["valid"]["logloss"]) == 4
    assert fitted.best_iteration_ == 1 + int(np.argmin(fitted.evals_result_["valid"]["logloss"]))
    assert fitted.apply(X).shape == (100, 4)


def test_a_ranker_takes_the_sizes_of_queries_or_the_query_of_each_row() -> None:
    relevance = RNG.integers(0, 4, 100)
    sizes = [10] * 10
    fitted = BoostedTreesRanker(rounds=5).fit(X, relevance, group=sizes)
    by_row = BoostedTreesRanker(rounds=5).fit(X, relevance, qid=np.repeat(np.arange(10), 10))
    assert fitted.predict(X).tolist() == by_row.predict(X).tolist()
    mean = np.mean([
        sklearn.metrics.ndcg_score([2.0 ** relevance[a : a + 10] - 1], [fitted.predict(X)[a : a + 10]])
        for a in range(0, 100, 10)
    ])
    assert fitted.score(X, relevance, group=sizes) == pytest.approx(mean, abs=1e-6)
    with pytest.raises(ValueError, match="group has 90 rows in all where X has 100"):
        BoostedTreesRanker().fit(X, relevance, group=[90])


def test_known_parts_and_weights_are_routed_to_where_they_are_asked_for() -> None:
    from sklearn.model_selection import cross_validate

    exposure = RNG.normal(size=100)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = BoostedTreesRegressor(rounds=3).set_fit_request(sample_weight=True, base_margin=True)
        assert sklearn.utils.metadata_routing.get_routing_for_object(asked).fit.requests["base_margin"]
        asked.set_predict_request(base_margin=True).set_score_request(sample_weight=False)
        given = {"sample_weight": np.ones(100), "base_margin": exposure}
        results = cross_validate(asked, X, Y, params=given, scoring=lambda est, X, y: float(len(X)))
    assert results["test_score"].tolist() == [20.0] * 5
    shifted = BoostedTreesRegressor(rounds=3).fit(X, Y, base_margin=exposure)
    assert shifted.predict(X, base_margin=exposure) == pytest.approx(
        shifted.predict(X, base_margin=np.zeros(100)) + exposure, abs=1e-5)


def test_known_parts_count_wherever_rows_are_predicted_and_in_a_search() -> None:
    from sklearn.metrics import accuracy_score, r2_score
    from sklearn.model_selection import GridSearchCV, KFold

    exposure, y = RNG.normal(size=100), (Y > 0).astype(int)
    numbers = BoostedTreesRegressor(rounds=2).fit(X, Y, base_margin=exposure)
    predicted = numbers.predict(X, base_margin=exposure)
    assert list(numbers.staged_predict(X, base_margin=exposure))[-1].tolist() == predicted.tolist()
    assert numbers.score(X, Y, base_margin=exposure) == pytest.approx(r2_score(Y, predicted))
    classes = BoostedTreesClassifier(rounds=2).fit(X, y, base_margin=exposure)
    shares = classes.predict_proba(X, base_margin=exposure)
    odds = np.log(shares[:, 1] / shares[:, 0])
    assert classes.decision_function(X, base_margin=exposure) == pytest.approx(odds, abs=1e-5)
    found = classes.predict(X, base_margin=exposure)
    assert list(classes.staged_predict(X, base_margin=exposure))[-1].tolist() == found.tolist()
    assert classes.score(X, y, base_margin=exposure) == accuracy_score(y, found)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = BoostedTreesRegressor(rounds=2).set_fit_request(base_margin=True)
        asked.set_score_request(base_margin=True)
        search = GridSearchCV(asked, {"max_depth": [2]}, cv=KFold(2)).fit(X, Y, base_margin=exposure)
    by_hand = [
        BoostedTreesRegressor(rounds=2, max_depth=2).fit(X[train], Y[train], base_margin=exposure[train])
        .score(X[held], Y[held], base_margin=exposure[held]) for train, held in KFold(2).split(X)
    ]
    assert search.cv_results_["mean_test_score"] == pytest.approx([np.mean(by_hand)])


def test_scikit_learns_callbacks_see_every_round_and_may_stop_it() -> None:
    pytest.importorskip("sklearn.callback")

    class Watch:
        def __init__(self):
            self.said = []

        def setup(self, estimator, context):
            self.said.append("setup")

        def teardown(self, estimator, context):
            self.said.append("teardown")

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            if context.task_name == "round":
                self.said.append(fitted_estimator.predict(X[:1]).tolist())
                return context.task_id == 2
            return False

    watch = Watch()
    fitted = BoostedTreesRegressor(rounds=9).set_callbacks(watch).fit(X, Y)
    stages = [stage[:1].tolist() for stage in BoostedTreesRegressor(rounds=3).fit(X, Y).staged_predict(X)]
    assert watch.said == ["setup", *stages, "teardown"]
    assert fitted.model_.rounds == 3
