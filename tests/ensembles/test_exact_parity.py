"""Node for node beside XGBoost's exact, on the tables that come with the program.

Each round begins with XGBoost's own predictions, so that a tie decided otherwise stays in its tree. Codes of
categories are taken for numbers: XGBoost's exact knows no categories.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.tables import fitted
from tests.reference.xgboost_trees import Comparison, compare, cut_off, their_trees
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import sample
from workbench.data.schema import Feature
from workbench.ensembles.prediction import raw_predictions
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.methods import LOSSES
from workbench.threads.team import ALONE
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.forced_splits import NO_SPLITS
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.restraints import Rules
from workbench.trees.tree_task import TreeTask

TABLES = (
    "bike_rentals", "breast_cancer", "concrete_strength", "crash_survival", "desert_rodents", "digits_8x8",
    "friedman_1", "fuel_economy", "heart_disease", "nested_spheres", "penguins", "seattle_weather",
)
XGBOOST_NAME = {
    "regression": "reg:squarederror", "binary": "binary:logistic", "multiclass": "multi:softprob",
}
CASES = {  # λ, η, depth, least hessian, weighted
    "usual": (1.0, 0.3, 6, 1.0, False),
    "heavy leaves": (0.0, 0.1, 4, 5.0, True),
    "deep": (10.0, 1.0, 9, 0.1, False),
}
ROUNDS = 4
GO = np.zeros(1, np.uint8)


def numbers_of(name, weighted):
    """A shipped table with all columns as numbers and every row in training."""
    table = read_table(sample(name).path)
    roles = guess_roles(table)
    roles[sample(name).target] = "target"
    data = build_dataset(table, roles)
    schema = replace(data.schema, features=tuple(Feature(f.name, "number") for f in data.schema.features))
    n = len(data.target)
    weight = np.random.default_rng(1).integers(1, 4, n).astype(np.float64) if weighted else None
    return replace(
        data, schema=schema, weight=weight, train_rows=np.arange(n), valid_rows=np.empty(0, np.int64)
    )


def objective_of(data):
    return OBJECTIVES.get(LOSSES[data.schema.task])


def their_booster(data, base, params, gamma=0.0, rounds=ROUNDS):
    """XGBoost's exact from our base; returns the booster and its table."""
    reg_lambda, learning_rate, depth, least, _ = params
    n = len(data.target)
    table = xgboost.DMatrix(
        np.ascontiguousarray(data.features), data.target, weight=data.weight,
        base_margin=np.repeat(base[None], n, axis=0) if len(base) > 1 else np.full(n, base[0]),
    )
    chosen = {
        "objective": XGBOOST_NAME[data.schema.task], "tree_method": "exact", "lambda": reg_lambda,
        "eta": learning_rate, "max_depth": depth, "min_child_weight": least, "gamma": 2 * gamma, "nthread": 1,
    }
    if len(base) > 1:
        chosen["num_class"] = len(base)
    return xgboost.train(chosen, table, rounds), table


def our_trees(data, grower, booster, table, base, params, gamma, finished):
    """Our trees of the round that follows after so many of XGBoost's."""
    reg_lambda, learning_rate, depth, least, _ = params
    n = len(data.target)
    raw = np.repeat(base[:, None], n, axis=1).astype(np.float32)
    if finished:
        margins = booster.predict(table, output_margin=True, iteration_range=(0, finished))
        raw = np.ascontiguousarray(margins.reshape(n, -1).T)
    weight = np.ones(n) if data.weight is None else data.weight
    gradients, hessians = np.empty(raw.shape), np.empty(raw.shape)
    objective_of(data).evaluate(data.target, raw, weight, gradients, hessians, np.empty(0), ALONE)
    everything = DrawnRows(np.arange(n, dtype=np.uint32), np.empty(0, np.uint32))
    columns = np.arange(data.features.shape[1])
    shape = GrowingParams(reg_lambda, gamma, learning_rate, least, depth)
    return [
        grower.grow(TreeTask(g, h, everything, columns, shape, GO, np.zeros(n, np.float32)))
        for g, h in zip(gradients, hessians, strict=True)
    ]


def base_of(data):
    objective = objective_of(data)
    outputs = objective.n_outputs(len(data.schema.class_labels))
    return objective.base_margin(data.target, data.weight, outputs, None)


