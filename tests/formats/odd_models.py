"""Models of every kind that a writer might take wrongly: of odd numbers, odd names, and other programs."""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import workbench
from tests.formats.making import make_model, make_rows
from workbench.ensembles.prediction import raw_predictions
from workbench.formats.load import load_model

LABELS = (
    'say "so"', "it's", "two\nlines", "two lines", "two\r\nlines", "tab\t", "\u05d0\u05d1\u202egnol", "🌲🌳",
    "a,b", "a, b", "{a}", "= b", "a and b", "or missing", " a", "a ", "a", "\\n", "x: add 3", "<1",
    "&lt;", "1e5", "−1", "NA", "é", "e\u0301", "ﬁ", "\u2028", "l" * 300, "l" * 300 + "?",
)  # fmt: skip
LARGEST = float(np.finfo(np.float32).max)
READ = np.float32(3.3999999e38)  # what is beyond is missing to every reader
ODD_NUMBERS = (-0.0, 0.0, 1e-45, -1e-45, 1.1754942e-38, LARGEST, -LARGEST, 16777217.0, 0.1, -1e-7, 3e9)


def table(n=400, kinds=6, seed=0):
    """Every kind of column, all with missing values, and a target that depends on each."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "size": np.round(rng.normal(size=n), 2),
        "town (km, \"N\")": pd.Series(rng.choice([f"t{k}" for k in range(kinds)], n), dtype=object),
        "on": pd.Series(rng.random(n) < 0.5, dtype=object),
    })  # fmt: skip
    hours = rng.integers(0, 900, n)
    frame["since"] = pd.Timestamp("2019-01-01") + pd.to_timedelta(hours, unit="h")
    town = frame.iloc[:, 1].str[1:].astype(int)
    score = frame["size"] + town % 3 + frame["on"].astype(float) + hours / 500
    frame = frame.mask(rng.random(frame.shape) < 0.1)
    return frame, (score + rng.normal(size=n) / 5).to_numpy()


def fitted(objective="squared", classes=0, positive=False, kinds=6, frame=None, **params):
    """Train on the table; `base_margin` comes as its column "known"."""
    made, score = table(kinds=kinds)
    frame = made if frame is None else frame
    if classes:
        score = np.array([f"c{k}" for k in range(classes)])[pd.qcut(score, classes, labels=False)]
    elif positive:
        score = np.exp(score / 3)
    if "base_margin" in params:
        frame = frame.assign(known=np.linspace(-1, 1, len(frame)))
    settings = {"rounds": 4, "max_depth": 4, "seed": 3, **params}
    return workbench.fit(frame.assign(y=score), target="y", objective=objective, **settings)


def with_numbers(numbers, **made):
    """A model of numbers whose every threshold and leaf is one of these."""
    model = make_model(4, "squared", n_features=3, rounds=6, kinds=("number",), **made)
    trees = []
    for k, tree in enumerate(model.trees):
        nodes = tree.nodes.copy()
        splits = nodes["feature"] >= 0
        nodes["threshold"][splits] = np.resize(np.roll(numbers, k), splits.sum())
        small = [x for x in numbers if abs(x) < 1e30]
        nodes["leaf_value"][~splits] = np.resize(np.roll(small, -k), (~splits).sum())
        trees.append(replace(tree, nodes=nodes))
    return replace(model, ensemble=replace(model.ensemble, trees=tuple(trees)))


def with_labels(labels, objective="softmax"):
    """A model whose every category is one of these; its columns and classes go by them too."""
    model = make_model(6, objective, n_features=4, rounds=8, kinds=("category",), max_splits=20)
    taken = list(labels)
    features = tuple(
        replace(f, name=taken[-3 - k],
                categories=tuple((taken * 2)[5 * k : 5 * k + len(f.categories)]) if f.categories else ())
        for k, f in enumerate(model.schema.features)
    )  # fmt: skip
    return replace(model, schema=replace(model.schema, features=features))


def days(numbers):
    """A model that asks for odd days: before 1970, fractions of a second, beyond every calendar."""
    model = with_numbers(numbers)
    features = tuple(replace(f, kind="date") for f in model.schema.features)
    return replace(model, schema=replace(model.schema, features=features))


OWN_OBJECTIVE = """
def loss(target, raw):
    return (target - raw) ** 2

