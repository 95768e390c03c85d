"""10,000 random actions: back to the beginning and to the end again, and nothing is left behind."""

from __future__ import annotations

import random

import pytest

from tests.session.journal.test_undo_and_redo import DEEDS, do, study
from workbench.session.project.read import read_project

SITTINGS, ACTIONS = 40, 250


def told_back_and_forth(session) -> None:
    journal = session.journal
    journal.go_to(len(journal.lines))
    states = {}
    while journal.done is not None:
        states[journal.position] = chosen(session)
        journal.undo()
        assert session.shown.run is None or session.shown.run in session.runs
    while journal.undone is not None:
        journal.redo()
        assert chosen(session) == states[journal.position]


def chosen(session):
    """The state without which run is looked at, which is no action."""
    return {key: value for key, value in session.state.now().items() if key != "shown"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SITTINGS))
def test_a_study(seed, tmp_path):
    told, chance = study(), random.Random(seed)
    do(told, [(chance.randrange(len(DEEDS)), chance.randrange(3)) for _ in range(ACTIONS)])
    for run in told.runs:
        if run.run.is_live:
            run.stop()
    told_back_and_forth(told.session)
    told.save(tmp_path / "p.workbench")
    content = read_project(tmp_path / "p.workbench")
    assert [line.action.words for line in content.lines] == list(told.history)
    assert content.listed == tuple(run.number for run in told.runs)
