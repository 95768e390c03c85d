"""The work of the tab Explain off the window's thread: the newest question of a kind counts."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from workbench.errors import leave_if
from workbench.session.run import RunState
from workbench.workers.inquiry import Inquiry

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from workbench.session.run import Run
    from workbench.session.selection import Selection
    from workbench.session.session import Session
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.rest import Rest

    ReadyNamed = Callable[[str], threading.Event]

KEPT_ANSWERS = 8  # of each kind


READY_SECONDS = 0.05  # between looks whether kernels are compiled


class AskedOfModel(Hashable, Protocol):
    """What a page wants to know: of a class of its own, and hashable by all that the answer depends on.

    A class that takes kernels which are compiled late names them as `kernels`.
    """

    def answer(self, cancelled: Callable[[], bool]) -> Any:
        """Work it out, on a worker thread; never None. Raises Cancelled and WorkbenchError."""


class ExplainDesk(QObject):
    """Takes the questions of all pages, those of one class in one queue: a newer one ends the one before.

    While a run trains and its newest round is looked at, questions follow it: what is under way is
    finished, and then all rest, so that training keeps the processor. The first question of a class after
    the person has chosen something is asked by hand: it does not wait.
    """

    answered = Signal()  # ask again

    def __init__(
        self, session: Session, jobs: Jobs, rest: Rest, ready_named: ReadyNamed, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ready_named = ready_named
        self._session, self._jobs, self._rest = session, jobs, rest
        self._inquiries: dict[type, Inquiry] = {}
        self._rounds: WeakKeyDictionary[Run, Any] = WeakKeyDictionary()  # which are others after going back
        self._following: set[type] = set()  # classes asked since the person has chosen something
        self._chosen: Selection | None = None  # what is selected, but for the round
        session.events.explained.connect(self.look_anew)
        session.events.selection.connect(self._note_choice)
        session.events.table.connect(self.forget)

    def ask(self, question: AskedOfModel) -> Any:
        """Return the answer, or None while it is not known; `answered` tells when to ask again."""
        self._forget_other_rounds()
        follows = self._follows and type(question) in self._following
        self._following.add(type(question))
        return self._of(type(question)).ask(question, follows=follows)

    def look_anew(self) -> None:
        """The person looks at something else: what is asked next is asked by hand."""
        self._following.clear()

    def _note_choice(self) -> None:
        chosen = replace(self._session.shown.selection, round=None)
        if chosen != self._chosen:
            self._chosen = chosen
            self.look_anew()

    def problem(self, question: AskedOfModel) -> str:
        """Return why there is no answer, "" where nothing is known against it."""
        return self._of(type(question)).problem(question)

    def known(self, question: AskedOfModel) -> Any:
        """Return the answer where it is known, without asking."""
        return self._of(type(question)).known(question)

    def newest(self, kind: type) -> tuple[Any, Any] | None:
        """Return the question of a class that was answered last, and its answer; None where there is none."""
        inquiry = self._of(kind)
        answer = inquiry.known(inquiry.newest)
        return None if answer is None else (inquiry.newest, answer)

    def leave(self, *kinds: type) -> None:
        """Give up what is under way of these classes: nobody looks at it any more."""
        for kind in kinds:
            self._of(kind).leave()

    def forget(self) -> None:
        """Drop all answers, and what is under way."""
        for inquiry in self._inquiries.values():
            inquiry.forget()

    def _forget_other_rounds(self) -> None:
        run = self._session.shown.run
        if run is None:
            return
        known = self._rounds.get(run)
        if known is not run.rounds:
            self._rounds[run] = run.rounds
            if known is not None:
                self.forget()

    @property
    def _follows(self) -> bool:
        shown = self._session.shown
        trains = shown.run is not None and shown.run.is_live and shown.run.state is not RunState.PAUSED
        return trains and shown.selection.round is None

    def _of(self, kind: type) -> Inquiry:
        if kind not in self._inquiries:
            made = Inquiry(self._jobs, self._answer, KEPT_ANSWERS, self._rest, self)
            made.answered.connect(self.answered)
            self._inquiries[kind] = made
        return self._inquiries[kind]

    def is_compiling(self, question: AskedOfModel) -> bool:
        """Whether kernels that it takes are not compiled yet."""
        name = getattr(question, "kernels", "")
        return bool(name) and not self._ready_named(name).is_set()

    def _answer(self, question: AskedOfModel, job: Job) -> Any:
        name = getattr(question, "kernels", "")
        ready = self._ready_named(name) if name else None  # compiling here would hold the window's thread up
        while ready is not None and not ready.wait(READY_SECONDS):
            leave_if(job.cancelled)
        return question.answer(job.cancelled)
