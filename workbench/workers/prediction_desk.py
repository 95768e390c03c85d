"""Answers what predictions are worth, by rows, round and class: at once of a sample, then of all."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from workbench.errors import WorkbenchError
from workbench.session.own_file import OWN_OBJECTIVE
from workbench.workers.inquiry import Inquiry
from workbench.workers.rest import Rest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from workbench.data.row_set import RowSet
    from workbench.data.table import Table
    from workbench.explain.predictions.bare_columns import BareColumns
    from workbench.explain.predictions.bare_source import BareSource
    from workbench.explain.predictions.brush import Brush
    from workbench.explain.predictions.column_contrast import ColumnContrast
    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.findings import PredictionFindings
    from workbench.explain.predictions.marks import RowMarks
    from workbench.explain.predictions.row_source import Predictor, RowSource
    from workbench.explain.predictions.scored_rows import ScoredRows
    from workbench.explain.predictions.shared_leaves import SharedLeaves
    from workbench.scoring.answered_file import AnsweredFile
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.validation.result import FoldRun
    from workbench.workers.jobs import Job, Jobs

NO_TABLE = "This model came from a file, without its rows. Open the table that it was trained on."
KEPT, KEPT_EXACT, KEPT_SCORED, KEPT_SOURCES = 6, 2, 2, 3
SHARE = 0.05  # of a processor that looking on may take from a run


class PartSubject(NamedTuple):
    """Rows of a run: of its hold-out ("valid"), its training ("train"), its `folds`, or of a second table.

    After going back a run has another list of rounds, and `rounds` is another number.
    """

    run: Run
    part: str
    rounds: int
    file: AnsweredFile | None = None
    folds: tuple[FoldRun, ...] = ()  # those that are trained

    @classmethod
    def of(cls, run: Run, part: str, file: AnsweredFile | None = None) -> PartSubject:
        """Return the rows of a run as it stands."""
        return cls(run, part, id(run.rounds), file)


@dataclass(frozen=True, eq=False)
class BareSubject:
    """A table of bare predictions, without a model."""

    table: Table
    columns: BareColumns



class PredictionSubject(NamedTuple):
    """Some rows after a round, one class of them or one level, and the column that residuals lie along."""

    rows: PartSubject | BareSubject
    round: int
    k: int = 0
    column: str = ""


class MatrixSubject(NamedTuple):
    """Who is taken for whom above a threshold."""

    subject: PredictionSubject
    threshold: float
    is_exact: bool


class BrushSubject(NamedTuple):
    """What a hand brushed in a picture."""

    subject: PredictionSubject
    brush: Brush


class RowSetSubject(NamedTuple):
    """Rows that were brushed, and the model after a round that is looked at for what they share."""

    rows: PartSubject | BareSubject
    round: int
    chosen: RowSet


class MarksSubject(NamedTuple):
    """Where selected rows lie in the pictures of some rows."""

    subject: PredictionSubject
    chosen: RowSet
    is_exact: bool


class RowSetFindings(NamedTuple):
    """What some rows share: leaves, and how their columns differ from the rest."""

    leaves: SharedLeaves
    contrasts: tuple[ColumnContrast, ...]


class PredictionDesk(QObject):
    """Each method returns what is known, or None and works it out; `answered` tells when to ask again."""

    answered = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sources: dict[Hashable, RowSource | BareSource] = {}
        self._scored: dict[Hashable, ScoredRows] = {}
        self._lock = threading.Lock()
        rest = Rest(self, SHARE)
        self.quick = Inquiry(jobs, self._find_some, KEPT, rest, self)
        self.exact = Inquiry(jobs, self._find_all, KEPT_EXACT, rest, self)
        self.matrices = Inquiry(jobs, self._take, KEPT, rest, self)
        self.brushes = Inquiry(jobs, self._choose, KEPT, rest, self)
        self.shared = Inquiry(jobs, self._share, KEPT, rest, self)
        self.marked = Inquiry(jobs, self._mark, KEPT, rest, self)
        self._inquiries = (
            self.quick, self.exact, self.matrices, self.brushes, self.shared, self.marked
        )
        for inquiry in self._inquiries:
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

    def earlier(self, subject: PredictionSubject) -> tuple[PredictionSubject, PredictionFindings] | None:
        """Return what is known of the same rows after another round: a run hurries ahead of the answers."""
        newest = self.quick.newest
        if not isinstance(newest, PredictionSubject) or newest._replace(round=subject.round) != subject:
            return None
        found: PredictionFindings | None = self.quick.known(newest)
        return None if found is None else (newest, found)

    def matrix(
        self, subject: PredictionSubject, threshold: float, *, follows: bool = False
    ) -> Confusion | None:
        """Return who is taken for whom where class k is taken above a threshold; None while not known."""
        asked = MatrixSubject(subject, threshold, self.exact.known(subject) is not None)
        found: Confusion | None = self.matrices.ask(asked, follows=follows)
        return found

    def earlier_matrix(self, subject: PredictionSubject, threshold: float) -> tuple[int, Confusion] | None:
        """Return the matrix of the same rows after another round, and which: as `earlier` does."""
        newest = self.matrices.newest
        if not isinstance(newest, MatrixSubject) or newest.threshold != threshold or (
            newest.subject._replace(round=subject.round) != subject
        ):
            return None
        found: Confusion | None = self.matrices.known(newest)
        return None if found is None else (newest.subject.round, found)

    def row_set(self, subject: PredictionSubject, brush: Brush) -> RowSet | None:
        """Return the rows of the table that a hand brushed; None while they are not known."""
        found: RowSet | None = self.brushes.ask(BrushSubject(subject, brush))
        return found

    def marks(self, subject: PredictionSubject, chosen: RowSet, *, follows: bool = False) -> RowMarks | None:
        """Return where selected rows lie in the pictures; None while it is not known."""
        asked = MarksSubject(subject, chosen, self.exact.known(subject) is not None)
        found: RowMarks | None = self.marked.ask(asked, follows=follows)
        return found

    def row_set_findings(
        self, part: PartSubject | BareSubject, round: int, chosen: RowSet, *, follows: bool = False
    ) -> RowSetFindings | None:
        """Return what some rows share in the trees of so many rounds; None while it is not known.

        While a run trains and its newest round follows, it may be what they shared a few rounds ago.
        """
        found: RowSetFindings | None = self.shared.ask(RowSetSubject(part, round, chosen), follows=follows)
        newest = self.shared.newest
        if found is None and isinstance(newest, RowSetSubject) and newest[::2] == (part, chosen):
            found = self.shared.known(newest)
        return found

    def row_set_problem(self, part: PartSubject | BareSubject, round: int, chosen: RowSet) -> str:
        """Return why nothing is found of some rows, "" where nothing is known against it."""
        return self.shared.problem(RowSetSubject(part, round, chosen))

    def problem(self, subject: PredictionSubject) -> str:
        """Return why there is no answer, "" where nothing is known against it."""
        return self.quick.problem(subject)

    def leave(self) -> None:
        """Stop what is under way: nobody looks any more."""
        for inquiry in self._inquiries:
            inquiry.leave()

    def forget(self) -> None:
        """Drop what is known: another table is open."""
        for inquiry in self._inquiries:
            inquiry.forget()
        with self._lock:
            self._sources.clear()
            self._scored.clear()

    # --- on worker threads ------------------------------------------------------------------

    def _find_some(self, subject: PredictionSubject, job: Job) -> PredictionFindings:
        return self._found(self._source(subject.rows).sample, subject, job)

    def _find_all(self, subject: PredictionSubject, job: Job) -> PredictionFindings:
        return self._found(self._source(subject.rows).most, subject, job)

    def _found(
        self, source: RowSource | BareSource, subject: PredictionSubject, job: Job
    ) -> PredictionFindings:
        from workbench.explain.predictions.findings import findings

        rows = self._rows(source, subject.round, job)
        return findings(rows, subject.k, source.column(subject.column, rows), job.cancelled)

    def _take(self, asked: MatrixSubject, job: Job) -> Confusion:
        from workbench.explain.predictions.confusion import confusion

        subject = asked.subject
        source = self._source(subject.rows)
        rows = self._rows(source.most if asked.is_exact else source.sample, subject.round, job)
        return confusion(rows.target, rows.taken_for(subject.k, asked.threshold), rows.labels, rows.weight)

    def _choose(self, asked: BrushSubject, job: Job) -> RowSet:
        from workbench.data.row_set import RowSet

        subject, brush = asked
        source = self._source(subject.rows)
        rows = self._rows(source.most, subject.round, job)
        chosen = brush.chosen(rows, source.column(subject.column, rows))
        return RowSet(source.table_rows[rows.rows[chosen]], brush.words(rows))

    def _share(self, asked: RowSetSubject, job: Job) -> RowSetFindings:
        from workbench.explain.predictions.column_contrast import column_contrasts
        from workbench.explain.predictions.row_source import RowSource
        from workbench.explain.predictions.shared_leaves import SharedLeaves, shared_leaves

        part, round, chosen = asked
        source = self._source(part)
        features = source.features
        own = np.flatnonzero(np.isin(source.table_rows, chosen.rows))
        rest = np.setdiff1d(source.rows, own, assume_unique=True)
        leaves = SharedLeaves(len(own))
        if isinstance(source, RowSource):
            told = source.rounds[:round], source.predictor.schema, source.features
            outputs = source.predictor.begun.output_names
            leaves = shared_leaves(*told, own, source.rows, job.cancelled, outputs)
        return RowSetFindings(leaves, column_contrasts(source.columns, features, own, rest, job.cancelled))

    def _mark(self, asked: MarksSubject, job: Job) -> RowMarks:
        from workbench.explain.predictions.marks import marks

        subject, chosen, is_exact = asked
        source = self._source(subject.rows)
        rows = self._rows(source.most if is_exact else source.sample, subject.round, job)
        selected = np.isin(source.table_rows[rows.rows], chosen.rows)
        return marks(rows, subject.k, source.column(subject.column, rows), selected)

    def _rows(self, source: RowSource | BareSource, round: int, job: Job) -> ScoredRows:
        """Return rows after a round; those looked at last are remembered, for another class or column."""
        key = (source, round)
        with self._lock:
            known = self._scored.get(key)
        if known is None:
            known = source.scored(round, job.cancelled)
            with self._lock:
                self._scored = _newest({**self._scored, key: known}, KEPT_SCORED)
        return known

    def _source(self, part: PartSubject | BareSubject) -> RowSource | BareSource:
        """Return the rows of a part, with what was remembered of them."""
        with self._lock:
            known = self._sources.get(part)
        if known is None:
            known = _source_of(part, self._session.data.table)
            with self._lock:
                self._sources = _newest({**self._sources, part: known}, KEPT_SOURCES)
        return known


def predictor_of(run: Run) -> Predictor:
    """Return what a run predicts with. Raises WorkbenchError before the start."""
    from workbench.explain.predictions.row_source import Predictor
    from workbench.objectives.base import OBJECTIVES

    kept = run.kept()
    begun = kept.started.ensemble
    own = run.own.objective if begun.objective == OWN_OBJECTIVE else None
    objective = own or OBJECTIVES.get(begun.objective).with_params(run.params)
    return Predictor(begun, run.rounds, objective, kept.schema)


def _source_of(part: PartSubject | BareSubject, shown: Table | None) -> RowSource | BareSource:
    from workbench.explain.predictions.bare_source import BareSource
    from workbench.explain.predictions.row_source import AnsweredTable, RowSource

    if isinstance(part, BareSubject):
        return BareSource(part.table, part.columns)
    data = part.run.dataset
    if part.file is not None:
        table = part.file.rows
        return RowSource(predictor_of(part.run), table, np.arange(len(table.target)))
    if data is None:
        raise WorkbenchError(part.run.no_rows(NO_TABLE))
    table = AnsweredTable(
        data.features, data.target, data.table_rows, data.weight, data.groups, data.offset,
        shown if shown is not None and shown.n_rows == data.schema.rows else None,
    )  # fmt: skip
    if part.folds:
        from workbench.validation.fold_source import FoldSource

        return FoldSource(predictor_of(part.run), table, part.folds)
    rows = data.valid_rows if part.part == "valid" else data.train_rows
    return RowSource(predictor_of(part.run), table, rows)


def _newest(kept: dict[Any, Any], most: int) -> dict[Any, Any]:
    return dict(list(kept.items())[-most:])
