"""Models that LightGBM has trained, read from both kinds of its files."""

from __future__ import annotations

import json
import time

import numpy as np
import pandas as pd
import pytest

from workbench.data.reading import read_table
from workbench.data.samples import SAMPLES
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.imported_tree import ImportedNodes, imported_tree
from workbench.formats.load import load_model

lightgbm = pytest.importorskip("lightgbm")

LIGHTGBM = FORMATS.get("lightgbm")
OBJECTIVES = ("regression", "regression_l1", "huber", "quantile", "poisson", "gamma", "tweedie", "binary",
              "cross_entropy", "multiclass", "mape", "fair")


def frame_of(n=800, seed=0, missing=0.1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "number": rng.normal(size=n), "decimals": np.round(rng.exponential(size=n), 1),
        "plain": rng.integers(0, 30, n).astype(float),
        "kind": pd.Categorical(rng.choice(["a", "b", "c,d", "é", "f"], n)),
        "code": pd.Categorical(rng.choice([3, 5, 9], n)), "whole": rng.integers(-3, 3, n),
    })  # fmt: skip
    for name in ("number", "decimals", "kind"):
        frame.loc[rng.random(n) < missing, name] = None
    score = np.nan_to_num(frame["number"]) + (frame["kind"] == "a") + 0.1 * frame["plain"]
    return frame, score + rng.normal(size=n) / 4


def target_of(objective, score):
    if objective in ("binary", "cross_entropy"):
        return (score > score.median()).astype(int)
    if objective == "multiclass":
        return pd.qcut(score, 3, labels=False)
    return np.exp(score / 3) if objective in ("poisson", "gamma", "tweedie", "mape") else score


def trained(objective="regression", rounds=25, frame=None, **params):
    frame, score = frame if frame is not None else frame_of()
    settings = {"objective": objective, "num_leaves": 15, "verbose": -1, "num_threads": 1, "seed": 1,
                "min_data_per_group": 5, "cat_smooth": 1, **params}
    if objective == "multiclass":
        settings["num_class"] = 3
    return lightgbm.train(settings, lightgbm.Dataset(frame, target_of(objective, score)), rounds), frame


def saved(booster, path, kind):
    if kind == "text":
        booster.save_model(path)
    else:
        path.write_text(json.dumps(booster.dump_model()))
    return load_model(path)


def unseen(frame):
    """The same columns with a category that training did not have, and more missing cells."""
    other = frame.astype({"kind": object, "code": object})
    other.loc[::5, "kind"] = "new"
    other.loc[::7, "code"] = 77
    other.loc[::3, "plain"] = np.nan
    other.loc[::4, "whole"] = 0
    return other


def as_trained(rows, frame):
    """The rows with the types of the training table, categories that it does not know missing."""
    theirs = rows.copy()
    for name in ("kind", "code"):
        known = rows[name].where(rows[name].isin(frame[name].cat.categories))
        theirs[name] = known.astype(frame[name].dtype)
    return theirs


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_predictions(objective, kind, tmp_path):
    booster, frame = trained(objective)
    model = saved(booster, tmp_path / "model.txt", kind)
    for rows in (frame, unseen(frame)):
        expected = booster.predict(as_trained(rows, frame))
        np.testing.assert_allclose(model.predict(rows), expected, rtol=1e-12)


