"""Tables of very many columns: the window does nothing once for each of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QListView, QPushButton

from workbench.data.statistics import column_summary
from workbench.data.table import Column, Table
from workbench.session.opening.open_file import first_plan
from workbench.session.run import RunState

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS, ROWS = 30_000, 20
LONG = 60_000
MOST_SECONDS = 0.2  # of the processor between two turns of the event loop


class Turns:
    """What the window's thread took of the processor between two turns of its event loop, at most."""

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.timeout.connect(self._turn)
        self._last = self.longest = 0.0

    def start(self) -> None:
        self._last = time.thread_time()
        self._timer.start(0)

    def _turn(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now

    def stop(self) -> None:
        self._timer.stop()


@pytest.fixture
def turns(qtbot: Any) -> Iterator[Turns]:
    made = Turns()
    yield made  # which `wide` starts once the table is made
    made.stop()


def wide_table() -> Table:
    values = np.random.default_rng(0).normal(size=(COLUMNS, ROWS)).astype(np.float32)
    columns = [Column(f"gene {place}", "number", own) for place, own in enumerate(values[1:])]
    target = Column("ill", "boolean", (values[0] > 0).astype(np.float32), ("no", "yes"))
    return Table("wide.csv", (*columns, target))


@pytest.fixture
def wide(window: Any, qtbot: Any, turns: Turns) -> Any:
    table = wide_table()
    plan, same = first_plan(table), column_summary(table.columns[0])
    summaries = dict.fromkeys(table.names, same)
    qtbot.waitUntil(window.warmup.ready.is_set, timeout=LONG)
    turns.start()
    window.session.open_table(table, plan, summaries)
    window.pages.show_table()
    idle(window, qtbot)
    return window


def idle(window: Any, qtbot: Any) -> None:
    qtbot.waitUntil(lambda: window.bench.jobs.is_idle, timeout=LONG)


@pytest.mark.slow
def test_it_is_shown_and_planned_without_a_stall(qtbot, turns, wide):
    data = wide.frame.left.view("data")
    assert data.columns.model().rowCount() == COLUMNS
    wide.session.shown.select(column="gene 29990")
    data.columns.role_chosen.emit("gene 7", "ignore")
    idle(wide, qtbot)
    wide.resize(1280, 800)
    for view in wide.frame.centre.views:
        wide.frame.centre.show_view(view.name)
        idle(wide, qtbot)
    assert turns.longest < MOST_SECONDS
    told = wide.frame.status.sentence
    qtbot.waitUntil(lambda: told.text().startswith("Ready to train on 29,998 features."))


@pytest.mark.slow
def test_columns_are_found_and_hidden_without_a_stall(qtbot, turns, wide):
    view = wide.frame.centre.view("table")
    view.columns_button.click()
    popup = QApplication.activePopupWidget()
    listed = popup.findChild(QListView)
    next(button for button in popup.findChildren(QPushButton) if button.text() == "Hide all").click()
    popup.close()
    assert listed.model().rowCount() == COLUMNS
    assert view.columns_button.text() == "Columns: 0 of 30,000"
    assert view.grid.model().columnCount() == 0
    qtbot.waitUntil(lambda: turns.longest > 0)
    assert turns.longest < MOST_SECONDS


@pytest.mark.slow
def test_a_run_is_looked_into_without_a_stall(qtbot, turns, wide):
    session = wide.session
    session.hyperparameters.change(rounds=3)
    wide.runs.start()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    wide.frame.centre.show_view("ensemble")
    idle(wide, qtbot)
    wide.frame.centre.show_view("tree")
    session.shown.select(round=1, node=0)
    wide.frame.bottom.show_view("rows")
    rows = wide.frame.bottom.view("rows")
    qtbot.waitUntil(lambda: rows.table.model().rowCount() > 0, timeout=LONG)
    assert rows.table.model().columnCount() > COLUMNS
    assert turns.longest < MOST_SECONDS
