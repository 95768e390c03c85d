"""Models that XGBoost itself has trained, and what became of ours there."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.formats.making import TASKS, make_model, make_rows, margins, same_model
from workbench.errors import WorkbenchError
from workbench.explain.node_figures import node_figures
from workbench.formats.base import FORMATS, reader_of
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.load import load_model
from workbench.views.tree.text import tree_text

xgboost = pytest.importorskip("xgboost")
XGB = FORMATS.get("xgboost")


def data_of(objective, n=400, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 4)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    rows[:, 3] = rng.integers(0, 6, n)
    signal = np.nan_to_num(rows[:, 0]) + (rows[:, 3] == 2)
    if objective.startswith("reg"):
        return rows, signal
    return rows, (signal > 0).astype(int) + (signal > 1) * objective.startswith("multi")


def trained(objective, rounds=6, **params):
    rows, y = data_of(objective)
    types = ["q", "q", "q", "c" if params.pop("categorical", True) else "q"]
    matrix = xgboost.DMatrix(rows, y, feature_names=["a", "b", "c", "d"], feature_types=types, nthread=1)
    settings_ = {"objective": objective, "max_depth": 4, "nthread": 1, "verbosity": 0, **params}
    if objective.startswith("multi"):
        settings_["num_class"] = 3
    return xgboost.train(settings_, matrix, rounds), matrix, rows


@pytest.mark.sampled
@pytest.mark.parametrize(
    "objective", ["reg:squarederror", "binary:logistic", "multi:softprob", "multi:softmax"]
)
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"max_cat_to_onehot": 1},
        {"tree_method": "exact", "categorical": False, "gamma": 2.0},
        {"booster": "dart", "rate_drop": 0.5},
        {"num_parallel_tree": 3, "subsample": 0.5},
        {"grow_policy": "lossguide", "max_leaves": 6, "max_depth": 0},
        {"base_score": 0.3},
    ],
)
@pytest.mark.parametrize("kind", ["json", "ubj"])
def test_trained_by_xgboost(tmp_path, objective, params, kind):
    booster, matrix, rows = trained(objective, **params)
    booster.save_model(tmp_path / f"m.{kind}")
    model = load_model(tmp_path / f"m.{kind}")
    expected = booster.predict(matrix, output_margin=True)
    np.testing.assert_allclose(margins(model, rows), expected, rtol=2e-6, atol=1e-6)
    assert model.provenance["program"] == "XGBoost"
    assert model.schema.names == ("a", "b", "c", "d")
    np.testing.assert_allclose(margins(XGB.read(XGB.write(model)), rows), margins(model, rows))


def test_pandas_categories_are_found(tmp_path):
    labels = pd.Categorical(["red", "blue", "green", "blue"] * 30)
    frame = pd.DataFrame({"colour": labels, "x": np.arange(120.0)})
    matrix = xgboost.DMatrix(frame, (labels == "blue") * 1.0, enable_categorical=True, nthread=1)
    booster = xgboost.train({"max_depth": 2, "nthread": 1}, matrix, 3)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert model.schema.features[0].categories == ("blue", "green", "red")


@pytest.mark.parametrize("objective", ["count:poisson", "reg:gamma", "reg:tweedie", "binary:logistic"])
@pytest.mark.parametrize("share", [0.09, 0.31, 0.37258348, 0.77, 0.9])
def test_the_intercept_is_xgboosts_bit_for_bit(objective, share, tmp_path):
    rows, _ = data_of("reg")
    y = np.where(np.arange(len(rows)) < share * len(rows), 1.0, 1e-3)
    y = y.round() if objective.startswith("binary") else y * 33578.23
    matrix = xgboost.DMatrix(rows, y, nthread=1)
    booster = xgboost.train({"objective": objective, "nthread": 1, "base_score": float(y.mean())}, matrix, 4)
    booster.save_model(tmp_path / "m.json")
    found = margins(load_model(tmp_path / "m.json"), rows)
    np.testing.assert_array_equal(found, booster.predict(matrix, output_margin=True))


KINDS = ["é", "b", "plain", "long in ASCII"]  # of the last name a letter is not in the file


@pytest.mark.parametrize("score", [1e-9, 9e-7, 1.1e-6, 0.999998, 0.9999999])
def test_probabilities_at_the_ends_are_held_as_xgboost_holds_them(score, tmp_path):
    booster, matrix, rows = trained("binary:logistic", base_score=score)
    booster.save_model(tmp_path / "m.json")
    found = margins(load_model(tmp_path / "m.json"), rows)
    np.testing.assert_array_equal(found, booster.predict(matrix, output_margin=True))


def of_kinds(path, asked):
    """Train on a pandas column of such categories, of which some matter."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"kind": pd.Categorical(rng.choice(KINDS, 600), KINDS), "x": rng.normal(size=600)})
    y = frame["kind"].isin(asked) * 1.0
    matrix = xgboost.DMatrix(frame, y, enable_categorical=True, nthread=1)
    booster = xgboost.train({"nthread": 1, "max_cat_to_onehot": 9, "max_depth": 3}, matrix, 9)
    booster.save_model(path)
    return frame, booster.predict(matrix)


