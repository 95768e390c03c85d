"""Python files of one's own that the runs of a project were trained with: never run without asking."""

from __future__ import annotations

import pytest

from tests.own_files import file_with
from tests.session.test_command_line import METRIC, OBJECTIVE
from workbench import Study, open_study
from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError
from workbench.session.script import study_script


@pytest.fixture
def project(tmp_path):
    study = Study(sample_file("nile_flow"), target="flow_1e8_m3", valid_fraction=0.25)
    study.use(file_with(tmp_path, OBJECTIVE, "loss.py"))
    study.use(file_with(tmp_path, METRIC, "over.py"), "metric")
    run = study.train(rounds=4, max_depth=2, more_metrics=("over",))
    run.branch(at=2, learning_rate=0.1).grow()
    study.save(tmp_path / "p.workbench")
    return study, tmp_path / "p.workbench"


def test_without_asking_nothing_is_run_and_nothing_grows_on(project):
    study = open_study(project[1])
    assert study.session.own_files.files == ()
    with pytest.raises(WorkbenchError, match="your own; its file is not run without asking"):
        study.runs[0].grow(1)
    scripts = [study_script(one.session).split("roles", 1)[1] for one in (study, project[0])]
    assert scripts[0] == scripts[1], "and it tells of them all the same"


def test_run_again_they_grow_the_same_bits_and_are_undone_and_redone(project, tmp_path):
    study = open_study(project[1], own=True)
    for made in (project[0], study):
        for run in made.runs:
            run.grow(2)
    for one, other in zip(project[0].runs, study.runs, strict=True):
        one.model.save(tmp_path / "one.json")
        other.model.save(tmp_path / "other.json")
        assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()
    names = [file.name for file in study.session.own_files.files]
    study.session.journal.go_to(1)
    assert study.session.own_files.files == ()
    study.session.journal.go_to(99)
    assert [file.name for file in study.session.own_files.files] == names == ["loss.py", "over.py"]
    assert study.session.clash is None


def test_a_file_that_has_changed_is_not_run(project, tmp_path):
    file_with(tmp_path, f"{OBJECTIVE}# other", "loss.py")
    with pytest.warns(UserWarning, match=r"loss.py has changed since it was used, and was not run"):
        study = open_study(project[1], own=True)
    assert [file.name for file in study.session.own_files.files] == ["over.py"]
    with pytest.raises(WorkbenchError, match="an objective of your own"):
        study.runs[0].grow(1)