def compare_rounds(data, params, gamma=0.0, theirs_of=lambda tree: tree):
    """Compare every tree of some rounds; `theirs_of` changes each of XGBoost's before."""
    base = base_of(data)
    booster, table = their_booster(data, base, params)
    theirs = [theirs_of(tree) for tree in their_trees(booster)]
    grower = ExactGrower(data.features, data.train_rows, np.zeros(data.features.shape[1], bool))
    result = Comparison()
    for finished in range(ROUNDS):
        ours = our_trees(data, grower, booster, table, base, params, gamma, finished)
        for k, tree in enumerate(ours):
            compare(tree, theirs[finished * len(ours) + k], data.features, params[0], params[1], result)
    return result


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", TABLES)
def test_node_for_node(name, case):
    params = CASES[case]
    result = compare_rounds(numbers_of(name, params[-1]), params)
    assert result.faults == []
    assert result.ties <= 4 + 0.02 * result.nodes
    assert result.noise <= 4 + 0.04 * result.nodes


@pytest.mark.parametrize("name", ["concrete_strength", "crash_survival", "friedman_1", "fuel_economy"])
def test_cost_of_a_leaf(name):
    """Ours stops where XGBoost's exact grows on and prunes: its unpruned trees, cut off at γ, are ours."""
    params = CASES["usual"]
    data = numbers_of(name, False)
    booster, _ = their_booster(data, base_of(data), params)
    changes = np.concatenate([tree.loss_change[tree.left >= 0] for tree in their_trees(booster)])
    gamma = 0.5 * float(np.float32(np.median(changes))) * 1.0001
    result = compare_rounds(data, params, gamma, lambda tree: cut_off(tree, gamma))
    assert result.faults == []
    assert result.ties + result.noise <= 2
    assert result.nodes > 20


def test_pre_stopping_and_pruning_agree_where_no_split_below_pays():
    params = CASES["usual"]
    data = numbers_of("concrete_strength", False)
    base = base_of(data)
    whole, _ = their_booster(data, base, params, rounds=1)
    theirs = their_trees(whole)[0]
    order = range(len(theirs.left) - 1, -1, -1)  # children have higher numbers than their parents
    most_below = np.where(theirs.left >= 0, theirs.loss_change, 0.0)
    for node in order:
        if theirs.left[node] >= 0:
            below = max(most_below[theirs.left[node]], most_below[theirs.right[node]])
            most_below[node] = max(most_below[node], below)
    # γ above the gain of the best split anywhere below those that a cut removes
    gamma = next(
        g for g in np.sort(0.5 * theirs.loss_change[theirs.left >= 0])[::-1] * 1.0001
        if not ((theirs.left >= 0) & (0.5 * theirs.loss_change < g) & (0.5 * most_below >= g)).any()
        and g < 0.5 * theirs.loss_change[0] / 20
    )
    pruned, table = their_booster(data, base, params, gamma, rounds=1)
    grower = ExactGrower(data.features, data.train_rows, np.zeros(data.features.shape[1], bool))
    ours = our_trees(data, grower, pruned, table, base, params, gamma, 0)[0]
    result = Comparison()
    compare(ours, their_trees(pruned)[0], data.features, params[0], params[1], result)
    assert (result.faults, result.ties, result.noise) == ([], 0, 0)
    assert 3 < ours.n_nodes < len(theirs.left)


REAL = ("breast_cancer", "concrete_strength", "crash_survival", "desert_rodents", "fuel_economy",
        "heart_disease", "penguins", "seattle_weather")  # fmt: skip


TOTALS = {False: Comparison(), True: Comparison()}  # over all examples, and those without λ


@examples(75)
@given(
    name=st.sampled_from(REAL),
    reg_lambda=st.sampled_from([0.3, 1.0, 20.0]),
    reg_alpha=st.sampled_from([0.0, 0.0, 0.5, 3.0]),
    gamma=st.sampled_from([0.0, 0.0, 0.05, 0.5, 4.0]),
    learning_rate=st.sampled_from([0.1, 0.3, 1.0]),
    max_depth=st.integers(1, 9),
    min_child_weight=st.sampled_from([0.0, 0.1, 1.0, 7.0]),
    max_delta_step=st.sampled_from([0.0, 0.0, 0.0, 0.7]),
    weighted=st.booleans(),
    more_missing=st.sampled_from([0.0, 0.2]),
    seed=st.integers(0, 1000),
)
def compare_examples(reg_lambda, **others):
    """Each example with λ and without."""
    for value in (0.0, reg_lambda):
        compare_example(reg_lambda=value, **others)


