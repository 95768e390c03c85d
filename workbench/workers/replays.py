"""The replays of runs: rounds gone through again, for questions about what made their trees."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from workbench.errors import WorkbenchError
from workbench.session.run_parts.measured import replay_params

if TYPE_CHECKING:
    from workbench.explain.replay import Replay
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run


class Replays:
    """One for each run and its parameters, kept while the run is; for worker threads."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Run, dict[TrainingParams, Replay]] = WeakKeyDictionary()

    def of(self, run: Run, round: int | None = None) -> Replay:
        """Return the replay of a run that tells of a round, the newest where no round is said.

        Raises
        ------
        WorkbenchError
            The run has no rows, or its objective is not to be had.
        """
        from workbench.explain.replay import replay_of

        params = run.params if round is None else replay_params(run, round)
        own = self._found.setdefault(run, {})
        found = own.get(params)
        if found is None or found.rounds is not run.rounds:  # which are others after going back or on
            kept = run.kept()
            found = replay_of(run.dataset, kept.started.ensemble, params, run.rounds, run.own.objective)
            own[params] = found
        return found

    def telling(self, run: Run, round: int) -> Replay:
        """Return the replay where it tells of a round: trees scored again add up to other G and H.

        Raises
        ------
        WorkbenchError
            It does not, or there is none.
        """
        problem = run.no_replay(round)
        if run.dataset is None and run.there is not None:
            raise WorkbenchError(run.no_rows(""))
        if problem:
            raise WorkbenchError(problem)
        return self.of(run, round)

    def clear(self) -> None:
        """Forget all: another table is open."""
        self._found.clear()