@pytest.mark.parametrize("params", [
    {"boosting": "dart", "drop_rate": 0.5}, {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
    {"use_missing": False}, {"max_cat_to_onehot": 10}, {"sigmoid": 2.0}, {"boost_from_average": False},
    {"extra_trees": True, "max_bin": 15}, {"lambda_l2": 5.0, "learning_rate": 0.5}, {"num_leaves": 2},
    {"min_data_in_leaf": 5000},
])  # fmt: skip
@pytest.mark.parametrize("kind", ["text", "json"])
def test_ways_of_training(params, kind, tmp_path):
    booster, frame = trained("binary", **params)
    model = saved(booster, tmp_path / "model.txt", kind)
    np.testing.assert_allclose(model.predict(frame), booster.predict(frame), rtol=1e-12)
    theirs = [tree["num_leaves"] for tree in booster.dump_model()["tree_info"]]
    assert [tree.n_leaves for tree in model.trees] == theirs


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_what_lies_close_to_zero_is_zero_to_it(kind, missing, tmp_path):
    rng = np.random.default_rng(0)
    sizes = np.float32([0, 1e-45, 1e-38, 9e-36, 1e-35, 1.1e-35, 2e-35, 1, 3.4e38])
    tiny = rng.choice(np.concatenate([sizes, -sizes]), (2000, 2))
    frame = pd.DataFrame(tiny.astype(float), columns=["a", "b"])
    frame["a"] = frame["a"].mask(rng.random(2000) < missing)
    target = np.sign(frame["a"].fillna(0.5)) + 2 * np.sign(frame["b"]) + rng.normal(size=2000) / 9
    booster = lightgbm.train({"verbose": -1, "num_threads": 1, "min_data_in_bin": 1},
                             lightgbm.Dataset(frame, target), 9)  # fmt: skip
    model = saved(booster, tmp_path / "model.txt", kind)
    inf = np.minimum(np.nextafter(sizes, np.float32(np.inf)), sizes.max())  # beyond is missing
    rows = np.array([[a, b] for a in [*sizes, *-sizes, *inf, *-inf, np.nan] for b in [*sizes, *-sizes]])
    np.testing.assert_allclose(model.predict(rows.astype(np.float32)), booster.predict(rows), rtol=2e-6)


def test_what_is_known_and_what_is_not(tmp_path):
    booster, _ = trained(lambda_l2=3.0, learning_rate=0.2, min_gain_to_split=0.5)
    model = saved(booster, tmp_path / "model.txt", "text")
    tree, theirs = model.trees[0], booster.trees_to_dataframe().query("tree_index == 0")
    assert (model.params.reg_lambda, model.params.learning_rate, model.params.gamma) == (3.0, 0.2, 0.25)
    assert tree.nodes["count"][0] == theirs["count"].iloc[0]
    np.testing.assert_allclose(tree.nodes["gain"][0], theirs["split_gain"].iloc[0] / 2, rtol=1e-6)
    assert np.isnan(tree.nodes["sum_gradient"]).all()
    assert model.provenance["notes"]
    assert model.schema.features[3].categories == ("a", "b", "c,d", "f", "é")
    assert model.schema.features[4].categories == ("3", "5", "9")


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s.task != "ranking"][:8], ids=lambda s: s.name)
def test_on_real_tables(sample, tmp_path):
    frame = pd.read_csv(sample.path, comment="#").dropna(subset=[sample.target])
    target = frame.pop(sample.target)
    for name in frame.select_dtypes(exclude="number"):
        frame[name] = frame[name].astype("category")
    frame.columns = [str(name).replace(" ", "_") for name in frame.columns]
    labels = target.astype("category")
    several = labels.dtype.categories.size
    is_number = pd.api.types.is_numeric_dtype(target) and several > 10
    objective = "regression" if is_number else "binary" if several == 2 else "multiclass"
    params = {"objective": objective, "verbose": -1, "num_threads": 1}
    if objective == "multiclass":
        params["num_class"] = several
    booster = lightgbm.train(params, lightgbm.Dataset(frame, target if is_number else labels.cat.codes), 30)
    booster.save_model(tmp_path / "m.txt")
    model = load_model(tmp_path / "m.txt")
    expected = booster.predict(frame)
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(model.predict(frame), expected, rtol=1e-6, atol=1e-6 * scale)
    assert read_table(sample.path).n_rows


