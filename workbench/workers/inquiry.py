"""Questions about what is selected, answered on a worker thread: the newest counts, answers are kept."""

from __future__ import annotations

from math import ceil
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from workbench.workers.jobs import Job, Jobs

SHARE = 0.03  # of a processor, while answers that follow a run that trains take up to 30 ms
LONGEST_REST = 1.0  # seconds: what takes longer comes once a second, at the cost of more


class Effort:
    """Seconds that a thread worked on a call, without those in which it waited."""

    def __init__(self) -> None:
        self.seconds = 0.0

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
    """

    answered = Signal()

    def __init__(
        self, jobs: Jobs, work: Callable[[Any, Job], Any], keep: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs, self._keep = jobs, keep
        self._work = WeakMethod(work)
        self._answers: dict[Hashable, Any] = {}
        self._problems: dict[Hashable, str] = {}
        self._job: Job | None = None
        self._subject: Hashable = None
        self._next: Hashable = None
        self._rested = 0.0  # seconds, on the clock
        self._wake = QTimer(self)
        self._wake.setSingleShot(True)
        self._wake.timeout.connect(self._go_on)
        self.newest: Hashable = None  # the subject answered last

    def ask(self, subject: Hashable, *, follows: bool = False) -> Any:
        """Return the answer to `subject`, or None while it is not known.

        With `follows` it is one of many that come by themselves, as a run trains: what is under way is
        finished first, and the thread then rests, so that training keeps the processor: 97 % of the time
        where the work took 30 ms of it or less, and never longer than a second. Waiting is no work.
        """
        if subject in self._answers:
            return self._answers[subject]
        if subject in self._problems or subject == self._subject:
            return None
        self._next = subject
        if not follows:
            self._rested = 0.0
            self._drop()
        self._go_on()
        return None

    def problem(self, subject: Hashable) -> str:
        """Return why there is no answer, "" where nothing is known against it."""
        return self._problems.get(subject, "")

    def known(self, subject: Hashable) -> Any:
        """Return the answer where it is known, without asking for it."""
        return self._answers.get(subject)

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
        if self._job is not None or self._next is None or work is None or self._rests():
            return
        subject, self._subject, self._next = self._next, self._next, None
        take, effort = WeakMethod(self._take), Effort()
        self._job = self._jobs.start(
            lambda job: effort.measure(lambda: work(subject, job)),
            done=lambda answer: _tell(take, subject, effort, False, answer),
            failed=lambda text: _tell(take, subject, effort, True, text),
        )

    def _take(self, subject: Hashable, effort: Effort, is_problem: bool, answer: Any) -> None:
        self._job = self._subject = None
        kept = self._problems if is_problem else self._answers
        kept[subject] = answer
        while len(kept) > self._keep:
            del kept[next(iter(kept))]
        self.newest = subject
        self._rested = perf_counter() + min(effort.seconds * (1 / SHARE - 1), LONGEST_REST)
        self.answered.emit()
        self._go_on()

    def _rests(self) -> bool:
        """Whether it is too soon to work again; comes back when it is not."""
        left = self._rested - perf_counter()
        if left <= 0.0:
            return False
        self._wake.start(ceil(1000 * left))
        return True


def _tell(take: WeakMethod[Callable[..., None]], *told: object) -> None:
    call = take()
    if call is not None:
        call(*told)
