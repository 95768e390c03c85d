"""Models and histories are written on worker threads, and it is told what became of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.formats.base import DEFAULT_FORMAT, NOT_FOR_XGBOOST, writer_for
from workbench.isolation import isolated
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.session.run import Run
    from workbench.session.run_parts.kept import Kept
    from workbench.session.session import Session
    from workbench.workers.jobs import Jobs


class Saving:
    """Files out of the window."""

    def __init__(self, session: Session, jobs: Jobs) -> None:
        self._session, self._jobs = session, jobs

    def save_model(self, run: Run, path: Path) -> None:
        """Write the shown run's model so far."""
        kept = run.kept()  # taken here: the run may go on growing while it is written
        self.write(lambda: _save_model(kept, path), partial(self._saved, path))

    def _saved(self, path: Path, saved: tuple[int, str]) -> None:
        self._say_saved(path, *saved)

    def _say_saved(self, path: Path, rounds: int, more: str = "") -> None:
        run = self._session.shown.run
        stored = ", as stored without What if" if run is not None and run.what_if.is_on else ""
        words = f"Saved {isolated(path.name)}: {counted(rounds, 'round')}{stored}.{more}"
        self._session.notices.say(words, "info", "export", passes=True)

    def save_history(self, run: Run, path: Path) -> None:
        """Write every figure of every round as CSV."""
        kept, neutralise = run.kept(), self._session.harmless_formulas
        self.write(lambda: _save_history(kept, path, neutralise), partial(self._say_saved, path))

    def write(self, call: Callable[[], Any], done: Callable[..., Any]) -> None:
        """Let `call` write, however the window is left; `done` is given what it returns."""
        self._jobs.start(lambda _job: call(), done=done, failed=self._not_saved, keep=True)

    def _not_saved(self, text: str) -> None:
        self._session.notices.say(text, "error", "export")


def _save_model(kept: Kept, path: Path) -> tuple[int, str]:
    """Write a model; return its rounds, and what XGBoost can do with the file, where it is of that format."""
    from workbench.formats.xgboost.learner import leading_trees

    model = kept.model
    model.save(path)
    if writer_for(path).name != DEFAULT_FORMAT:
        return model.rounds, ""
    if model.ensemble.is_linear:
        return model.rounds, f" {NOT_FOR_XGBOOST}"
    more = ", with one round more: the first holds the constants" if leading_trees(model.ensemble) else ""
    return model.rounds, f" Stock XGBoost loads it too{more}."


def _save_history(kept: Kept, path: Path, neutralise: bool) -> int:
    from workbench.formats.bytes.files import atomic_write
    from workbench.formats.own.history_csv import history_csv, history_rows

    atomic_write(path, history_csv(history_rows(kept.rounds), neutralise=neutralise))
    return len(kept.rounds)
