"""The sentences of the window's frame: title, status line, help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.session.refusal import refusal
from workbench.session.run import RunState
from workbench.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.session.run import Run
    from workbench.session.session import Session

PROGRAM = "Boosting Workbench"


def title(session: Session, on_welcome: bool, project: Path | None = None) -> tuple[str, str]:
    """The document title: what is open, and how it is looked at, as in "heart_disease.csv" and "· Run 1"."""
    if on_welcome or not session.name:
        return PROGRAM, ""
    run = session.shown.run
    parts = [isolated(session.name)] if project is not None else []
    parts += [run.name] if run and session.data.table else []
    if run and run.what_if.is_on:
        parts.append("what if")
    elif run and run.origin:
        parts.append(run.origin)
    shown = session.name if project is None else project.name
    return isolated(shown), "".join(f"· {part} " for part in parts).strip()


def sentence(session: Session) -> tuple[str, str]:
    """What the window is doing, and the rows it does it with."""
    if session.shown.run is None:
        return _plan_sentence(session), ""
    if session.data.table is None:
        rounds = counted(len(session.shown.run.rounds), "round")
        return f"A model of {rounds}. Open a table to train on it.", ""
    live = session.runs.in_hand
    if live is not None and live is not session.shown.run:
        return _background_sentence(live, session.shown.run), _rows(session.shown.run)
    if not session.shown.run.is_live and session.clash is not None:
        return f"Cannot train again: {session.clash.text}", _rows(session.shown.run)
    return _branch_sentence(session) or _run_sentence(session.shown.run), _rows(session.shown.run)


def _branch_sentence(session: Session) -> str:
    """What can be done where the ruler stands at an earlier round of a run that has ended."""
    run, at = session.shown.run, session.shown.round
    if run is None or run.is_live or at == len(run.rounds) or not session.shown.can_be_branched:
        return ""
    how = f"Continue from here{session.with_objective} (Ctrl+Shift+B) makes a branch."
    return f"Round {at} of {len(run.rounds)} is shown. {how}"


def _background_sentence(live: Run, shown: Run) -> str:
    if live.state is RunState.PAUSED:
        state, word = f"is paused after round {len(live.rounds)}", "Resume"
    else:
        state, word = "trains", "Pause"
    return f"{live.name} {state}, {shown.name} is shown. {word} and Stop act on {live.name}."


def _plan_sentence(session: Session) -> str:
    if not session.data.plan.target:
        return "Choose the target under Data."
    if session.data.problem:
        return "Cannot train yet: see Data."
    if session.clash is not None:
        return "Cannot train yet: see Parameters."
    return f"Ready to train on {counted(session.data.plan.n_features, 'feature')}."


def with_view(session: Session, text: str, said: str) -> str:
    """Put what the shown view says of itself beside the window's sentence, or in its place."""
    if session.shown.run is None:
        return f"{text} {said}".strip()
    return text if not said or _comes_first(session, session.shown.run) else said


def _comes_first(session: Session, run: Run) -> bool:
    """Whether what the window has to say matters more than the view's words."""
    live = session.runs.in_hand
    if not run.rounds or run.state is RunState.FAILED or (live is not None and live.is_live):
        return True
    return session.data.table is not None and session.clash is not None


def _run_sentence(run: Run) -> str:
    done = len(run.rounds)
    match run.state:
        case RunState.PREPARING:
            waited_for = "" if run.has_kernels else " Its kernels are compiled first, once per version."
            far = f": {run.preparing}" if run.preparing else ""
            return f"Preparing run {run.number}{far}.{waited_for}"
        case RunState.RUNNING:
            return f"Training run {run.number}. Every control still works; changes start with the next round."
        case RunState.PAUSED:
            return f"Paused after round {done}."
        case RunState.FAILED:
            if not done:
                return f"Run {run.number} could not begin."
            kept = "its round is" if done == 1 else f"its {done} rounds are"
            return f"Run {run.number} could not go on; {kept} kept."
    if run.ended is None or not done:
        return f"Run {run.number} was stopped before its first tree."
    reason = run.ended.reason.value
    if reason == "stopped":
        return f"Stopped at round {done}. The model so far is kept."
    if reason == "early stopping":
        return f"Stopped early at round {done}: no new best since round {run.best_round}."
    refused = refusal(run)
    next_step = "Export the model." if run.is_linear else "Export the model, or open a tree."
    more = refused.words if refused else next_step
    return f"Run {run.number} is finished: {counted(done, 'round')}. {more}"


def _rows(run: Run) -> str:
    if run.started is None:
        return ""
    train, valid = run.started.n_train, run.started.n_valid
    rows = f"{counted(train, 'training row')}, {counted(valid, 'validation row')}"
    threads = run.params.threads
    return f"{rows}   {counted(threads, 'thread')}" if threads else rows


def about_text() -> str:
    """What this is."""
    return f"Boosting Workbench {__version__}. Grow boosted trees, see why every split was made. MIT licence."
