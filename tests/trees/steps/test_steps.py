"""Step functions of one variable: the optimum against all that there are, the others as they are defined."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError
from workbench.explain.step_functions import step_solutions
from workbench.study.study import Study
from workbench.trees.steps.greedy import greedy_steps
from workbench.trees.steps.merging import merged_steps
from workbench.trees.steps.optimal import fill_best, optimal_steps
from workbench.trees.steps.points import points_of
from workbench.trees.steps.step_tree import step_tree

ROWS = st.lists(st.tuples(st.integers(0, 15), st.integers(-8, 8), st.sampled_from([0.5, 1.0, 2.0])),
                min_size=1, max_size=12)  # fmt: skip


def made(rows):
    x, y, w = (np.array(column, float) for column in zip(*rows, strict=True))
    return points_of(x.astype(np.float32), -y * w, w), x, y, w


def score_of(x, y, w, thresholds, reg_lambda):
    """The structure score of the steps between thresholds, from the rows."""
    step = np.searchsorted(np.sort(thresholds), x, side="right")
    return sum(
        -0.5 * (w[step == k] @ y[step == k]) ** 2 / (w[step == k].sum() + reg_lambda) for k in np.unique(step)
    )


@examples(100)
@given(ROWS, st.sampled_from([0.0, 1.0, 7.5]), st.sampled_from([0.0, 0.5, 20.0]))
def test_dynamic_programming_is_optimal(rows, reg_lambda, gamma):
    points, x, y, w = made(rows)
    middles = (points.values[1:] + points.values[:-1]) / 2
    path = optimal_steps(points, reg_lambda, 12)
    all_best = [
        min(score_of(x, y, w, np.array(cuts), reg_lambda) for cuts in combinations(middles, steps - 1))
        for steps in range(1, len(points) + 1)
    ]
    np.testing.assert_allclose(path.scores, all_best, rtol=1e-12, atol=1e-12)
    steps = path.chosen(gamma)
    tree = step_tree(points, path.cuts_of(steps), 0, reg_lambda, gamma)
    assert tree.n_leaves == steps
    least = min(score + gamma * (k + 1) for k, score in enumerate(all_best))
    assert tree.structure_score == pytest.approx(least, rel=1e-9, abs=1e-9)
    thresholds = tree.nodes["threshold"][~tree.is_leaf]
    assert score_of(x, y, w, thresholds, reg_lambda) == pytest.approx(all_best[steps - 1], abs=1e-9)


@examples(60)
@given(ROWS, st.sampled_from([0.0, 1.0]))
def test_greedy_and_merging_are_what_they_say_and_never_better_than_the_best(rows, reg_lambda):
    points, x, y, w = made(rows)
    best = optimal_steps(points, reg_lambda, 12)
    for path in (greedy_steps(points, reg_lambda, 12), merged_steps(points, reg_lambda, 12)):
        for steps, score in enumerate(path.scores, start=1):
            cuts = path.cuts_of(steps)
            middles = (points.values[cuts] + points.values[cuts - 1]) / 2
            assert score == pytest.approx(score_of(x, y, w, middles, reg_lambda), abs=1e-9)
            assert score >= best.scores[steps - 1] - 1e-9
    assert greedy_steps(points, reg_lambda, 2).scores == pytest.approx(best.scores[:2], abs=1e-9)
    merged = merged_steps(points, reg_lambda, 12)
    if len(points) > 1:
        cheapest = min(
            score_of(x, y, w, np.delete((points.values[1:] + points.values[:-1]) / 2, k), reg_lambda)
            for k in range(len(points) - 1)
        )
        assert merged.scores[-2] == pytest.approx(cheapest, abs=1e-9)


@pytest.mark.parametrize("n", [3, 16, 19, 70])
def test_the_table_of_all_ends_is_that_of_the_plainest_loops(n):
    """Ends are filled in blocks, and from several beginnings at once: none is left out at an edge."""
    rng = np.random.default_rng(n)
    points = points_of(np.arange(n, dtype=np.float32), rng.normal(size=n), rng.uniform(0.5, 2.0, n))
    best = np.empty((n + 1, 7))
    fill_best(points.gradients, points.hessians, 0.5, best, np.zeros(1, np.uint8))
    plain = np.full((n + 1, 7), np.inf)
    plain[0, 0] = 0.0
    for end in range(1, n + 1):
        begins = np.arange(end)
        scores = points.scores(begins, end, 0.5)
        plain[end, 1:] = (plain[:end, :-1] + scores[:, None]).min(axis=0)
    assert np.array_equal(best, plain)


@pytest.mark.slow
def test_ten_thousand_values_and_fifty_steps_take_under_a_second():
    """Of the processor, whatever else it does meanwhile."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.normal(size=10_000))
    points = points_of(x.astype(np.float32), -np.sin(3 * x) - rng.normal(size=10_000), np.ones(10_000))
    optimal_steps(points, 1.0, 2)
    begun = time.process_time()
    path = optimal_steps(points, 1.0, 50)
    assert time.process_time() - begun < 1.0
    assert len(path.scores) == 50


