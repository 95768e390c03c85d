from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QByteArray, QProcess

from tests.workers.by_hand import ByHand
from workbench.commands.base import COMMANDS
from workbench.ensembles.kernel_needs import rare_kernels
from workbench.errors import OutputError
from workbench.kernels.cache import mark_kernels_ready
from workbench.parameters.training import TrainingParams
from workbench.workers.jobs import Jobs
from workbench.workers.warmup import Warmup

LIBRARIES = """
import sys
from workbench.workers.jobs import Job
from workbench.workers.warmup import load_libraries
assert not {"numba", "pandas"} & set(sys.modules)
load_libraries(Job())
assert {"numba", "pandas"} <= set(sys.modules)
"""


@pytest.fixture
def made(qtbot):
    """A warm-up whose jobs are run by hand, and what it says."""
    executor = ByHand()
    jobs = Jobs(executor)
    warmup, said = Warmup(jobs), []
    warmup.finished.connect(said.append)
    warmup.remarked.connect(said.append)
    yield warmup, executor, said
    warmup.shutdown()
    jobs.shutdown()


def test_libraries_are_loaded_while_kernels_are_compiled(made, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    warmup, executor, said = made
    warmup.start()
    assert len(executor.calls) == 1
    assert said == []
    assert not warmup.ready.is_set()
    done = subprocess.run(
        [sys.executable, "-c", LIBRARIES], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def test_where_nothing_can_be_kept_the_person_is_told_and_may_train(made, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "folder"))
    warmup, _, said = made
    warmup.start()
    remark, loaded = said
    assert str(tmp_path / "file" / "folder") in remark
    assert "Set NUMBA_CACHE_DIR" in remark
    assert loaded is False
    assert warmup.ready.is_set()
    assert warmup.ready_for(TrainingParams(tree_method="exact")).is_set()
    with pytest.raises(OutputError, match="Set NUMBA_CACHE_DIR"):
        COMMANDS.get("warmup").run(None)


def test_what_is_kept_is_only_loaded(made, tmp_path, monkeypatch, qtbot):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("workbench.workers.warmup.load_kernels", lambda _job: None)
    mark_kernels_ready()
    mark_kernels_ready(rare=True)
    warmup, executor, said = made
    warmup.start()
    assert not warmup.ready.is_set()
    executor.run_all()
    qtbot.waitUntil(lambda: said == [True])
    assert warmup.ready.is_set()
    assert warmup.ready_for(TrainingParams(tree_method="exact")).is_set()


def test_kernels_that_few_need_are_compiled_once_the_others_are_loaded(made, tmp_path, monkeypatch, qtbot):
    started = []

    class Process(QProcess):
        def start(self, *command):
            started.append(command)

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("workbench.workers.warmup.load_kernels", lambda _job: None)
    monkeypatch.setattr("workbench.workers.warmup.QProcess", Process)
    mark_kernels_ready()
    warmup, executor, said = made
    warmup.start()
    assert started == []
    executor.run_all()
    qtbot.waitUntil(lambda: said == [True])
    assert len(started) == 1
    assert warmup.ready.is_set()
    assert not warmup.ready_for(TrainingParams(tree_method="exact")).is_set()


def test_a_run_waits_for_no_kernels_but_its_own(made, tmp_path, monkeypatch, qtbot):
    class Process(QProcess):
        def start(self, *_command):
            pass

        def readAllStandardOutput(self):
            return QByteArray(f"9/9 Ready\nREADY {rare_kernels(forest)}\n".encode())

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("workbench.workers.warmup.load_kernels", lambda _job: None)
    monkeypatch.setattr("workbench.workers.warmup.QProcess", Process)
    mark_kernels_ready()
    warmup, executor, said = made
    warmup.start()
    executor.run_all()
    qtbot.waitUntil(lambda: said == [True])
    forest = TrainingParams(method="forest")
    events = [warmup.ready_for(params) for params in (forest, TrainingParams(tree_method="exact"))]
    assert [event.is_set() for event in events] == [False, False]
    warmup._process.readyReadStandardOutput.emit()
    assert [event.is_set() for event in events] == [True, False]
    warmup._process.errorOccurred.emit(QProcess.ProcessError.Crashed)  # what is missing, the run compiles
    assert [event.is_set() for event in events] == [True, True]
