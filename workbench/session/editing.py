"""A run with an edited tree: it branches off before the tree's round, and stands after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import RoundFinished
from workbench.errors import Cancelled, WorkbenchError
from workbench.explain.edits.refusals import CLASS_SHARES
from workbench.explain.node_text import SHARE
from workbench.session.branching import begin_with, started_with
from workbench.session.no_trees import NO_TREES
from workbench.session.run import RunState
from workbench.session.run_parts.measured import replay_params

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.edits.base import Edit
    from workbench.explain.edits.editor import Editor
    from workbench.session.run import Run

NO_ROWS = "This model came from a file, without the rows it was trained on: its trees stay as they are."


def no_editing(run: Run | None, round: int = 1) -> str:
    """Return why the trees of a round (from 1) cannot be edited; "" where they can."""
    if run is None or not run.rounds or run.schema is None:
        return NO_TREES
    if run.state is RunState.PAUSED:
        return f"{run.name} waits. Stop it, then its trees can be edited."
    if run.is_live:
        return f"{run.name} trains. Its trees can be edited when it has ended."
    if run.dataset is None:
        return run.no_rows(NO_ROWS)
    return CLASS_SHARES if run.unit == SHARE else run.no_replay(round)


def editor_of(run: Run, round: int) -> Editor:
    """Return who edits the trees of a round (from 1); raise WorkbenchError where the run has no rows."""
    from workbench.explain.edits.editor import Editor
    from workbench.explain.replay import replay_of

    if run.started is None:
        raise WorkbenchError(f"{run.name} has no trees yet.")
    if run.dataset is None:
        raise WorkbenchError(run.no_rows(NO_ROWS))
    known = replay_params(run, round) if round <= len(run.rounds) else run.params
    replay = replay_of(run.dataset, run.started.ensemble, known, run.rounds, run.own.objective)
    return Editor(replay, run.own)


def edited(
    run: Run, editor: Editor, edit: Edit, cancelled: Callable[[], bool] | None = None
) -> tuple[Run, dict[str, Any]]:
    """Return the run that an edit makes, and the edit as a model's provenance tells it; on a worker thread.

    Raises
    ------
    WorkbenchError
        It cannot be done.
    Cancelled
    """
    from workbench.ensembles.base import make_trainer
    from workbench.formats.edits import edit_entry

    problem = run.no_replay(edit.round)
    if problem:
        raise WorkbenchError(problem)
    branch = editor.branch(edit, cancelled)
    if run.dataset is None or run.started is None:
        raise WorkbenchError(f"{run.name} has no rows.")
    alone = branch.params.change(rounds=edit.round, early_stopping_rounds=None)
    trainer = make_trainer(run.dataset, alone, None, branch.start, run.own, branch.best, branch.given)
    event = next((one for one in trainer.rounds() if isinstance(one, RoundFinished)), None)
    if event is None or (cancelled is not None and cancelled()):
        raise Cancelled
    known, before = run.rounds[edit.round - 1], edit.round - 1
    rounds = [*run.rounds[:before], _with_params(event, known)]
    params = replay_params(run, edit.round)
    params = run.params_at(edit.round) if params is run.params else params
    made = run.leaving(params, before, rounds)
    begin_with(made, started_with(run, params))
    made.wanted = known.params
    entry = edit_entry(edit, branch.words)
    made.edits = (*made.edits, entry)
    return made, entry


def _with_params(event: RoundFinished, known: RoundFinished) -> RoundFinished:
    """Return an edited round with the parameters of the round as it was grown."""
    return replace(event, params=known.params, seconds=known.seconds)