def test_the_example_of_five_points():
    """MATH: x = 1..5, λ = 1, base 0: cut between 2 and 3 with gain 0.72333, gone for γ above that."""
    y = np.array([1, 1.2, 3, 3.4, 3.2])
    points = points_of(np.arange(1, 6, dtype=np.float32), -y, np.ones(5))
    for find in (greedy_steps, optimal_steps):
        path = find(points, 1.0, 2)
        assert path.cuts_of(2).tolist() == [2]
        assert path.scores[0] - path.scores[1] == pytest.approx(0.72333, abs=1e-5)
        assert (path.chosen(0.7), path.chosen(0.75)) == (2, 1)
    tree = step_tree(points, np.array([2]), 0, 1.0, 0.1)
    assert tree.nodes["weight"][1:] == pytest.approx([0.73333, 2.4], abs=1e-5)
    assert tree.nodes["gain"][0] == pytest.approx(0.62333, abs=1e-5)


@pytest.mark.parametrize("search", ["optimal", "greedy", "merging"])
def test_a_run_has_one_tree_of_the_column(search):
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 10, 300)
    y = np.select([x < 2, x < 7], [1.0, 4.0], 2.0) + rng.normal(0, 0.05, 300)
    frame = pd.DataFrame({"kind": ["a", "b"] * 150, "x": x, "more": rng.normal(size=300), "y": y})
    frame.loc[5, "x"] = np.nan
    with pytest.warns(workbench.WorkbenchWarning, match="1 row without a value of 'x'"):
        model = workbench.fit(frame, target="y", method="steps", step_search=search, gamma=0.5)
    cuts = np.sort(model.trees[0].nodes["threshold"][~model.trees[0].is_leaf])
    assert cuts == pytest.approx([2, 7], abs=0.1)
    assert model.predict(frame.assign(x=x).loc[[0, 1]]) == pytest.approx(y[[0, 1]], abs=0.2)
    flat = workbench.fit(frame, target="y", method="steps", step_search=search, step_column="more", gamma=50)
    assert flat.trees[0].n_leaves == 1


def test_what_a_step_function_cannot_be_made_of_is_refused():
    frame = pd.DataFrame({"kind": ["a", "b"] * 5, "y": range(10)})
    with pytest.raises(WorkbenchError, match="needs a feature with numbers"):
        workbench.fit(frame, target="y", method="steps")
    with pytest.raises(WorkbenchError, match="whose categories have no order"):
        workbench.fit(frame, target="y", method="steps", step_column="kind")
    with pytest.raises(WorkbenchError, match="learning_rate and method clash: the method steps has no"):
        workbench.fit(frame, target="y", method="steps", learning_rate=0.1)
    with pytest.raises(WorkbenchError, match="for regression targets, and this one is binary"):
        workbench.fit(frame.assign(y=frame["kind"], x=1.0), target="y", method="steps")


@pytest.mark.parametrize("gamma", [100.0, 20_000.0, 500_000.0])
def test_the_three_over_each_other_are_those_that_runs_find(gamma):
    frame = pd.read_csv(sample_file("nile_flow"))
    study = Study(frame, target="flow_1e8_m3")
    study.train(method="steps", gamma=gamma, max_leaves=8)
    run = study.session.runs[-1]
    found = step_solutions(run.dataset, run.params, float(run.started.ensemble.base_margin[0]))
    scores = {}
    for line in found.lines(gamma):
        own = study.train(method="steps", gamma=gamma, max_leaves=8, step_search=line.search).model.trees[0]
        cuts = own.nodes["threshold"][~own.is_leaf]
        assert np.sort(cuts) == pytest.approx(line.cuts)
        assert own.structure_score == pytest.approx(line.objective)
        scores[line.search] = line.objective
    assert scores["optimal"] == min(scores.values())
