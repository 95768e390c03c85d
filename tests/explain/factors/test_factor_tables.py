"""Factor tables: they add up to the model, and each says what the ones below it cannot."""

from __future__ import annotations

import csv
from itertools import pairwise

import numpy as np
import openpyxl
import pandas as pd
import pytest

import workbench
from workbench.__main__ import main
from workbench.data.encoding import encode
from workbench.data.samples import sample_file
from workbench.data.schema import Feature
from workbench.errors import Cancelled, WorkbenchError
from workbench.explain.factors.cells import FactorCells
from workbench.explain.factors.purify import purified
from workbench.formats.factors.factor_tables import factor_rows
from workbench.formats.factors.levels import levels_of

OBJECTIVES = ["squared", "logistic", "softmax", "poisson"]


def frame_of(rng, n=400):
    frame = pd.DataFrame(rng.normal(size=(n, 4)).round(2), columns=list("abcd"))
    frame["d"] = frame["a"] + 0.3 * frame["d"]  # columns hang together
    frame["e"] = pd.Categorical(rng.choice(["p", "q", "=r", "s", "t"], n))
    frame[rng.random(frame.shape) < 0.1] = np.nan
    return frame


def answers_of(rng, frame, objective):
    score = frame["a"].fillna(2) * (frame["e"] == "q") + frame["b"].fillna(0) ** 2
    score += frame["c"].fillna(1) * frame["d"].fillna(0)
    if objective == "squared":
        return score
    if objective == "poisson":
        return rng.poisson(np.exp(np.clip(score, -2, 2)))
    return np.digitize(score, [1.0] if objective == "logistic" else [0.3, 1.5])


def fitted(objective, **more):
    rng = np.random.default_rng(5)
    frame = frame_of(rng)
    y = answers_of(rng, frame, objective)
    params = {"objective": objective, "rounds": 10, "max_depth": 2} | more
    return workbench.fit(frame, y, **params), frame, y


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_tables_of_shallow_trees_add_up_to_the_model(objective):
    model, frame, y = fitted(objective, rate_drop=0.2 if objective == "squared" else 0.0)
    weight = np.random.default_rng(1).random(len(frame))
    tables = model.factor_tables(frame, y, weight=weight)
    assert tables.is_exact
    assert tables.left_out == 0
    np.testing.assert_allclose(tables.raw(frame), model.predict_raw(frame), atol=2e-6)
    others = frame_of(np.random.default_rng(99))  # rows that no cell was weighed with
    others["e"] = others["e"].cat.rename_categories({"t": "never seen"})
    np.testing.assert_allclose(tables.raw(others), model.predict_raw(others), atol=2e-6)


def test_pairs_asked_by_constraints_are_exact_however_deep():
    model, frame, y = fitted("squared", max_depth=5, interaction_constraints=[["a", "b"], ["c", "d"]])
    tables = model.factor_tables(frame, y)
    assert tables.found.order == 2
    np.testing.assert_allclose(tables.raw(frame), model.predict_raw(frame), atol=2e-6)
    assert {tables.name(pair) for pair in tables.found.pairs} <= {"a × b", "c × d"}


def test_what_is_left_of_pairs_has_no_mean_along_any_level():
    model, frame, y = fitted("squared")
    weight = np.random.default_rng(1).random(len(frame))
    found = model.factor_tables(frame, y, weight=weight).found
    raw = model.predict_raw(frame)
    assert found.constant[0] == pytest.approx(np.average(raw, weights=weight), abs=1e-6)
    assert found.pairs
    for table in found.tables:
        mass = table.values * table.exposure
        for axis in range(1, table.values.ndim) if table in found.pairs else [None]:
            np.testing.assert_allclose(mass.sum(axis=axis), 0, atol=1e-7)


