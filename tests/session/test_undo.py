"""Which changes of hyperparameters are one edit."""

from __future__ import annotations

import pytest

from workbench.parameters.training import TrainingParams
from workbench.session.undo import MOST, ONE_HAND, Edits


@pytest.fixture
def times():
    return []


@pytest.fixture
def edits(times):
    return Edits(clock=lambda: times[-1])


def change(edits, times, seconds, before, **values):
    times.append(seconds)
    after = before.change(**values)
    edits.note(before, after)
    return after


def test_a_slider_that_is_dragged_makes_one_edit(edits, times):
    params = TrainingParams()
    for place in range(40):
        params = change(edits, times, 0.02 * place, params, reg_lambda=1.5 + place)
    assert edits.undo() == {"reg_lambda": 1.0}
    assert not edits.done
    assert edits.redo() == {"reg_lambda": 40.5}


def test_a_pause_and_another_parameter_each_begin_an_edit(edits, times):
    params = change(edits, times, 0.0, TrainingParams(), reg_lambda=2.0)
    params = change(edits, times, ONE_HAND, params, reg_lambda=3.0)
    params = change(edits, times, ONE_HAND + 0.1, params, gamma=1.0)
    assert [edits.undo() for _ in range(3)] == [{"gamma": 0.0}, {"reg_lambda": 2.0}, {"reg_lambda": 1.0}]


def test_what_follows_an_undo_is_an_edit_of_its_own(edits, times):
    params = change(edits, times, 0.0, TrainingParams(), reg_lambda=2.0)
    change(edits, times, 5.0, params, reg_lambda=3.0)
    edits.undo()
    change(edits, times, 5.1, params, reg_lambda=4.0)
    assert edits.undo() == {"reg_lambda": 2.0}


def test_the_oldest_edits_are_forgotten(edits, times):
    params = TrainingParams()
    for place in range(MOST + 5):
        params = change(edits, times, 2.0 * place, params, reg_lambda=2.0 + place)
    assert len(edits.done) == MOST
