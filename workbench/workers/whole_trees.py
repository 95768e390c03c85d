"""Answers what is asked about whole trees: hold-out figures, targets in their nodes, doubtful splits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject

from workbench.workers.inquiry import Inquiry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.compared_node import ToldOfTree
    from workbench.explain.doubtful import RunDoubts
    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.explain.node_targets import NodeTargets
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.replays import Replays
    from workbench.workers.rest import Rest

KEPT_TREES = 64


class TreeSubject(NamedTuple):
    """A tree: of a run, its round (from 1), and the place in the round."""

    run: Run
    round: int
    place: int


class DoubtSubject(NamedTuple):
    """The rounds of a run, so many."""

    run: Run
    rounds: int


class WholeTrees(QObject):
    """One for all views: each method returns what is known, or None and works it out.

    `answered` of `holdout`, `targets` and `doubts` tells when to ask again.
    """

    def __init__(
        self, session: Session, jobs: Jobs, replays: Replays, rest: Rest, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._shown, self._replays = session.shown, replays
        self.holdout = Inquiry(jobs, self._hold_out, KEPT_TREES, rest, self)
        self.targets = Inquiry(jobs, self._count, KEPT_TREES, rest, self)
        self.doubts = Inquiry(jobs, self._doubt, 1, rest, self)

    def holdout_gains(self, run: Run, round: int, place: int) -> HoldOutGains | None:
        """Return the figures of a tree on the hold-out rows; None while they are not known."""
        subject = TreeSubject(run, round, place)
        if _tells_with_nodes(run):
            found: HoldOutGains | None = self.holdout.known(subject)
        else:
            found = self.holdout.ask(subject, follows=self._shown.follows(run))
        return found

    def node_targets(self, run: Run, round: int, place: int) -> NodeTargets | None:
        """Return what the target is in the nodes of a tree; None while nobody knows, or a run hurries by."""
        if self._shown.follows(run):
            return None
        subject = TreeSubject(run, round, place)
        ask = self.targets.known if _tells_with_nodes(run) else self.targets.ask
        answer: tuple[NodeTargets | None] | None = ask(subject)
        return None if answer is None else answer[0]

    def run_doubts(self, run: Run) -> RunDoubts | None:
        """Return the splits of a run that only fit noise, of as many rounds as have been looked at."""
        found: RunDoubts | None = self.doubts.ask(DoubtSubject(run, len(run.rounds)), follows=run.is_live)
        return found or self._known_doubts(run)

    def _known_doubts(self, run: Run) -> RunDoubts | None:
        """Return what was known of fewer rounds."""
        newest = self.doubts.newest
        if not isinstance(newest, DoubtSubject) or newest.run is not run:
            return None
        found: RunDoubts | None = self.doubts.known(newest)
        return found

    def take(self, tree: TreeSubject, figures: ToldOfTree) -> None:
        """Keep what became known of a tree with a node of it."""
        self.holdout.put(tree, figures.holdout)
        self.targets.put(tree, (figures.targets,))
        self.holdout.answered.emit()

    def forget(self) -> None:
        """Drop what is known: another table is open."""
        for inquiry in (self.holdout, self.targets, self.doubts):
            inquiry.forget()

    def _hold_out(self, subject: TreeSubject, job: Job) -> HoldOutGains:
        from workbench.explain.holdout_gain import holdout_gains

        run, round, place = subject
        return holdout_gains(self._replays.telling(run, round), round, place, job.cancelled)

    def _count(self, subject: TreeSubject, job: Job) -> tuple[NodeTargets | None]:
        from workbench.explain.node_targets import node_targets

        run, round, place = subject
        if run.dataset is None:
            return (None,)

        def drawn() -> NDArray[Any]:
            return self._replays.telling(run, round).grown(round, place, job.cancelled).sample.rows.drawn

        return (node_targets(run.trees(round)[place], run.dataset, drawn),)

    def _doubt(self, subject: DoubtSubject, job: Job) -> RunDoubts:
        from workbench.explain.doubtful import RunDoubts, more_doubts

        known = self._known_doubts(subject.run)
        if known is None or known.rounds > subject.rounds:
            known = RunDoubts()
        return more_doubts(
            partial(self._replays.telling, subject.run), known, subject.rounds, job.cancelled, job.progress
        )


def _tells_with_nodes(run: Run) -> bool:
    """Whether the rows lie elsewhere, and tell of a whole tree with a node that is asked about."""
    return run.dataset is None and run.there is not None
