"""Edits of trees by hand, off the window's thread: receipts, the runs they make, and roads not taken."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from workbench.errors import WorkbenchError
from workbench.session.editing import edited, no_editing

if TYPE_CHECKING:
    from typing import Any

    from workbench.explain.edits.base import Edit
    from workbench.explain.edits.editor import Editor
    from workbench.explain.edits.receipt import Receipt
    from workbench.explain.edits.roads import Road
    from workbench.explain.replay import Replay
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.workers.explainer import Explainer
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.training_controller import TrainingController


class Draft(NamedTuple):
    """An edit that is asked about, and the run whose tree it changes."""

    run: Run
    edit: Edit


class TreePlace(NamedTuple):
    """A tree whose near-ties are tried: of a run, its round (from 1), and the place in the round."""

    run: Run
    round: int
    place: int


class EditDesk(QObject):
    """One edit at a time is asked about, and one tree for its roads: a newer one takes the place of it.

    Attributes
    ----------
    draft : Draft or None
    receipt : Receipt or None
        Of the draft, or of the one before while the new one is worked out.
    problem : str
        Why there is no receipt, or no run of it; "" where nothing is against it.
    made : Run or None
        What the draft was kept as.
    roads_of : TreePlace or None
    roads : tuple of Road
        As far as they are known.
    roads_problem : str
    roads_broken_off : bool
        Whether trying them was ended before all were known.
    """

    changed = Signal()  # what is known of the draft
    opened = Signal()  # an edit was asked about that is to be looked at
    roads_changed = Signal()

    def __init__(
        self, session: Session, controller: TrainingController, jobs: Jobs, explainer: Explainer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._controller, self._explainer = session, controller, explainer
        self._jobs = jobs
        self._job: Job | None = None
        self._roads_job: Job | None = None
        self._editor: tuple[Replay, Editor] | None = None
        self._lock = threading.Lock()
        self._clear()
        self.roads_of: TreePlace | None = None
        self.roads: tuple[Road, ...] = ()
        self.roads_problem = ""
        self.roads_broken_off = False
        jobs.over.connect(self._end)
        for signal in (session.events.runs, session.events.table):
            signal.connect(self._follow)
        session.events.state.connect(self._tell)

    def _clear(self) -> None:
        self.draft: Draft | None = None
        self.receipt: Receipt | None = None
        self.problem = ""
        self.made: Run | None = None

    # --- one edit ---------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether a receipt, or a run, is being worked out."""
        return self._job is not None

    @property
    def is_answered(self) -> bool:
        """Whether the receipt is the draft's own."""
        return self.draft is not None and self.receipt is not None and self.receipt.edit == self.draft.edit

    def ask(self, run: Run, edit: Edit) -> None:
        """Ask what an edit would change, and let it be looked at."""
        self.draft, self.made = Draft(run, edit), None
        self.receipt = None
        self._work_out()
        self.opened.emit()

    def revise(self, edit: Edit) -> None:
        """Ask the same with another value; what is known stays until the answer is there."""
        if self.draft is not None and self.made is None and edit != self.draft.edit:
            self.draft = self.draft._replace(edit=edit)
            self._work_out()

    def discard(self) -> None:
        """Ask about nothing."""
        self._drop()
        self._clear()
        self.changed.emit()

    def _work_out(self) -> None:
        self._drop()
        draft = self.draft
        if draft is None:
            return
        self.problem = no_editing(draft.run, draft.edit.round)
        if not self.problem:
            self._job = self._jobs.start(
                lambda job: self._editor_of(draft.run, draft.edit.round).receipt(draft.edit, job.cancelled),
                done=self._take_receipt, failed=self._fail,
            )
        self.changed.emit()

    def _take_receipt(self, receipt: Receipt) -> None:
        self._job, self.receipt, self.problem = None, receipt, ""
        self.changed.emit()

    def _fail(self, text: str) -> None:
        self._job, self.problem = None, text
        self.changed.emit()

    # --- keeping it -------------------------------------------------------------------------

    @property
    def no_keeping(self) -> str:
        """Why the draft cannot be kept; "" where it can."""
        if self.draft is None:
            return "No edit is open."
        if self.made is not None:
            return f"It is kept as {self.made.name}."
        return self.problem or no_editing(self.draft.run, self.draft.edit.round)

    @property
    def no_growing(self) -> str:
        """Why no rounds can be grown after the edited one; "" where they can."""
        if self.draft is None:
            return "No edit is open."
        if self.draft.edit.round >= len(self.draft.run.rounds):
            return f"Round {self.draft.edit.round} is the last one: no rounds come after it."
        if self._controller.is_live:
            return "A run trains. Stop it, or wait for its end."
        return ""

    def keep(self, reason: str = "", *, grow_on: bool = False) -> None:
        """Make a run of the edit, and show it; with `grow_on` boost the later rounds anew from it."""
        draft = self.draft
        if draft is None or not self.is_answered or self.no_keeping or (grow_on and self.no_growing):
            return
        self._drop()
        edit: Any = replace(draft.edit, reason=reason)  # type: ignore[type-var]
        self._job = self._jobs.start(
            lambda job: edited(draft.run, self._editor_of(draft.run, edit.round), edit, job.cancelled),
            done=partial(self._take_made, draft, grow_on), failed=self._fail,
        )
        self.changed.emit()

    def _take_made(self, draft: Draft, grow_on: bool, answer: tuple[Run, dict[str, Any]]) -> None:
        made, entry = answer
        self._job, self.made, self.problem = None, made, ""
        self._session.add_edited(draft.run, made, entry)
        self._session.shown.select(class_index=draft.edit.place)
        self.changed.emit()
        if grow_on:
            self.grow_on()

    def grow_on(self) -> None:
        """Grow the run that was made to as many rounds as the one that it branches off."""
        if self.draft is None or self.made is None or self.no_growing:
            return
        self._session.shown.show(self.made)
        self._controller.go_on(len(self.draft.run.rounds))

    # --- roads not taken --------------------------------------------------------------------

    @property
    def is_trying(self) -> bool:
        """Whether roads are being tried."""
        return self._roads_job is not None

    def try_roads(self, run: Run, round: int, place: int) -> None:
        """Take each near-tie of a tree instead, and grow the rest of the run anew."""
        self.stop_roads()
        self.roads_of, self.roads = TreePlace(run, round, place), ()
        self.roads_problem, self.roads_broken_off = no_editing(run, round), False
        found: list[Road] = []

        def work(job: Job) -> list[Road]:
            from workbench.explain.edits.roads import roads_not_taken

            for road in roads_not_taken(self._editor_of(run, round), round, place, job.cancelled):
                found.append(road)
                job.progress(len(found), 0)
            return found

        def show(done: int, _total: int) -> None:
            self.roads = tuple(found[:done])
            self.roads_changed.emit()

        if not self.roads_problem:
            self._roads_job = self._jobs.start(
                work, done=self._take_roads, failed=self._fail_roads, progressed=show
            )
        self.roads_changed.emit()

    def stop_roads(self) -> None:
        """Try no more; what is known stays."""
        if self._roads_job is not None:
            self._roads_job.cancel()
            self._roads_job, self.roads_broken_off = None, True
            self.roads_changed.emit()

    def _take_roads(self, found: list[Road]) -> None:
        self._roads_job, self.roads = None, tuple(found)
        self.roads_changed.emit()

    def _fail_roads(self, text: str) -> None:
        self._roads_job, self.roads_problem = None, text
        self.roads_changed.emit()

    # --- all of it --------------------------------------------------------------------------

    def _editor_of(self, run: Run, round: int) -> Editor:
        """Return who edits the trees of a round; for worker threads."""
        from workbench.explain.edits.editor import Editor

        if run.dataset is None:
            raise WorkbenchError(no_editing(run))
        replay = self._explainer.replays.of(run, round)
        with self._lock:
            if self._editor is None or self._editor[0] is not replay:
                self._editor = replay, Editor(replay, run.own)
            return self._editor[1]

    def _tell(self) -> None:
        self.changed.emit()

    def _follow(self) -> None:
        """Forget runs that are not there any more."""
        runs = self._session.runs
        if self.roads_of is not None and self.roads_of.run not in runs:
            self.stop_roads()
            self.roads_of, self.roads, self.roads_problem = None, (), ""
            self.roads_changed.emit()
        if self.draft is not None and self.draft.run not in runs:
            self.discard()
        elif self.made is not None and self.made not in runs:
            self.made = None  # it was taken back
            self.changed.emit()
        if self._editor is not None and not any(run.rounds is self._editor[0].rounds for run in runs):
            self._editor = None

    def _drop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _end(self) -> None:
        """Nothing is run any more."""
        self._drop()
        if self._roads_job is not None:
            self._roads_job.cancel()
            self._roads_job = None