def test_cells_hold_exposure_and_the_gradients_of_their_rows():
    model, frame, y = fitted("logistic")
    weight = np.random.default_rng(1).random(len(frame))
    tables = model.factor_tables(frame, y, weight=weight)
    p = model.predict(frame)
    main_of_e = next(table for table in tables.found.mains if tables.name(table) == "e")
    codes = frame["e"].cat.codes.to_numpy()
    for code, category in enumerate(frame["e"].cat.categories):
        own = codes == code
        place = model.schema.features[4].categories.index(category)
        assert main_of_e.rows[place] == own.sum()
        assert main_of_e.exposure[place] == pytest.approx(weight[own].sum())
        assert main_of_e.gradients[0, place] == pytest.approx(((p - y) * weight)[own].sum(), rel=1e-4)
        assert main_of_e.hessians[0, place] == pytest.approx((p * (1 - p) * weight)[own].sum(), rel=1e-4)
    assert main_of_e.rows[-1] == (codes < 0).sum()


def test_without_answers_there_are_no_gradients_and_by_round_fewer_trees():
    model, frame, _ = fitted("poisson")
    tables = model.factor_tables(frame, rounds=3)
    np.testing.assert_allclose(tables.raw(frame), model.predict_raw(frame, rounds=3), atol=2e-6)
    assert tables.found.mains[0].gradients is None
    assert tables.factor_name == "relativity"


def test_the_exposure_of_a_log_link_counts_its_offset():
    rng = np.random.default_rng(2)
    frame, exposure = frame_of(rng), rng.uniform(0.2, 1, 400)
    y = rng.poisson(exposure * np.exp(frame["a"].fillna(0)))
    model = workbench.fit(frame, y, objective="poisson", rounds=4, max_depth=1, base_margin=np.log(exposure))
    tables = model.factor_tables(frame, y, base_margin=np.log(exposure))
    assert tables.found.mains[0].exposure.sum() == pytest.approx(exposure.sum(), rel=1e-5)
    assert not tables.found.pairs
    raw = tables.raw(frame) + np.log(exposure)
    np.testing.assert_allclose(np.exp(raw), model.predict(frame, base_margin=np.log(exposure)), rtol=1e-5)


def test_deeper_trees_are_come_near_to_and_what_is_missed_is_told():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(3000, 4)), columns=list("abcd"))
    additive = np.sin(frame["a"]) + frame["b"] * (frame["c"] > 0)
    of_three = 2.0 * (frame["a"] > 0) * (frame["b"] > 0) * (frame["d"] > 0)
    missed = []
    for y in (additive, of_three):
        model = workbench.fit(frame, y, rounds=15, max_depth=4)
        tables = model.factor_tables(frame, y)
        assert (tables.is_exact, tables.found.measured_apart) == (False, True)
        fresh = pd.DataFrame(rng.normal(size=(3000, 4)), columns=list("abcd"))
        raw = model.predict_raw(fresh)
        share = np.mean((tables.raw(fresh) - raw) ** 2) / raw.var()
        assert share == pytest.approx(tables.left_out, abs=0.04)
        missed.append(share)
    assert missed[0] < 0.05 < missed[1] < 0.4
    assert "leave out" in tables.told


def test_exposure_is_that_of_all_rows_where_the_nearest_are_fitted_to_some(monkeypatch):
    monkeypatch.setattr("workbench.explain.factors.tables.MOST_FITTED", 150)
    model, frame, y = fitted("squared", max_depth=4)
    weight = np.arange(len(frame)) % 3
    tables = model.factor_tables(frame, y, weight=weight)
    assert tables.told.endswith("; fitted to and measured on 150 of 400 rows")
    main = next(t for t in tables.found.mains if tables.name(t) == "b")
    place = main.cells[0].of(frame["b"].to_numpy(np.float32))
    size = len(main.rows)
    np.testing.assert_array_equal(main.exposure, np.bincount(place, weight, size))
    own = weight * (model.predict_raw(frame) - y.to_numpy())
    np.testing.assert_allclose(main.gradients[0], np.bincount(place, own, size), atol=1e-4)
    assert np.average(main.values[0], weights=main.exposure) == pytest.approx(0, abs=1e-9)


