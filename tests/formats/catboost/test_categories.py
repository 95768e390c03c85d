"""Categories of CatBoost's models that readers of tables write otherwise: each is told from the others."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from workbench.__main__ import main
from workbench.formats.load import load_model

catboost = pytest.importorskip("catboost", reason="CatBoost is large: only the extra bench installs it")

WORDS = ["True", "true", "TRUE", "False", "false", "nan", "NaN", "None", "NA", "null", "?", "<NA>", "", "a",
         "A", "b", "yes", "Yes", "2020-01-01", "1,5"]  # fmt: skip
ALIKE = ["1", "1.0", "01", "0", "0.0", "-0", "7", "007", "1e0", "1.5", "01.01.2020", " a", "a ", *WORDS]


def trained(path, texts, columns=1, seed=0, one_hot=50, **params):
    rng = np.random.default_rng(seed)
    names = [f"k{j}" for j in range(columns)]
    frame = pd.DataFrame({name: rng.choice(rng.choice(texts, 12, replace=False), 900) for name in names})
    frame = frame.astype(object)
    counts = {text: count for count, text in enumerate(rng.permutation(texts))}
    target = frame.map(counts.__getitem__).astype(float).sum(axis=1) + rng.normal(size=900)
    pool = catboost.Pool(frame.assign(x=rng.normal(size=900)), target, cat_features=names)
    settings = {
        "iterations": 4, "depth": 2, "one_hot_max_size": one_hot, "verbose": 0, "thread_count": 1,
        "allow_writing_files": False, "random_seed": seed, "max_ctr_complexity": 1, **params,
    }  # fmt: skip
    booster = catboost.CatBoost(settings).fit(pool)
    booster.save_model(path, format="json", pool=pool)
    return booster, frame.assign(x=0.0)


@pytest.mark.parametrize(("texts", "columns"), [(ALIKE, 1), (WORDS, 2), (WORDS, 3)])
@pytest.mark.parametrize("one_hot", [50, 2])
@pytest.mark.parametrize("seed", range(5))
def test_texts_of_the_training_table_are_told_apart(texts, columns, one_hot, seed, tmp_path):
    booster, frame = trained(tmp_path / "m.json", texts, columns, seed, one_hot)
    model = load_model(tmp_path / "m.json")
    np.testing.assert_allclose(model.predict(frame), booster.predict(frame), rtol=1e-9)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_in_a_file_too(columns, seed, tmp_path, capsys):
    booster, frame = trained(tmp_path / "m.json", WORDS, columns, seed)
    frame.to_csv(tmp_path / "t.csv", index=False)
    code = main(["predict", str(tmp_path / "m.json"), str(tmp_path / "t.csv"), "--quiet", "--output",
                 str(tmp_path / "o.csv")])  # fmt: skip
    assert code == 0, capsys.readouterr().err
    found = pd.read_csv(tmp_path / "o.csv")["prediction"]
    np.testing.assert_allclose(found, booster.predict(frame), rtol=1e-9)


def test_the_only_column_has_all_its_categories(tmp_path):
    _, frame = trained(tmp_path / "m.json", ALIKE, iterations=1, depth=1)
    record = json.loads((tmp_path / "m.json").read_text())
    [column] = record["features_info"]["categorical_features"]
    model = load_model(tmp_path / "m.json")
    assert len(column["values"]) < len(set(frame["k0"])) == len(model.schema.features[0].categories)
    assert set(model.schema.features[0].categories) == set(frame["k0"])
    assert not any("tells only the categories" in note for note in model.provenance["notes"])


def test_what_stands_for_other_numbers_or_truth_values_is_still_found(tmp_path):
    """A file has 1 and nothing where pandas had 1.0 and nan, and true where Python has True."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.choice([1.0, 2.0, 3.0, np.nan], 600), "on": rng.random(600) < 0.5,
                          "grade": rng.integers(1, 9, 600)})  # fmt: skip
    target = frame["size"].fillna(9) * (1 + frame["on"]) + frame["grade"] % 2
    theirs = frame.assign(size=[*map(str, frame["size"])], on=[*map(str, frame["on"])])
    pool = catboost.Pool(theirs, target, cat_features=["size", "on", "grade"])
    settings = {"iterations": 20, "one_hot_max_size": 50, "verbose": 0, "allow_writing_files": False}
    booster = catboost.CatBoost(settings).fit(pool)
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    expected = booster.predict(theirs)
    model = load_model(tmp_path / "m.json")
    np.testing.assert_allclose(model.predict(frame), expected, rtol=1e-9)
    text = frame.astype({"size": "Int64"}).to_csv(index=False)
    (tmp_path / "t.csv").write_text(text.replace("True", "true").replace("False", "false"))
    main(["predict", str(tmp_path / "m.json"), str(tmp_path / "t.csv"), "--quiet", "--output",
          str(tmp_path / "o.csv")])  # fmt: skip
    np.testing.assert_allclose(pd.read_csv(tmp_path / "o.csv")["prediction"], expected, rtol=1e-9)