def test_names_that_are_not_ascii_are_found_in_a_pandas_table(tmp_path):
    frame, expected = of_kinds(tmp_path / "m.json", ["plain"])
    model = load_model(tmp_path / "m.json")
    assert model.schema.features[0].categories == ("é", "b", "plain")
    np.testing.assert_array_equal(model.predict(frame), expected)


def test_a_split_on_a_name_that_xgboost_cut_off_is_refused(tmp_path):
    of_kinds(tmp_path / "m.json", ["long in ASCII"])
    with pytest.raises(WorkbenchError, match="'kind' whose name the file does not tell"):
        load_model(tmp_path / "m.json")


def test_names_that_could_end_elsewhere_are_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "KINDS", ["Bjørn", "é", "plain"])  # or "Bjør", "n", "épla"
    of_kinds(tmp_path / "m.json", ["é"])
    with pytest.raises(WorkbenchError, match="'kind' whose name the file does not tell"):
        load_model(tmp_path / "m.json")


def test_a_model_without_trees_is_refused(tmp_path):
    rows = np.random.default_rng(0).normal(size=(50, 2))
    matrix = xgboost.DMatrix(rows, np.abs(rows[:, 0]), nthread=1)
    booster = xgboost.train({"nthread": 1, "verbosity": 0, "booster": "gblinear"}, matrix, 2)
    booster.save_model(tmp_path / "m.json")
    with pytest.raises(WorkbenchError, match="'gblinear', which has no trees"):
        load_model(tmp_path / "m.json")


def test_sliced_and_continued_models_are_foreign_and_keep_their_prefix(tmp_path):
    model = make_model(11, "squared", rounds=4, kinds=("number",))
    rows = make_rows(model)
    (tmp_path / "m.json").write_bytes(XGB.write(model))
    booster = xgboost.Booster({"nthread": 1}, model_file=str(tmp_path / "m.json"))
    booster[:2].save_model(tmp_path / "sliced.json")
    sliced = load_model(tmp_path / "sliced.json")
    np.testing.assert_array_equal(margins(sliced, rows), margins_of_prefix(model, 2, rows))
    types, names = booster.feature_types, booster.feature_names
    y = np.random.default_rng(0).normal(size=len(rows))
    matrix = xgboost.DMatrix(rows, y, feature_names=names, feature_types=types, nthread=1)
    longer = xgboost.train({"nthread": 1, "max_depth": 2}, matrix, 2, xgb_model=booster)
    longer.save_model(tmp_path / "longer.json")
    continued = load_model(tmp_path / "longer.json")
    assert continued.rounds == 6
    assert "changed after" in continued.provenance["notes"][0]
    assert continued.schema.features == model.schema.features
    np.testing.assert_array_equal(margins_of_prefix(continued, 4, rows), margins(model, rows))
    np.testing.assert_array_equal(margins(continued, rows), longer.predict(matrix))


def margins_of_prefix(model, rounds, rows):
    from dataclasses import replace

    return margins(replace(model, ensemble=model.ensemble.first_rounds(rounds)), rows)


