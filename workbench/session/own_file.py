"""A Python file of the person's own that they let run: the objective or the metric that came of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workbench.ensembles.own_parts import NOTHING_OWN, OwnParts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ensembles.events import TrainingStarted
    from workbench.metrics.base import Metric
    from workbench.metrics.facts import MetricFacts
    from workbench.objectives.base import Objective
    from workbench.session.objective_facts import ObjectiveFacts

OwnKind = Literal["objective", "metric"]
OWN_OBJECTIVE = "custom"


@dataclass(frozen=True, eq=False)
class OwnFile:
    """What was run, and what it gave.

    Attributes
    ----------
    kind : {"objective", "metric"}
    path : str
    code : str
        The text that was run.
    part : Objective or Metric
    facts : ObjectiveFacts or MetricFacts
    """

    kind: OwnKind
    path: str
    code: str
    part: Objective | Metric
    facts: ObjectiveFacts | MetricFacts

    @property
    def name(self) -> str:
        """The file's name."""
        return Path(self.path).name

    @property
    def sha256(self) -> str:
        """The hash of its text."""
        return sha256_of(self.code)


def missing_of(started: TrainingStarted, own: OwnParts) -> str:
    """Return what of a run's own parts is not there: "an objective of your own"; "" where all is."""
    if started.ensemble.objective == OWN_OBJECTIVE and own.objective is None:
        return "an objective of your own"
    there = {metric.name for metric in own.metrics}
    gone = next((facts.name for facts in started.own_metrics if facts.name not in there), "")
    return f"your own metric {gone}" if gone else ""


def sha256_of(code: str) -> str:
    """Return the hash of a text."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


def read_file(path: str) -> str:
    """Return the text of a file without running it; call it on a worker thread."""
    from workbench.objectives.python_file import read_code

    return read_code(path)


def run_file(kind: OwnKind, path: str, code: str) -> OwnFile:
    """Run the text of a file that the person agreed to; it imports numba, so call it on a worker thread."""
    from workbench.metrics.custom import metric_of
    from workbench.objectives.custom import objective_of
    from workbench.session.objective_facts import objective_facts

    if kind == "objective":
        objective = objective_of(code, path)
        return OwnFile(kind, path, code, objective, objective_facts(objective.name))
    metric = metric_of(code, path)
    return OwnFile(kind, path, code, metric, metric.facts)


def parts_of(files: Sequence[OwnFile], objective: str) -> OwnParts:
    """Return what a run with the objective of this name takes of the files."""
    if not files:
        return NOTHING_OWN
    own = next((file.part for file in files if file.kind == "objective"), None)
    metrics = tuple(file.part for file in files if file.kind == "metric")
    return OwnParts(own if objective == OWN_OBJECTIVE else None, metrics)  # type: ignore[arg-type]
