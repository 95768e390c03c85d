"""What the round ruler says at its right: how far the run is, and how fast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.events import EndReason
from workbench.number_text import count, counted
from workbench.session.no_trees import NO_TREES_YET
from workbench.session.run import RunState

if TYPE_CHECKING:
    from workbench.session.run import Run

RECENT = 2.0  # seconds over which the pace is taken
MOST_ROUNDS = 4000  # that may lie in them


def pace(seconds: np.ndarray) -> float:
    """Return rounds a second over about the last two seconds of work; 0 where it is not known."""
    recent = seconds[-MOST_ROUNDS:][::-1]
    if not len(recent):
        return 0.0
    spent = np.cumsum(recent)
    rounds = min(int(np.searchsorted(spent, RECENT)) + 1, len(recent))
    return rounds / float(spent[rounds - 1]) if spent[rounds - 1] > 0 else 0.0


def duration(seconds: float) -> str:
    """A time as people say it: "30 ms", "2.1 s", "1 min 20 s", "3 h 5 min"."""
    if seconds < 0.095:
        return f"{max(1, round(1000 * seconds))} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def left(seconds: float) -> str:
    """A time to come, rounded: "1 s left", "3 min left"."""
    if seconds < 59.5:
        return f"{max(1, round(seconds))} s left"
    return f"{round(seconds / 60)} min left" if seconds < 5400 else f"{round(seconds / 3600)} h left"


def ruler_words(run: Run | None, planned: int) -> tuple[str, str]:
    """Return the two lines at the ruler's right."""
    if run is None:
        return NO_TREES_YET, f"{_rounds(planned)} planned"
    done = len(run.rounds)
    match run.state:
        case RunState.PREPARING:
            return "Preparing", f"{_rounds(planned)} planned"
        case RunState.RUNNING:
            speed = pace(run.history.column("seconds") + run.rest)
            if not speed:
                return f"{count(done)} of {count(planned)}", "growing the first tree"
            return f"{count(done)} of {count(planned)}", f"{_speed(speed)}, {left((planned - done) / speed)}"
        case RunState.PAUSED:
            return f"Paused at {count(done)}", f"of {_rounds(planned)}"
        case RunState.FAILED:
            return "Failed", f"{_rounds(done)} kept" if done else "before the first tree"
    return _ended(run, done)


def _ended(run: Run, done: int) -> tuple[str, str]:
    if run.ended is None or run.ended.reason is EndReason.STOPPED:
        return f"Stopped at {count(done)}", "The model is kept." if done else "before the first tree"
    if run.ended.reason is EndReason.EARLY:
        return "Stopped early", f"at {count(done)}, best {count(run.best_round)}"
    if run.ended.reason is EndReason.LEARNT:
        return f"Ended at {count(done)}", "nothing left to learn"
    spent = "" if math.isnan(run.ended.seconds) else f" in {duration(run.ended.seconds)}"
    return "Finished", _rounds(done) + spent


def _rounds(number: int) -> str:
    return counted(number, "round")


def _speed(speed: float) -> str:
    return f"{count(speed)} rounds/s" if speed >= 9.5 else f"{speed:.1f} rounds/s"