def test_ours_through_ubjson(tmp_path):
    model = make_model(5, "logistic")
    (tmp_path / "m.json").write_bytes(XGB.write(model))
    booster = xgboost.Booster({"nthread": 1}, model_file=str(tmp_path / "m.json"))
    booster.save_model(tmp_path / "m.ubj")
    assert reader_of((tmp_path / "m.ubj").read_bytes()).name == "xgboost-ubjson"
    same_model(model, load_model(tmp_path / "m.ubj"))


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(tuple(TASKS)), st.integers(0, 4), st.booleans())
def test_our_ubjson_is_that_of_xgboost(seed, objective, rounds, dart):
    model = make_model(seed, objective, 4, rounds, dart=dart)
    ours = FORMATS.get("xgboost-ubjson").write(model)
    from_json, from_ours = xgboost.Booster({"nthread": 1}), xgboost.Booster({"nthread": 1})
    from_json.load_model(bytearray(XGB.write(model)))
    from_ours.load_model(bytearray(ours))
    assert bytes(from_ours.save_raw("ubj")) == bytes(from_json.save_raw("ubj"))
    same_model(model, reader_of(ours).read(ours))


_UBJ = None


def ubj():
    global _UBJ  # one file for all examples
    if _UBJ is None:
        booster = xgboost.Booster({"nthread": 1})
        booster.load_model(bytearray(XGB.write(make_model(5, "softmax"))))
        _UBJ = bytes(booster.save_raw("ubj"))
    return _UBJ


@examples(150)
@given(st.data())
def test_damaged_ubjson(data):
    raw = bytearray(ubj())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    raw = raw[: data.draw(st.integers(1, len(raw)))]
    reader = FORMATS.get("xgboost-ubjson")
    try:
        reader.read(bytes(raw))
    except WorkbenchError:
        return


def test_ubjson_of_every_marker():
    text = b"{U\x01a[U\x01i\xffI\x01\x00Tz".replace(
        b"z", b"FZ]U\x01bSU\x02\xc3\xbcU\x01c[$d#U\x01\x3f\x80\x00\x00}"
    )
    assert parse_ubjson(text) == {"a": [1, -1, 256, True, False, None], "b": "ü", "c": [1.0]}
    with pytest.raises(WorkbenchError):
        parse_ubjson(b"[" * 1000)
    with pytest.raises(WorkbenchError):
        parse_ubjson(b"[$Z#L\x7f\xff\xff\xff\xff\xff\xff\xff")


def test_a_plain_dump_of_trees_is_no_model(tmp_path):
    (tmp_path / "m.json").write_text(json.dumps([{"nodeid": 0}]))
    with pytest.raises(WorkbenchError, match="a dump of trees without objective"):
        load_model(tmp_path / "m.json")


def test_outputs_without_names_go_by_their_classes():
    x = np.random.default_rng(0).normal(size=(90, 2))
    model = workbench.fit(x, np.arange(90) % 3, rounds=1)
    bare = replace(model, ensemble=replace(model.ensemble, output_names=()))
    assert bare.ensemble.output_names == model.ensemble.output_names == ("0", "1", "2")
    bare = replace(model, schema=replace(model.schema, class_labels=()), ensemble=replace(
        model.ensemble, output_names=()
    ))
    assert bare.ensemble.output_names == ("output 1", "output 2", "output 3")


def test_what_xgboost_keeps_no_trace_of_is_unknown(tmp_path):
    booster, _, _ = trained("reg:squarederror", eta=0.1, reg_lambda=7.0)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    for tree in model.ensemble.trees:
        assert np.isnan(tree.omega)
        assert np.isnan(tree.figures.promised)
        for node in range(tree.n_nodes):
            figures = node_figures(tree, node)
            assert np.isnan(figures.weight)
            if tree.is_leaf[node]:
                assert figures.step == tree.nodes["leaf_value"][node]
            else:
                assert np.isnan(figures.step)
    text = tree_text(model.ensemble.trees[0], model.schema, "Tree 1")
    assert "leaf, adds " in text
    assert "w*" not in text


