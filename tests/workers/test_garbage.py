from __future__ import annotations

import gc
import threading
import weakref

from PySide6.QtCore import QObject

from workbench.workers import garbage
from workbench.workers.garbage import GarbageCollection


class Knot:
    """Refers to itself, and says on which thread it went."""

    def __init__(self, seen):
        self.me = self
        weakref.finalize(self, lambda: seen.append(threading.current_thread()))


def test_cycles_made_by_a_worker_go_on_the_windows_thread(qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "EVERY_MS", 1)
    seen = []
    owner = QObject()
    try:
        GarbageCollection(owner)
        worker = threading.Thread(target=lambda: [Knot(seen) for _ in range(1000)])
        worker.start()
        worker.join()
        assert seen == []
        qtbot.waitUntil(lambda: len(seen) == 1000)
        assert set(seen) == {threading.main_thread()}
    finally:
        owner.deleteLater()


def test_what_the_program_holds_is_looked_at_once(qtbot):
    owner = QObject()
    try:
        gc.unfreeze()
        before = gc.get_freeze_count()
        GarbageCollection(owner).leave_out_what_is_there()
        assert gc.get_freeze_count() > before + 1000
        assert len(gc.get_objects()) < 1000
    finally:
        gc.unfreeze()
        owner.deleteLater()


def test_what_is_made_in_masses_is_looked_at_once_and_again_when_nothing_is_done(qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "EVERY_MS", 1)
    monkeypatch.setattr(garbage, "QUIET_MS", 400)
    monkeypatch.setattr(garbage, "QUIET_SHARE", 1e9)
    seen, owner, before = [], QObject(), gc.get_freeze_count()
    try:
        held = [True]
        made_garbage = GarbageCollection(owner)
        made_garbage.wait_while(lambda: held[0])
        made = [[place] for place in range(50_000)]
        knot = Knot(seen)
        qtbot.waitUntil(lambda: gc.get_freeze_count() > before + 50_000)
        gc.collect()
        del made, knot
        gc.collect()
        assert seen == []
        qtbot.waitUntil(lambda: made_garbage._quiet_ms >= 400)
        assert seen == []
        held[0] = False
        qtbot.waitUntil(lambda: len(seen) == 1)
    finally:
        gc.unfreeze()
        owner.deleteLater()