@pytest.mark.parametrize(("change", "words"), [
    (lambda t: t[: len(t) // 2], "cut off"),
    (lambda t: t.replace("left_child=", "left_child=9999 ", 1), "left_child"),
    (lambda t: t.replace("split_feature=", "split_feature=999 ", 1), "split_feature"),
    (lambda t: t.replace("num_leaves=15", "num_leaves=999999999999", 1), "num_leaves"),
    (lambda t: t.replace("objective=regression", "objective=mystery", 1), "mystery"),
    (lambda t: t.replace("is_linear=0", "is_linear=1", 1), "linear"),
    (lambda t: t.replace("leaf_value=", "leaf_value=nan ", 1), "leaf_value"),
])  # fmt: skip
def test_damage_is_said_in_one_line(change, words, tmp_path):
    booster, _ = trained(rounds=3)
    path = tmp_path / "m.txt"
    path.write_text(change(booster.model_to_string()))
    with pytest.raises(WorkbenchError, match=words) as error:
        load_model(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("asked", ["<", "no_greater", None, ["<="]])
def test_a_question_of_another_kind_is_no_question_for_order(asked, tmp_path):
    record = trained(rounds=1)[0].dump_model()
    record["tree_info"][0]["tree_structure"]["decision_type"] = asked
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match="is damaged"):
        load_model(tmp_path / "m.json")


def test_a_file_cut_off_behind_its_trees_is_refused(tmp_path):
    frame = pd.DataFrame({"kind": pd.Categorical(list("abcd") * 25), "x": np.arange(100.0)})
    settings = {"verbose": -1, "num_threads": 1, "min_data_per_group": 1, "cat_smooth": 0}
    booster = lightgbm.train(settings, lightgbm.Dataset(frame, frame["kind"].cat.codes * 2.0), 2)
    path = tmp_path / "m.txt"
    booster.save_model(path)
    text = path.read_text()
    whole = load_model(path)
    assert whole.schema.features[0].categories == tuple("abcd")
    named = text.index("pandas_categorical")
    ended = text.index("end of parameters") + len("end of parameters")
    assert text.index("end of trees") < text.index("feature_importances:") < text.index("parameters:") < ended
    cuts = {*range(text.index("end of trees") - 5, text.index("[boosting") + 9), *range(ended - 30, ended),
            *range(named + 1, text.rindex("]") + 1)}  # fmt: skip
    for end in sorted(cuts):
        path.write_text(text[:end])
        with pytest.raises(WorkbenchError, match=r"cut off|is damaged") as refused:
            load_model(path)
        assert "\n" not in str(refused.value)


def test_a_file_without_names_of_categories_says_so(tmp_path):
    """As other interfaces of LightGBM end it; or it is cut off just there."""
    booster, _ = trained(rounds=3)
    text, path = booster.model_to_string(), tmp_path / "m.txt"
    path.write_text(text)
    assert not any("does not name" in note for note in load_model(path).provenance["notes"])
    path.write_text(text[: text.index("\npandas_categorical")])
    cut = load_model(path)
    assert "does not name its categories" in cut.provenance["notes"][1]
    assert cut.schema.features[3].categories[0] == "0"
    frame, score = frame_of()
    numbers = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(frame[["number"]], score), 2)
    text = numbers.model_to_string()
    path.write_text(text[: text.index("\npandas_categorical")])
    assert len(load_model(path).provenance["notes"]) == 1


def test_a_file_without_parameters_that_names_its_categories_is_whole(tmp_path):
    """As one that was loaded from such a file and saved again."""
    text = trained(rounds=3)[0].model_to_string()
    begin, end = text.index("\nparameters:"), text.index("end of parameters") + len("end of parameters")
    (tmp_path / "m.txt").write_text(text[:begin] + text[end:])
    assert load_model(tmp_path / "m.txt").schema.features[3].categories == ("a", "b", "c,d", "f", "é")


@pytest.mark.parametrize(("unused", "known"), [(("kind",), True), (("kind", "number"), False)])
def test_a_column_of_categories_that_no_split_asks_about_in_a_file_of_lightgbm_2(unused, known, tmp_path):
    """Their JSON names categories but no columns, which is clear where all others are asked for order."""
    frame, score = frame_of()
    frame = frame[["number", "kind", "code", "whole"]]
    data = lightgbm.Dataset(frame, score + frame["whole"] + 3 * (frame["code"] == 5))
    used = ["number", "code", "whole"]
    constraints = [[place for place, name in enumerate(frame) if name not in unused]]
    settings = {"verbose": -1, "num_threads": 1, "cat_smooth": 1, "interaction_constraints": constraints}
    booster = lightgbm.train(settings, data, 10)
    record = booster.dump_model()
    asked = [name for name, count in zip(frame, booster.feature_importance(), strict=True) if count]
    assert asked == [name for name in used if name not in unused]
    for lacking in ("feature_infos", "feature_importances"):
        del record[lacking]
    (tmp_path / "m.json").write_text(json.dumps(record))
    model = load_model(tmp_path / "m.json")
    kinds = [feature.kind for feature in model.schema.features]
    if known:
        assert kinds == ["number", "category", "category", "number"]
        assert model.schema.features[1].categories == ("a", "b", "c,d", "f", "é")
        assert model.schema.features[2].categories == ("3", "5", "9")
        rows = unseen(frame)[list(frame)]
        np.testing.assert_allclose(model.predict(rows), booster.predict(as_trained(rows, frame)), rtol=1e-6)
    else:
        assert kinds == ["number", "number", "category", "number"]
        assert any("does not tell which columns" in note for note in model.provenance["notes"])


def test_a_loop_in_a_tree_is_refused(tmp_path):
    booster, _ = trained(rounds=1)
    lines = booster.model_to_string().split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith("left_child="))
    lines[place] = "left_child=" + " ".join(["0"] * len(lines[place].split("=")[1].split()))
    (tmp_path / "m.txt").write_text("\n".join(lines))
    with pytest.raises(WorkbenchError, match="loop"):
        load_model(tmp_path / "m.txt")