@pytest.mark.parametrize("name", ["z" * 5_000, {"a": ["b" * 50] * 90}])
@pytest.mark.parametrize("place", ["objective", "gradient_booster"])
def test_a_name_of_any_size_is_refused_in_a_short_line(place, name):
    document = json.loads(trained("reg:squarederror", 1)[0].save_raw("json"))
    document["learner"][place]["name"] = name
    with pytest.raises(WorkbenchError) as refused:
        XGB.read(json.dumps(document).encode())
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("more", [{}, {"base_score": 0.3}])
def test_an_objective_without_a_name_here_predicts_what_xgboost_does(more, tmp_path):
    rows, y = data_of("binary:logistic")
    matrix = xgboost.DMatrix(rows, y, nthread=1)
    params = {"objective": "reg:squaredlogerror", "nthread": 1, "verbosity": 0, **more}
    booster = xgboost.train(params, matrix, 4)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert model.ensemble.objective == "custom"
    np.testing.assert_allclose(model.predict(rows), booster.predict(matrix), rtol=2e-6, atol=1e-6)


def test_several_targets_have_an_output_each(tmp_path):
    rows, y = data_of("reg:squarederror")
    matrix = xgboost.DMatrix(rows, np.column_stack([y, 5 - 2 * y]), nthread=1)
    booster = xgboost.train({"nthread": 1, "verbosity": 0}, matrix, 4)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    np.testing.assert_allclose(model.predict(rows), booster.predict(matrix), rtol=2e-6, atol=1e-6)
    assert model.ensemble.output_names == ("output 1", "output 2")
    model.save(tmp_path / "again.ubj")
    same_model(load_model(tmp_path / "again.ubj"), model)


@pytest.mark.parametrize("objective", ["binary:logistic", "multi:softprob"])
def test_rounds_of_a_forest_are_those_of_xgboost(tmp_path, objective):
    booster, matrix, rows = trained(objective, num_parallel_tree=3, subsample=0.5)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert model.rounds == booster.num_boosted_rounds()
    assert model.params.num_parallel_tree == 3
    early = booster.predict(matrix, output_margin=True, iteration_range=(0, 2))
    np.testing.assert_array_equal(margins(model.first_rounds(2), rows), early)


def test_rounds_of_different_sizes_are_read_as_they_are(tmp_path):
    booster, matrix, rows = trained("reg:squarederror", num_parallel_tree=2, subsample=0.5)
    booster.save_model(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    inner = document["learner"]["gradient_booster"]["model"]
    inner["iteration_indptr"][1:2] = []
    (tmp_path / "m.json").write_text(json.dumps(document))
    model = load_model(tmp_path / "m.json")
    assert model.ensemble.parallel_by_round == (4, 2, 2, 2, 2)
    assert model.params.num_parallel_tree == 2
    inner["iteration_indptr"][1] = 5
    inner["iteration_indptr"][-1] -= 1
    (tmp_path / "m.json").write_text(json.dumps(document))
    model = load_model(tmp_path / "m.json")
    assert (model.rounds, model.params.num_parallel_tree) == (len(model.trees), 1)
    np.testing.assert_array_equal(margins(model, rows), booster.predict(matrix, output_margin=True))


def test_the_best_round_is_told_where_more_follow(tmp_path):
    rows, target = data_of("reg:squarederror")
    noise = np.random.default_rng(1).normal(size=len(target))
    regressor = xgboost.XGBRegressor(
        n_estimators=60, learning_rate=0.8, early_stopping_rounds=4, num_parallel_tree=2, n_jobs=1, seed=1
    )
    regressor.fit(rows[:300], (target + noise)[:300], eval_set=[(rows[300:], target[300:])], verbose=False)
    regressor.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    best = regressor.best_iteration + 1
    assert model.rounds == regressor.get_booster().num_boosted_rounds()
    assert best < model.rounds
    assert f"(--rounds {best})" in model.provenance["notes"][-1]
    np.testing.assert_array_equal(model.predict(rows, rounds=best), regressor.predict(rows))
    booster = regressor.get_booster()
    np.testing.assert_array_equal(model.predict(rows), booster.predict(xgboost.DMatrix(rows, nthread=1)))
