"""Actions are written as JSON and read again; what cannot have been written so is refused."""

from __future__ import annotations

import json

import pytest

from tests.session.journal.test_undo_and_redo import study
from workbench.errors import WorkbenchError
from workbench.session.journal.action import ACTIONS, action_of


def test_what_was_done_is_read_again():
    told = study()
    told.role("c", "ignore")
    told.kind("b", "category")
    told.hold_out(0.5, 3)
    run = told.train(rounds=4, until=2, monotone_constraints={"a": 1})
    run.change(gamma=0.5)
    run.grow()
    run.grow(1)
    other = run.branch(at=2, learning_rate=0.3)
    other.rename("other")
    other.note = "slow"
    other.pin()
    other.delete()
    actions = [line.action for line in told.session.journal.lines]
    assert len({action.name for action in actions}) >= 11
    for action in actions:
        again = action_of(json.loads(json.dumps(action.record())))
        assert again.words == action.words
        assert again.record() == json.loads(json.dumps(action.record()))


def test_every_kind_has_words_of_its_own_name():
    assert {kind.name for kind in ACTIONS} >= {"start", "stop", "branch", "edit_params", "edit_tree"}


@pytest.mark.parametrize("record", [
    None, [], {}, {"kind": 3}, {"kind": "walk"}, {"kind": "stop"}, {"kind": "stop", "run": "1", "at": 2},
    {"kind": "stop", "run": True, "at": 2}, {"kind": "stop", "run": 1, "at": 2, "more": 3},
    {"kind": "note", "run": 1, "text": "x" * 200_000},
    {"kind": "edit_params", "run": 1, "before": [], "after": {}},
    {"kind": "goal", "run": 1, "goal": {"name": "leakage"}}, {"kind": "goal", "run": 1, "goal": {"name": 3}},
    {"kind": "goal", "run": 1, "goal": {"name": "run_to", "round": -1}},
    {"kind": "pause", "run": 1, "at": 2, "met": ["walk"]}, {"kind": "pause", "run": 1, "at": 2, "met": [3]},
])  # fmt: skip
def test_what_is_no_action_is_refused(record):
    with pytest.raises(WorkbenchError):
        action_of(record)
