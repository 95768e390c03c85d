"""The panel that says where runs train, used as a hand would."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from distributed.utils import offload
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.cluster.connection import ClusterFacts
from workbench.session.run import RunState
from workbench.views.cluster.where_panel import ON_THIS_MACHINE, SCHEDULER, WherePanel, facts_words
from workbench.workers.cluster_desk import ClusterDesk
from workbench.workers.training_controller import TrainingController


@pytest.fixture
def panel(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    yield WherePanel(ClusterDesk(parent), parent)
    parent.close()


def visible(panel):
    return [name for name, field in panel.fields.items() if field.isVisibleTo(panel)]


def test_each_choice_has_its_own_fields(panel):
    assert visible(panel) == []
    panel.choice.setCurrentIndex(1)
    assert visible(panel) == ["workers", "threads", "memory"]
    panel.choice.setCurrentIndex(2)
    assert visible(panel) == ["address", "ca_file", "certificate", "key"]


def test_what_is_no_scheduler_is_said_and_nothing_is_contacted(panel, qtbot):
    panel.choice.setCurrentIndex(SCHEDULER)
    qtbot.keyClicks(panel.fields["address"], "nonsense")
    qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert "no cluster" in panel._note.text()
    assert panel._desk.state.where is None


def test_without_the_extra_the_line_that_installs_it_is_shown(panel, monkeypatch):
    monkeypatch.setattr("workbench.workers.cluster_desk.has_extra", lambda: False)
    panel.choice.setCurrentIndex(1)
    assert "pip install" in panel._note.text()
    assert not panel.button.isEnabled()


def test_the_facts_are_counted():
    assert facts_words(ClusterFacts(1, 2, 4 * 10**9, "")) == "1 worker, 2 cores, 4 GB"


@pytest.fixture(scope="module")
def _offload_thread():
    """Started before the test is watched: distributed keeps it to the end of the program."""
    asyncio.run(offload(int))


@pytest.mark.slow
@pytest.mark.usefixtures("_offload_thread")
def test_a_run_trains_and_goes_on_on_a_cluster_of_this_machine(qtbot, session):
    ready = threading.Event()
    ready.set()
    parent = QWidget()
    qtbot.addWidget(parent)
    controller = TrainingController(session, lambda _params: ready)
    panel = WherePanel(controller.cluster, parent)
    panel.choice.setCurrentIndex(ON_THIS_MACHINE)
    qtbot.keyClicks(panel.fields["workers"], "2")
    qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.cluster.state.is_connected, timeout=90_000)
    try:
        assert "2 workers" in panel._facts.text()
        session.hyperparameters.change(rounds=8)
        controller.train()
        qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=90_000)
        assert len(session.shown.run.rounds) == 8
        session.hyperparameters.change(rounds=12)
        controller.go_on()
        qtbot.waitUntil(lambda: len(session.shown.run.rounds) == 12, timeout=90_000)
        qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=90_000)
    finally:
        began = time.perf_counter()
        controller.shutdown()
    assert time.perf_counter() - began < 3.0
    assert controller.cluster.connection is None
