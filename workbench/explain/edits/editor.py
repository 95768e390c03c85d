"""Edits of the trees of one run: what each makes of its tree, its receipt, and the run that branches off."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.run.metrics import RunMetrics
from workbench.errors import WorkbenchError
from workbench.explain.edits.base import tree_name
from workbench.explain.edits.branch import branch_of
from workbench.explain.edits.receipt import receipt_of
from workbench.explain.edits.refusals import CLASS_SHARES
from workbench.explain.edits.regrowth import Regrowth
from workbench.explain.edits.site import Site
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.ensembles.own_parts import OwnParts
    from workbench.explain.edits.base import Edit
    from workbench.explain.edits.branch import Branch
    from workbench.explain.edits.receipt import Receipt
    from workbench.explain.replay import Replay
    from workbench.trees.tree import Tree


class Editor:
    """Makes edits of a run's trees; serial kernels, from any thread. It changes nothing itself.

    Parameters
    ----------
    replay : Replay
        Of the run.
    own : OwnParts
        An objective and metrics from the person's own files, as the run has them.
    """

    def __init__(self, replay: Replay, own: OwnParts = NOTHING_OWN) -> None:
        self.replay, self.own = replay, own
        self._regrowth = Regrowth(replay)

    @cached_property
    def watched(self) -> str:
        """The metric that the run watches."""
        return self._metrics.watched

    @cached_property
    def higher_is_better(self) -> bool:
        """Whether more of it is better."""
        return self._metrics.higher_is_better

    def site(self, edit: Edit, cancelled: Callable[[], bool] | None = None) -> Site:
        """Return where an edit is made; WorkbenchError where there is no such round or tree."""
        return site_of(self.replay, edit, self._regrowth, cancelled)

    def words(self, edit: Edit) -> str:
        """Say an edit in one line."""
        site = self.site(edit)
        return edit.words(site.tree, site.schema, site.name)

    def tree(self, edit: Edit, cancelled: Callable[[], bool] | None = None) -> Tree:
        """Return the tree as the edit makes it; WorkbenchError where it cannot be done."""
        return self.branch(edit, cancelled).tree

    def branch(self, edit: Edit, cancelled: Callable[[], bool] | None = None) -> Branch:
        """Return the run that branches off with the edit."""
        return self._branch(self.site(edit, cancelled), edit)

    def _branch(self, site: Site, edit: Edit) -> Branch:
        return branch_of(site, edit, self.watched, self.higher_is_better)

    def receipt(self, edit: Edit, cancelled: Callable[[], bool] | None = None) -> Receipt:
        """Return what an edit changes.

        Raises
        ------
        Cancelled, WorkbenchError
        """
        site = self.site(edit, cancelled)
        return receipt_of(site, self._branch(site, edit), self.own, cancelled)

    @cached_property
    def _metrics(self) -> RunMetrics:
        data, replay = self.replay.dataset, self.replay
        return RunMetrics(
            replay.objective, replay.params, len(data.train_rows), len(data.valid_rows), ALONE,
            data.groups is not None, self.own.metrics,
        )


def site_of(
    replay: Replay, edit: Edit, regrowth: Regrowth, cancelled: Callable[[], bool] | None = None
) -> Site:
    """Return where an edit is made; refuse a round or a tree that the run does not have.

    Raises
    ------
    Cancelled, WorkbenchError
    """
    before, rounds = replay.begun.rounds, len(replay.rounds)
    run_round = edit.round - before
    if not 1 <= run_round <= rounds:
        if 1 <= edit.round <= before:
            raise WorkbenchError(
                f"Round {edit.round} was there before this run began, so its gradients are not known."
            )
        raise WorkbenchError(f"There is no round {edit.round}; the run has {before + rounds:,} rounds.")
    trees = replay.rounds[run_round - 1].trees
    if not 0 <= edit.place < len(trees):
        raise WorkbenchError(f"There is no tree {edit.place} in round {edit.round}; it has {len(trees)}.")
    if replay.criterion and replay.is_grown_alone:
        raise WorkbenchError(CLASS_SHARES)
    if not trees[edit.place].knows_sums:
        raise WorkbenchError("This model keeps no G and H in its nodes, so its trees cannot be edited.")
    grown = replay.grown(run_round, edit.place, cancelled)
    name = tree_name(edit, replay.begun)
    return Site(replay, run_round, edit.place, grown, name, regrowth, cancelled)