def compare_example(
    name, reg_lambda, reg_alpha, gamma, learning_rate, max_depth, min_child_weight, max_delta_step,
    weighted, more_missing, seed,
):
    """γ prunes afterwards, as XGBoost's exact does. With α and δ both, its gain leaves α out, unlike ours."""
    if reg_alpha > 0 and max_delta_step > 0:
        return
    if reg_lambda == 0 and min_child_weight == 0:
        min_child_weight = 1e-3
    rng = np.random.default_rng(seed)
    data = numbers_of(name, False)
    chosen = rng.permutation(len(data.target))[:1500]
    features = np.asfortranarray(data.features[chosen])
    features[rng.random(features.shape) < more_missing] = np.nan
    n = len(chosen)
    weight = rng.integers(1, 4, n).astype(np.float64) if weighted else None
    data = replace(
        data, features=features, target=data.target[chosen], weight=weight, train_rows=np.arange(n),
        table_rows=np.arange(n),
    )
    base = base_of(data)
    table = xgboost.DMatrix(
        np.ascontiguousarray(features), data.target, weight=weight,
        base_margin=np.repeat(base[None], n, axis=0) if len(base) > 1 else np.full(n, base[0]),
    )
    params = {
        "objective": XGBOOST_NAME[data.schema.task], "tree_method": "exact", "lambda": reg_lambda,
        "alpha": reg_alpha, "eta": learning_rate, "max_depth": max_depth,
        "min_child_weight": min_child_weight, "max_delta_step": max_delta_step, "nthread": 1,
    }
    if len(base) > 1:
        params["num_class"] = len(base)
    raw = np.repeat(base[:, None], n, axis=1).astype(np.float32)
    g, h = np.empty(raw.shape), np.empty(raw.shape)
    ones = np.ones(n) if weight is None else weight
    objective_of(data).evaluate(data.target, raw, ones, g, h, np.empty(0), ALONE)
    d = features.shape[1]
    grower = ExactGrower(features, np.arange(n), np.zeros(d, bool))
    everything = DrawnRows(np.arange(n, dtype=np.uint32), np.empty(0, np.uint32))
    whole = GrowingParams(reg_lambda, 0.0, learning_rate, min_child_weight, max_depth, post_pruning=True)
    rules = None
    if reg_alpha or max_delta_step:
        rules = Rules(reg_alpha, max_delta_step, 1, np.zeros(d, np.int8), column_sets([], d), 1.0, 1.0,
                      np.ones(d), 0, np.arange(d), NO_SPLITS)  # fmt: skip

    def compare_trees(gamma, parted):
        """Compare the trees of all classes; returns what came out for each."""
        theirs = their_trees(xgboost.train(params | {"gamma": 2 * gamma}, table, 1))
        results = [Comparison() for _ in theirs]
        for k, tree in enumerate(theirs):
            shape, nothing = whole._replace(gamma=gamma), np.zeros(n, np.float32)
            task = TreeTask(g[k], h[k], everything, np.arange(d), shape, GO, nothing)
            ours = grower.grow(task, rules=rules)
            compare(ours, tree, features, reg_lambda, learning_rate, results[k], parted[k])
        return results

    results = compare_trees(0.0, [()] * len(base))
    if gamma > 0:
        results += compare_trees(gamma, [result.parted for result in results])
    for result in results:
        assert result.faults == []
        TOTALS[reg_lambda == 0].add(result)


def test_node_for_node_with_any_parameters():
    """No fault in any example; ties and noise are few among all, as a few are many in one small tree.

    Without λ nothing is gained by parting rows that are all alike, nor lost: rounding decides.
    """
    compare_examples()
    both = Comparison()
    both.add(TOTALS[False])
    both.add(TOTALS[True])
    assert min(total.nodes for total in TOTALS.values()) > 500
    assert both.ties <= 0.02 * both.nodes
    assert both.noise <= 0.02 * both.nodes
    assert TOTALS[False].noise == 0


def test_a_child_too_light_by_rounding():
    """A better split has a child of H .9999995, and the least is 1."""
    compare_example("seattle_weather", 0.0, 0.0, 0.0, 0.1, 5, 1.0, 0.0, True, 0.0, 1000)


@pytest.mark.parametrize("name", ["bike_rentals", "concrete_strength", "fuel_economy", "nested_spheres"])
def test_whole_runs(name):
    """A run of the trainer ends with XGBoost's predictions, where no tie led it elsewhere."""
    reg_lambda, learning_rate, depth, least, _ = params = CASES["usual"]
    data = numbers_of(name, False)
    base = base_of(data)
    booster, table = their_booster(data, base, params, rounds=10)
    ensemble = fitted(
        data, tree_method="exact", rounds=10, reg_lambda=reg_lambda, learning_rate=learning_rate,
        max_depth=depth, min_child_weight=least,
    )
    ours = raw_predictions(ensemble, data.features)
    theirs = booster.predict(table, output_margin=True)
    close = np.isclose(ours, theirs, rtol=1e-4, atol=1e-4 * np.abs(theirs).max())
    assert close.mean() > 0.99
