from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.parameters.training import TrainingParams
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.workers import training_controller
from workbench.workers.training_controller import RAREST_REPAINT_MS, REPAINT_MS, TrainingController


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2)).astype(np.float32)
    table = Table("made", (Column("a", "number", x[:, 0]), Column("b", "number", x[:, 1]),
                           Column("y", "number", x[:, 0] + x[:, 1])))  # fmt: skip
    made = Session()
    made.open_table(table, Plan({"a": "feature", "b": "feature", "y": "target"}, "squared"), {})
    made.set_params(TrainingParams(rounds=100_000, threads=1))
    return made


@pytest.mark.parametrize(
    ("cores", "work", "least", "most"),
    [
        (1, 0.009, 290, 310),  # 9 ms of drawing are 3 % of 300
        (1, 10.0, RAREST_REPAINT_MS, RAREST_REPAINT_MS),
        (1, 0.0, REPAINT_MS, REPAINT_MS),
        (2, 0.009, REPAINT_MS, REPAINT_MS),  # drawing has a core of its own
    ],
)
def test_drawing_takes_a_small_share_of_the_only_core(qtbot, session, monkeypatch, cores, work, least, most):
    ready, worked = threading.Event(), [0.0]
    ready.set()

    def thread_time():
        worked[0] += work
        return worked[0]

    monkeypatch.setattr(training_controller.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(time, "thread_time", thread_time)
    controller = TrainingController(session, lambda _params: ready)
    controller.train()
    qtbot.waitUntil(lambda: session.run.started is not None and len(session.run.rounds) > 1)
    assert least <= controller.repaint_ms <= most
    controller.pause()
    assert controller.repaint_ms == REPAINT_MS
    qtbot.waitUntil(lambda: session.run.state is RunState.PAUSED)
    assert controller.repaint_ms == REPAINT_MS
    controller.shutdown()
