"""Questions about what is selected, answered on a worker thread: the newest counts, answers are kept."""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from PySide6.QtCore import QObject, Signal

from workbench.workers.rest import Rest

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from workbench.workers.jobs import Job, Jobs


class Effort:
    """Seconds that a thread worked on a call, without those in which it waited; and whether it follows."""

    def __init__(self, follows: bool) -> None:
        self.seconds, self.follows = 0.0, follows

    def measure(self, call: Callable[[], Any]) -> Any:
        """Return what `call` returns."""
        began = thread_time()
        try:
            return call()
        finally:
            self.seconds = thread_time() - began


class Inquiry(QObject):
    """One kind of question.

    `ask` returns the answer where it is known; otherwise it is worked out, and `answered` tells when to
    ask again. Another subject takes the place of one that is under way.

    Parameters
    ----------
    work : bound method
        `work(subject, job)` on a worker thread. Whose it is, is not kept alive, nor does a job keep this
        alive: cycles would be collected on whatever thread, where Qt's objects must not end.
    keep : int
        Answers that are kept, the newest.
    rest : Rest, optional
        Shared by all that are asked about the same run.
    in_python : callable (subject) -> bool, optional
        Whether a question is answered by Python here, not by machine code: see `Jobs.start`.
    """

    answered = Signal()
    progressed = Signal(int, int)  # done, total, of what is under way

    def __init__(
        self, jobs: Jobs, work: Callable[[Any, Job], Any], keep: int, rest: Rest | None = None,
        parent: QObject | None = None, in_python: Callable[[Any], bool] | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._keep, self._in_python = jobs, keep, in_python
        self._work = WeakMethod(work)
        self._answers: dict[Hashable, Any] = {}
        self._problems: dict[Hashable, str] = {}
        self._job: Job | None = None
        self._subject: Hashable = None
        self._next: Hashable = None
        self._follows = False  # whether what comes next was not asked for by hand
        self._rest = rest or Rest(self)
        self._rest.over.connect(self._go_on)
        self.newest: Hashable = None  # the subject answered last

    def ask(self, subject: Hashable, *, follows: bool = False) -> Any:
        """Return the answer to `subject`, or None while it is not known.

        With `follows` it is one of many that come by themselves, as a run trains: what is under way is
        finished first, and then all that follow it rest, so that training keeps the processor: see `Rest`.
        Waiting is no work.
        """
        if subject in self._answers:
            return self._answers[subject]
        if subject in self._problems or subject == self._subject:
            return None
        self._next, self._follows = subject, follows
        if not follows:
            self._drop()
        self._go_on()
        return None

    def problem(self, subject: Hashable) -> str:
        """Return why there is no answer, "" where nothing is known against it."""
        return self._problems.get(subject, "")

    def known(self, subject: Hashable) -> Any:
        """Return the answer where it is known, without asking for it."""
        return self._answers.get(subject)

    def put(self, subject: Hashable, answer: Any) -> None:
        """Keep an answer that was worked out elsewhere."""
        if subject == self._subject:
            self._drop()
        self._keep_answer(self._answers, subject, answer)

    def leave(self) -> None:
        """Drop what is under way and what was to come; what is known stays."""
        self._drop()
        self._next = None

    def forget(self) -> None:
        """Drop all answers, and what is under way."""
        self._drop()
        self._next = self.newest = None
        self._answers.clear()
        self._problems.clear()

    def _drop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = self._subject = None

    def _go_on(self) -> None:
        work = self._work()
        if self._job is not None or self._next is None or work is None:
            return
        if self._follows and self._rest.lasts():
            return
        subject, self._subject, self._next = self._next, self._next, None
        take, effort = WeakMethod(self._take), Effort(self._follows)
        self._job = self._jobs.start(
            lambda job: effort.measure(lambda: work(subject, job)),
            done=lambda answer: _tell(take, subject, effort, False, answer),
            failed=lambda text: _tell(take, subject, effort, True, text),
            progressed=self.progressed.emit,
            in_python=self._in_python is not None and self._in_python(subject),
        )

    def _take(self, subject: Hashable, effort: Effort, is_problem: bool, answer: Any) -> None:
        self._job = self._subject = None
        self._keep_answer(self._problems if is_problem else self._answers, subject, answer)
        if effort.follows:
            self._rest.add(effort.seconds)
        self.answered.emit()
        self._go_on()

    def _keep_answer(self, kept: dict[Hashable, Any], subject: Hashable, answer: Any) -> None:
        kept[subject] = answer
        while len(kept) > self._keep:
            del kept[next(iter(kept))]
        self.newest = subject


def _tell(take: WeakMethod[Callable[..., None]], *told: object) -> None:
    call = take()
    if call is not None:
        call(*told)
