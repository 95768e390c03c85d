"""Scoring a second table from the window: the page, where to, the job and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from workbench.data.readers.options import GUESS_ALL
from workbench.data.room import Unfolds
from workbench.isolation import isolated
from workbench.number_text import count, counted, figure, percent
from workbench.session.no_trees import NO_TREES
from workbench.session.opening.elsewhere import NEEDS_CLUSTER
from workbench.shell.files.documents import PATIENCE_MS
from workbench.views.scoring.page import Order, ScoredSubject, wait_for
from workbench.workers.scoring_there import ScoringThere

if TYPE_CHECKING:
    import threading

    from workbench.data.readers.options import ReadOptions
    from workbench.scoring.score_file import ScoredFile
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.shell.files.documents import Documents
    from workbench.shell.files.file_choice import FileChoice
    from workbench.shell.frame import Frame
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job
    from workbench.workers.warmup import Warmup

MOST_METRICS = 3


class Scoring(QObject):
    """One table at a time; the file is there completely or not at all."""

    def __init__(
        self, bench: Bench, frame: Frame, files: FileChoice, documents: Documents, warmup: Warmup
    ) -> None:
        super().__init__(frame)
        self._bench, self._frame, self._files, self._documents = bench, frame, files, documents
        self._rare_ready = warmup.rare_ready
        self._job: Job | None = None
        self._order: Order | None = None
        self._moment = QTimer(self)
        self._moment.setSingleShot(True)
        self._moment.setInterval(PATIENCE_MS)
        self._moment.timeout.connect(lambda: self._say("."))
        frame.scoring.accepted.connect(self._choose_output)
        frame.scoring.rejected.connect(lambda: frame.show_scoring(False))

    def choose_table(self) -> None:
        """Ask for a table, and show what the shown run would make of it."""
        run = self._bench.session.shown.run
        if run is None or not run.rounds:
            self._bench.session.notices.say(NO_TREES, "warning", "export")
        elif chosen := self._files.existing_table("Score a table"):
            self.look_at(Path(chosen))

    def look_at(self, path: Path) -> None:
        """Show in what a table differs, and its first rows scored."""
        known = self._documents.recent.options_of(path) or GUESS_ALL
        options = replace(known, sample_rows=None, sample_share=None, map_folder=None)  # every row is scored
        self._look(path, options)

    def look_at_there(self, path: str) -> None:
        """Show the same of a table that the workers of the connected cluster read."""
        connection, run = self._bench.controller.cluster.connection, self._bench.session.shown.run
        if run is None or not run.rounds:
            self._bench.session.notices.say(NO_TREES, "warning", "export")
        elif connection is None:
            self._bench.session.notices.say(NEEDS_CLUSTER, "error", "export")
        else:
            name = Path(path.rstrip("/").rpartition("/")[2] or path)
            self._look(name, GUESS_ALL, ScoringThere(connection, path))

    def _look(self, path: Path, options: ReadOptions, there: ScoringThere | None = None) -> None:
        session = self._bench.session
        run = session.shown.run
        if run is None:
            return
        session.notices.dismiss()
        name = f"{run.name} of {isolated(session.name)}" if session.data.table else session.name
        self._frame.scoring.show_table(ScoredSubject(path, options, run.kept(), name, run.facts, there))
        self._frame.show_scoring(True)

    def cancel(self) -> None:
        """Give up; nothing is left of the file."""
        if self._job is not None:
            self._job.cancel()
            self._settle()

    def _choose_output(self, order: Order) -> None:
        if order.subject.there is not None:
            self._begin(order, order.folder)
            return
        stem = f"{order.subject.path.name.split('.')[0]}-scored"
        endings = {"CSV (*.csv)": ".csv", "Parquet (*.parquet)": ".parquet"}
        output = self._files.target("Score to", stem, endings)
        if output is not None:
            self._begin(order, output)

    def _begin(self, order: Order, output: Path | str) -> None:
        self._frame.scoring.stop()
        self._frame.show_scoring(False)
        self._start(order, output)

    def _start(self, order: Order, output: Path | str) -> None:
        self.cancel()
        self._order = order
        self._moment.start()
        ready = self._rare_ready
        self._job = self._bench.jobs.start(
            lambda job: _score(job, order, output, ready),
            done=lambda scored: self._show(scored, order, output),
            failed=self._refuse, progressed=self._show_progress,
        )  # fmt: skip

    def _show_progress(self, rows: int, expected: int) -> None:
        if not self._moment.isActive():
            share = f", {percent(min(rows / expected, 1))}" if expected else ""
            is_there = self._order is not None and self._order.subject.there is not None
            self._say(f", {count(rows)} {'partitions' if is_there else 'rows'} so far{share}.")

    def _say(self, rest: str) -> None:
        if self._order is not None:
            words = f"Scoring {isolated(self._order.subject.path.name)}{rest}"
            self._frame.waiting.show_notice(words, "info", [("Cancel", self.cancel)])

    def _show(self, scored: ScoredFile | Unfolds, order: Order, output: Path | str) -> None:
        self._settle()
        if isinstance(scored, Unfolds):
            ways = [("Read all of it", partial(self._start, order.unpacked, output))]
            self._frame.strip.show_notice(scored.words, "warning", ways)
            return
        severity = "warning" if any(d.is_warning for d in scored.differences) else "info"
        table, rows = isolated(order.subject.path.name), counted(scored.rows, "row")
        words = f"Scored {table}: {rows} in {isolated(Path(output).name)}."
        words += _measured(scored, order.subject.facts) + _differing(scored)
        self._bench.session.notices.say(words, severity, "export")

    def _refuse(self, text: str) -> None:
        self._settle()
        self._bench.session.notices.say(text, "error", "export")

    def _settle(self) -> None:
        self._job = self._order = None
        self._moment.stop()
        self._frame.waiting.hide()


def _measured(scored: ScoredFile, facts: ObjectiveFacts) -> str:
    """Say the metrics, where the table knows the answers: " Log loss 0.3155, AUC 0.948 on 303 rows …"."""
    if scored.evaluation is None:
        return ""
    told, parts = scored.evaluation.told, scored.evaluation.parts
    shown = list(told.metrics.items())[:MOST_METRICS]
    figures = ", ".join(f"{facts.metric(name).short} {figure(value)}" for name, value in shown)
    rows = f"{counted(told.rows, 'row')} {'held out' if parts else 'with an answer'}"
    others = f" {counted(parts['training'].rows, 'other row')} trained the model." if parts else ""
    note = f" {scored.evaluation.note}" if scored.evaluation.note and not parts else ""
    return f" {figures[:1].upper()}{figures[1:]} on {rows}.{others}{note}"


def _differing(scored: ScoredFile) -> str:
    warned = [difference.text for difference in scored.differences if difference.is_warning]
    more = f" And {counted(len(warned) - 1, 'other difference')}." if len(warned) > 1 else ""
    return f" {warned[0]}{more}" if warned else ""


def _score(job: Job, order: Order, output: Path | str, ready: threading.Event) -> ScoredFile | Unfolds:
    from workbench.scoring.score_file import score_file

    if order.subject.there is not None:
        return order.subject.there.score(order.subject.kept.model, str(output), order.wanted, job)
    if order.wanted.explained:
        wait_for(ready, job)
    try:
        return score_file(
            order.subject.kept.model, order.subject.path, output, order.wanted, options=order.subject.options,
            neutralise=order.neutralise, serial=True, progress=job.progress, cancelled=job.cancelled,
        )  # fmt: skip
    except Unfolds as unfolds:
        return unfolds