@pytest.mark.parametrize("name", ["xgboost", "xgboost-ubjson", "json"])
def test_a_question_for_missing_values_alone_is_kept(name, tmp_path):
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((400, 1)) < 0.4, np.nan, rng.normal(size=(400, 1)))
    params = {"verbose": -1, "num_threads": 1, "max_bin": 2, "min_data_in_leaf": 1}
    booster = lightgbm.train(params, lightgbm.Dataset(rows, np.isnan(rows[:, 0]) * 3.0), 3)
    model = saved(booster, tmp_path / "m.txt", "text")
    assert max(tree.nodes["threshold"][0] for tree in model.trees) == np.finfo(np.float32).max
    model.save(tmp_path / "again", name)
    given = pd.DataFrame({"Column_0": [np.nan, 3.4e38, -3.4e38, 0.0]})
    np.testing.assert_array_equal(load_model(tmp_path / "again").predict(given), model.predict(given))
    np.testing.assert_allclose(model.predict(given), booster.predict(given.to_numpy()), rtol=1e-12)


def test_categories_with_spaces_around_them_are_found(tmp_path):
    sex = pd.Categorical([" Male", "Female", "Other "] * 100)
    frame = pd.DataFrame({"sex": sex, "x": np.arange(300.0)})
    params = {"verbose": -1, "num_threads": 1, "min_data_per_group": 1, "cat_smooth": 0}
    booster = lightgbm.train(params, lightgbm.Dataset(frame, sex.codes * 2.0), 5)
    model = saved(booster, tmp_path / "m.txt", "text")
    expected = booster.predict(frame)
    assert len(set(expected.round(6))) == 3
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    for rows in (frame, frame.astype({"sex": str}), read_table(path)):
        np.testing.assert_allclose(model.predict(rows), expected, rtol=1e-12)


def of_one_leaf(count, **given):
    """A file of trees that ask nothing, each with what is given of its leaf."""
    empty = ("split_feature", "split_gain", "threshold", "decision_type", "left_child", "right_child")
    lines = [*(f"{name}=" for name in empty), *(f"{name}={value}" for name, value in given.items())]
    head = ["tree", "version=v4", "num_class=1", "num_tree_per_iteration=1", "max_feature_idx=0",
            "objective=regression", "feature_names=a", "feature_infos=[0:1]"]  # fmt: skip
    trees = [line for k in range(count) for line in ("", f"Tree={k}", "num_leaves=1", *lines)]
    end = ["", "end of trees", "", "feature_importances:", "", "parameters:", "end of parameters", "",
           "pandas_categorical:null", ""]  # fmt: skip
    return "\n".join([*head, *trees, *end]).encode()


def test_a_tree_of_one_leaf_has_what_any_other_has():
    tree = LIGHTGBM.read(of_one_leaf(1, leaf_value="0.1", leaf_weight="2.5", leaf_count="7")).trees[0]
    none = np.full(1, -1)
    made = ImportedNodes(none, none, none, np.zeros(1, np.float32), np.zeros(1, bool), np.array([0.1]),
                         hessian=np.array([2.5]), count=np.array([7]))  # fmt: skip
    other = imported_tree(made, 1)
    for one in (tree, other):
        nodes = one.nodes[0]
        assert (nodes["leaf_value"], nodes["sum_hessian"], nodes["count"]) == (0.1, 2.5, 7)
        assert (nodes["feature"], nodes["left"], nodes["right"], nodes["parent"]) == (-1, -1, -1, -1)
        assert np.isnan(nodes["sum_gradient"])
        assert one.category_begin.tolist() == [0, 0]
        assert not one.nodes.flags.writeable
    assert tree.nodes.tobytes() == other.nodes.tobytes()
    bare = LIGHTGBM.read(of_one_leaf(2, leaf_value="-1e-3"))
    assert bare.predict_raw(np.zeros((1, 1))).tolist() == [-2e-3]
    assert all(np.isnan(tree.nodes["sum_hessian"][0]) and tree.nodes["count"][0] == 0 for tree in bare.trees)


@pytest.mark.parametrize("given", [
    {"leaf_value": "inf"}, {"leaf_value": "nan"}, {"leaf_value": ""}, {"leaf_value": "1 2"}, {},
    {"leaf_value": "1e39"}, {"leaf_value": "1", "left_child": "-1"}, {"leaf_value": "1", "threshold": "0.5"},
    {"leaf_value": "1", "leaf_weight": "x"},
])  # fmt: skip
def test_a_damaged_tree_of_one_leaf_is_refused(given):
    with pytest.raises(WorkbenchError, match=r"damaged|Damaged") as refused:
        LIGHTGBM.read(of_one_leaf(1, **given))
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_very_many_trees_of_one_leaf_are_read_in_a_moment():
    data = of_one_leaf(20_000, leaf_value="0.5")
    begin = time.process_time()
    assert len(LIGHTGBM.read(data).trees) == 20_000
    assert time.process_time() - begin < 4
