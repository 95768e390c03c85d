"""Trees that begin with forced splits, node by node against the rows themselves, for every search."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.reference.naive_exact import ways_to_part
from tests.reference.naive_restraints import FREE, bounds_below, gain, leaf_objective, weight
from tests.reference.naive_tree import rows_by_node
from tests.trees.test_restraints import rules_for
from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.forced_plan import forced_plan
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.parameters.forced_splits import read
from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.tree_task import TreeTask

GO = np.zeros(1, np.uint8)
LEVELS = ("a", "b", "c", "d")
METHODS = ("hist", "approx", "exact")


def schema_of(kinds):
    features = [
        Feature(f"x{f}", kind, LEVELS if kind == "category" else ()) for f, kind in enumerate(kinds)
    ]
    return DataSchema(tuple(features), "y", "regression")


def grow(features, g, h, params, rules, method, n_categories, columns):
    n = len(features)
    rows = DrawnRows(np.arange(n, dtype=np.uint32), np.empty(0, np.uint32))
    if method == "exact":
        grower = ExactGrower(features, np.arange(n), np.array(n_categories), Team(1))
    else:
        cuts = find_cuts(features, np.arange(n), n_categories, 255, kept=rules.forced.values())
        grower = TreeGrower(bin_rows(features, np.arange(n), cuts), Team(1))
    return grower.grow(TreeTask(g, h, rows, columns, params, GO, np.zeros(n, np.float32)), rules=rules)


def ways(split, features, kinds):
    """The ways to part the rows that a split leaves open, and its column."""
    column = int(split.column[1:])
    values = features[:, column]
    missing = np.isnan(values)
    if split.names_column_alone:
        return list(ways_to_part(values, kinds[column] == "category", range(4))), column
    if split.relation == "<":
        yes = values < np.float32(split.values[0])
    else:
        yes = np.isin(values, [LEVELS.index(level) for level in split.values])
    return [yes, yes | missing], column


def forced_gain(left, g, h, params, rules, bounds, direction):
    """Gain and weights of a split that is made in any case; equal weights where they stand in wrong order."""
    (left_score, left_w), (right_score, right_w) = (
        leaf_objective(side, g, h, params, rules, bounds) for side in (left, ~left)
    )
    whole, _ = leaf_objective(np.ones(len(g), bool), g, h, params, rules, bounds)
    if direction * (right_w - left_w) < 0:
        equal = (0.5 * (left_w + right_w),) * 2
        left_score, right_score = (
            leaf_objective(side, g, h, params, rules, equal)[0] for side in (left, ~left)
        )
    return whole - left_score - right_score - params.gamma, left_w, right_w


def check_forced(tree, node, split, features, kinds, g, h, params, rules, masks, bounds):
    """Walk the plan and the tree together; return the nodes that are forced, and write the bounds below."""
    mask = masks[node]
    sides, column = ways(split, features[mask], kinds)
    sides = [side for side in sides if side.any() and not side.all()]
    if not sides:
        assert not tree.nodes["forced"][node]
        return set()
    record = tree.nodes[node]
    assert record["forced"]
    assert record["feature"] == column
    direction = rules.monotone[column]
    allowed = [gain(s, g[mask], h[mask], params, rules, bounds[node], direction) for s in sides]
    found = [forced_gain(s, g[mask], h[mask], params, rules, bounds[node], direction) for s in sides]
    if split.names_column_alone and any(allowed):
        found = list(filter(None, allowed))
    scale = 1 + abs(g).sum() ** 2 / (h.sum() + params.reg_lambda)
    assert record["gain"] == pytest.approx(max(f[0] for f in found), abs=1e-5 * scale)
    child = int(record["left"])
    left = masks[child][mask]
    assert any(np.array_equal(left, side) for side in sides)
    _, left_w, right_w = forced_gain(left, g[mask], h[mask], params, rules, bounds[node], direction)
    bounds[child], bounds[child + 1] = bounds_below(bounds[node], direction, left_w, right_w)
    forced = {node}
    for place, side in ((child, split.yes), (child + 1, split.no)):
        if side is not None:
            forced |= check_forced(
                tree, place, side, features, kinds, g, h, params, rules, masks, bounds
            )
    return forced


def with_sides(ask, yes, no):
    sides = "; ".join(f"{side}: {text}" for side, text in (("yes", yes), ("no", no)) if text)
    return ask + (f" {{{sides}}}" if sides else "")


def plans(kinds):
    """Plans about these columns."""
    numbers = [f for f, kind in enumerate(kinds) if kind == "number"]
    categories = [f for f, kind in enumerate(kinds) if kind == "category"]
    asks = [st.sampled_from([f"x{f}" for f in range(len(kinds))])]
    if numbers:
        thresholds = st.sampled_from(["-9", "-0.5", "0.05", "1", "9"])
        asks.append(st.builds(lambda f, t: f"x{f} < {t}", st.sampled_from(numbers), thresholds))
    if categories:
        asks.append(st.builds(
            lambda f, levels: f"x{f} in {{{', '.join(levels)}}}", st.sampled_from(categories),
            st.lists(st.sampled_from(LEVELS), min_size=1, max_size=3, unique=True),
        ))
    ask = st.one_of(asks)

    def below(inner):
        return st.builds(with_sides, ask, st.none() | inner, st.none() | inner)

    return below(below(ask))


@examples(60)
@given(
    data=st.data(), seed=st.integers(0, 10**6), n=st.integers(2, 40),
    method=st.sampled_from(["hist", "exact"]),
    kinds=st.lists(st.sampled_from(["number", "category"]), min_size=1, max_size=3),
    missing=st.sampled_from([0.0, 0.3]), gamma=st.sampled_from([0.0, 0.3]), post=st.booleans(),
    by_gain=st.booleans(), reg_alpha=st.sampled_from([0.0, 0.3]), least_rows=st.sampled_from([1, 4]),
    directions=st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3),
    least_hessian=st.sampled_from([0.2, 4.0]), extra_leaves=st.sampled_from([None, 0, 2]),
)  # fmt: skip
def test_against_naive(
    data, seed, n, method, kinds, missing, gamma, post, by_gain, reg_alpha, least_rows, directions,
    least_hessian, extra_leaves,
):  # fmt: skip
    split = read(data.draw(plans(kinds), label="plan"))
    rng = np.random.default_rng(seed)
    d = len(kinds)
    features = np.empty((n, d), np.float32, order="F")
    for f, kind in enumerate(kinds):
        features[:, f] = rng.integers(0, 4, n) if kind == "category" else rng.normal(size=n).round(1)
    features[rng.random(features.shape) < missing] = np.nan
    g, h = rng.normal(size=n), rng.random(n) + 0.1
    is_category = np.array([kind == "category" for kind in kinds])
    drawn = np.flatnonzero(rng.random(d) < 0.6)
    drawn = drawn if len(drawn) else np.array([d - 1])
    names = [f"x{f}" for f in range(d)]
    plan = forced_plan(split.text, schema_of(kinds), {name: place for place, name in enumerate(names)})
    rules = rules_for(
        d, reg_alpha=reg_alpha, min_leaf_rows=least_rows, drawn_columns=drawn, forced=plan,
        monotone=np.where(is_category, 0, directions[:d]).astype(np.int8),
    )
    n_forced = len(plan.columns)
    max_leaves = 0 if extra_leaves is None else n_forced + 1 + extra_leaves
    params = GrowingParams(1.0, gamma, 0.3, least_hessian, 4, max_leaves, by_gain, post)
    columns = np.union1d(drawn, plan.columns)
    tree = grow(features, g, h, params, rules, method, [4 if c else 0 for c in is_category], columns)
    masks = rows_by_node(tree, features)
    bounds = {0: FREE}
    forced = check_forced(tree, 0, split, features, kinds, g, h, params, rules, masks, bounds)
    assert set(np.flatnonzero(tree.nodes["forced"]).tolist()) == forced
    assert not max_leaves or tree.n_leaves <= max_leaves
    check_free(tree, forced, drawn, features, is_category, g, h, params, rules, masks, bounds)


def check_free(tree, forced, drawn, features, is_category, g, h, params, rules, masks, bounds):
    """The other splits are the best ones in the drawn columns, and have the weights of their rows."""
    scale = 1 + abs(g).sum() ** 2 / (h.sum() + params.reg_lambda)
    for node, mask in enumerate(masks):
        record = tree.nodes[node]
        own_g, own_h = g[mask], h[mask]
        expected = weight(own_g.sum(), own_h.sum(), params, rules, bounds[node])
        assert record["weight"] == pytest.approx(expected, abs=2e-5 * (1 + abs(expected)))
        if node in forced or record["feature"] < 0:
            continue
        found = [
            gain(left, own_g, own_h, params, rules, bounds[node], rules.monotone[f])
            for f in drawn for left in ways_to_part(features[mask][:, f], is_category[f], range(4))
        ]
        assert record["gain"] == pytest.approx(max(f[0] for f in found if f), abs=1e-5 * scale)
        child = int(record["left"])
        direction = rules.monotone[record["feature"]]
        _, left_w, right_w = gain(masks[child][mask], own_g, own_h, params, rules, bounds[node], direction)
        bounds[child], bounds[child + 1] = bounds_below(bounds[node], direction, left_w, right_w)


def table(n=600, seed=0, n_levels=5):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "age": rng.normal(50, 10, n).round(1), "chol": rng.normal(240, 30, n),
        "thal": [f"t{level}" for level in rng.integers(0, n_levels, n)],
    })
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    y = (frame["age"].fillna(50) > 55) + (frame["thal"] == "t2") * 2.0 + rng.normal(size=n) / 3
    return frame, y.to_numpy()


PLAN = "chol < 241.37 {yes: thal in {t1, t3} {no: age < 54.7}; no: age < 61}"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("policy", ["depth", "best_gain"])
def test_every_tree_begins_with_them(method, policy, tmp_path, threads_for_few_rows):
    frame, y = table()
    params = {
        "forced_splits": PLAN, "tree_method": method, "grow_policy": policy, "rounds": 4, "gamma": 5.0,
        "min_child_weight": 200.0, "min_leaf_rows": 150, "subsample": 0.8, "colsample_bytree": 0.4,
        "colsample_bynode": 0.5, "num_parallel_tree": 2, "max_leaves": 6, "max_bin": 8,
    }  # fmt: skip
    model = workbench.fit(frame, y, threads=1, **params)
    assert len(model.trees) == 8
    for tree in model.trees:
        root, yes, no, no_of_yes = (tree.nodes[i] for i in (0, 1, 2, tree.nodes["left"][1] + 1))
        assert [n["forced"] for n in (root, yes, no, no_of_yes)] == [True] * 4
        assert root["threshold"] == np.float32(241.37)
        assert model.schema.features[yes["feature"]].name == "thal"
        categories = model.schema.features[yes["feature"]].categories
        assert {categories[code] for code in tree.categories(1)} == {"t1", "t3"}
        assert (no["threshold"], no_of_yes["threshold"]) == (np.float32(61), np.float32(54.7))
        assert tree.nodes["forced"].sum() == 4
    again = workbench.fit(frame, y, threads=3, **params)
    assert np.array_equal(again.predict_raw(frame), model.predict_raw(frame))
    for suffix in ("xgb.json", "json"):
        model.save(tmp_path / f"m.{suffix}")
        loaded = workbench.load_model(tmp_path / f"m.{suffix}")
        assert loaded.params == model.params
        for tree, own in zip(loaded.trees, model.trees, strict=True):
            assert np.array_equal(tree.nodes["forced"], own.nodes["forced"])
        assert np.array_equal(raw_predictions(loaded.ensemble, codes(model, frame)), model.predict_raw(frame))
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    rows = xgboost.DMatrix(
        codes(model, frame), feature_names=booster.feature_names, feature_types=booster.feature_types
    )
    assert np.array_equal(booster.predict(rows, output_margin=True), model.predict_raw(frame))


def codes(model, frame):
    from workbench.data.encoding import encode

    return np.ascontiguousarray(encode(model.schema, frame))


@pytest.mark.parametrize("method", METHODS)
def test_a_split_with_an_empty_side_is_left_out_with_those_below(method):
    frame, y = table()
    free = workbench.fit(frame, y, rounds=2, tree_method=method)
    for plan in ("chol < -1", "chol < -1 {no: age < 40}", "thal in {t0, t1, t2, t3, t4} {yes: age < 40}"):
        model = workbench.fit(frame, y, rounds=2, tree_method=method, forced_splits=plan)
        assert not any(tree.nodes["forced"].any() for tree in model.trees)
        assert model.predict(frame) == pytest.approx(free.predict(frame), rel=1e-5)
    partly = workbench.fit(
        frame, y, rounds=2, tree_method=method, forced_splits="chol < 240 {yes: chol < 400; no: chol < 250}"
    )
    assert partly.trees[0].nodes["forced"].sum() == 2


def best_at_root(model, frame, y, column):
    """Gain of the best of all ways to part the rows of the first tree by one column, without restraints."""
    values = codes(model, frame)[:, column]
    tree = model.trees[0]
    residual = y - y.mean()
    is_category = model.schema.features[column].is_categorical
    levels = range(len(model.schema.features[column].categories))
    scores = []
    for left in ways_to_part(values, is_category, levels):
        if left.any() and not left.all():
            parts = [(residual[side].sum(), side.sum() + tree.reg_lambda) for side in (left, ~left)]
            whole = residual.sum() ** 2 / (len(y) + tree.reg_lambda)
            scores.append(0.5 * (sum(g * g / h for g, h in parts) - whole) - tree.gamma)
    return max(scores)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("column", "name"), [(0, "age"), (1, "chol"), (2, "thal")])
def test_a_column_alone_is_cut_where_it_gains_most(method, column, name):
    frame, y = table(n=150, n_levels=4)
    params = {"tree_method": method, "rounds": 1, "max_bin": 255, "max_depth": 2, "gamma": 3.0}
    model = workbench.fit(frame, y, forced_splits=name, base_score=float(y.mean()), **params)
    record = model.trees[0].nodes[0]
    assert record["forced"]
    assert record["feature"] == column
    assert record["gain"] == pytest.approx(best_at_root(model, frame, y, column), rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_the_cut_of_a_column_alone_is_found_anew_for_each_tree(method, tmp_path, threads_for_few_rows):
    frame, y = table()
    params = {
        "forced_splits": "age {yes: thal; no: chol {yes: age}}", "tree_method": method, "rounds": 5,
        "learning_rate": 0.9, "subsample": 0.6, "colsample_bytree": 0.4, "gamma": 2.0, "max_bin": 40,
        "grow_policy": "best_gain", "max_leaves": 6, "min_child_weight": 20.0, "cat_smooth": 0.0,
    }  # fmt: skip
    model = workbench.fit(frame, y, threads=1, **params)
    for tree in model.trees:
        below = tree.nodes["left"][2]
        made = [model.schema.features[tree.nodes["feature"][i]].name for i in (0, 1, 2, below)]
        assert made == ["age", "thal", "chol", "age"]
        assert tree.nodes["forced"].sum() == 4
        assert len(tree.categories(1)) > 0
        assert tree.nodes["sum_hessian"][1:3].min() >= 20
    assert len({float(tree.nodes["threshold"][0]) for tree in model.trees}) > 1
    again = workbench.fit(frame, y, threads=3, **params)
    assert np.array_equal(again.predict_raw(frame), model.predict_raw(frame))
    model.save(tmp_path / "m.json")
    loaded = workbench.load_model(tmp_path / "m.json")
    assert loaded.params == model.params
    for tree, own in zip(loaded.trees, model.trees, strict=True):
        assert np.array_equal(tree.nodes["forced"], own.nodes["forced"])
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    rows = xgboost.DMatrix(
        codes(model, frame), feature_names=booster.feature_names, feature_types=booster.feature_types
    )
    assert np.array_equal(booster.predict(rows, output_margin=True), model.predict_raw(frame))


@pytest.mark.parametrize("method", METHODS)
def test_a_column_alone_is_split_however_few_rows_a_side_has_and_left_out_where_it_is_constant(method):
    frame, y = table(n=100)
    frame["same"] = 1.0
    params = {"rounds": 2, "tree_method": method, "min_leaf_rows": 2}
    model = workbench.fit(frame, y, forced_splits="same {yes: age; no: age}", **params)
    assert not any(tree.nodes["forced"].any() for tree in model.trees)
    params |= {"min_child_weight": 60.0, "min_leaf_rows": 70}
    for name in ("age", "chol", "thal"):
        model = workbench.fit(frame, y, forced_splits=name, **params)
        assert [tree.nodes["forced"].tolist() for tree in model.trees] == [[True, False, False]] * 2


@pytest.mark.parametrize("method", METHODS)
def test_a_column_alone_keeps_its_direction(method):
    frame, y = table()
    line = pd.concat([frame.iloc[[3]]] * 60, ignore_index=True)
    line["age"] = np.linspace(20, 80, 60)
    for sign in (1, -1):
        model = workbench.fit(
            frame, y, rounds=10, tree_method=method, forced_splits="age", monotone_constraints={"age": sign}
        )
        assert (sign * np.diff(model.predict(line)) >= -1e-6).all()
        assert all(tree.nodes["forced"][0] for tree in model.trees)


@pytest.mark.parametrize("method", METHODS)
def test_a_column_alone_with_several_classes(method):
    frame, y = table()
    labels = np.digitize(y, [0.5, 1.5])
    model = workbench.fit(frame, labels, rounds=2, tree_method=method, forced_splits="chol {yes: thal}")
    assert len(model.trees) == 6
    assert all(tree.nodes["forced"].tolist()[:2] == [True, True] for tree in model.trees)
    assert len({float(tree.nodes["threshold"][0]) for tree in model.trees[:3]}) > 1


def test_columns_alone_that_do_not_go_with_others_are_refused():
    frame, y = table(n=50)
    for others in (
        {"forbidden_columns": ["thal"]}, {"max_depth": 1}, {"max_leaves": 2},
        {"interaction_constraints": [["age", "chol"], ["thal", "chol"]]},
    ):  # fmt: skip
        with pytest.raises(WorkbenchError, match="forced_splits") as refusal:
            workbench.fit(frame, y, rounds=1, forced_splits="age {no: thal}", **others)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("method", METHODS)
def test_levels_of_few_rows_among_many(method):
    frame, y = table(n=3000, n_levels=700)
    frame.loc[:1, "thal"] = "rare"
    plan = "thal in {t5, t17, rare} {yes: thal = rare}"
    model = workbench.fit(frame, y, rounds=2, tree_method=method, forced_splits=plan, max_depth=3)
    for tree in model.trees:
        categories = model.schema.features[2].categories
        assert {categories[code] for code in tree.categories(0)} == {"t5", "t17", "rare"}
        assert tree.nodes["forced"].tolist()[:2] == [True, True]
        assert tree.nodes["count"][1] == frame["thal"].isin(["t5", "t17", "rare"]).sum()
        assert tree.nodes["count"][tree.nodes["left"][1]] == 2


def test_predictions_stay_monotone_where_a_forced_split_is_against_it():
    frame, y = table()
    for method in METHODS:
        model = workbench.fit(
            frame, y, rounds=20, tree_method=method, forced_splits="age < 55",
            monotone_constraints={"age": -1},
        )  # fmt: skip
        line = pd.concat([frame.iloc[[3]]] * 60, ignore_index=True)
        line["age"] = np.linspace(20, 80, 60)
        assert (np.diff(model.predict(line)) <= 1e-6).all()
        assert all(tree.nodes["forced"][0] for tree in model.trees)
        assert model.trees[0].nodes["gain"][0] <= 0


def test_several_classes_and_dates():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"when": pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(300), "D"),
                          "x": rng.normal(size=300)})
    y = rng.integers(0, 3, 300)
    model = workbench.fit(frame, y, rounds=2, objective="softmax", forced_splits="when < 2020-03-01")
    assert len(model.trees) == 6
    assert all(tree.nodes["forced"][0] and tree.nodes["count"][1] == 60 for tree in model.trees)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("agee", "'agee', which is no feature. The nearest is 'age'."),
        ("agee < 3", "'agee', which is no feature. The nearest is 'age'."),
        ("thal = t22", "the level 't22', which 'thal' does not have. The nearest is 't2'."),
        ("thal < 3", "asks 'thal < 3', but 'thal' holds categories; ask thal = level"),
        ("age = 3", "asks 'age = 3', but 'age' holds numbers; ask age < number"),
        ("age < 2020-01-01", "a number must follow 'age <'"),
        ("age < 1e39", "which no value of a column can reach"),
    ],
)
def test_what_the_table_does_not_have_is_refused(plan, said):
    frame, y = table()
    with pytest.raises(WorkbenchError) as refusal:
        workbench.fit(frame, y, rounds=1, forced_splits=plan)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
