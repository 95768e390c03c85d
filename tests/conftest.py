"""What every test stands on: no screen, no trace of the person's own settings, nothing left behind."""

from __future__ import annotations

import gc
import logging
import os
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from tests.examples import load_profile, sample_of

# Whose cases are many and of one kind: readers, values and formats, which are closed.
SAMPLED_ROOMS = {"data", "formats", "scoring"}

# Tests whose young garbage was looked at before all is.
LOOKS_BEFORE_ALL = 50

# Before anything imports Qt, which reads these once.
_HOME = tempfile.TemporaryDirectory(prefix="workbench-tests-")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # on busy cores, more of them spin for minutes
os.environ["HOME"] = _HOME.name
for _kind in ("CONFIG", "DATA", "STATE"):
    os.environ[f"XDG_{_kind}_HOME"] = str(Path(_HOME.name, _kind.lower()))
# Kept between runs: compiled kernels live here, and compiling them takes longer than most tests.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / ".cache")


def pytest_addoption(parser):
    parser.addoption("--sample", type=int, default=0, help="which fifth of the sampled cases to take")


def pytest_configure(config):
    from workbench.kernels.promises import PROMISES  # after the folder for kernels is set
    from workbench.views.plain_import import import_plainly

    import_plainly()
    PROMISES.forbid()  # the other cores run tests
    load_profile(all_of_them=not config.option.markexpr)


def pytest_collection_modifyitems(config, items):
    """Leave four of five cases out of the tests that are sampled, unless all are asked for."""
    if not config.option.markexpr:
        return
    here = Path(__file__).parent
    sampled = [item for item in items
               if item.get_closest_marker("sampled") or item.path.relative_to(here).parts[0] in SAMPLED_ROOMS]
    left_out = set(sampled) - set(sample_of(sampled, config.option.sample))
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def _nothing_left_behind():
    """Fail a test that leaves a thread or a window."""
    threads, windows = _threads(), _windows()
    yield
    logging.getLogger("workbench").setLevel(logging.NOTSET)  # a command that was to be quiet leaves it so
    gc.collect(2 if gc.get_count()[2] > LOOKS_BEFORE_ALL else 1)
    for thread in _threads() - threads:
        thread.join(timeout=2)
    left = [f"thread {thread.name}" for thread in _threads() - threads]
    if _windows() - windows:
        gc.collect()  # a window in a reference cycle is garbage, not a leak
    left += [f"window {window!r}" for window in _windows() - windows]
    left += _projected()
    assert not left, f"the test left behind: {', '.join(left)}"


def _projected() -> list[str]:
    """Bring a test's projector back to the size as set, and say so."""
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    if not isinstance(app, QApplication) or app.property("scale") in (None, 1.0):
        return []
    from workbench.views.look.projector import project

    project(app, on=False)
    return ["the size of a projector"]


def pytest_sessionfinish():
    """Empty the clipboard: the offscreen platform lets go of it after Python has ended, and falls."""
    if "PySide6.QtGui" in sys.modules:
        from PySide6.QtGui import QGuiApplication

        if QGuiApplication.instance() is not None:
            QGuiApplication.clipboard().clear()


def _threads() -> set[threading.Thread]:
    # Qt's threads that ever ran Python show up as dummies, which Python never removes.
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}


def _windows() -> set[object]:
    if "PySide6.QtWidgets" not in sys.modules:
        return set()
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return {widget for widget in QApplication.topLevelWidgets() if widget.parent() is None}


@pytest.fixture
def threads_for_few_rows(monkeypatch):
    """Let threads share work that one would do as fast."""
    monkeypatch.setattr("workbench.trees.hist.method.HistMethod.least_cells", 0)
    monkeypatch.setattr("workbench.threads.team.LEAST_ROWS_A_PART", 1000)


def pytest_collection_finish():
    """Look no more at what was imported and collected: it stays to the end, and searching it takes long."""
    gc.collect()
    gc.freeze()
    gc.disable()  # a widget in a cycle must not become garbage of a worker thread; each test's end looks
