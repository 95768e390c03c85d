"""A run of a study while it is grown."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.session.session import Session


class Growing:
    """The trainer of a run that is not at its end."""

    def __init__(
        self, session: Session, run: Run, params: TrainingParams, start: Ensemble | None = None,
        best: tuple[int, float] | None = None,
    ) -> None:  # fmt: skip
        from workbench.ensembles.base import make_trainer
        from workbench.ensembles.control import RunControl

        self._session, self._run = session, run
        self.control: RunControl = RunControl()
        assert run.dataset is not None
        self._events: Iterator[Event] = make_trainer(
            run.dataset, params, self.control, start, run.own, best
        ).rounds()
        self.changes: dict[int, dict[str, Any]] = {}  # by the round from which on they hold

    def grow(self, until: int | None) -> None:
        """Grow rounds up to one, or to the end."""
        from workbench.ensembles.events import TrainingPaused

        runs, run = self._session.runs, self._run
        with _failing(self._session, run):
            while until is None or len(run.rounds) < until:
                values = self.changes.pop(len(run.rounds) + 1, None)
                if values is not None:
                    self.change(values)
                event = next(self._events, None)
                if event is None:
                    return
                runs.apply(run, [event])
        runs.apply(run, [TrainingPaused(len(run.rounds))])

    def change(self, values: Mapping[str, Any]) -> None:
        """Give parameters other values from the next round on."""
        self._session.shown.show(self._run)
        self._session.hyperparameters.change(**values)
        self.control.change(self._run.wanted)

    def stop(self) -> None:
        """End the run here."""
        self.control.stop()
        for event in self._events:
            self._session.runs.apply(self._run, [event])


@contextmanager
def _failing(session: Session, run: Run) -> Iterator[None]:
    try:
        yield
    except WorkbenchError as error:
        session.runs.fail(run, str(error))
        raise
