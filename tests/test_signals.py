"""Signals of the session: who hears them, and how often."""

import gc

import pytest

from workbench.session.events import SessionEvents


class Listener:
    """Counts what it hears."""

    def __init__(self) -> None:
        self.heard = 0

    def listen(self) -> None:
        self.heard += 1


def test_an_act_is_heard_once_and_single_words_at_once():
    events, listener = SessionEvents(), Listener()
    for signal in (events.runs, events.state):
        signal.connect(listener.listen)
    events.runs.emit()
    assert listener.heard == 1
    with events.act():
        events.runs.emit()
        with events.act():
            events.state.emit()
        assert listener.heard == 1, "not before the outermost act is over"
    assert listener.heard == 2


def test_what_is_said_while_an_act_is_told_is_heard_once_more_only_by_those_who_were_told():
    events, early, late = SessionEvents(), Listener(), Listener()
    said = []

    def say_once():
        if not said:
            said.append(1)
            events.params.emit()

    for slot in (early.listen, say_once, late.listen):
        events.runs.connect(slot)
        events.params.connect(slot)
    with events.act():
        events.runs.emit()
    assert (early.heard, late.heard) == (2, 1)


def test_an_act_that_fails_leaves_nothing_waiting():
    events, listener = SessionEvents(), Listener()
    events.runs.connect(listener.listen)

    def fail():
        with events.act():
            events.runs.emit()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    with events.act():
        pass
    assert listener.heard == 0


def test_who_is_gone_or_disconnected_hears_nothing():
    events, gone, still = SessionEvents(), Listener(), Listener()
    events.runs.connect(gone.listen)
    events.runs.connect(still.listen)
    del gone
    gc.collect()
    events.runs.emit()
    events.runs.disconnect(still.listen)
    events.runs.emit()
    assert still.heard == 1
