from __future__ import annotations

import pytest

from tests.session.words import round_finished, started
from workbench.ensembles.events import EndReason, TrainingEnded, TrainingPaused
from workbench.session.run import RunState
from workbench.session.session import Session


@pytest.fixture
def session():
    return Session()


@pytest.fixture
def heard(session):
    names = []
    for name in ("runs", "rounds", "state", "what_if", "selection"):
        getattr(session.events, name).connect(lambda name=name: names.append(name))
    return names


def begun(session):
    run = session.new_run()
    rounds = [round_finished(number, run.params) for number in (1, 2)]
    session.runs.apply(run, [started(run.params), *rounds])
    return run


def test_a_run_whose_trainer_is_gone_ends_as_stopped_with_its_rounds(session, heard):
    run = begun(session)
    heard.clear()
    session.runs.end(run)
    assert (run.state, run.ended.reason, len(run.rounds)) == (RunState.ENDED, EndReason.STOPPED, 2)
    assert heard == ["state", "what_if"]


def test_a_run_that_said_how_it_ended_keeps_that(session):
    run = begun(session)
    said = TrainingEnded(EndReason.EARLY, 2, 1, 0.5)
    session.runs.apply(run, [said])
    session.runs.end(run)
    assert run.ended is said


def test_a_run_goes_on_from_a_pause_and_from_its_end(session, heard):
    run = begun(session)
    session.runs.apply(run, [TrainingPaused(2)])
    heard.clear()
    session.runs.resume(run)
    assert run.state is RunState.RUNNING
    session.runs.end(run)
    session.runs.go_on(run, run.params)
    assert (run.state, run.ended) == (RunState.PREPARING, None)
    assert heard == ["state", "state", "what_if", "state"]


def test_runs_are_a_sequence_in_the_order_of_their_making(session):
    first, second = begun(session), begun(session)
    assert list(session.runs) == [first, second]
    assert (session.runs[-1], session.runs.index(first), len(session.runs)) == (second, 0, 2)
    session.runs.end(second)
    assert session.runs.in_hand is first
    session.runs.end(first)
    assert session.runs.in_hand is second  # the shown one
