from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.warmup.warmup import warm_up
from workbench.workers import training_controller
from workbench.workers.cluster_share import ClusterShare
from workbench.workers.training_controller import RAREST_REPAINT_MS, REPAINT_MS, TrainingController
from workbench.workers.training_worker import TrainingWorker


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    """Compile what the runs need, which they would be waited for otherwise."""
    warm_up(lambda *_: None)


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2)).astype(np.float32)
    table = Table("made", (Column("a", "number", x[:, 0]), Column("b", "number", x[:, 1]),
                           Column("y", "number", x[:, 0] + x[:, 1])))  # fmt: skip
    made = Session()
    made.open_table(table, Plan({"a": "feature", "b": "feature", "y": "target"}, "squared"), {})
    made.hyperparameters.change(rounds=100_000, threads=1)
    return made


@pytest.mark.parametrize(
    ("cores", "is_far", "work", "least", "most"),
    [
        (1, False, 0.009, 590, 610),  # 9 ms of drawing are 1.5 % of 600
        (1, False, 10.0, RAREST_REPAINT_MS, RAREST_REPAINT_MS),
        (1, False, 0.0, REPAINT_MS, REPAINT_MS),
        (2, False, 0.009, REPAINT_MS, REPAINT_MS),  # drawing has a core of its own
        (1, True, 0.009, REPAINT_MS, REPAINT_MS),  # other machines train
    ],
)
def test_drawing_takes_a_small_share_of_the_only_core(
    qtbot, session, monkeypatch, cores, is_far, work, least, most
):
    ready, worked = threading.Event(), [0.0]
    ready.set()

    def thread_time():
        worked[0] += work
        return worked[0]

    monkeypatch.setattr(training_controller.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(ClusterShare, "is_far", is_far)
    monkeypatch.setattr(training_controller, "time", SimpleNamespace(thread_time=thread_time))
    controller = TrainingController(session, lambda _params: ready)
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.started is not None and len(session.shown.run.rounds) > 1)
    assert least <= controller.repaint_ms <= most
    controller.pause()
    assert controller.repaint_ms == REPAINT_MS
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.PAUSED)
    assert controller.repaint_ms == REPAINT_MS
    controller.shutdown()


def test_what_the_window_did_before_a_run_does_not_slow_its_drawing(qtbot, session, monkeypatch):
    ready, worked = threading.Event(), [0.0]
    ready.set()
    monkeypatch.setattr(training_controller.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(training_controller, "time", SimpleNamespace(thread_time=lambda: worked[0]))
    controller = TrainingController(session, lambda _params: ready)
    for _ in range(2):
        worked[0] += 100.0
        controller.train()
        qtbot.waitUntil(lambda: session.shown.run.started is not None and len(session.shown.run.rounds) > 1)
        assert controller.repaint_ms == REPAINT_MS
        controller.stop()
        qtbot.waitUntil(lambda: not controller.is_live)
    controller.shutdown()


@pytest.mark.parametrize("is_soon", [True, False])
def test_that_training_starts_is_told_with_the_first_round_or_a_beat_later(session, monkeypatch, is_soon):
    monkeypatch.setattr(TrainingWorker, "start", lambda _worker: None)
    monkeypatch.setattr(TrainingWorker, "is_alive", lambda _worker: True)
    controller = TrainingController(session, lambda _params: threading.Event())
    controller.train()
    worker, run, told = controller._worker, session.shown.run, []
    session.events.state.connect(lambda: told.append((run.state, len(run.rounds))))
    said = worker._trainer(worker._encode()).rounds()
    worker._queue.put(next(said))
    controller._timer.timeout.emit()
    assert told == []
    if is_soon:
        worker._queue.put(next(said))
    controller._timer.timeout.emit()
    assert told == [(RunState.RUNNING, int(is_soon))]
    controller.let_go()
    said.close()


def test_a_run_that_has_ended_can_go_on(qtbot, session):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)

    def until_ended():
        qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=20_000)

    session.hyperparameters.change(rounds=4, subsample=0.7)
    controller.train()
    until_ended()
    run, best = session.shown.run, session.shown.run.best
    session.hyperparameters.change(rounds=7, reg_lambda=3.0)
    session.notices.say("A worker was lost.", "error", "training")
    controller.go_on()
    assert session.notices.current is None
    assert session.shown.run is run
    until_ended()
    assert [event.round for event in run.rounds] == list(range(1, 8))
    assert [event.trees[0].reg_lambda for event in run.rounds] == [1.0] * 4 + [3.0] * 3
    assert run.ensemble().rounds == 7
    assert run.best[1] <= best[1]
    assert any(change.text == "λ 1 → 3" and change.round == 5 for change in run.changes)
    controller.go_on()  # as many rounds again
    assert session.hyperparameters.wanted.rounds == 14
    until_ended()
    assert len(run.rounds) == 14
    assert session.hyperparameters.wanted.rounds == 7  # as was asked: 14 were nobody's wish
    for kept in (7, 4, 4):  # the second going on, the first, the parameters
        session.journal.undo()
        assert len(run.rounds) == kept
    assert session.hyperparameters.wanted.reg_lambda == 1.0
    session.journal.redo()
    controller.train()
    until_ended()
    session.shown.show(run)
    assert (len(session.runs[1].rounds), session.hyperparameters.wanted.rounds) == (7, 4)
    session.hyperparameters.change(rounds=14)  # now it is
    controller.go_on()
    until_ended()
    assert (len(run.rounds), session.hyperparameters.wanted.rounds) == (14, 14)
    controller.shutdown()


