"""A monkey at the window: it clicks, types and drags without thought, the same with the same seed.

    python -X faulthandler -m tests.shell.monkey SEED ACTIONS

Prints one line of JSON: what went wrong, and the memory held after each fifth of the actions, with nothing
but a table open. No files are chosen.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QWidget

from tests.remembered_items import misled
from workbench.app import application, build_window
from workbench.data.readers.options import GUESS_ALL
from workbench.data.samples import sample_file
from workbench.shell.settings import Settings
from workbench.workers.garbage import GarbageCollection

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.shell.main_window import MainWindow

SAMPLES = (
    "penguins", "heart_disease", "concrete_strength", "digits_8x8", "nile_flow", "baking_contest_ranking",
    "crash_survival",
)  # fmt: skip
NOT_PRESSED = ("open", "export", "save", "…", "folder", "import", "quit", "close")  # they ask for files
KEYS = (
    Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return,
    Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_C, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageDown,
)  # fmt: skip
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "reg_lambda": (0.0, 0.1, 4.0, 100.0), "gamma": (0.0, 0.5, 50.0), "learning_rate": (0.01, 0.3, 1.0),
    "max_depth": (1, 3, 8, 0), "rounds": (1, 20, 300), "tree_method": ("hist", "exact", "approx"),
    "subsample": (0.3, 1.0), "early_stopping_rounds": (None, 5),
}  # fmt: skip
WEIGHTS = {
    "press": 45, "type": 17, "point": 10, "set_parameter": 10, "train": 2, "take_back": 3, "resize": 2,
    "recolour": 2, "open": 2, "wait": 7,
}  # fmt: skip
LEAST = 60  # pixels of what is pointed at
CLOSED_MS = 400  # after which a menu or dialog is closed that waits for an answer
LONG_SECONDS, LOOKED_MS = 120, 20
MEASURED = 5  # times, after as many actions each, memory is measured
NOT_TOLD = "This plugin does not support"  # of Qt's offscreen platform


class Monkey:
    """Acts on a window; `faults` holds the errors and warnings that came of it."""

    def __init__(self, window: MainWindow, chance: Random) -> None:
        self._window, self._chance = window, chance
        self.faults: list[str] = []
        self._closing = QTimer(window, interval=CLOSED_MS)
        self._closing.timeout.connect(_close_what_waits)
        self._closing.start()

    def listen(self) -> None:
        """Hear of every error, on whatever thread, and of Qt's warnings."""
        sys.excepthook = lambda kind, error, trace: self.faults.append(
            "".join(traceback.format_exception(kind, error, trace))
        )
        threading.excepthook = lambda told: sys.excepthook(told.exc_type, told.exc_value, told.exc_traceback)
        qInstallMessageHandler(self._hear)

    def _hear(self, _kind: object, _context: object, text: str) -> None:
        if NOT_TOLD not in text:
            self.faults.append(f"Qt: {text}")

    def act(self) -> None:
        """Do one thing."""
        (name,) = self._chance.choices([*WEIGHTS], [*WEIGHTS.values()])
        getattr(self, f"_{name}")()
        QTest.qWait(3)

    def _press(self) -> None:
        buttons = [button for button in self._window.findChildren(QAbstractButton)
                   if button.isVisible() and button.isEnabled() and _may_be_pressed(button)]
        QTest.mouseClick(self._chance.choice(buttons), Qt.MouseButton.LeftButton)

    def _type(self) -> None:
        QTest.keyClick(QApplication.focusWidget() or self._window, self._chance.choice(KEYS))

    def _point(self) -> None:
        widget = self._chance.choice([
            part for part in self._window.findChildren(QWidget)
            if part.isVisible() and min(part.width(), part.height()) > LEAST
        ])
        place = QPoint(self._chance.randrange(widget.width()), self._chance.randrange(widget.height()))
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def _set_parameter(self) -> None:
        name = self._chance.choice([*PARAMETERS])
        self._window.session.hyperparameters.change(**{name: self._chance.choice(PARAMETERS[name])})

    def _train(self) -> None:
        self._window.runs.start()

    def _take_back(self) -> None:
        session = self._window.session
        self._chance.choice([session.journal.undo, session.journal.redo])()

    def _resize(self) -> None:
        self._window.resize(self._chance.randrange(1000, 2000), self._chance.randrange(640, 1200))

    def _recolour(self) -> None:
        self._chance.choice([self._window.scheme.use_light, self._window.scheme.use_dark])()

    def _open(self) -> None:
        self._window.open_path(sample_file(self._chance.choice(SAMPLES)))

    def _wait(self) -> None:
        QTest.qWait(self._chance.randrange(5, 120))

    def wait_for(self, condition: Callable[[], bool], words: str) -> None:
        """Let the window work until a condition holds; a fault in these words where it never does."""
        end = time.monotonic() + LONG_SECONDS
        while not condition():
            if time.monotonic() > end:
                self.faults.append(words)
                return
            QTest.qWait(LOOKED_MS)

    def come_to_rest(self) -> float:
        """Read the first sample, wait until nothing is under way, and return MB that the process holds."""
        session, bench = self._window.session, self._window.bench
        before = session.data.table
        self._window.documents.open(sample_file(SAMPLES[0]), GUESS_ALL)  # also where it is open
        self.wait_for(lambda: session.data.table is not before, "A table is not opened.")
        self.wait_for(lambda: not bench.controller.is_live, "A run does not end.")
        self.wait_for(lambda: bench.jobs.is_idle, "A job does not end.")
        gc.unfreeze()  # also what is not looked at while the window is in use
        gc.collect()
        return _held_megabytes()


def _may_be_pressed(button: QAbstractButton) -> bool:
    words = f"{button.text()} {button.toolTip()} {button.accessibleName()}".lower()
    return not any(word in words for word in NOT_PRESSED)


def _close_what_waits() -> None:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog | QMenu) and widget.isVisible():
            widget.close()


def _held_megabytes() -> float:
    """Memory of the process now; 0 where the system does not say."""
    file = Path("/proc/self/statm")
    return int(file.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20 if file.exists() else 0.0


def main(seed: int, actions: int) -> None:
    """Let a monkey loose, and print what came of it."""
    app = application()
    GarbageCollection(app)
    with tempfile.TemporaryDirectory() as folder:
        window = build_window(app, Settings(Path(folder)))
        window.resize(1440, 900)
        window.show()
        window.warmup.start()
        monkey = Monkey(window, Random(seed))
        monkey.listen()
        monkey.wait_for(window.warmup.ready.is_set, "The kernels are not loaded.")
        monkey.come_to_rest()
        held = []
        for _ in range(MEASURED):
            for _ in range(actions // MEASURED):
                monkey.act()
            held.append(monkey.come_to_rest())
        if misled(QApplication.topLevelWidgets()):
            monkey.faults.append("PySide remembers items of layouts that are gone.")
        window.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        threads = [thread.name for thread in threading.enumerate()
                   if not isinstance(thread, threading._DummyThread | threading._MainThread)]
        told = {"actions": actions, "faults": monkey.faults, "threads": threads, "held": held}
        sys.__stdout__.write(f"{json.dumps(told)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
