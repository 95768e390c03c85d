from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.made_trees import random_tree
from tests.reference import naive_rescoring as naive
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.what_if.critical_values import Survivors, critical_lambdas
from workbench.explain.what_if.rescored_trees import rescored_trees
from workbench.explain.what_if.rescoring import NO_SUMS, OTHERWISE, SEARCHED, Rescorer, Values, refusal
from workbench.explain.what_if.tree_sums import directions
from workbench.parameters.training import TrainingParams

REGULARISED = st.sampled_from([0.0, 0.03, 0.5, 1.0, 7.0, 60.0])


def summed_tree(seed, splits, step=0.0, rates=(0.1, 1.0, 0.2, 0.0)):
    """A tree of any shape in which children add up to their parent, with what follows from the sums."""
    tree = random_tree(np.random.default_rng(seed), splits)
    nodes = tree.nodes
    for node in range(tree.n_nodes - 1, -1, -1):
        left = nodes["left"][node]
        if left >= 0:
            for name in ("sum_gradient", "sum_hessian"):
                nodes[name][node] = nodes[name][left] + nodes[name][left + 1]
    learning_rate, lam, gamma, alpha = rates
    tree = replace(tree, learning_rate=learning_rate, reg_lambda=lam, gamma=gamma, reg_alpha=alpha,
                   max_delta_step=step)
    g, h = nodes["sum_gradient"], nodes["sum_hessian"]
    for node in range(tree.n_nodes):
        nodes["weight"][node] = naive.leaf_weight(g[node], h[node], lam, alpha, step)
        nodes["structure_score"][node] = naive.leaf_score(g[node], h[node], lam, alpha, step)
        split = nodes["left"][node] >= 0
        nodes["gain"][node] = naive.split_gain(tree, node, lam, alpha) - gamma if split else 0.0
        nodes["leaf_value"][node] = 0.0 if split else learning_rate * nodes["weight"][node]
    return tree


def forest(seed=0, count=5, splits=9, **rest):
    return [summed_tree(seed + i, splits, **rest) for i in range(count)]


@given(
    st.integers(0, 10_000), st.integers(0, 24), REGULARISED, REGULARISED, REGULARISED,
    st.sampled_from([0.0, 0.3]),
)
def test_every_figure_equals_the_naive_one(seed, splits, lam, gamma, alpha, step):
    trees = [summed_tree(seed + i, max(splits - 3 * i, 0), step) for i in range(3)]
    scored = Rescorer(trees).score(Values(lam, gamma, alpha))
    for index, tree in enumerate(trees):
        wanted, own = naive.rescored(tree, lam, gamma, alpha), scored.tree(index)
        assert set(np.flatnonzero(own.is_split)) == wanted.splits
        leaves = set(wanted.weight) - wanted.splits
        assert set(np.flatnonzero(own.is_leaf)) == leaves
        for node in wanted.weight:
            assert own.weight[node] == pytest.approx(wanted.weight[node], rel=1e-12, abs=1e-15)
        totals = scored.totals
        assert totals.splits[index] == len(wanted.splits)
        assert totals.structure_score[index] == pytest.approx(wanted.structure_score, rel=1e-10, abs=1e-10)
        assert totals.gain[index] == pytest.approx(wanted.gain, rel=1e-9, abs=1e-9)


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.4]), st.sampled_from([0.0, 2.0]))
def test_stored_values_give_the_stored_figures(seed, step, alpha):
    tree = summed_tree(seed, 12, step, (0.1, 1.0, -1e9, alpha))  # γ so low that nothing is pruned
    own = Rescorer([tree]).score(Values()).tree(0)
    assert np.allclose(own.weight, tree.nodes["weight"], rtol=1e-12)
    assert np.allclose(own.score, tree.nodes["structure_score"], rtol=1e-10)
    assert np.allclose(own.gain[~tree.is_leaf], tree.nodes["gain"][~tree.is_leaf], rtol=1e-12)
    assert own.is_split.sum() == 12


@given(st.integers(0, 10_000), REGULARISED, st.sampled_from([0.0, 2.0]))
def test_a_split_dies_just_behind_its_critical_gamma(seed, lam, alpha):
    tree = summed_tree(seed, 8)
    critical = Rescorer([tree]).score(Values(lam, 0.0, alpha)).tree(0).critical
    for node in np.flatnonzero(~tree.is_leaf):
        room = 1e-9 * (1 + abs(critical[node]))
        assert node in naive.surviving(tree, 0, lam, critical[node] - room, alpha)
        assert node not in naive.surviving(tree, 0, lam, critical[node] + room, alpha)