def gradients(target, raw):
    return 2 * (raw - target), 2 + 0 * raw
"""


def of_custom_objective():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mine.py")
        path.write_text(OWN_OBJECTIVE)
        return fitted(workbench.load_objective(path))


def of_ranks():
    frame, score = table()
    grades = pd.qcut(score, 4, labels=False).astype(float)
    return workbench.fit(frame, grades, group=np.arange(len(frame)) // 20, objective="lambdarank", rounds=4)


def kept(name):
    """A model of another program that the tests keep."""
    record = json.loads(Path(__file__).with_name("kept").joinpath(f"{name}.json").read_text("utf-8"))
    data = zlib.decompress(base64.b64decode(record["packed"])) if "packed" in record else (
        json.dumps(record["model"]).encode())  # fmt: skip
    return loaded(data)


def loaded(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        path.write_bytes(data)
        return load_model(path)


def numeric():
    """Numbers of three columns, some of them 0, some missing."""
    rng = np.random.default_rng(5)
    rows = np.round(rng.normal(size=(500, 3)), 1)
    target = rows[:, 0] + np.abs(rows[:, 1]) + (rows[:, 2] == 0)
    rows[rng.random(rows.shape) < 0.15] = np.nan
    return rows, target


def of_lightgbm(**params):
    import lightgbm

    rows, target = numeric()
    if params.get("objective") == "multiclass":
        target = pd.qcut(target, 3, labels=False)
    settings = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "num_leaves": 8, **params}
    kinds = {"categorical_feature": [2]} if params.get("max_cat_to_onehot") else {}
    if kinds:
        rows[:, 2] = np.abs(np.round(np.nan_to_num(rows[:, 2]) * 5))
    data = lightgbm.Dataset(rows, target, feature_name=["a", "b", "c"], **kinds)
    return loaded(lightgbm.train(settings, data, 5).model_to_string().encode())


def of_xgboost(**params):
    import xgboost

    rows, target = numeric()
    rows[:, 2] = np.abs(np.round(rows[:, 2] * 5))
    columns = {"feature_names": ["a", "b", "c"], "feature_types": ["q", "q", "c"]}
    if "multi_strategy" in params:
        target = np.column_stack([target, np.nan_to_num(rows[:, 1]) - target**2])
        columns["feature_types"][2] = "q"
    data = xgboost.DMatrix(rows, target, nthread=1, **columns)
    booster = xgboost.train({"nthread": 1, "max_depth": 3, **params}, data, 5)
    return loaded(bytes(booster.save_raw("ubj")))


def of_sklearn(name, several=False, **params):
    import sklearn.ensemble

    from workbench.formats.sklearn.export import document

    rows, target = numeric()
    target = np.column_stack([target, target**2]) if several else target
    made = getattr(sklearn.ensemble, name)(random_state=1, **params).fit(rows, target)
    return loaded(json.dumps(document(made, ["a", "b", "c"])).encode())


MAKERS = {
    "no rounds": lambda: fitted().first_rounds(0),
    "one leaf": lambda: fitted(gamma=1e9),
    "one leaf of 3 classes": lambda: fitted("softmax", classes=3, gamma=1e9),
    "odd numbers": lambda: with_numbers(ODD_NUMBERS),
    "odd days": lambda: days((-0.0, 1e-3, 17.123457, -400.5, 18000.002, 1e7, -9e7, 2e8, 1e20, 1e-45)),
    "odd names": lambda: with_labels(LABELS),
    "300 categories": lambda: fitted(kinds=300, max_cat_to_onehot=1, min_category_rows=1, cat_smooth=0),
    "30 classes": lambda: fitted("softmax", classes=30, rounds=2, max_depth=3),
    "two classes": lambda: fitted("logistic", classes=2, scale_pos_weight=2.0),
    "exponential": lambda: fitted("exponential", classes=2),
    "absolute": lambda: fitted("absolute"),
    "huber": lambda: fitted("huber"),
    "poisson with an offset": lambda: fitted("poisson", positive=True, base_margin="known"),
    "gamma": lambda: fitted("gamma", positive=True),
    "tweedie": lambda: fitted("tweedie", positive=True),
    "three quantiles": lambda: fitted("quantile", quantile_alpha=[0.1, 0.5, 0.9]),
    "quantiles with an offset": lambda: fitted("quantile", quantile_alpha=[0.2, 0.8], base_margin="known"),
    "ranks": of_ranks,
    "custom objective": of_custom_objective,
    "DART": lambda: fitted(rate_drop=0.5, rounds=8, learning_rate=0.4),
    "DART of 3 classes": lambda: fitted("softmax", classes=3, rate_drop=0.6, one_drop=True, rounds=5),
    "sliced DART": lambda: fitted(rate_drop=0.6, rounds=9, normalize_type="forest").first_rounds(5),
    "boosted forest": lambda: fitted(num_parallel_tree=3, subsample=0.6),
    "forest of 3 classes": lambda: fitted("softmax", classes=3, num_parallel_tree=3, colsample_bynode=0.5),
    "sliced rounds": lambda: fitted("logistic", classes=2, rounds=7).first_rounds(3),
    "exact, deep": lambda: fitted(tree_method="exact", max_depth=9, min_child_weight=0.0, rounds=3),
    "LightGBM": lambda: of_lightgbm(objective="regression"),
    "LightGBM without missing values": lambda: of_lightgbm(objective="regression", use_missing=False),
    "LightGBM with 0 as missing": lambda: of_lightgbm(objective="regression", zero_as_missing=True),
    "LightGBM of 3 classes": lambda: of_lightgbm(objective="multiclass", num_class=3),
    "LightGBM with categories": lambda: of_lightgbm(max_cat_to_onehot=1, min_data_per_group=1, cat_smooth=0),
    "LightGBM forest": lambda: of_lightgbm(boosting="rf", bagging_freq=1, bagging_fraction=0.5),
    "XGBoost": lambda: of_xgboost(max_cat_to_onehot=1),
    "XGBoost DART": lambda: of_xgboost(booster="dart", rate_drop=0.5),
    "XGBoost, two targets a leaf": lambda: of_xgboost(multi_strategy="multi_output_tree"),
    "XGBoost forest": lambda: of_xgboost(num_parallel_tree=3, subsample=0.5),
    "scikit-learn, boosted": lambda: of_sklearn("HistGradientBoostingRegressor", max_iter=6, max_depth=3),
    "scikit-learn, two targets": lambda: of_sklearn("ExtraTreesRegressor", True, n_estimators=2, max_depth=4),
    "scikit-learn, a forest": lambda: of_sklearn("ExtraTreesRegressor", n_estimators=4, max_depth=4),
    "CatBoost": lambda: kept("catboost_levels"),
    "CatBoost, statistics": lambda: kept("catboost_statistics"),
    "CatBoost, nested": lambda: kept("catboost_nested"),
    "ONNX of CatBoost": lambda: kept("onnx_catboost"),
    "ONNX of LightGBM": lambda: kept("onnx_lightgbm_categories"),
    "ONNX of scikit-learn": lambda: kept("onnx_sklearn_forest"),
}  # fmt: skip
NEEDS = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "scikit-learn": "sklearn"}


@cache
def odd_model(name):
    return MAKERS[name]()


@cache
def rows_and_raw(name):
    """Rows that hold thresholds, their neighbours, codes, unseen ones and NaN; offsets; what we predict."""
    model = odd_model(name)
    with np.errstate(over="ignore"):
        rows = np.clip(make_rows(model)[:150], -READ, READ)
    offset = np.linspace(-2, 2, len(rows)).astype(np.float32) if model.schema.offset else None
    raw = raw_predictions(model.ensemble, rows, offset=offset)
    return rows, offset, raw.reshape(len(rows), -1)
