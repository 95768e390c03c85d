"""Cross-validation is a loop of `workbench.fit` over the same rows, bit for bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit

import workbench
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError
from workbench.explain.predictions.bare_columns import bare_rows, guess_columns
from workbench.given import make_dataset
from workbench.validation.cross_validation import cross_validation
from workbench.validation.divided import folds_of_dataset
from workbench.validation.fold_events import Predicted
from workbench.validation.fold_plan import FoldPlan


def frame(n: int = 150) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, 3)).round(2)
    x[rng.random((n, 3)) < 0.05] = np.nan
    made = pd.DataFrame(x, columns=["a", "b", "c"])
    made["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], n), ["red", "green", "blue"])
    made["site"], made["day"] = rng.integers(0, 11, n), pd.to_datetime("2024-01-01") + pd.to_timedelta(
        rng.permutation(n), "D"
    )
    made["y"] = np.nan_to_num(made.a) + rng.normal(size=n)
    made["kind"] = np.where(made.y > 0.8, "high", np.where(made.y > -0.5, "middle", "low"))
    return made


ROWS = frame()
PLAIN = ROWS[["a", "b", "c", "colour"]]


def assert_naive(result, X, y, splits, weight=None, **params) -> None:
    """Compare with what a person would write with `fit` and a splitter."""
    splits, found = list(splits), result.out_of_fold
    assert len(result.folds) == len(splits)
    at = 0
    for run, (train, valid) in zip(result.folds, splits, strict=True):
        weights = {} if weight is None else {"weight": weight[train]}
        held = (X.iloc[valid], y[valid]) + (() if weight is None else (weight[valid],))
        model = workbench.fit(X.iloc[train], y[train], valid=held, **weights, **params)
        assert model.rounds == run.kept
        for name in result.metrics:
            ours = run.valid[name]
            theirs = [record[f"valid:{name}"] for record in model.history]
            np.testing.assert_array_equal(ours, theirs)
        held_rows, part = np.sort(valid), slice(at, at + len(valid))
        np.testing.assert_array_equal(found.rows[part], held_rows)
        np.testing.assert_array_equal(found.predictions[part], model.predict(X.iloc[held_rows]))
        at += len(valid)


def test_rows_at_random_with_weights_samples_and_early_stopping() -> None:
    params = {"rounds": 12, "max_depth": 3, "subsample": 0.7, "early_stopping_rounds": 2, "seed": 3}
    weight = np.random.default_rng(1).random(len(ROWS)) * (np.arange(len(ROWS)) % 5 > 0)
    y = ROWS.y.to_numpy()
    result = workbench.cross_validate(PLAIN, y, folds=4, weight=weight, **params)
    splits = KFold(4, shuffle=True, random_state=3).split(PLAIN)
    assert_naive(result, PLAIN, y, splits, weight=weight, **params)
    assert len({run.kept for run in result.folds}) > 1


def test_classes_groups_and_time() -> None:
    params = {"rounds": 5, "max_depth": 3}
    kind, y = ROWS.kind.to_numpy(), ROWS.y.to_numpy()
    result = workbench.cross_validate(ROWS[[*PLAIN, "kind"]], "kind", folds=3, fold_seed=2, **params)
    splits = StratifiedKFold(3, shuffle=True, random_state=2).split(PLAIN, kind)
    assert_naive(result, PLAIN, kind, splits, **params)
    result = workbench.cross_validate(ROWS[[*PLAIN, "site"]], y, folds=4, groups="site", **params)
    assert_naive(result, PLAIN, y, GroupKFold(4).split(PLAIN, groups=ROWS.site), **params)
    result = workbench.cross_validate(ROWS[[*PLAIN, "day"]], y, folds=3, by_time="day", **params)
    order = np.argsort(ROWS.day.to_numpy())
    forward = [(np.sort(order[t]), np.sort(order[v])) for t, v in TimeSeriesSplit(3).split(order)]
    assert_naive(result, PLAIN, y, forward, **params)


def test_rows_may_be_given_by_a_splitter_or_as_pairs() -> None:
    y, params = ROWS.y.to_numpy(), {"rounds": 3, "max_depth": 2}
    splitter = KFold(3)
    for folds in (splitter, list(splitter.split(PLAIN))):
        result = workbench.cross_validate(PLAIN, y, folds=folds, **params)
        assert_naive(result, PLAIN, y, splitter.split(PLAIN), **params)
    for wrong, words in (([], "no fold"), ([(1, 2, 3)], "no pair"), ([([0], [0])], "both train and"),
                         ([([0], [999])], "a row that is none"), ("five", "give a number")):  # fmt: skip
        with pytest.raises(WorkbenchError, match=words):
            workbench.cross_validate(PLAIN, y, folds=wrong)
    with pytest.raises(WorkbenchError, match="leave it at 1"):
        workbench.cross_validate(PLAIN, y, folds=splitter, repeats=2)


def test_bins_are_made_inside_each_fold() -> None:
    """A value that a fold only holds out moves none of its thresholds."""
    x = np.arange(40.0)
    x[::4] += 0.25  # held out by the first fold
    folds = [(np.flatnonzero(np.arange(40) % 4), np.arange(0, 40, 4))]
    result = workbench.cross_validate(x[:, None], x**2, folds=folds, rounds=2, max_bin=256)
    seen = x[folds[0][0]]
    between = {np.float32((a + b) / 2) for a, b in pairwise(seen)} | set(seen.astype("f4"))
    for tree in result.folds[0].ensemble.trees:
        nodes = tree.nodes[tree.nodes["feature"] >= 0]
        assert set(nodes["threshold"]) <= between


def test_figures_by_fold_and_round_and_predictions_as_a_table() -> None:
    rows = ROWS.assign(kind=np.where(ROWS.kind == "low", None, ROWS.kind))
    result = workbench.cross_validate(
        rows[[*PLAIN, "kind"]], "kind", workbench.TrainingParams(rounds=6, max_depth=2), folds=3, repeats=2
    )
    table = result.out_of_fold.frame()
    known = rows.kind.notna()
    assert sorted(table.row) == sorted([*np.flatnonzero(known)] * 2)
    assert table.groupby("repeat").size().tolist() == [known.sum()] * 2
    assert (table.truth == rows.kind[table.row].to_numpy()).all()
    last = [run.figure("valid", "logloss") for run in result.folds]
    assert result.mean("logloss") == pytest.approx(np.mean(last))
    assert result.sd("logloss") == pytest.approx(np.std(last, ddof=1))
    band = result.band("logloss")
    assert (len(band.mean), band.folds) == (6, 6)
    assert (band.mean[-1], band.sd[-1]) == (pytest.approx(np.mean(last)), pytest.approx(np.std(last, ddof=1)))
    one = table[(table.repeat == 1) & (table.fold == 2)]
    positive = result.schema.class_labels[1]
    assert log_loss(one.truth == positive, one.prediction) == pytest.approx(last[1], abs=1e-6)
    assert len(result.records()) == 6
    assert result.round_records()[0]["round"] == 1
    assert "6 folds: logloss" in repr(result)
    y = workbench.cross_validate(PLAIN, ROWS.y, folds=3, rounds=4)
    found = y.out_of_fold.frame()
    first = found[found.fold == 1]
    assert mean_squared_error(first.truth, first.prediction) ** 0.5 == pytest.approx(
        y.folds[0].figure("valid", "rmse"), abs=1e-6
    )


def test_predictions_of_a_file_open_under_predictions(tmp_path) -> None:
    for target in ("kind", "y"):
        result = workbench.cross_validate(ROWS[[*PLAIN, target]], target, folds=3, rounds=3, max_depth=2)
        result.out_of_fold.frame().to_csv(tmp_path / "p.csv", index=False)
        table = read_table(tmp_path / "p.csv")
        columns = guess_columns(table)
        shown = bare_rows(table, columns)
        assert columns.truth == "truth"
        assert len(shown) == len(ROWS)
        np.testing.assert_allclose(shown.prediction, result.out_of_fold.predictions, rtol=1e-5)


@pytest.mark.filterwarnings("ignore::workbench.WorkbenchWarning")
def test_what_cannot_be_trained_names_the_fold() -> None:
    y = np.repeat([0.0, 1.0], [30, 10])
    X = np.random.default_rng(0).normal(size=(40, 2))
    weight = np.zeros(40)
    weight[:4] = 1
    folds = [(np.arange(20, 40), np.arange(20))]
    with pytest.raises(WorkbenchError, match=r"Cross-validation ended at fold 1: .*weight"):
        workbench.cross_validate(X, y, weight=weight, folds=folds, rounds=2, objective="squared")
    one_class = workbench.cross_validate(X, y, objective="logistic", more_metrics=("auc",), rounds=2,
                                         folds=[(np.arange(10, 40), np.arange(10))])  # fmt: skip
    assert np.isnan(one_class.mean("auc"))
    assert np.isfinite(one_class.mean("logloss"))
    with pytest.raises(WorkbenchError, match="groups and by_time clash"):
        workbench.cross_validate(X, y, groups=y, by_time=y)
    with pytest.raises(WorkbenchError, match="no value in row 3"):
        workbench.cross_validate(X, y, by_time=[1.0, 2, None, *range(37)])


def test_folds_stay_where_the_next_one_is_stopped_as_it_is_prepared() -> None:
    params = workbench.TrainingParams(rounds=2, objective="squared")
    dataset = make_dataset(PLAIN, ROWS.y, None, None, None, 0.0, params)
    control, said = workbench.RunControl(), []
    for word in cross_validation(dataset, params, folds_of_dataset(dataset, FoldPlan(3)), control):
        said.append(word)
        if isinstance(word, Predicted):
            control.stop()
    assert isinstance(said[-1], Predicted)
    assert {word.place for word in said} == {0}


def test_threads_change_no_bit() -> None:
    alone, together = (
        workbench.cross_validate(PLAIN, ROWS.y, folds=3, rounds=4, threads=threads) for threads in (1, 3)
    )
    np.testing.assert_array_equal(alone.out_of_fold.predictions, together.out_of_fold.predictions)
    assert alone.round_records() == together.round_records()
