"""A table of which the window holds the first rows alone: what is told of it, and what a project keeps."""

from __future__ import annotations

import pytest

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import read_table
from workbench.resources import sample_path
from workbench.session.growing import NEEDS_ROWS
from workbench.session.opening.elsewhere import ROWS_THERE, Elsewhere
from workbench.session.opening.open_file import first_plan
from workbench.session.opening.open_project import open_project
from workbench.session.project.gather import Gathering
from workbench.session.project.save import save_project
from workbench.session.run import Run
from workbench.session.run_parts.rows_of_run import OTHER_ROWS
from workbench.session.script import study_script
from workbench.session.session import Session
from workbench.views.data.target import check_plan, check_there

PATH = "s3://bucket/penguins/"


@pytest.fixture
def session():
    table = read_table(sample_path("penguins.csv"))
    made = Session()
    made.open_table(table, first_plan(table), {}, (), elsewhere=Elsewhere(PATH, 9_000_000, GUESS_ALL))
    return made


def test_rows_that_are_not_shown_count(session):
    data = session.data
    assert (data.n_rows, data.table.n_rows) == (9_000_000, 344)
    check = check_there(check_plan(data.table, data.plan), data.elsewhere, data.plan, {})
    assert (check.n_train, check.n_valid) == (6_750_000, 2_250_000)


def test_rows_are_held_out_at_random_alone(session):
    data = session.data
    data.hold_out(split_by="groups", split_column="island")
    check = check_there(check_plan(data.table, data.plan), data.elsewhere, data.plan, {})
    assert "hash" in check.problem


def test_a_project_keeps_no_first_rows_as_if_they_were_the_table(session, tmp_path):
    save_project(tmp_path / "p.workbench", Gathering(session).take())
    opened = open_project(tmp_path / "p.workbench")
    assert opened.table is None


def test_a_script_says_that_the_table_stays_there(session):
    session.new_run("tcp://host:8786")
    script = study_script(session)
    assert f"Study({PATH!r}, target=" in script
    assert script.count("cluster='tcp://host:8786'") == 2
    compile(script, "script", "exec")


def test_why_rows_are_not_here_is_told_apart(session):
    run = Run(1, session.hyperparameters.wanted)
    assert run.no_rows(NEEDS_ROWS) == NEEDS_ROWS
    run.plan = session.data.plan
    assert run.no_rows(NEEDS_ROWS) == OTHER_ROWS
    run.there = object()
    assert run.no_rows(NEEDS_ROWS) == ROWS_THERE
    assert run.has_rows
