"""CatBoost's statistics of categories (CTR): of one column and of several together, as CatBoost predicts."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model

catboost = pytest.importorskip("catboost", reason="CatBoost is large: only the extra bench installs it")

CATEGORIES = ["town", "kind", "on"]
OF_TWO_CLASSES = ("Borders", "Buckets", "BinarizedTargetMeanValue", "Counter")
OF_MORE = ("Borders:TargetBorderCount=4", "Buckets:TargetBorderCount=3",
           "BinarizedTargetMeanValue:TargetBorderCount=2")  # fmt: skip


def frame_of(n=1500, seed=0, towns=300):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "size": rng.normal(size=n), "town": rng.integers(0, towns, n), "on": rng.random(n) < 0.5,
        "kind": rng.choice(["a", "b,c", "é", "nan", "007", "7"], n), "more": np.round(rng.normal(size=n), 1),
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    score = frame["town"] % 7 / 3 + np.nan_to_num(frame["size"]) * (frame["kind"] == "a") + frame["on"]
    both = (frame["town"] % 3 == 0) == frame["kind"].isin(["é", "7"])
    return frame, score + both + rng.normal(size=n) / 4


def trained(path, loss="RMSE", towns=300, **params):
    """Train, save with the pool, and read again."""
    frame, score = frame_of(towns=towns)
    target = {"RMSE": score, "Logloss": (score > 1).astype(int), "MultiClass": score.round().clip(0, 3)}[loss]
    pool = catboost.Pool(frame, target, cat_features=CATEGORIES)
    chosen = {"loss_function": loss, "iterations": 20, "verbose": 0, "thread_count": 1, "random_seed": 1,
              "allow_writing_files": False, "max_ctr_complexity": 1, **params}
    booster = catboost.CatBoost(chosen).fit(pool)
    booster.save_model(str(path), format="json", pool=pool)
    return booster, load_model(path)


def others(towns=300):
    """Rows of which some have categories that were not there in training."""
    frame = frame_of(seed=1, towns=towns + 60)[0]
    frame.loc[::7, "kind"] = "new"
    return frame


def check(booster, model, rows):
    expected = booster.predict(rows, prediction_type="RawFormulaVal")
    np.testing.assert_allclose(model.predict_raw(rows), expected, rtol=1e-9, atol=1e-9)


def kinds_in(path):
    """How many columns of categories, and questions, the statistics of a file are taken of."""
    found = json.loads(path.read_text())["features_info"]["ctrs"]
    return {(one["ctr_type"], *sorted(e["combination_element"] for e in one["elements"])) for one in found}


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
@pytest.mark.parametrize(("loss", "statistic"), [
    *[("RMSE", one) for one in OF_TWO_CLASSES + OF_MORE], *[("Logloss", one) for one in OF_TWO_CLASSES],
    *[("MultiClass", one) for one in OF_TWO_CLASSES],
])  # fmt: skip
def test_each_kind_predicts_as_catboost(loss, statistic, policy, tmp_path):
    booster, model = trained(tmp_path / "m.json", loss, grow_policy=policy, simple_ctr=[statistic])
    assert {kind for kind, *_ in kinds_in(tmp_path / "m.json")} == {statistic.partition(":")[0]}
    check(booster, model, frame_of()[0])
    check(booster, model, others())


@pytest.mark.parametrize(("made", "theirs"), [
    ("BinarizedTargetMeanValue", "FloatTargetMeanValue"), ("Counter", "FeatureFreq"),
])  # fmt: skip
def test_kinds_that_only_a_graphics_card_makes(made, theirs, tmp_path):
    trained(tmp_path / "m.json", simple_ctr=[made])
    (tmp_path / "n.json").write_text((tmp_path / "m.json").read_text().replace(made, theirs))
    booster = catboost.CatBoost().load_model(str(tmp_path / "n.json"), format="json")
    check(booster, load_model(tmp_path / "n.json"), others())


@pytest.mark.parametrize("loss", ["RMSE", "Logloss", "MultiClass"])
def test_several_columns_together_predict_as_catboost(loss, tmp_path):
    more = {"max_ctr_complexity": 4, "iterations": 60, "learning_rate": 0.3}
    booster, model = trained(tmp_path / "m.json", loss, towns=20, **more)
    found = kinds_in(tmp_path / "m.json")
    assert any(elements.count("cat_feature_value") == 2 for elements in found)
    assert any("float_feature" in elements for elements in found)
    assert any("cat_feature_exact_value" in elements for elements in found)
    check(booster, model, frame_of(towns=20)[0])
    check(booster, model, others(towns=20))


def test_a_table_from_a_file_is_predicted_the_same(tmp_path):
    booster, model = trained(tmp_path / "m.json", max_ctr_complexity=4)
    others().to_csv(tmp_path / "t.csv", index=False)
    rows = pd.read_csv(tmp_path / "t.csv", keep_default_na=False, dtype={"kind": str}, na_values={"size": ""})
    expected = booster.predict(others(), prediction_type="RawFormulaVal")
    np.testing.assert_allclose(model.predict_raw(rows), expected, rtol=1e-9)


@pytest.mark.parametrize("one_hot", [1, 10])
@pytest.mark.parametrize("named", ["nan", "None", "<NA>", ""])
def test_missing_values_count_as_what_text_makes_of_them(named, one_hot, tmp_path):
    frame, score = frame_of()
    frame = frame[["size", "kind"]].replace({"kind": {"nan": named}})
    score = score + 3 * (frame["kind"] == named)
    pool = catboost.Pool(frame, score, cat_features=["kind"])
    booster = catboost.CatBoost({"iterations": 10, "verbose": 0, "thread_count": 1,
                                 "one_hot_max_size": one_hot, "allow_writing_files": False}).fit(pool)
    booster.save_model(str(tmp_path / "m.json"), format="json", pool=pool)
    model = load_model(tmp_path / "m.json")
    check(booster, model, frame)
    gaps = frame.assign(kind=frame["kind"].where(frame["kind"] != named, None))
    np.testing.assert_array_equal(model.predict_raw(gaps), model.predict_raw(frame))
    assert f"Missing values of 'kind' count as its category '{named}'." in model.provenance["notes"]


def test_missing_values_are_like_new_categories_where_there_is_no_such_text(tmp_path):
    _, model = trained(tmp_path / "m.json", simple_ctr=["Borders"])
    rows = frame_of()[0]
    new, gaps = rows.assign(town=-1), rows.assign(town=np.nan)
    np.testing.assert_array_equal(model.predict_raw(gaps), model.predict_raw(new))


@pytest.mark.parametrize("first", [-40, 2**24, 10**15, 10**18])
def test_whole_numbers_are_told_apart_to_the_last_digit(first, tmp_path):
    frame, score = frame_of(towns=50)
    frame["town"] += first
    pool = catboost.Pool(frame[["town", "size"]], score, cat_features=["town"])
    booster = catboost.CatBoost({"iterations": 10, "verbose": 0, "thread_count": 1,
                                 "allow_writing_files": False}).fit(pool)  # fmt: skip
    booster.save_model(str(tmp_path / "m.json"), format="json", pool=pool)
    check(booster, load_model(tmp_path / "m.json"), frame[["town", "size"]].assign(town=frame["town"] + 9))


def test_categories_of_the_model_are_those_of_its_column_in_their_order(tmp_path):
    _, model = trained(tmp_path / "m.json", towns=12, max_ctr_complexity=2)
    features = {feature.name: feature.categories for feature in model.schema.features}
    assert features["town"] == tuple(map(str, range(12)))
    assert features["kind"] == ("007", "7", "a", "b,c", "nan", "é")
    assert set(features["on"]) <= {"0", "1"}


def test_columns_of_which_the_file_tells_only_some_categories_are_named(tmp_path):
    _, model = trained(tmp_path / "m.json", one_hot_max_size=6)
    told = "The file tells only the categories that are asked for, of 'on', 'kind': others are told as new"
    assert told in " ".join(model.provenance["notes"])
    _, model = trained(tmp_path / "m.json", one_hot_max_size=1)
    assert "tells only" not in " ".join(model.provenance["notes"])


def test_questions_name_no_category_that_cannot_come_there(tmp_path):
    _, model = trained(tmp_path / "m.json", towns=20, max_ctr_complexity=4, iterations=40)
    for tree in model.trees:
        known = {0: {}}
        for node in np.flatnonzero(tree.nodes["feature"] >= 0).tolist():
            column, left = int(tree.nodes["feature"][node]), int(tree.nodes["left"][node])
            codes = set(tree.categories(node).tolist())
            possible = known[node].get(column, set(range(99)))
            assert not codes or (codes & possible) == codes != possible
            known[left] = {**known[node], column: codes} if codes else known[node]
            known[left + 1] = {**known[node], column: possible - codes} if codes else known[node]


def test_training_goes_on_from_it(tmp_path):
    booster, model = trained(tmp_path / "m.json", one_hot_max_size=1, max_ctr_complexity=4, towns=20)
    frame, score = frame_of(towns=20)
    table = frame.assign(on=frame["on"].astype(int), target=score)
    categories = ["town", "on"]
    longer = workbench.fit(table, target="target", categories=categories, init_model=model, rounds=5)
    assert longer.rounds == model.rounds + 5
    np.testing.assert_allclose(longer.predict(table, rounds=20), booster.predict(frame), rtol=1e-5, atol=1e-5)
    assert np.std(longer.predict(table) - score) < 0.98 * np.std(booster.predict(frame) - score)


def test_without_the_names_of_categories_it_says_how_to_save_them(tmp_path):
    booster, _ = trained(tmp_path / "m.json")
    booster.save_model(str(tmp_path / "n.json"), format="json")
    with pytest.raises(WorkbenchError, match=r"Save it with the data .*pool=pool"):
        load_model(tmp_path / "n.json")


def test_names_that_are_missing_are_told_and_shown_as_numbers(tmp_path):
    booster, _ = trained(tmp_path / "m.json")
    frame = frame_of()[0]
    some = frame[frame["kind"] != "é"]
    pool = catboost.Pool(some, cat_features=CATEGORIES)
    booster.save_model(str(tmp_path / "n.json"), format="json", pool=pool)
    model = load_model(tmp_path / "n.json")
    assert "does not have the names of all categories of 'kind'" in " ".join(model.provenance["notes"])
    assert sum(label.startswith("hash ") for label in model.schema.features[3].categories) == 1
    check(booster, model, some)


@pytest.mark.parametrize("second", ["Borders:TargetBorderCount=4", "Counter"])
def test_counts_that_catboost_loses_on_saving_are_told(second, tmp_path):
    booster, model = trained(tmp_path / "m.json", simple_ctr=["Borders:TargetBorderCount=1", second])
    rows = frame_of()[0]
    check(catboost.CatBoost().load_model(str(tmp_path / "m.json"), format="json"), model, rows)
    is_same = np.allclose(model.predict_raw(rows), booster.predict(rows), atol=1e-6)
    assert is_same == (second == "Counter")
    assert is_same == ("keeps the counts of one alone" not in " ".join(model.provenance["notes"]))


def test_trees_that_would_be_too_large_are_refused_with_a_way_out(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.formats.catboost.trees.MOST_NODES", 500)
    monkeypatch.setattr("workbench.formats.catboost.columns.MOST_TOGETHER", 10**4)
    trained(tmp_path / "m.json", towns=20)
    for towns in (20, 300):
        with pytest.raises(WorkbenchError, match="max_ctr_complexity=1"):
            trained(tmp_path / "m.json", towns=towns, max_ctr_complexity=4, iterations=60, learning_rate=0.3)


def test_too_many_categories_in_questions_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.formats.catboost.trees.MOST_CODES", 1000)
    with pytest.raises(WorkbenchError, match="asks for so many categories"):
        trained(tmp_path / "m.json")


def first_table(record):
    return next(iter(record["ctr_data"].values()))


def count_as(record, value):
    """Give the first category of a table another count."""
    table = first_table(record)["hash_map"]
    first = next(k for k, one in enumerate(table) if isinstance(one, str) and one != str(2**64 - 1))
    table[first + 1] = value


def first_statistic(record):
    return record["features_info"]["ctrs"][0]


def first_split(record):
    splits = (one for tree in record["oblivious_trees"] for one in tree["splits"])
    return next(one for one in splits if one["split_type"] == "OnlineCtr")


@pytest.mark.parametrize(("change", "words"), [
    (lambda d: count_as(d, "many"), "hash_map"),
    (lambda d: count_as(d, -4), "counts that are none"),
    (lambda d: count_as(d, 0.5), "counts that are none"),
    (lambda d: count_as(d, float("nan")), "hash_map"),
    (lambda d: count_as(d, 3_000_000_000), "too many rows"),
    (lambda d: first_table(d)["hash_map"].__setitem__(0, "-5"), "key of hash_map"),
    (lambda d: first_table(d)["hash_map"].__setitem__(0, 5), "key of hash_map"),
    (lambda d: first_table(d)["hash_map"].pop(), "hash_stride"),
    (lambda d: first_table(d).update(hash_stride=10**9), "hash_stride"),
    (lambda d: first_table(d).update(hash_stride=1), "hash_stride"),
    (lambda d: d.pop("ctr_data"), "damaged"),
    (lambda d: first_statistic(d).update(prior_numerator=float("nan")), "prior"),
    (lambda d: first_statistic(d).update(scale=1e300), "prior"),
    (lambda d: first_statistic(d).update(ctr_type="Mystery"), "Mystery"),
    (lambda d: first_statistic(d).update(target_border_idx=7), "not known here"),
    (lambda d: first_statistic(d).update(elements=[]), "taken of nothing"),
    (lambda d: first_statistic(d).update(borders=[0.5] * 300), "too many borders"),
    (lambda d: first_statistic(d)["elements"][0].update(cat_feature_index=55), "damaged"),
    (lambda d: first_split(d).update(split_index=10**6), "there is not"),
    (lambda d: first_split(d).update(split_index=0), "split_index"),
    (lambda d: first_split(d).update(border=-3.0), "another border"),
    (lambda d: first_split(d).update(split_type="Riddle"), "Riddle"),
    (lambda d: [one.update(value="x") for one in d["features_info"]["cat_features_hash"]], "same name"),
])  # fmt: skip
def test_damage_is_said_in_one_line(change, words, tmp_path):
    trained(tmp_path / "m.json", iterations=3)
    record = json.loads((tmp_path / "m.json").read_text())
    change(record)
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match=words):
        load_model(tmp_path / "m.json")