@given(
    st.integers(0, 10_000), st.sampled_from([(0.0, 0.0), (0.05, 0.0), (0.5, 0.3), (3.0, 0.0), (0.05, 0.3)]),
    st.sampled_from([0.0, 2.0]),
)
def test_no_lambda_beyond_the_critical_one_lets_a_split_live(seed, values, alpha):
    gamma, step = values  # sides that weigh as much as their parent, held to δ, gain 0 but for rounding
    tree = summed_tree(seed, 8, step)
    scored = Rescorer([tree]).score(Values(1.0, gamma, alpha))
    grid = np.concatenate([[0.0], np.logspace(-4, 7, 60)])
    alive = {lam: naive.surviving(tree, 0, lam, gamma, alpha) for lam in grid}
    for node, critical in zip(scored.sums.split, critical_lambdas(scored), strict=True):
        assert all(node not in alive[lam] for lam in grid if lam > critical * (1 + 1e-6) + 1e-9)
        if critical == np.inf:
            assert node in alive[grid[-1]]
        elif critical > 0:
            assert node in naive.surviving(tree, 0, critical * (1 - 1e-6), gamma, alpha)


def test_the_curve_of_survivors_counts_them():
    scored = Rescorer(forest()).score(Values(reg_lambda=3.0))
    survivors = Survivors(scored.critical)
    gammas = np.array([0.0, 0.5, *scored.critical[:4], 20.0])
    counted = [Rescorer(forest()).score(Values(3.0, gamma)).n_splits for gamma in gammas]
    assert survivors.count(gammas).tolist() == counted


def test_each_tree_keeps_its_own_values_where_none_is_given():
    trees = [summed_tree(1, 9, rates=(0.1, lam, 0.5, 0.0)) for lam in (0.5, 4.0)]
    scored = Rescorer(trees).score(Values(gamma=0.1))
    assert scored.tree(1).weight == pytest.approx(trees[1].nodes["weight"])
    assert scored.gamma.tolist() == [0.1, 0.1]


@given(st.integers(0, 10_000), REGULARISED, REGULARISED)
def test_pruned_trees_send_rows_where_the_stored_ones_did_as_far_as_they_go(seed, lam, gamma):
    rng = np.random.default_rng(seed)
    tree = summed_tree(seed, 15)
    scored = Rescorer([tree]).score(Values(lam, gamma))
    (new,) = rescored_trees([tree], scored)
    nodes, own = new.nodes, scored.tree(0)
    assert new.n_nodes == own.is_split.sum() + own.is_leaf.sum()
    inner = ~new.is_leaf
    assert np.array_equal(nodes["right"][inner], nodes["left"][inner] + 1)
    assert np.array_equal(np.sort(nodes["left"][inner]), np.arange(1, new.n_nodes, 2))
    assert np.isfinite(nodes["threshold"][inner]).all()
    assert new.structure_score == pytest.approx(scored.structure_score)
    for x in rng.normal(size=20):
        old = at = 0
        while own.is_split[old]:
            side = "left" if x < tree.nodes["threshold"][old] else "right"
            old, at = int(tree.nodes[side][old]), int(nodes[side][at])
        assert new.is_leaf[at]
        assert nodes["leaf_value"][at] == np.float32(tree.learning_rate * own.weight[old])


@pytest.fixture(scope="module")
def trained():
    """A model with missing values and categories, and its rows."""
    import pandas as pd

    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc"))
    frame.loc[::7, "a"] = np.nan
    frame["city"] = pd.Categorical(rng.choice(list("pqrstuv"), 400))
    frame["y"] = frame["b"] * (frame["city"].cat.codes > 3) + frame["c"] + rng.normal(0, 0.3, 400)
    params = TrainingParams(objective="squared", rounds=12, max_depth=5, gamma=0.1, threads=1)
    return workbench.fit(frame, target="y", params=params), frame


def test_the_trees_of_a_run_can_be_scored_and_saved(trained, tmp_path):
    model, frame = trained
    scored = Rescorer(model.trees).score(Values())
    assert scored.n_splits == sum(int((~tree.is_leaf).sum()) for tree in model.trees)
    assert scored.structure_score == pytest.approx(sum(tree.structure_score for tree in model.trees))

    changed = Rescorer(model.trees).score(Values(5.0, 1.5))
    trees = rescored_trees(model.trees, changed)
    assert sum(tree.n_leaves for tree in trees) == changed.n_leaves < scored.n_leaves
    assert any(len(tree.category_codes) for tree in trees)
    other = replace(model, ensemble=model.ensemble.with_trees(trees))
    other.save(tmp_path / "other.json")
    again = workbench.load_model(tmp_path / "other.json")
    assert again.trees[3].reg_lambda == 5.0
    assert np.array_equal(again.predict_raw(frame), other.predict_raw(frame))
    stored = Rescorer(again.trees).score(Values())
    assert stored.structure_score == pytest.approx(changed.structure_score)
    assert stored.n_splits == changed.n_splits


