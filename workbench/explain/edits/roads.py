"""Roads not taken: each near-tie of a tree taken instead, with the rest of the run grown anew."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.control import RunControl
from workbench.ensembles.events import RoundFinished
from workbench.errors import WorkbenchError, leave_if
from workbench.explain.candidates import rank_columns
from workbench.explain.edits.take_split import TakeSplit
from workbench.explain.node_rows import node_rows
from workbench.parameters.training import IN_BRANCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.explain.candidates import Candidate
    from workbench.explain.edits.editor import Editor
    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class Road:
    """One runner-up that was taken instead.

    Attributes
    ----------
    edit : TakeSplit
    words : str
    margin : float
        By how much its gain falls short of the winner's, as a share of that.
    before, after : float
        The watched metric on the hold-out rows (on the training rows where there are none) after the last
        round of the run as it was and as it would have been; NaN where it cannot be grown.
    rounds : int
        Rounds that were grown anew, the edited one not among them.
    refused : str
        Why it cannot be taken; "" where it can.
    """

    edit: TakeSplit
    words: str
    margin: float
    before: float
    after: float
    rounds: int
    refused: str = ""


def near_ties(
    editor: Editor, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> Iterator[tuple[TakeSplit, Candidate]]:
    """Yield the runners-up of every split of a tree that gain nearly as much, node by node.

    Parameters
    ----------
    round, place : int
        Of the model, from 1; of the tree in the round.
    """
    replay = editor.replay
    run_round = round - replay.begun.rounds
    site = editor.site(TakeSplit(round, place, 0, ""), cancelled)
    for node in np.flatnonzero(~site.tree.is_leaf).tolist():
        leave_if(cancelled)
        found = rank_columns(node_rows(replay, run_round, place, node, cancelled), cancelled)
        for candidate in found.ranked:
            if candidate.is_near_tie:
                yield TakeSplit.of_candidate(round, place, node, candidate, site.schema), candidate


def roads_not_taken(
    editor: Editor, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> Iterator[Road]:
    """Yield what the run would have come to with each near-tie of a tree; one thread, from any thread.

    The rounds that follow are grown with the parameters that were in force in each, all of them: no early
    stopping cuts them short.

    Raises
    ------
    Cancelled
    """
    rounds = editor.replay.rounds
    last, begun = rounds[-1], editor.replay.begun.rounds
    _check_grows_alike(rounds[max(round - begun, 1) - 1 :])
    before = (last.valid or last.train)[editor.watched]
    for edit, candidate in near_ties(editor, round, place, cancelled):
        words = editor.words(edit)
        try:
            after, grown = _grown_on(editor, edit, cancelled)
        except WorkbenchError as error:
            yield Road(edit, words, candidate.margin, before, nan, 0, str(error))
        else:
            yield Road(edit, words, candidate.margin, before, after, grown)


def _check_grows_alike(rounds: Sequence[RoundFinished]) -> None:
    """Refuse rounds among which a branch begins whose trees no control of a run could grow."""
    for event in rounds[1:]:
        known, now = rounds[0].params, event.params
        if now is known:
            continue
        changed = next((name for name in IN_BRANCH if getattr(now, name) != getattr(known, name)), "")
        if changed:
            raise WorkbenchError(
                f"A branch with another {changed} begins at round {event.round}, and one run cannot grow "
                "both. Try the roads of a later tree, or in the run that the branch leaves."
            )


def _grown_on(
    editor: Editor, edit: TakeSplit, cancelled: Callable[[], bool] | None
) -> tuple[float, int]:
    """Return the watched metric after the last round, and how many were grown."""
    replay, rounds = editor.replay, editor.replay.rounds
    begun, last = replay.begun.rounds, len(rounds)
    branch = editor.branch(edit, cancelled)
    fixed = {"threads": 1, "early_stopping_rounds": None, "rounds": begun + last}
    ends_itself = branch.params.method == "adaboost"  # after a round that nobody knows before
    control = RunControl(measured=None if ends_itself else (begun + last,))
    grown, event = 0, None
    run = branch.trainer(replay.dataset, control, editor.own, branch.params.change(**fixed))
    in_force: TrainingParams | None = None
    for word in run.rounds():
        leave_if(cancelled)
        if isinstance(word, RoundFinished):
            event, grown = word, grown + 1
            following = event.round - begun
            if following < last and rounds[following].params is not in_force:
                in_force = rounds[following].params
                control.change(in_force.change(**fixed))
    value = nan if event is None else (event.valid or event.train)[editor.watched]
    return value, grown - 1
