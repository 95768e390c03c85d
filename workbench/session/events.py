"""What changed in a session."""

from __future__ import annotations

from workbench.signals import Signal, Teller


class SessionEvents:
    """What changed; a view redraws from the session when told.

    Attributes
    ----------
    act : callable () -> context manager
        What is said in its block is heard once, at the end of it.
    """

    def __init__(self) -> None:
        self._teller = teller = Teller()
        self.act = teller.act
        self.table = Signal(teller)  # another table, or a column of it changed its kind
        self.summaries = Signal(teller)  # the columns' distributions are there
        self.plan = Signal(teller)  # roles, objective or hold-out
        self.params = Signal(teller)  # hyperparameters for the next run, or the next round of a live one
        self.runs = Signal(teller)  # a run was added, or another is shown
        self.rounds = Signal(teller)  # rounds were added to the shown run
        self.breakpoints = Signal(teller)  # what pauses a run was set, or how far it goes
        self.state = Signal(teller)  # a run started, paused, ended, or failed, shown or not
        self.selection = Signal(teller)  # round, class, node, row or column
        self.display = Signal(teller)  # how trees are coloured and arranged
        self.what_if = Signal(teller)  # what is asked of the shown run's trees, or the answer
        self.pointed = Signal(teller)  # the cursor came to a node of the shown tree, or left it
        self.overlay = Signal(teller)  # which runs are drawn together, or compared
        self.validation = Signal(teller)  # a fold or a refit said something, or how runs are validated
        self.journal = Signal(teller)  # a line was taken down, or another one is the present
        self.playground = Signal(teller)  # points in hand, the brush, or what the playground shows
        self.explained = Signal(teller)  # what the tab Explain shows
        self.notice = Signal(teller)  # a sentence for the person came or went

    def another(self) -> Signal:
        """Return a signal of the listener's own, heard among these: who hears both is called once."""
        return Signal(self._teller)
