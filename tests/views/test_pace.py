"""What is put off is done, and leaves nothing behind."""

from __future__ import annotations

from weakref import getweakrefcount

from PySide6.QtCore import QObject

from workbench.views.pace import in_own_event


class Receiver(QObject):
    called = 0

    def call(self) -> None:
        self.called += 1


def test_a_call_in_its_own_event_leaves_no_reference(qtbot):
    receiver = Receiver()
    before = getweakrefcount(receiver)
    for _ in range(5):
        in_own_event(receiver.call, receiver)
    qtbot.waitUntil(lambda: receiver.called == 5)
    assert getweakrefcount(receiver) == before
