"""AdaBoost and Friedman's boosting in a study: branch, pause, project and edits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.study.test_study import FRAME, TARGETS, written
from workbench.errors import WorkbenchError


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3)).round(2)
    return pd.DataFrame(x, columns=list("abc")).assign(y=np.where((x**2).sum(axis=1) > 2.4, "far", "near"))


@pytest.mark.parametrize("method", ["adaboost", "friedman"])
def test_branch_pause_and_project_go_through(frame, method, tmp_path):
    study = workbench.Study(frame, target="y")
    whole = study.train(method=method, rounds=8, threads=1)
    raw = whole.model.predict_raw(frame)
    branch = whole.branch(at=3)
    branch.grow(5)
    assert np.array_equal(branch.model.predict_raw(frame), raw)
    paused = study.train(method=method, rounds=8, threads=1, until=5)
    assert paused.rounds == 5
    paused.grow(3)
    assert np.array_equal(paused.model.predict_raw(frame), raw)
    study.save(tmp_path / "made.gbw")
    again = workbench.open_study(tmp_path / "made.gbw").runs[0]
    assert again.run.params.method == method
    assert np.array_equal(again.model.predict_raw(frame), raw)
    assert [event.extras for event in again.run.rounds] == [event.extras for event in whole.run.rounds]
    whole.model.save(tmp_path / "m.json")
    row = workbench.load_model(tmp_path / "m.json").history[0]
    assert ("err" in row) == (method == "adaboost")


TASKS = {"adaboost": ("logistic", "softmax"), "linear": ("squared", "logistic")}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["adaboost", "friedman", "forest", "extra_trees", "bagging", "linear"])
def test_a_branch_is_the_file_of_the_run_that_went_through(method, tmp_path):
    told = {"method": method, "rounds": 6} | ({} if method == "linear" else {"max_depth": 3})
    for target in TASKS.get(method, ("squared", "logistic", "softmax")):
        study = workbench.Study(FRAME[["a", "b", "c"]].assign(y=TARGETS[target]), target="y")
        whole = study.train(**told)
        branch = whole.branch(at=4).grow(whole.rounds - 4)
        assert written(branch, tmp_path) == written(whole, tmp_path)


def test_an_edited_tree_of_adaboost_gets_its_own_beta(frame):
    study = workbench.Study(frame, target="y", valid_fraction=0.0)
    run = study.train(method="adaboost", rounds=4, threads=1)
    tree = run.run.rounds[1].trees[0]
    edited = run.move_threshold(2, 0, float(tree.nodes["threshold"][0]) + 0.3)
    event = edited.run.rounds[1]
    leaf = event.trees[0].nodes[event.trees[0].is_leaf]
    error = 0.5 * (1 - np.abs(leaf["sum_gradient"]).sum() / leaf["sum_hessian"].sum())
    assert event.extras["err"] == pytest.approx(error)
    assert np.abs(leaf["weight"]) == pytest.approx(np.full(2, 0.5 * np.log((1 - error) / error)))
    assert event.extras["err"] > run.run.rounds[1].extras["err"]


def test_a_tree_of_several_classes_is_not_edited_alone(frame):
    several = frame.assign(y=np.digitize(frame["a"], [-0.5, 0.5]).astype(str))
    run = workbench.Study(several, target="y").train(method="adaboost", rounds=3, max_depth=2, threads=1)
    assert run.model.ensemble.n_classes == 3
    with pytest.raises(WorkbenchError, match="none is edited alone"):
        run.prune(1, 0)


def test_leaves_of_friedman_are_searched_after_an_edit(frame):
    study = workbench.Study(frame, target="y", valid_fraction=0.0)
    run = study.train(method="friedman", rounds=3, max_depth=2, threads=1)
    pruned = run.prune(1, 0).run.rounds[0].trees[0]
    assert pruned.n_nodes == 1
    assert pruned.nodes["weight"][0] == pytest.approx(0.0, abs=1e-5)  # at the best constant already
