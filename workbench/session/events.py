"""What changed in a session."""

from __future__ import annotations

from psygnal import Signal, SignalGroup


class SessionEvents(SignalGroup):
    """What changed; a view redraws from the session when told."""

    table = Signal()  # another table, or a column of it changed its kind
    summaries = Signal()  # the columns' distributions are there
    plan = Signal()  # roles, objective or hold-out
    params = Signal()  # hyperparameters for the next run, or the next round of a live one
    runs = Signal()  # a run was added, or another is shown
    rounds = Signal()  # rounds were added to the shown run
    breakpoints = Signal()  # what pauses a run was set, or how far it goes
    state = Signal()  # a run started, paused, ended, or failed, shown or not
    selection = Signal()  # round, class, node, row or column
    display = Signal()  # how trees are coloured and arranged
    what_if = Signal()  # what is asked of the shown run's trees, or the answer
    pointed = Signal()  # the cursor came to a node of the shown tree, or left it
    overlay = Signal()  # which runs are drawn together, or compared
    journal = Signal()  # a line was taken down, or another one is the present
    playground = Signal()  # points in hand, the brush, or what the playground shows
    notice = Signal()  # a sentence for the person came or went
