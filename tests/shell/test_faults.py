"""A fault of the program is told and logged; the window goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt, QTimer

from workbench.data.samples import sample_file
from workbench.session.run import RunState
from workbench.shell.faults import Faults
from workbench.views.controls.slider import Slider
from workbench.views.data.columns import ColumnRowDelegate
from workbench.views.table.cell_painter import CellPainter
from workbench.views.table.grid import TableGrid

LONG = 30_000


@pytest.fixture
def opened(window, qtbot, monkeypatch):
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome and window.frame.left.updatesEnabled())
    monkeypatch.setattr(sys, "excepthook", Faults(window.session, window).take)
    return window


def fail(*_arguments):
    raise ValueError("no such ink")


def repaint(window):
    for part in (window.frame.left, window.frame.centre):
        part.grab()


@pytest.mark.sampled
@pytest.mark.parametrize("delegate", [CellPainter, ColumnRowDelegate])
def test_a_delegate_that_fails_to_paint_ends_nothing(opened, qtbot, monkeypatch, caplog, delegate):
    with monkeypatch.context() as broken:
        broken.setattr(delegate, "_paint_ground", fail)
        repaint(opened)
    qtbot.waitUntil(lambda: opened.session.notices.current is not None)
    assert opened.frame.notice.text.startswith("A fault of the program in test_faults.py, line ")
    assert opened.frame.notice.text.endswith(
        "ValueError: no such ink. What is open stays open, and a run goes on."
    )
    assert opened.frame.notice.isVisible()
    assert caplog.text.count("Traceback") == 1  # however many cells
    opened.session.notices.dismiss()
    repaint(opened)
    assert not opened.frame.notice.isVisible()


@pytest.mark.slow
def test_a_widget_that_fails_to_paint_lets_go_of_its_painter(opened, qtbot, monkeypatch):
    opened.frame.left.show_view("parameters")
    with monkeypatch.context() as broken:
        broken.setattr(Slider, "_paint_handle", fail)
        qtbot.waitUntil(lambda: opened.session.notices.current is not None)  # painted in turns
        assert not opened.frame.left.grab().isNull()
    assert "no such ink" in opened.session.notices.current.text
    assert not opened.frame.left.grab().isNull()


def test_a_model_that_fails_answers_as_if_it_had_nothing(opened, qtbot, monkeypatch):
    grid = opened.frame.centre.views[0].findChild(TableGrid)
    monkeypatch.setattr(type(grid.table_model), "row_at", fail)
    assert grid.table_model.data(grid.table_model.index(0, 0)) is None
    qtbot.waitUntil(lambda: opened.session.notices.current is not None)


def test_a_slot_that_fails_is_told_and_the_run_goes_on(opened, qtbot, monkeypatch):
    monkeypatch.setattr(type(opened.runs), "stop", fail)
    QTimer.singleShot(0, opened.runs.stop)
    qtbot.waitUntil(lambda: opened.session.notices.current is not None)
    assert "no such ink" in opened.session.notices.current.text
    opened.session.hyperparameters.change(rounds=3)
    qtbot.mouseClick(opened.frame.transport.primary_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert len(opened.session.shown.run.rounds) == 3


@pytest.mark.slow
def test_an_interrupt_is_no_fault(opened, capsys):
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert "KeyboardInterrupt" in capsys.readouterr().err
    assert opened.session.notices.current is None


ALL_LOADED = """
import pkgutil, sys
from pathlib import Path
import workbench
import workbench.app
from workbench.shell.settings import Settings

loaded = set()
workbench.app.shield_overrides = lambda: loaded.update(sys.modules)
window = workbench.app.build_window(workbench.app.application(), Settings(Path(sys.argv[1])))
rooms = ("workbench.views", "workbench.shell", "workbench.workers")
names = [module.name for module in pkgutil.walk_packages(workbench.__path__, "workbench.")]
print([name for name in names if name.startswith(rooms) and name not in loaded])
window.close()
"""


@pytest.mark.slow
def test_every_class_of_the_window_is_there_when_its_methods_are_shielded(tmp_path):
    command = [sys.executable, "-c", ALL_LOADED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