def test_why_trees_cannot_be_scored_is_said_in_words(trained):
    model, _ = trained
    assert refusal(model.trees, {"squared"}) == ""
    nodes = model.trees[0].nodes.copy()
    nodes["sum_gradient"] = np.nan
    assert refusal([replace(model.trees[0], nodes=nodes)], {"squared"}) == NO_SUMS
    assert refusal(model.trees, {"squared", "absolute"}) == SEARCHED
    nodes = model.trees[0].nodes.copy()
    nodes["weight"] *= 1.01
    assert refusal([replace(model.trees[0], nodes=nodes)], {"squared"}) == OTHERWISE


@pytest.fixture(scope="module")
def rising():
    """A model that may only rise with its first column and fall with its second, where noise would not."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(500, 3))
    y = np.sin(2 * x[:, 0]) + x[:, 0] - x[:, 1] ** 2 + rng.normal(0, 0.7, 500)
    params = TrainingParams(
        objective="squared", rounds=8, max_depth=5, threads=1, monotone_constraints=(("f0", 1), ("f1", -1))
    )
    return workbench.fit(x, y, params=params)


@examples(12)
@given(REGULARISED, REGULARISED, REGULARISED)
def test_monotone_models_stay_monotone_under_any_values(rising, lam, gamma, alpha):
    monotone = directions(rising.params, rising.schema.names)
    assert refusal(rising.trees, {"squared"}, monotone) == ""
    scored = Rescorer(rising.trees, monotone).score(Values(lam, gamma, alpha))
    for index, tree in enumerate(rising.trees):
        wanted = naive.rescored(tree, lam, gamma, alpha, {0: 1, 1: -1})
        assert scored.totals.structure_score[index] == pytest.approx(wanted.structure_score, rel=1e-9)
        assert set(np.flatnonzero(scored.tree(index).is_split)) == wanted.splits
    again = rising.ensemble.with_trees(rescored_trees(rising.trees, scored))
    for column, sign in ((0, 1), (1, -1)):
        rows = np.repeat(np.linspace(-1, 1, 9, dtype=np.float32)[:, None], 3, axis=1).repeat(40, axis=0)
        rows[:, column] = np.tile(np.linspace(-3, 3, 40, dtype=np.float32), 9)
        raw = raw_predictions(again, rows).reshape(9, 40)
        assert (sign * np.diff(raw, axis=1) >= -1e-6).all()


def test_weights_of_a_monotone_model_are_not_those_of_its_sums_alone(rising):
    assert refusal(rising.trees, {"squared"}) == OTHERWISE


@examples(8)
@given(REGULARISED, st.sampled_from([0.05, 0.5, 3.0]), st.sampled_from([0.0, 2.0]))
def test_critical_lambdas_of_a_monotone_model(rising, lam, gamma, alpha):
    trees = rising.trees[:2]
    scored = Rescorer(trees, directions(rising.params, rising.schema.names)).score(Values(lam, gamma, alpha))
    sums, critical = scored.sums, critical_lambdas(scored)
    for index, tree in enumerate(trees):
        own = sums.tree_of_split == index
        for at in (0.0, 0.3, 4.0, 50.0, 2e3):
            alive = naive.surviving(tree, 0, at, gamma, alpha, {0: 1, 1: -1})
            nodes = sums.split[own & (critical < at)] - sums.begins[index]
            assert not alive & set(nodes.tolist())
        for split in np.flatnonzero(own & np.isfinite(critical) & (critical > 0))[:4]:
            node = sums.split[split] - sums.begins[index]
            at = critical[split] * (1 - 1e-9)
            assert node in naive.surviving(tree, 0, at, gamma, alpha, {0: 1, 1: -1})


def test_predictions_of_nothing_changed_are_the_stored_ones(trained):
    model, frame = trained
    from workbench.data.encoding import encode

    features = encode(model.schema, frame)
    same = model.ensemble.with_trees(rescored_trees(model.trees, Rescorer(model.trees).score(Values())))
    assert np.array_equal(raw_predictions(same, features), raw_predictions(model.ensemble, features))


def test_forced_splits_stay_under_any_gamma():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    y = (x[:, 0] > 0) + rng.normal(size=300) / 5
    model = workbench.fit(x, y, rounds=2, forced_splits="f2 < 0 {yes: f1 < 0}", threads=1)
    again = Rescorer(model.trees).score(Values(gamma=1e9))
    assert [again.tree(i).is_split.tolist().count(True) for i in range(2)] == [2, 2]
    for tree, pruned in zip(model.trees, rescored_trees(model.trees, again), strict=True):
        assert pruned.nodes["forced"].sum() == tree.nodes["forced"].sum() == 2