def test_categories_that_are_called_like_other_levels_are_told_apart():
    feature = Feature("e", "category", ("missing", "p", "another category"))
    levels = levels_of(FactorCells(0, np.empty(0, np.float32), 3), feature)
    words = [level.words for level in levels]
    assert words == ["missing", "p", "another category", "(another category)", "(missing)"]


@pytest.mark.parametrize("seed", range(3))
def test_a_function_of_two_columns_is_parted_as_least_squares_part_it(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 7, 2)
    values, weight = rng.normal(size=(2, n, m)), rng.random((n, m)) * (rng.random((n, m)) < 0.7)
    weight[0, 0] = 1.0
    if seed == 1:
        weight[:, -1] = 0
    lines, columns = purified(values, weight)
    left = values - lines[:, :, None] - columns[:, None, :]
    for axis in (1, 2):
        np.testing.assert_allclose((left * weight).sum(axis=axis), 0, atol=1e-8)


def test_files_hold_every_level(tmp_path):
    model, frame, y = fitted("poisson")
    tables = model.factor_tables(frame, y)
    tables.save(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert lines[0]["table"] == "constant"
    own = [line for line in lines if (line["table"], line["column"]) == ("main", "a")]
    assert own[0]["from"] == ""
    assert own[-1]["level"] == "missing"
    assert all(one["to"] == other["from"] for one, other in pairwise(own[:-1]))
    for line in own:
        assert float(line["relativity"]) == pytest.approx(np.exp(float(line["value"])))
    row = frame.iloc[[0]]
    value = float(lines[0]["value"])
    for line in lines[1:]:
        one = ("column", "level", "from", "to")
        names = [one, tuple(f"second {name}" for name in one)]
        value += float(line["value"]) * all(_is_at(row, *(line[n] for n in own)) for own in names)
    assert value == pytest.approx(float(model.predict_raw(row)[0]), abs=1e-5)
    tables.save(tmp_path / "t.xlsx")
    book = openpyxl.load_workbook(tmp_path / "t.xlsx", read_only=True)
    assert book.sheetnames == ["Model", "Columns", "Pairs"]
    told = list(book["Columns"].iter_rows(values_only=True))
    assert len(told) == 1 + sum(line["table"] == "main" for line in lines)
    assert "=r" in {line[2] for line in told}
    book.close()


def _is_at(row, column, level, begin, end):
    if not column:
        return True
    value = row[column].iloc[0]
    if pd.isna(value) or level == "missing":
        return pd.isna(value) and level == "missing"
    if isinstance(value, str):
        return value == level
    return (not begin or value >= float(begin)) and (not end or value < float(end))


def test_the_command_writes_them_and_says_what_they_are(tmp_path, capsys):
    heart = str(sample_file("heart_disease"))
    model, out = str(tmp_path / "m.json"), tmp_path / "t.csv"
    train = ["train", heart, "--target", "disease", "--rounds", "4", "--export", model, "--quiet"]
    assert main([*train, "--max-depth", "2"]) == 0
    assert main(["factors", model, heart, "--output", str(out)]) == 0
    assert "exact" in capsys.readouterr().out
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("table,output,column,level,from,to")
    assert "odds ratio" in lines[0]
    assert main([*train, "--max-depth", "4"]) == 0
    assert main(["factors", model, heart, "--output", str(out), "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_predicting_the_rows_can_be_cancelled():
    model, frame, _ = fitted("squared")
    rows = encode(model.schema, frame)
    with pytest.raises(Cancelled):
        factor_rows(model.ensemble, None, rows, None, None, None, cancelled=lambda: True)


def test_a_linear_model_and_no_rows_are_refused():
    frame = frame_of(np.random.default_rng(5))
    model = workbench.fit(frame, frame["b"].fillna(0), method="linear", rounds=2)
    with pytest.raises(WorkbenchError, match="its own table"):
        model.factor_tables(frame)
    model, frame, _ = fitted("squared")
    with pytest.raises(WorkbenchError, match="need rows"):
        model.factor_tables(frame.iloc[:0])
