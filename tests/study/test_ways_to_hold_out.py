"""However rows are held out: project, script, journal and model file tell it, and find the same rows."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from workbench.data.reading import read_table
from workbench.data.samples import sample_file
from workbench.session.journal.action import action_of
from workbench.session.opening.attaching import attach
from workbench.session.script import study_script
from workbench.study.study import Study

HEART = sample_file("heart_disease")
WAYS = {
    "groups": {"fraction": 0.3, "seed": 4, "by": "groups", "column": "chest_pain"},
    "time": {"fraction": 0.3, "by": "time", "column": "age"},
    "column": {"by": "column", "column": "exercise_angina"},
    "file": {"by": "file", "file": ""},
}


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("groups", "time")]


@pytest.fixture(params=[*SLOW, "column", "file"])
def way(request, tmp_path):
    told = dict(WAYS[request.param])
    if "file" in told:
        lines = HEART.read_text().splitlines()
        later = tmp_path / "later.csv"
        later.write_text("\n".join([lines[0], *lines[1::5]]) + "\n")
        told["file"] = str(later)
    return told


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "heart.csv"
    path.write_bytes(HEART.read_bytes())
    return path


def test_project_script_and_model_file_find_the_same_rows(way, table, tmp_path) -> None:
    study = Study(table, target="disease")
    study.hold_out(**way)
    run = study.train(rounds=2, max_depth=2)
    data = run.run.dataset
    assert len(data.valid_rows)
    study.save(tmp_path / "held.workbench")
    again = workbench.open_study(tmp_path / "held.workbench")
    assert again.runs[0].run.plan == run.run.plan
    np.testing.assert_array_equal(again.runs[0].run.dataset.valid_rows, data.valid_rows)
    script, names = again.runs[0].script, {}
    exec(script, names)
    assert f"split_by={way['by']!r}" in script
    np.testing.assert_array_equal(names["study"].runs[0].run.dataset.valid_rows, data.valid_rows)
    run.model.save(tmp_path / "model.json")
    model = workbench.load_model(tmp_path / "model.json")
    opened = attach(model, read_table(table), lambda: False)
    assert opened.run.dataset is not None
    rows = Study(table, target="disease").session.data.plan
    assert opened.plan.split_as(split_by="rows", split_column=None).roles == rows.roles, "a feature again"
    np.testing.assert_array_equal(opened.run.dataset.valid_rows, data.valid_rows)
    if way["by"] != "file":
        np.testing.assert_array_equal(model.held_out(table).valid, data.table_rows[data.valid_rows])
        return
    with pytest.raises(workbench.WorkbenchError, match=r"those of later\.csv were held out"):
        model.held_out(table)
    (tmp_path / "later.csv").write_bytes(HEART.read_bytes())
    assert attach(model, read_table(table), lambda: False).run.dataset is None, "another second file"


def test_undo_takes_a_way_back_and_older_journals_are_read(way) -> None:
    study = Study(HEART, target="disease")
    before = study.session.data.plan
    study.hold_out(**way)
    assert study.session.data.plan.split_by == way["by"]
    study.undo()
    assert study.session.data.plan == before
    old = action_of({"kind": "hold_out", "fraction": 0.2, "seed": 3, "stratified": True})
    assert old.words == "Hold out 20% (seed 3, class shares kept)"
    assert study.history


def test_a_column_that_no_longer_says_how_rows_are_held_out_is_what_it_was() -> None:
    study = Study(HEART, target="disease", roles={"sex": "ignore"})
    roles = study.session.data.plan.roles
    study.hold_out(by="groups", column="chest_pain")
    study.hold_out(by="time", column="age")
    told = study.session.data.plan.roles
    assert (told["chest_pain"], told["age"]) == ("feature", "ignore")
    study.hold_out(by="groups", column="sex")
    study.hold_out()
    assert study.session.data.plan.roles == roles
    study.hold_out(by="time", column="age")
    study.role("age", "ignore")
    study.hold_out()
    assert study.session.data.plan.roles["age"] == "ignore", "by hand"
    begun = Study(HEART, target="disease", split_by="time", split_column="age")
    begun.hold_out()
    assert begun.session.data.plan.roles["age"] == "feature"
    named = Study(HEART, target="disease", split_by="time", split_column="age", roles={"sex": "ignore"})
    assert named.session.data.plan.roles["age"] == "feature", "as it is said"


def test_a_script_finds_the_features_of_every_run_however_their_rows_were_held_out() -> None:
    study = Study(HEART, target="disease", split_by="time", split_column="age")
    study.train(rounds=1, max_depth=1)
    study.hold_out(by="groups", column="sex")
    study.role("sex", "feature")
    study.train(rounds=1, max_depth=1)
    study.hold_out()
    study.train(rounds=1, max_depth=1)
    names: dict[str, Study] = {}
    exec(study_script(study.session), names)
    again = names["study"]
    assert [run.run.schema for run in again.runs] == [run.run.schema for run in study.runs]
    assert [run.run.plan.roles for run in again.runs] == [run.run.plan.roles for run in study.runs]
    assert study_script(again.session) == study_script(study.session)
