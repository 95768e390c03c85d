"""The window's end of a cluster: closing it, workers that are lost, a scheduler that comes back."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import threading
import time
from dataclasses import replace

import psutil
import pytest
from distributed import Client
from distributed.utils import offload
from PySide6.QtWidgets import QWidget

from tests.cluster.far_cluster import FarCluster
from workbench.cluster.refusals import OWN_PARTS
from workbench.cluster.where import Where
from workbench.data.readers.options import GUESS_ALL
from workbench.ensembles.own_parts import OwnParts
from workbench.metrics.base import METRICS
from workbench.session.opening.elsewhere import NEEDS_CLUSTER, Elsewhere
from workbench.session.run import RunState
from workbench.session.script import study_script
from workbench.workers.cluster_desk import ClusterDesk, changed_words
from workbench.workers.training_controller import TrainingController

LONG = 120_000  # ms


@pytest.fixture(scope="module")
def _offload_thread():
    """Started before a test is watched: distributed keeps it to the end of the program."""
    asyncio.run(offload(int))


@pytest.fixture
def controller(qtbot, session):
    ready = threading.Event()
    ready.set()
    parent = QWidget()
    qtbot.addWidget(parent)
    made = TrainingController(session, lambda _params: ready, parent)
    yield made
    made.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("_offload_thread")
def test_closing_the_window_leaves_nothing_there(qtbot, session, controller):
    with FarCluster() as far:
        controller.cluster.connect_to(Where(far.address))
        qtbot.waitUntil(lambda: controller.cluster.state.is_connected, timeout=LONG)
        session.hyperparameters.change(rounds=100_000)
        controller.train()
        qtbot.waitUntil(lambda: len(session.shown.run.rounds) > 3, timeout=LONG)
        controller.shutdown()
        with Client(far.address, timeout=60, set_as_default=False) as client:
            qtbot.waitUntil(lambda: client.run_on_scheduler(_left) == (0, 0, 0, 0), timeout=20_000)
            assert set(client.run(_boxes).values()) == {0}
    assert controller.cluster.connection is None


def _left(dask_scheduler):
    """Count tasks and rows, clients of before, topics and locks."""
    topics = [name for name in dask_scheduler._broker._topics if name.startswith("boosting-workbench")]
    clients = [name for name in dask_scheduler.clients if name.startswith("Client-")]
    locks = dask_scheduler.extensions["multi_locks"].requests
    return len(dask_scheduler.tasks), len(clients) - 1, len(topics), len(locks)


def _boxes(dask_worker):
    return len(getattr(dask_worker, "workbench_mailboxes", {}))


def test_workers_that_are_lost_and_come_back_are_said():
    assert changed_words(set(), {"a", "b"}) == ""
    assert changed_words({"a", "b"}, {"a", "b"}) == ""
    assert changed_words({"a", "b"}, {"b"}) == "1 of 2 workers lost."
    assert changed_words({"b"}, {"b", "c"}) == "2 workers there again."
    assert changed_words({"a", "b"}, {"b", "c"}) == "1 of 2 workers lost. 2 workers there again."


@pytest.mark.slow
@pytest.mark.usefixtures("_offload_thread")
def test_a_lost_worker_and_a_lost_scheduler_are_said_and_come_back(qtbot, session, controller, capfd):
    desk, said = controller.cluster, []
    desk.changed.connect(lambda: said.append(desk.state.text))
    with FarCluster() as far:
        desk.connect_to(Where(far.address))
        qtbot.waitUntil(lambda: desk.state.is_connected, timeout=LONG)
        pids = desk.connection.tell(os.getpid, workers=desk.connection.workers)
        os.kill(min(pids.values()), signal.SIGKILL)
        qtbot.waitUntil(lambda: any("1 of 2 workers lost." in text for text in said), timeout=LONG)
        qtbot.waitUntil(lambda: "2 workers there again." in said[-1], timeout=LONG)
        assert "workers" in session.notices.current.text
        far.kill()
        qtbot.waitUntil(lambda: desk.state.is_connecting, timeout=LONG)
        assert desk.state.text.startswith("The scheduler is gone")
        controller.train()
        assert not controller.is_live
        assert "not connected yet" in session.notices.current.text
        far.start()
        qtbot.waitUntil(lambda: desk.state.is_connected, timeout=LONG)
        assert desk.state.text == "The scheduler answers again."
        session.hyperparameters.change(rounds=3)
        controller.train()
        qtbot.waitUntil(lambda: not session.shown.run.is_live, timeout=LONG)
        assert session.shown.run.state is RunState.ENDED, session.notices.current
        far.kill()
        qtbot.waitUntil(lambda: desk.state.is_connecting, timeout=LONG)
        before = time.perf_counter()
        controller.shutdown()
        assert time.perf_counter() - before < 1.0
        qtbot.waitUntil(lambda: not _watches(), timeout=LONG)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "processes", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
)
@pytest.mark.usefixtures("_offload_thread")
def test_closing_while_a_cluster_starts_waits_for_nobody_and_leaves_nothing(
    qtbot, tmp_path, monkeypatch, processes
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    desk, others = ClusterDesk(), _children()
    desk.connect_to(Where(workers=2, threads=1, memory="1GB"))
    qtbot.waitUntil(lambda: len(_children() - others) >= processes, timeout=LONG)
    begun = _children() - others
    assert list(tmp_path.iterdir())
    before = time.perf_counter()
    desk.shutdown()
    assert time.perf_counter() - before < 3.0
    qtbot.waitUntil(lambda: not any(map(_runs, begun)), timeout=2000)
    assert not list(tmp_path.iterdir())
    assert not desk.is_awaited


def _watches():
    """Return whether something looks after a cluster still."""
    return any(thread.name == "cluster" for thread in threading.enumerate())


def _children():
    return set(psutil.Process().children(recursive=True))


def _runs(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_without_a_connection_a_table_that_stays_there_is_not_trained_on(session, controller):
    data = session.data
    data.elsewhere = Elsewhere("folder", data.n_rows, GUESS_ALL)
    controller.train()
    assert session.notices.current.text == NEEDS_CLUSTER
    assert not controller.is_live


def test_what_no_cluster_trains_is_refused_before_there_is_a_run(session, controller, monkeypatch):
    monkeypatch.setattr(controller.cluster, "connection", object())
    data, before = session.data, list(session.runs)
    plan, column = data.plan, next(name for name, role in data.plan.roles.items() if role == "feature")

    def refused() -> str:
        controller.train()
        assert list(session.runs) == before
        assert not controller.is_live
        return session.notices.current.text

    session.hyperparameters.change(pruning="post")
    assert refused().startswith("pruning and cluster clash: ")
    session.hyperparameters.change(pruning="pre", more_metrics=("mpr_auc",))
    assert refused().startswith("metric and cluster clash: ")
    session.hyperparameters.change(more_metrics=())
    data.plan = replace(plan, roles=plan.roles | {column: "offset"})
    assert refused().startswith(f"Column '{column}' has the role offset")
    data.plan = replace(plan, objective="exponential")
    assert refused().startswith("objective and cluster clash: ")
    data.plan = plan
    monkeypatch.setattr(type(session.own_files), "parts", OwnParts(metrics=(METRICS.get("error"),)))
    assert refused() == OWN_PARTS
    monkeypatch.undo()


@pytest.mark.slow
def test_a_run_of_an_objective_that_only_we_have_is_not_grown_on_by_a_cluster(
    qtbot, session, controller, monkeypatch
):
    session.data.plan = replace(session.data.plan, objective="exponential")
    session.hyperparameters.change(rounds=2)
    controller.train()
    run = session.shown.run
    qtbot.waitUntil(lambda: run.state is RunState.ENDED, timeout=LONG)
    monkeypatch.setattr(controller.cluster, "connection", object())
    before = list(session.runs)
    for grow in (controller.go_on, controller.branch_on):
        session.notices.current = None
        grow()
        assert session.notices.current.text.startswith("objective and cluster clash: ")
        assert (run.state, list(session.runs)) == (RunState.ENDED, before)
    monkeypatch.undo()


def test_a_run_that_failed_before_its_first_round_is_not_in_the_script(session):
    run = session.new_run()
    assert f"run{run.number}" in study_script(session)
    session.runs.fail(run, "The rows do not fit.")
    assert f"run{run.number}" not in study_script(session)


def test_a_desk_without_a_cluster_awaits_none(qtbot):
    desk = ClusterDesk()
    assert not desk.is_awaited
    assert desk.record is None
