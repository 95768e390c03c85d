"""How many splits survive as λ rises: worked out in a job whenever γ or α change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from workbench.explain.what_if.critical_values import Survivors, critical_lambdas

if TYPE_CHECKING:
    from workbench.explain.what_if.rescoring import Rescored
    from workbench.workers.jobs import Job, Jobs


class CurveQuestion(NamedTuple):
    """What critical λ depend on: the trees, γ and α."""

    stored: Rescored
    gamma: float | None
    reg_alpha: float | None


class LambdaCurves(QObject):
    """Answers with the newest curves of the same trees; `found` is told when newer ones are there."""

    found = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._asked: CurveQuestion | None = None
        self._known: tuple[CurveQuestion, Survivors, Survivors] | None = None
        self._job: Job | None = None

    def curves(self, jobs: Jobs, stored: Rescored, asked: Rescored) -> tuple[Survivors, Survivors] | None:
        """Return the curve of the stored trees and that of what is asked; None until they are known."""
        question = CurveQuestion(stored, asked.values.gamma, asked.values.reg_alpha)
        if self._asked is None or not _same(question, self._asked):
            self._ask(jobs, question, asked)
        if self._known is None or self._known[0].stored is not stored:
            return None
        return self._known[1:]

    def _ask(self, jobs: Jobs, question: CurveQuestion, asked: Rescored) -> None:
        if self._job is not None:
            self._job.cancel()
        self._asked = question

        def done(critical: tuple[Survivors, Survivors]) -> None:
            self._known = question, *critical
            self.found.emit()

        call = partial(_survivors, question.stored, asked)
        self._job = jobs.start(lambda _job: call(), done=done, failed=self._forget)

    def _forget(self, _text: str) -> None:
        self._asked = None


def _same(one: CurveQuestion, other: CurveQuestion) -> bool:
    return one.stored is other.stored and one[1:] == other[1:]


def _survivors(stored: Rescored, asked: Rescored) -> tuple[Survivors, Survivors]:
    return Survivors(critical_lambdas(stored)), Survivors(critical_lambdas(asked))
