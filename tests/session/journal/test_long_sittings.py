"""10,000 random actions: back to the beginning and to the end again, and nothing is left behind."""

from __future__ import annotations

import random
import threading

import pytest

from tests.session.journal.test_undo_and_redo import DEEDS, do, study
from workbench.session.project.read import read_project
from workbench.session.run import RunState
from workbench.workers.training_controller import TrainingController

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
    return {key: value for key, value in session.state().items() if key != "shown"}


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_window_s_controller(seed, qtbot):
    told, chance = study(), random.Random(seed)
    session, ready = told.session, threading.Event()
    ready.set()
    threads = threading.active_count()
    controller = TrainingController(session, lambda _params: ready)
    heard = dict.fromkeys(("rounds", "journal"), 0)

    def count(name: str) -> None:
        heard[name] += 1

    session.events.rounds.connect(lambda: count("rounds"))
    session.events.journal.connect(lambda: count("journal"))

    def branch() -> None:
        run = session.shown.run
        if run is not None and run.rounds and not run.is_live:
            session.branch(run, chance.randint(1, len(run.rounds)), learning_rate=chance.random())

    deeds = (
        lambda: session.hyperparameters.change(reg_lambda=chance.random(), rounds=chance.randint(1, 60)),
        controller.train, controller.pause, controller.resume, controller.step, controller.stop,
        controller.go_on, branch, session.journal.undo, session.journal.redo,
        lambda: session.journal.go_to(chance.randint(0, len(session.journal.lines))),
        lambda: session.runs and session.shown.show(chance.choice(session.runs)),
        lambda: session.runs and session.runs.delete(chance.choice(session.runs)),
        lambda: session.data.set_role("c", chance.choice(["ignore", "feature"])),
        lambda: qtbot.wait(1),
    )  # fmt: skip
    for _ in range(ACTIONS):
        chance.choice(deeds)()
        for run in session.runs:
            numbers = [event.round for event in run.rounds]
            assert numbers == list(range(1, len(numbers) + 1))
    controller.stop()
    qtbot.waitUntil(lambda: not controller.is_live, timeout=60_000)
    assert all(run.state is not RunState.RUNNING for run in session.runs)
    told_back_and_forth(session)
    controller.shutdown()
    qtbot.waitUntil(lambda: threading.active_count() <= threads, timeout=60_000)
    assert heard["rounds"] > 0 < heard["journal"]
