"""The playground's work off the window's thread: runs that follow the hand, and pictures of their rounds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.ensembles.control import RunControl
from workbench.session.run import Run
from workbench.workers.inquiry import Inquiry
from workbench.workers.sketch_training import (
    SketchWish,
    Trained,
    measured_rounds,
    picture_of,
    same_picture,
    sketched,
    untrained,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.table import Table
    from workbench.explain.plane.picture_asked import PictureAsked
    from workbench.explain.plane.round_picture import RoundPicture
    from workbench.explain.split_scan import ColumnScan
    from workbench.parameters.training import TrainingParams
    from workbench.session.plan import Plan
    from workbench.session.playground.playground import Sketch
    from workbench.session.session import Session
    from workbench.workers.explainer import Explainer
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.training_controller import TrainingController

STALE_SECONDS = 0.02  # of the last picture, after which the next one is waited for
DUE_SECONDS = 0.1  # from the beginning of a run, within which its picture is waited for
SETTLED_MS = 300  # after the last move of the hand
EVENT_MS = 1  # after which it is looked whether all is painted
PAINTED_MS = 100  # after which a picture is painted, and its scan begins
KEPT_PICTURES = 12
MOST_ROWS = 20_000  # that are trained on as a slider is dragged


class RoundSubject(NamedTuple):
    """A run, and what of a round of it is looked at."""

    run: Run
    asked: PictureAsked


class Refused(NamedTuple):
    """Why parameters cannot be trained, and beside which run they were tried."""

    text: str = ""
    wanted: TrainingParams | None = None
    run: Run | None = None


class Encoded(NamedTuple):
    """Rows of a table as they are planned."""

    table: Table | None = None
    plan: Plan | None = None
    dataset: Dataset | None = None


class PlaygroundDesk(QObject):
    """One sketch at a time: a newer wish ends the run before it, and what has settled becomes the session's.

    A hand that never rests would so never see a picture: where the last one is older than a move, wishes are
    gathered for the tenth of a second within which the next one is due. Only the newest of them is trained,
    as soon as that is painted, and what stands beside it. So nothing is queued, and what a picture shows is
    as old as its own run. A run that takes longer is ended by the next wish. Of a run that follows the hand
    only what its picture tells is measured; it is trained once more, whole, to become the session's.

    Attributes
    ----------
    sketch : Sketch or None
        Trained beside the session, and not taken over yet.
    """

    changed = Signal()  # another sketch, or none
    answered = Signal()  # a picture or a scan is there

    def __init__(
        self, session: Session, controller: TrainingController, jobs: Jobs, explainer: Explainer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._controller, self._explainer = session, controller, explainer
        self._jobs = jobs
        self._job: Job | None = None
        self._wish: SketchWish | None = None
        self._trained: SketchWish | None = None  # of the sketch, or of the run under way
        self._asked: PictureAsked | None = None  # the picture that was wanted last
        self._seen = self._begun = 0.0  # when the last sketch came, and when the run under way was begun
        self._is_whole = False  # the sketch, or the run under way
        self._is_painted: Callable[[], bool] | None = None  # what the next run waits for
        self.sketch: Sketch | None = None
        self._refused, self._encoded = Refused(), Encoded()
        self.is_held = False  # a button is down: nothing settles
        self.pictures = Inquiry(jobs, self._draw, KEPT_PICTURES, parent=self)
        self.scans = Inquiry(jobs, self._scan, KEPT_PICTURES, parent=self)
        for inquiry in (self.pictures, self.scans):
            inquiry.answered.connect(self.answered.emit)
        self._settling = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settling.timeout.connect(self._settle)
        self._painting = QTimer(self, singleShot=True, interval=PAINTED_MS)
        self._painting.timeout.connect(self.answered.emit)
        self._painted = QTimer(self, singleShot=True, interval=0)
        self._painted.timeout.connect(self._start_newest)
        jobs.over.connect(self._drop)
        session.events.table.connect(self._forget)
        session.events.runs.connect(self._leave)

    # --- what is looked at ------------------------------------------------------------------

    @property
    def run(self) -> Run | None:
        """The run that the playground shows: the sketch, or the session's."""
        return self._session.shown.run if self.sketch is None else self.sketch.run

    @property
    def round(self) -> int:
        """The round that is looked at; 0 while there is none."""
        run = self.run
        if run is None or not run.rounds:
            return 0
        at = self._session.shown.selection.round
        return len(run.rounds) if at is None else min(at, len(run.rounds))

    @property
    def is_busy(self) -> bool:
        """Whether a sketch is trained, or has not settled."""
        return self._job is not None or self._settling.isActive() or self._painted.isActive()

    @property
    def is_awaited(self) -> bool:
        """Whether a hand waits for a picture."""
        is_sketched = self._job is not None and not self._is_whole
        return is_sketched or self._painting.isActive() or self._painted.isActive()

    @property
    def is_behind(self) -> bool:
        """Whether the hand has moved on since the run that is shown, or under way, was begun."""
        return self._trained is not self._wish

    @property
    def problem(self) -> str:
        """Why there is no sketch with the parameters of now; "" where nothing is against it."""
        text, wanted, run = self._refused
        session = self._session
        is_now = text and run is session.shown.run and wanted == session.hyperparameters.wanted
        return text if is_now else ""

    @property
    def has_rows(self) -> bool:
        """Whether there is something to train on."""
        session, run = self._session, self.run
        has_table = session.playground.points is not None or session.data.table is not None
        return has_table or (run is not None and run.dataset is not None)

    @property
    def is_too_large(self) -> bool:
        """Whether the rows that are shown are too many to train on at every move of a slider."""
        run, table = self.run, self._session.data.table
        if run is not None and run.dataset is not None:
            return len(run.dataset.features) > MOST_ROWS
        return table is not None and table.n_rows > MOST_ROWS

    def step(self, by: int) -> None:
        """Look at another round."""
        run = self.run
        if run is not None and run.rounds:
            at = min(max(self.round + by, 1), len(run.rounds))
            self._session.shown.select(round=None if at == len(run.rounds) else at)

    def picture(self, run: Run, asked: PictureAsked) -> RoundPicture | None:
        """Return what a round looks like; None while it is not known."""
        self._asked = asked
        found: RoundPicture | None = self.pictures.ask(RoundSubject(run, asked), follows=run.is_live)
        return found

    def scan(self, run: Run, asked: PictureAsked) -> tuple[ColumnScan, ...] | None:
        """Return the first split's scan of each column; () where it cannot be had, None while not known."""
        if self.is_awaited:
            return None  # it would hold up the picture
        found: tuple[ColumnScan, ...] | None = self.scans.ask(RoundSubject(run, asked), follows=run.is_live)
        return found

    def _draw(self, subject: RoundSubject, job: Job) -> RoundPicture:
        return picture_of(*subject, job)

    def _scan(self, subject: RoundSubject, job: Job) -> tuple[ColumnScan, ...]:
        from workbench.explain.node_rows import node_rows

        run, asked = subject
        if not asked.round or run.is_linear or run.no_replay(asked.round):
            return ()
        replay = self._explainer.replays.of(run, asked.round)
        rows = node_rows(replay, asked.round, asked.place, 0, job.cancelled)
        looked_at = rows.limits.may_ask
        return tuple(
            rows.scan(column) if looked_at[column] else rows.scan(column).refused_whole
            for column in asked.columns
        )

    # --- the hand ---------------------------------------------------------------------------

    def retrain(self, told: str = "") -> None:
        """Train on what is in hand with the parameters of now; the run before it ends."""
        session = self._session
        playground, params = session.playground, session.hyperparameters.wanted
        drawing, plan = playground.draft, session.data.plan
        known, table = None if drawing is not None else self._known_rows(), None
        if drawing is None and known is None:
            drawing = playground.drawing
            table = session.data.table if drawing is None else None
        if drawing is None and (self.is_too_large or (known is None and table is None)):
            return  # a hand would wait for it, or there is nothing to train on
        last = self._wish
        told = told or (last.told if last is not None else "") or "Train as a slider is dragged"
        is_alike = last is not None and last.wanted is params and last.plan is plan
        planned = last.params if last is not None and is_alike else params.change(objective=plan.objective)
        self._wish = SketchWish(drawing, known, table, plan, params, planned, told)
        self._settling.stop()
        if self._painted.isActive():
            return  # it is trained once the picture is painted
        now, is_sketched = time.monotonic(), self._job is not None and not self._is_whole
        is_due = now > self._seen + STALE_SECONDS and now < self._begun + DUE_SECONDS
        if is_sketched and is_due and (drawing is None or drawing.can_train):
            return  # it is gathered
        self._start()

    def _known_rows(self) -> Dataset | None:
        """The rows as they are planned, where the shown run or an earlier move has them."""
        data, run = self._session.data, self._session.shown.run
        if run is not None and run.plan == data.plan and run.dataset is not None:
            return run.dataset
        is_same = self._encoded.table is data.table and self._encoded.plan == data.plan
        return self._encoded.dataset if is_same else None

    def _start(self, *, whole: bool = False) -> None:
        """Train what is wished for now."""
        session, wish = self._session, self._wish
        if self._job is not None:
            self._job.cancel()
            self._job = None
        else:
            self._seen = time.monotonic()  # the first of a row
        self._is_whole, self._begun = whole, time.monotonic()
        self._trained = wish
        if wish is None:
            return
        if wish.drawing is not None and not wish.drawing.can_train:
            self._take(Trained(untrained(wish.drawing), None))
            return
        if not whole:
            self.scans.leave()  # of the run before
        facts, own = session.planned, session.own_files.parts
        asked, at = self._asked, session.shown.selection.round
        shown = wish.params.rounds if at is None else at
        control = RunControl(measured=None if whole else measured_rounds(shown, wish.params.rounds))
        own_wish = wish if whole else wish.alone

        def work(job: Job) -> Trained:
            run = Run(0, own_wish.params, facts)
            run.own, run.plan = own, wish.plan
            sketch = sketched(own_wish, run, control, self._controller.ready_for(wish.params).wait, job)
            return Trained(sketch, same_picture(run, asked, at, job), whole)

        self._job = self._jobs.start(work, done=self._take, failed=self._fail, in_python=not whole)

    def _take(self, trained: Trained) -> None:
        self._job, self.sketch, self._refused = None, trained.sketch, Refused()
        self._seen, self._is_whole = time.monotonic(), trained.is_whole
        picture, run, wish = trained.picture, trained.sketch.run, self._trained
        if wish is not None and wish.table is not None and run is not None:
            self._encoded = Encoded(wish.table, wish.plan, run.dataset)
        if picture is not None and run is not None:
            self.pictures.put(RoundSubject(run, picture.asked), picture)
            self._painting.start()
        if self.is_behind:
            self._is_painted = None
            self._painted.start(0)
        elif trained.is_whole and run is not None:
            self._settle()
        else:
            self._wait()
        self.changed.emit()

    def let_paint(self, is_painted: Callable[[], bool]) -> None:
        """Begin the newest run when other parts are painted, too: it would take longer beside them."""
        self._is_painted = is_painted

    def _start_newest(self) -> None:
        if self._is_painted is not None:
            if self._is_painted():
                self._is_painted = None
            self._painted.start(EVENT_MS)
        elif self._job is None and self.is_behind:
            self._start()

    def _fail(self, text: str) -> None:
        self._job, wish, session = None, self._wish, self._session
        self._refused = Refused(text, session.hyperparameters.wanted, session.shown.run)
        if self._trained is not wish:
            self._start()
            return
        self.sketch = None
        if wish is not None and wish.drawing is not None:
            self.sketch = untrained(wish.drawing)
            self._wait()
        self.changed.emit()

    def _wait(self) -> None:
        if not self.is_held:
            self._settling.start()

    def hold(self, held: bool) -> None:
        """Let nothing settle while a button is down."""
        self.is_held = held
        if not held and self.sketch is not None and self._job is None:
            self._settling.start()

    def _settle(self) -> None:
        self._settling.stop()
        sketch, wish = self.sketch, self._wish
        if sketch is None or wish is None or self._job is not None or self.is_held:
            return
        if not self._is_whole:
            self._start(whole=True)
            return
        self._controller.let_go()
        self.sketch = self._wish = self._trained = None
        self._session.take_sketch(sketch, wish.words(sketch))
        self.changed.emit()

    def _leave(self) -> None:
        """Drop a sketch where another run was begun or shown meanwhile."""
        if self._session.runs.in_hand is not None and self._session.runs.in_hand.is_live:
            self._drop()

    def _forget(self) -> None:
        """Drop everything: another table is open."""
        self._drop()
        self.pictures.forget()
        self.scans.forget()
        self._refused, self._encoded = Refused(), Encoded()

    def _drop(self) -> None:
        self._settling.stop()
        self._painted.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._wish = self._trained = self.sketch = None
        self.changed.emit()
