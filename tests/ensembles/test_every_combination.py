"""Any parameters together either train a model that is true, or are refused in one line that names two."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.parameters.training import BY_NAME, PARAMETERS

TASKS = {
    "regression": ("auto", "squared", "absolute", "huber", "quantile", "poisson", "gamma", "tweedie"),
    "binary": ("auto", "logistic", "exponential"),
    "multiclass": ("auto", "softmax"),
}
FIXED = ("objective", "rounds", "threads", "class_weights")
METRICS = ("auto", "rmse", "mape", "logloss", "merror", "auc", "pinball", "ndcg@2")
NAMES = (*BY_NAME, "offset")
COLUMNS = {
    "feature_weights": st.sampled_from([(), (("f0", 0.0),), (("f1", 3.0), ("f2", 0.5))]),
    "monotone_constraints": st.sampled_from([(), (("f0", 1.0),), (("f2", -1.0), ("f0", 0.0))]),
    "interaction_constraints": st.sampled_from([(), (("f0", "f1"),), (("f0", "f2"), ("f1", "f2"))]),
    "forced_splits": st.sampled_from([
        "", "f0 < 0.3", "f3 in {1, 2} {no: f1 < 0.5}", "f2 < -9 {yes: f0 < 0}",
        "f1 < 0.25 {yes: f3 = 4 {no: f0 < 0}; no: f2 < 1}", "f3 {yes: f0; no: f1 < 0.5 {no: f3}}",
    ]),
    "forbidden_columns": st.sampled_from([(), ("f1",), ("f0", "f2")]),
}


def value_of(declared):
    """Values within the bounds of a parameter, its default more often than others."""
    default = st.just(declared.default)
    if declared.name in COLUMNS:
        return COLUMNS[declared.name]
    if declared.name == "quantile_alpha":
        return st.sampled_from([(0.5,), (0.9,), (0.1, 0.5, 0.9), (0.7, 0.2)])
    if declared.name == "metric":
        return default | st.sampled_from(METRICS)
    if declared.name == "more_metrics":
        return default | st.tuples(st.sampled_from(METRICS[1:]))
    if declared.name == "base_score":
        return default | st.sampled_from([0.0, 0.3, 2.0, -1.0])
    if declared.kind == "flag":
        return st.booleans()
    if declared.kind == "choice":
        return st.sampled_from(declared.choices)
    if declared.name == "max_bin":
        return default | st.sampled_from([2, 17, 256, 300, 65_535])
    if declared.kind == "integer":
        low, high = (int(end) for end in declared.slider)
        return default | st.integers(max(low, declared.lower), min(high, 40))
    low, high = declared.slider
    return default | st.sampled_from([low, high, (low * high) ** 0.5 if low > 0 else high / 2])


def some_params():
    free = [p for p in PARAMETERS if p.is_of("newton") and p.name not in (*FIXED, "method")]
    return st.fixed_dictionaries({}, optional={p.name: value_of(p) for p in free})


def rows_of(task, seed):
    rng = np.random.default_rng(seed)
    n = 400  # so that the first column may take 16-bit bins
    x = rng.normal(size=(n, 4)).round(2).astype(np.float32)
    x[:, 0] += rng.random(n) / 1000
    x[:, 3] = rng.integers(0, 7, n)
    x[rng.random(x.shape) < 0.1] = np.nan
    signal = np.nan_to_num(x[:, 0]) + np.where(x[:, 3] > 3, 1, 0) + rng.normal(size=n) / 3
    target = {"regression": np.exp(signal), "binary": signal > 0.5, "multiclass": np.digitize(signal, [0, 1])}
    return x, target[task].astype(float)


@pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")  # trees without a split
@examples(150)
@given(
    task=st.sampled_from(list(TASKS)), seed=st.integers(0, 50), weighted=st.booleans(), params=some_params(),
    has_offset=st.sampled_from([False, False, True]), data=st.data(),
)
def test_works_or_is_refused(tmp_path_factory, task, seed, weighted, params, has_offset, data):
    objective = data.draw(st.sampled_from(TASKS[task]), label="objective")
    x, y = rows_of(task, seed)
    weight = np.random.default_rng(seed).integers(0, 3, len(y)) if weighted else None
    offset = np.linspace(-2, 3, len(y)).astype(np.float32) if has_offset else None
    given_params = params | {"objective": objective, "rounds": 3, "threads": 1}
    try:
        model = workbench.fit(
            x, y, weight=weight, valid_fraction=0.25, categories=[3], base_margin=offset, **given_params
        )
    except WorkbenchError as refusal:
        words = str(refusal)
        assert "\n" not in words
        assert sum(name in words for name in NAMES) >= 2, words
        return
    raw = model.predict_raw(x, base_margin=offset)
    assert np.isfinite(raw).all()
    assert np.isfinite(model.predict(x, base_margin=offset)).all()
    follow_their_rules(model)
    keep_to_the_directions(model, x)
    assert model.rounds == 3 or params.get("early_stopping_rounds") is not None
    path = tmp_path_factory.mktemp("model") / "m.json"
    model.save(path)
    again = workbench.load_model(path)
    assert np.array_equal(again.predict_raw(x, base_margin=offset), raw)
    assert again.params == model.params
    booster = xgboost.Booster(model_file=path)
    margin = None if offset is None else np.repeat(offset[:, None], model.ensemble.n_classes, 1)
    table = xgboost.DMatrix(
        codes_of(model, x), feature_names=booster.feature_names, feature_types=booster.feature_types,
        base_margin=margin,
    )
    factor = np.float32(2 if model.ensemble.objective == "exponential" else 1)
    assert np.array_equal(booster.predict(table, output_margin=True), factor * raw)


def follow_their_rules(model):
    """No tree asks what it may not, nor is deeper or has more, heavier or smaller leaves than it may."""
    params, names = model.params, model.schema.names
    sets = [set(together) for together in params.interaction_constraints]
    forbidden = set(params.forbidden_columns)
    for tree in model.trees:
        nodes, split = tree.nodes, ~tree.is_leaf
        assert tree.depth <= (params.max_depth or np.inf)
        assert tree.n_leaves <= (params.max_leaves or np.inf)
        assert np.abs(nodes["weight"]).max() <= (params.max_delta_step or np.inf)
        sought = nodes[split & ~nodes["forced"]]
        assert (nodes["count"][sought["left"]] >= params.min_leaf_rows).all()
        assert (nodes["count"][sought["right"]] >= params.min_leaf_rows).all()
        assert not {names[f] for f in np.unique(nodes["feature"][split])} & forbidden
        asked = {0: frozenset()}
        for place in np.flatnonzero(split).tolist() if sets else ():  # breadth-first: each after its parent
            here = asked[place] | {names[nodes["feature"][place]]}
            left = int(nodes["left"][place])
            asked[left] = asked[left + 1] = here
            assert len(here) == 1 or any(here <= together for together in sets)


def keep_to_the_directions(model, x):
    """Raw predictions rise and fall along monotone columns as they should, with all else as it is."""
    for name, sign in model.params.monotone_constraints:
        column = model.schema.names.index(name)
        grid = np.linspace(-4, 4, 25, dtype=np.float32)
        rows = codes_of(model, np.repeat(x[:8], len(grid), axis=0))
        rows[:, column] = np.tile(grid, 8)
        offset = np.zeros(len(rows), np.float32) if model.ensemble.has_offset else None
        raw = raw_predictions(model.ensemble, rows, offset=offset).reshape(8, len(grid), -1)
        assert (sign * np.diff(raw, axis=1) >= 0).all()


def codes_of(model, x):
    """The matrix with codes in place of categories, as XGBoost takes it."""
    from workbench.data.encoding import encode

    return np.ascontiguousarray(encode(model.schema, x))


@pytest.mark.parametrize(
    "params",
    [
        {"sampling_method": "goss", "subsample": 0.5},
        {"objective": "mae", "monotone_constraints": {"f0": 1}},
        {"objective": "huber", "reg_alpha": 1.0},
        {"objective": "poisson", "base_score": 0.0},
        {"objective": "quantile", "num_parallel_tree": 3},
        {"metric": "mae", "objective": "quantile", "quantile_alpha": (0.2, 0.8)},
        {"forced_splits": "f0 < 1 {yes: f1 < 1}", "forbidden_columns": ["f1"]},
        {"forced_splits": "f0 < 1 {yes: f1 < 1}", "interaction_constraints": [["f0", "f2"], ["f1", "f2"]]},
        {"forced_splits": "f0 < 1 {yes: f1 < 1}", "max_depth": 1},
        {"forced_splits": "f0 < 1 {yes: f1 < 1}", "max_leaves": 2},
    ],
    ids=str,
)
def test_clashes_name_both(params):
    x, y = rows_of("regression", 0)
    with pytest.raises(WorkbenchError) as refusal:
        workbench.fit(x, y, rounds=2, **params)
    assert sum(name in str(refusal.value) for name in params) == 2
