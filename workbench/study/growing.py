"""A run of a study while it is grown."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.study.study_cluster import StudyCluster

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.session.run_parts.stretches import Cluster
    from workbench.session.session import Session


class Growing:
    """The trainer of a run that is not at its end."""

    def __init__(
        self, session: Session, run: Run, params: TrainingParams, start: Ensemble | None = None,
        best: tuple[int, float] | None = None, cluster: Any = None,
    ) -> None:  # fmt: skip
        from workbench.ensembles.control import RunControl

        self._session, self._run, self._is_far = session, run, cluster is not None
        self.control: RunControl = RunControl()
        self._asked = len(run.rounds)
        self._events: Iterator[Event] = _events(run, params, self.control, start, best, cluster)
        self.changes: dict[int, dict[str, Any]] = {}  # by the round from which on they hold

    def grow(self, until: int | None) -> None:
        """Grow rounds up to one, or to the end."""
        from workbench.ensembles.events import TrainingPaused

        runs, run = self._session.runs, self._run
        is_led = self._is_far and (until is not None or bool(self.changes))
        if self._is_far and not is_led:
            self.control.resume()
        with _failing(self._session, run):
            while until is None or len(run.rounds) < until:
                values = self.changes.pop(len(run.rounds) + 1, None)
                if values is not None:
                    self.change(values)
                if is_led and self._asked <= len(run.rounds):
                    self._asked = len(run.rounds) + 1
                    self.control.step()  # workers far away go no further unasked
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


def _events(
    run: Run, params: TrainingParams, control: RunControl, start: Ensemble | None,
    best: tuple[int, float] | None, cluster: Any,
) -> Iterator[Event]:  # fmt: skip
    """Set up what trains, here or on a cluster."""
    if isinstance(cluster, StudyCluster):
        return cluster.rounds(run, params, control, start, best)
    assert run.dataset is not None
    if cluster is None:
        from workbench.ensembles.base import make_trainer

        return make_trainer(run.dataset, params, control, start, run.own, best).rounds()
    from workbench.cluster.extra import check_extra

    check_extra()
    from workbench.cluster.open_run import rounds_there
    from workbench.cluster.sent_rows import SentRows

    return rounds_there(cluster, SentRows(run.dataset), params, control, start, run.own, best)


@contextmanager
def _failing(session: Session, run: Run) -> Iterator[None]:
    try:
        yield
    except WorkbenchError as error:
        session.runs.fail(run, str(error))
        raise


def cluster_record(cluster: Any) -> Cluster | None:
    """Return how a script says where a run trains; None for this machine."""
    if cluster is None:
        return None
    if isinstance(cluster, StudyCluster):
        return cluster.record
    from workbench.cluster.where import Where

    return Where.of(cluster).settled.record
