"""The story of runs in Python: what is said there gives the same bits as one long run."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from workbench.__main__ import main
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.study.study import Study

RNG = np.random.default_rng(7)
N = 240
FRAME = pd.DataFrame(RNG.normal(size=(N, 4)), columns=list("abcd")).mask(RNG.random((N, 4)) < 0.05)
FRAME["city"] = RNG.choice(["Ulm", "Bonn", "Kiel"], N)
FRAME["query"] = np.repeat(np.arange(N // 8), 8)
FRAME["known"] = RNG.normal(size=N) / 4
SIGNAL = (FRAME.a.fillna(0) * 2 + FRAME.b.fillna(1) ** 2 + (FRAME.city == "Ulm")).to_numpy()

TARGETS = {
    "squared": SIGNAL, "absolute": SIGNAL, "quantile": SIGNAL, "logistic": np.where(SIGNAL > 1, "yes", "no"),
    "softmax": np.array(["low", "mid", "high"])[np.digitize(SIGNAL, [0.5, 2])],
    "poisson": np.maximum(0, SIGNAL.round()), "lambdarank": np.digitize(SIGNAL, [0, 1, 2]),
}  # fmt: skip
WAYS = (
    {}, {"tree_method": "exact"}, {"tree_method": "approx"}, {"subsample": 0.6, "colsample_bytree": 0.5},
    {"sampling_method": "goss"}, {"num_parallel_tree": 3, "subsample": 0.7}, {"rate_drop": 0.4},
    {"early_stopping_rounds": 3}, {"grow_policy": "best_gain", "max_leaves": 6, "colsample_bynode": 0.5},
    {"reg_alpha": 0.1, "max_delta_step": 0.4, "learning_rate_decay": 0.9},
)  # fmt: skip


def study(objective: str, *, offset: bool = False) -> Study:
    roles = {"query": "group" if objective == "lambdarank" else "ignore"}
    roles["known"] = "offset" if offset else "ignore"
    return Study(FRAME.assign(y=TARGETS[objective]), target="y", objective=objective, roles=roles)


def written(run, folder: Path) -> bytes:
    run.model.save(folder / "model.json")
    return (folder / "model.json").read_bytes()


@examples(60)
@given(
    objective=st.sampled_from(sorted(TARGETS)), way=st.sampled_from(WAYS), at=st.integers(1, 9),
    offset=st.booleans(), seed=st.integers(0, 3),
)  # fmt: skip
def test_a_branch_in_which_nothing_differs_is_the_run_that_went_through(
    tmp_path, objective, way, at, offset, seed
):
    told = study(objective, offset=offset and objective in ("squared", "absolute", "logistic", "poisson"))
    if objective in ("absolute", "quantile") and way.keys() & {"num_parallel_tree", "reg_alpha"}:
        return  # they clash
    whole = told.train(rounds=9, max_depth=3, seed=seed, **way)
    at = min(at, whole.rounds)
    branch = whole.branch(at=at)
    if at < 9 and whole.run.ended.reason.value != "early stopping":
        branch.grow(9 - at)
        assert written(branch, tmp_path) == written(whole, tmp_path)
    for mine, other in zip(branch.run.rounds, whole.run.rounds, strict=False):
        assert [tree.nodes.tobytes() for tree in mine.trees] == [tree.nodes.tobytes() for tree in other.trees]
        assert (mine.loss, mine.omega, mine.train, mine.best_round) == (
            other.loss, other.omega, other.train, other.best_round)  # fmt: skip


def test_what_cannot_be_is_refused_in_a_line():
    told = study("squared")
    run = told.train(rounds=3)
    with pytest.raises(WorkbenchError, match="Branch there"):
        run.change(at=2, reg_lambda=3.0)
    with pytest.raises(WorkbenchError, match="max_bin cannot differ"):
        run.branch(at=2, max_bin=16)
    with pytest.raises(WorkbenchError, match="no round 9"):
        run.branch(at=9)
    with pytest.raises(WorkbenchError, match="cannot change during a run"):
        run.change(tree_method="exact")
    with pytest.raises(WorkbenchError, match="no round 4"):
        run.at(4)
    with pytest.raises(WorkbenchError, match="must be a number 0 or more"):
        run.rescore(reg_lambda=-1)
    with pytest.raises(WorkbenchError, match="Give one or more of gamma"):
        run.rescore()
    with pytest.raises(WorkbenchError, match="A column is one of"):
        told.role("a", "wait")
    with pytest.raises(WorkbenchError, match="Stop it"):
        told.train(rounds=3, until=1).delete()
    with pytest.raises(WorkbenchError, match="frame or of a file"):
        Study([1, 2, 3])


def test_numbers_of_numpy_and_whole_ones_are_as_good(tmp_path):
    s = Study(FRAME.assign(y=SIGNAL), target="y", roles={"query": "ignore"}, valid_fraction=np.float32(0.25))
    run = s.train(rounds=np.int64(4), max_depth=2, until=np.int64(2))
    run.change(reg_lambda=np.float32(2), at=np.int64(3)).grow()
    run.branch(at=np.int64(2), gamma=1).grow(np.int64(1))
    leaf = run.at(np.int64(2)).trees[0].is_leaf.argmax()
    run.set_weight(np.int64(2), leaf, 1)
    run.take_split(2, 0, "city", categories=np.array([0, 1]), default_left=np.bool_(True))
    run.rescore(reg_lambda=7).rename("of two\nlines")
    assert s.history[-1] == "Name run 5 “of two lines”"
    s.save(tmp_path / "story.workbench")
    for told in workbench.open_study(tmp_path / "story.workbench").runs[-2:]:
        again = s.runs[told.number - 1]
        assert written(told, tmp_path) == written(again, tmp_path)


def test_a_branch_keeps_the_old_future_and_says_what_differs():
    told = study("squared")
    run = told.train(rounds=6)
    branch = run.branch(at=4, learning_rate=0.5).grow()
    assert (run.rounds, branch.rounds) == (6, 6)
    assert branch.run.rounds[:4] == run.run.rounds[:4]
    assert branch.at(5).params.learning_rate == 0.5
    assert [change.text for change in branch.run.changes] == ["η 0.1 → 0.5"]
    assert told.history[-2] == "Branch run 2 off run 1 at 4: η 0.1 → 0.5"
    assert repr(branch).startswith("Run 2: 6 rounds, best rmse ")
    grown = told.history[-1]
    assert told.undo() == grown
    assert told.history[-1] == "Branch run 2 off run 1 at 4: η 0.1 → 0.5", "growing was taken back"
    assert told.redo() == grown
    assert told.redo() is None
    while told.undo() is not None:
        pass
    assert told.history == ("Open table",)


def test_it_is_there_by_its_public_name():
    assert workbench.Study is Study


def test_a_script_names_files_so_that_it_runs_from_any_folder(tmp_path, monkeypatch):
    shutil.copy(sample_file("nile_flow"), tmp_path / "nile.csv")
    (tmp_path / "own.py").write_text("def loss(y, f):\n    return (y - f) ** 2\n\n"
                                     "def gradients(y, f):\n    return 2 * (f - y), 0 * f + 2\n")
    monkeypatch.chdir(tmp_path)
    study = workbench.Study("nile.csv")
    study.use("own.py")
    study.train(rounds=2)
    study.save("n.workbench")
    script = workbench.open_study("n.workbench").runs[0].script
    assert repr(str(tmp_path / "nile.csv")) in script
    assert repr(str(tmp_path / "own.py")) in script


def test_replay_says_in_a_line_that_a_table_is_gone(tmp_path, capsys):
    table = Path(shutil.copy(sample_file("nile_flow"), tmp_path / "nile.csv"))
    study = workbench.Study(table)
    study.train(rounds=2)
    study.save(tmp_path / "n.workbench")
    table.unlink()
    assert main(["replay", str(tmp_path / "n.workbench")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == "warning: nile.csv is not where it was. Choose where it is."
    assert second.startswith("workbench: The project has no table")


def test_a_table_with_other_rows_is_trained_on_anew(tmp_path, capsys):
    frame = pd.DataFrame({"x": np.arange(20.0), "y": np.arange(20.0) % 7})
    frame.to_csv(tmp_path / "t.csv", index=False)
    run = workbench.Study(tmp_path / "t.csv", target="y").train(rounds=3, max_depth=3, min_child_weight=0)
    leaf = int(np.flatnonzero(run.model.trees[0].is_leaf)[-1])
    run.edit(kind="set_weight", round=1, place=0, node=leaf, weight=0.5).grow(1)
    run.study.save(tmp_path / "p.workbench")
    frame[:9].to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(WorkbenchWarning, match="has changed since"):
        again = workbench.open_study(tmp_path / "p.workbench")
    with pytest.raises(WorkbenchError, match="its table is not found, or holds others now"):
        again.runs[0].prune(tree=1, node=0)
    new = again.train(rounds=2)
    assert (new.rounds, len(new.run.dataset.target)) == (2, 9)
    again.save(tmp_path / "p.workbench")
    assert main(["replay", str(tmp_path / "p.workbench")]) == 1
    told = capsys.readouterr()
    assert f"Run 2 is not grown again: There is no node {leaf} in tree 1" in told.err
    assert told.out.splitlines() == ["Run 1: 3 rounds, other bits", "Run 3: 2 rounds, the same bits"]


def test_inspect_tells_an_edit_with_its_reason(tmp_path, capsys):
    run = workbench.Study(sample_file("heart_disease"), target="disease").train(rounds=2, max_depth=2)
    run.prune(tree=2, node=1, reason="too few rows").model.save(tmp_path / "m.json")
    assert main(["inspect", str(tmp_path / "m.json")]) == 0
    assert "Edit: prune node 1 of tree 2 (too few rows)\n" in capsys.readouterr().out
