"""The person's own Python files that they let run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.metrics.facts import MetricFacts
from workbench.session.journal.kinds.own_file import OwnFileUse
from workbench.session.objective_facts import ObjectiveFacts
from workbench.session.own_file import parts_of
from workbench.session.plan import Plan

if TYPE_CHECKING:
    from workbench.ensembles.own_parts import OwnParts
    from workbench.session.events import SessionEvents
    from workbench.session.hyperparameters import Hyperparameters
    from workbench.session.journal.journal import Journal
    from workbench.session.open_data import OpenData
    from workbench.session.own_file import OwnFile


class OwnFiles:
    """Those in use; they stay when another table is opened.

    Attributes
    ----------
    files : tuple of OwnFile
    known : tuple of OwnFile
        Those that were in use at any time.
    """

    def __init__(
        self, events: SessionEvents, data: OpenData, hyperparameters: Hyperparameters, journal: Journal
    ) -> None:
        self._events, self._data, self._hyperparameters = events, data, hyperparameters
        self._journal = journal
        self.files: tuple[OwnFile, ...] = ()
        self.known: tuple[OwnFile, ...] = ()

    @property
    def objectives(self) -> tuple[ObjectiveFacts, ...]:
        """Facts of the objectives that they gave."""
        return tuple(file.facts for file in self.files if isinstance(file.facts, ObjectiveFacts))

    @property
    def metrics(self) -> tuple[MetricFacts, ...]:
        """Facts of the metrics that they gave."""
        return tuple(file.facts for file in self.files if isinstance(file.facts, MetricFacts))

    @property
    def parts(self) -> OwnParts:
        """What a run takes of them, as it is planned."""
        return parts_of(self.files, self._data.plan.objective)

    def use(self, file: OwnFile) -> None:
        """Take over what a file gave, in place of what it or another gave by the same name."""
        self._leave_out(file)
        self.files, self.known = (*self.files, file), (*self.known, file)
        name = file.facts.name
        if file.kind == "objective":
            self._data.plan = replace(self._data.plan, objective=name)
        else:
            self._hyperparameters.change_everywhere(
                lambda params: params.change(more_metrics=tuple(dict.fromkeys((*params.more_metrics, name))))
            )
        self._announce(file, used=True)

    def drop(self, file: OwnFile) -> None:
        """Do without a file; its metric is not asked for any more, its objective gives way to the first."""
        self._leave_out(file)
        name, data = file.facts.name, self._data
        if file.kind == "metric":
            self._hyperparameters.change_everywhere(lambda params: params.change(
                more_metrics=tuple(metric for metric in params.more_metrics if metric != name),
                metric="auto" if params.metric == name else params.metric,
            ))
        elif data.plan.objective == name:
            first = next((f.name for f in data.objectives if f.task == "regression"), Plan().objective)
            data.plan = replace(data.plan, objective=first)
        self._announce(file, used=False)

    def _leave_out(self, file: OwnFile) -> None:
        taken = (file.kind, file.facts.name)
        self.files = tuple(f for f in self.files if (f.kind, f.facts.name) != taken)

    def _announce(self, file: OwnFile, *, used: bool) -> None:
        self._events.plan.emit()
        self._events.params.emit()
        self._journal.note(OwnFileUse(file.path, file.kind, file.sha256, used))
