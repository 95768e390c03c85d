"""Answers what predictions are worth, by rows, round and class: at once of a sample, then of all."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from workbench.session.own_file import OWN_OBJECTIVE
from workbench.workers.inquiry import Inquiry
from workbench.workers.rest import Rest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.findings import ColumnValues, PredictionFindings
    from workbench.explain.predictions.row_source import Predictor, RowSource
    from workbench.explain.predictions.scored_rows import ScoredRows
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.workers.jobs import Job, Jobs

KEPT, KEPT_SCORED, KEPT_SOURCES = 6, 2, 3
SHARE = 0.05  # of a processor that looking on may take from a run


class PartSubject(NamedTuple):
    """Rows of a run: of its hold-out ("valid") or its training ("train")."""

    run: Run
    part: str


class PredictionSubject(NamedTuple):
    """Some rows after a round, one class of them or one level, and the column that residuals lie along."""

    rows: PartSubject
    round: int
    k: int = 0
    column: str = ""


class MatrixSubject(NamedTuple):
    """Who is taken for whom above a threshold."""

    subject: PredictionSubject
    threshold: float


class PredictionDesk(QObject):
    """Each method returns what is known, or None and works it out; `answered` tells when to ask again."""

    answered = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sources: dict[Hashable, tuple[Any, RowSource]] = {}
        self._scored: dict[Hashable, ScoredRows] = {}
        self._lock = threading.Lock()
        rest = Rest(self, SHARE)
        self.quick = Inquiry(jobs, self._find_some, KEPT, rest, self)
        self.exact = Inquiry(jobs, self._find_all, KEPT, rest, self)
        self.matrices = Inquiry(jobs, self._take, KEPT, rest, self)
        for inquiry in (self.quick, self.exact, self.matrices):
            inquiry.answered.connect(self.answered)
        session.events.table.connect(self.forget)

    def findings(self, subject: PredictionSubject, *, follows: bool = False) -> PredictionFindings | None:
        """Return what is known of some rows: of all, else of a sample, which is asked for first.

        While a run trains and the newest round `follows`, the sample is all that is asked for.
        """
        known: PredictionFindings | None = self.exact.known(subject)
        if known is not None:
            return known
        some: PredictionFindings | None = self.quick.ask(subject, follows=follows)
        if some is not None and some.rows.is_sample and not follows:
            self.exact.ask(subject)
        elif some is None:
            self.exact.leave()
        return some

    def matrix(self, subject: PredictionSubject, threshold: float) -> Confusion | None:
        """Return who is taken for whom where class k is taken above a threshold; None while not known."""
        found: Confusion | None = self.matrices.ask(MatrixSubject(subject, threshold))
        return found

    def problem(self, subject: PredictionSubject) -> str:
        """Return why there is no answer, "" where nothing is known against it."""
        return self.quick.problem(subject)

    def is_exact(self, subject: PredictionSubject) -> bool:
        """Whether all rows are known, or will not be asked for."""
        return self.exact.known(subject) is not None

    def leave(self) -> None:
        """Stop what is under way: nobody looks any more."""
        for inquiry in (self.quick, self.exact, self.matrices):
            inquiry.leave()

    def forget(self) -> None:
        """Drop what is known: another table is open."""
        for inquiry in (self.quick, self.exact, self.matrices):
            inquiry.forget()
        with self._lock:
            self._sources.clear()
            self._scored.clear()

    # --- on worker threads ------------------------------------------------------------------

    def _find_some(self, subject: PredictionSubject, job: Job) -> PredictionFindings:
        source = self._source(subject.rows)
        return self._found(source if source.is_small else source.sample, subject, job)

    def _find_all(self, subject: PredictionSubject, job: Job) -> PredictionFindings:
        return self._found(self._source(subject.rows).most, subject, job)

    def _found(self, source: RowSource, subject: PredictionSubject, job: Job) -> PredictionFindings:
        from workbench.explain.predictions.findings import findings

        rows = self._rows(source, subject.round, job)
        return findings(rows, subject.k, self._column(source, rows, subject.column), job.cancelled)

    def _take(self, asked: MatrixSubject, job: Job) -> Confusion:
        from workbench.explain.predictions.confusion import confusion

        subject = asked.subject
        source = self._source(subject.rows)
        exact = self.exact.known(subject)
        rows = self._rows(source.most if exact is not None else source.sample, subject.round, job)
        return confusion(rows.target, rows.taken_for(subject.k, asked.threshold), rows.labels, rows.weight)

    def _rows(self, source: RowSource, round: int, job: Job) -> ScoredRows:
        """Return rows after a round; those looked at last are remembered, for another class or column."""
        key = (source, round)
        with self._lock:
            known = self._scored.get(key)
        if known is None:
            known = source.scored(round, job.cancelled)
            with self._lock:
                self._scored = _newest({**self._scored, key: known}, KEPT_SCORED)
        return known

    def _column(self, source: RowSource, rows: ScoredRows, name: str) -> ColumnValues | None:
        from workbench.explain.predictions.findings import ColumnValues

        schema = source.predictor.schema
        if name not in schema.names:
            return None
        place = schema.names.index(name)
        feature = schema.features[place]
        categories = feature.categories if feature.is_categorical else ()
        return ColumnValues(name, source.table.features[rows.rows, place], categories)

    def _source(self, part: PartSubject) -> RowSource:
        """Return the rows of a part; another list of rounds, after going back, has others."""
        rounds = part.run.rounds
        with self._lock:
            known = self._sources.get(part)
        if known is None or known[0] is not rounds:
            known = rounds, _source_of(part)
            with self._lock:
                self._sources = _newest({**self._sources, part: known}, KEPT_SOURCES)
        return known[1]


def predictor_of(run: Run) -> Predictor:
    """Return what a run predicts with. Raises WorkbenchError before the start."""
    from workbench.explain.predictions.row_source import Predictor
    from workbench.objectives.base import OBJECTIVES

    kept = run.kept()
    begun = kept.started.ensemble
    own = run.own.objective if begun.objective == OWN_OBJECTIVE else None
    objective = own or OBJECTIVES.get(begun.objective).with_params(run.params)
    return Predictor(begun, run.rounds, objective, kept.schema)


def _source_of(part: PartSubject) -> RowSource:
    from workbench.explain.predictions.row_source import AnsweredTable, RowSource

    data = part.run.dataset
    if data is None:
        from workbench.errors import WorkbenchError
        from workbench.explain.replay import NO_ROWS

        raise WorkbenchError(NO_ROWS)
    table = AnsweredTable(data.features, data.target, data.weight, data.groups, data.offset)
    rows = data.valid_rows if part.part == "valid" else data.train_rows
    return RowSource(predictor_of(part.run), table, rows)


def _newest(kept: dict[Any, Any], most: int) -> dict[Any, Any]:
    return dict(list(kept.items())[-most:])
