"""The command line of a run writes the run's own model file, or it says why there is none."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.own_files import file_with
from workbench.__main__ import main
from workbench.data.readers.options import ReadOptions
from workbench.data.samples import sample_file
from workbench.session.command_line import command_of
from workbench.study.study import Study

if TYPE_CHECKING:
    from workbench.study.study_run import StudyRun

OBJECTIVE = """
def loss(target, raw):
    return 0.5 * (target - raw) ** 2

def gradients(target, raw):
    return raw - target, 0 * raw + 1
"""
METRIC = """
higher_is_better = False

def metric(target, prediction, weight):
    return abs(target - prediction).mean()
"""
ODD = "odd 'name', it's.csv"


def said(run: StudyRun):
    return command_of(run.study.session, run.run)


def same_file(run: StudyRun, folder: Path, monkeypatch) -> bool:
    monkeypatch.chdir(folder)
    run.model.save(folder / "own.json")
    words = shlex.split(said(run).text)
    assert words[:2] == ["workbench", "train"]
    assert main([*words[1:], "--quiet"]) == 0
    return Path("own.json").read_bytes() == Path("model.json").read_bytes()


def penguins(**rest) -> Study:
    return Study(sample_file("penguins"), target="species", split_seed=5, **rest)


def test_parameters_and_split_are_told(tmp_path, monkeypatch):
    run = penguins(valid_fraction=0.3).train(
        rounds=12, seed=5, learning_rate=0.07, max_depth=3, subsample=0.8, gamma=0.1,
        more_metrics=("merror",), early_stopping_rounds=4, monotone_constraints={"year": 1},
    )  # fmt: skip
    assert "--learning-rate=0.07" in said(run).text
    assert same_file(run, tmp_path, monkeypatch)


def test_roles_positive_class_and_an_odd_file_name_are_told(tmp_path, monkeypatch):
    odd = tmp_path / ODD
    odd.write_bytes(sample_file("penguins").read_bytes())
    options = ReadOptions(missing=("NA",))
    study = Study(odd, target="sex", valid_fraction=0.0, positive="male", options=options)
    study.role("island", "ignore")
    study.role("year", "weight")
    run = study.train(rounds=5, max_depth=2)
    assert "'" in said(run).text
    assert "--weight=year" in said(run).text
    assert same_file(run, tmp_path, monkeypatch)


def test_a_column_of_another_kind_is_told_where_it_is_read_the_same(tmp_path, monkeypatch):
    study = penguins(valid_fraction=0.25)
    study.kind("year", "category")
    run = study.train(rounds=3, seed=5, max_depth=2)
    assert "--kind=year=category" in said(run).text
    assert same_file(run, tmp_path, monkeypatch)


def test_every_way_to_hold_rows_out_is_told(tmp_path, monkeypatch):
    rows = sample_file("penguins").read_text().splitlines()
    second = tmp_path / "later.csv"
    second.write_text("\n".join([rows[0], *rows[1::4]]) + "\n")
    for told, way in {
        "--split-seed=7": {"fraction": 0.3, "seed": 7, "stratified": True},
        "--no-stratify": {"fraction": 0.3, "stratified": False},
        "--valid-groups=island": {"fraction": 0.3, "by": "groups", "column": "island"},
        "--valid-time=year": {"fraction": 0.3, "by": "time", "column": "year"},
        "--valid=": {"by": "file", "file": str(second)},
    }.items():
        study = penguins()
        study.hold_out(**way)
        run = study.train(rounds=2, max_depth=2)
        assert told in said(run).text
        assert same_file(run, tmp_path, monkeypatch), told


def test_own_files_are_told_as_long_as_they_are_as_they_were(tmp_path, monkeypatch):
    objective, metric = file_with(tmp_path, OBJECTIVE, "loss.py"), file_with(tmp_path, METRIC, "over.py")
    study = Study(sample_file("nile_flow"), target="flow_1e8_m3", valid_fraction=0.25)
    study.use(objective)
    study.use(metric, "metric")
    run = study.train(rounds=3, max_depth=2, more_metrics=("over",))
    assert f"--objective-file={objective}" in said(run).text
    monkeypatch.setattr("sys.stdin", io.StringIO("y\ny\n"))
    assert same_file(run, tmp_path, monkeypatch)
    file_with(tmp_path, f"{METRIC}\n", "over.py")
    assert "over.py has changed" in said(run).problem


STORIES = {
    "branches off run 1 at round 3": lambda s: s.train(rounds=5, seed=5).branch(at=3, gamma=0.1).grow(),
    "stopped by hand": lambda s: s.train(rounds=9, seed=5, until=4).stop(),
    "λ 1 → 4 was changed at round 5": lambda s: s.train(rounds=9, seed=5, until=4).change(reg_lambda=4),
    "continued after round 3": lambda s: s.train(rounds=3, seed=5).grow(2),
}  # fmt: skip


@pytest.mark.parametrize("reason", STORIES)
def test_what_cannot_be_said_has_its_reason(reason):
    run = STORIES[reason](penguins())
    if run.run.is_live:
        run.grow()
    text, problem = said(run)
    assert text == ""
    assert reason in problem
    assert problem.endswith("Copy it as Python instead.")


def test_kinds_and_roles_that_no_flag_says_are_named():
    study = penguins()
    study.kind("bill_depth_mm", "category")  # 17 in a column of numbers, "17.0" as it is written
    assert "bill_depth_mm has other values" in said(study.train(rounds=2, seed=5)).problem
    study = penguins()
    study.hold_out(0.25, 5, by="time", column="year")
    study.role("year", "feature")
    assert "year is a feature" in said(study.train(rounds=2, seed=5)).problem