def test_what_cannot_go_on_says_so(qtbot, session):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    controller.go_on()
    assert "Train one first" in session.notices.current.text
    session.hyperparameters.change(rounds=2)
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=20_000)
    session.shown.run.dataset = None
    controller.go_on()
    assert "needs the rows" in session.notices.current.text
    assert len(session.shown.run.rounds) == 2
    controller.shutdown()


def test_a_run_goes_on_with_its_own_rows_whatever_is_planned_since(qtbot, session):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    session.hyperparameters.change(rounds=2)
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=20_000)
    rows = session.shown.run.dataset
    session.data.hold_out(split_seed=5)
    controller.go_on()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=20_000)
    assert len(session.shown.run.rounds) == 4
    assert session.shown.run.dataset is rows
    controller.shutdown()


def test_continue_from_here_branches_and_stops_what_trains(qtbot, session, monkeypatch):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    controller.train()
    first = session.shown.run
    qtbot.waitUntil(lambda: len(first.rounds) > 5)
    session.shown.select(round=3)
    session.hyperparameters.change(learning_rate=0.02, max_bin=32)  # fewer rounds would end it by themselves
    controller.branch_on()
    made = session.shown.run
    assert (made.branch.run, made.branch.round, first.state) == (first.number, 3, RunState.ENDED)
    assert session.notices.current.text == (
        f"Run 1 was stopped at round {len(first.rounds)} and is kept. "
        "The run goes on with max_bin 255, as it began. Start a new run for other values."
    )
    qtbot.waitUntil(lambda: len(made.rounds) > 5)
    assert made.rounds[:3] == first.rounds[:3]
    assert made.rounds[3].params.learning_rate == 0.02
    controller.stop()
    qtbot.waitUntil(lambda: not controller.is_live)
    assert (made.wanted.max_bin, made.params.max_bin) == (32, 255)
    assert first.wanted.learning_rate == first.params_in_force.learning_rate


def test_what_is_no_round_or_has_no_rows_is_not_branched(qtbot, session):
    controller = TrainingController(session, lambda _params: threading.Event())
    controller.branch_on()
    assert session.notices.current.text.startswith("No trees yet.")
    assert not session.runs


def test_a_run_that_ended_and_still_leaves_the_cluster_was_not_stopped(qtbot, session, monkeypatch):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    session.hyperparameters.change(rounds=2)
    monkeypatch.setattr(TrainingWorker, "is_alive", lambda _worker: True)
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED)
    controller.train()
    assert "stopped" not in (session.notices.current.text if session.notices.current else "")
    controller.shutdown()
