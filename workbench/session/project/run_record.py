"""A run without its rounds as JSON values, and back."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.schema import ROLES, SPLITS_BY
from workbench.data.table import KINDS
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import EndReason, TrainingEnded, TrainingStarted
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.edits import checked_entries
from workbench.formats.own.schema_record import schema_of, schema_record
from workbench.metrics.facts import MetricFacts
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME, TrainingParams
from workbench.session.journal.action import action_of
from workbench.session.objective_facts import objective_facts
from workbench.session.plan import Plan
from workbench.session.project.json_text import json_text
from workbench.session.run import Run, RunState
from workbench.session.run_parts.marks import BranchPoint, RunCard, ScoredAgain
from workbench.session.run_parts.stretches import Stretch, Stretches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, SplitBy
    from workbench.session.journal.action import Action
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.run_parts.stretches import Cluster

MOST_ROUNDS = 10_000_000
MOST_RUNS = 1_000_000
PLAN_FIELDS = tuple(f.name for f in fields(Plan) if f.name != "roles")
STARTED = ("n_train", "n_valid", "threads")


class RunHead(NamedTuple):
    """A run without its rounds, as values that nobody changes any more: see `Run`.

    `shares` is how many of its rounds are kept with the run that it branches off.
    """

    params: TrainingParams
    wanted: TrainingParams
    origin: str
    facts: ObjectiveFacts
    card: RunCard
    branch: BranchPoint | None
    scored_again: ScoredAgain | None
    plan: Plan | None
    kinds: Mapping[str, Any]
    made: Action | None
    schema: DataSchema | None
    started: TrainingStarted | None
    stretches: tuple[Stretch, ...]
    shown_stretches: int
    ended: TrainingEnded | None
    has_failed: bool
    is_steered: bool
    shares: int
    lengthened: int
    edits: tuple[dict[str, Any], ...]

    def is_as(self, other: RunHead | None) -> bool:
        """Whether nothing is other than there; looks at what holds much by identity."""
        if other is None:
            return False
        others = [(mine, its) for mine, its in zip(self, other, strict=True) if mine is not its]
        return all(type(mine) in _SMALL and mine == its for mine, its in others)


_SMALL = (str, int, bool, RunCard, BranchPoint, ScoredAgain, tuple)


def head_of(run: Run, shares: int) -> RunHead:
    """Return what is known of a run besides its rounds; call it on the thread that changes it."""
    return RunHead(
        run.params, run.wanted, run.origin, run.facts, run.card, run.branch, run.scored_again, run.plan,
        run.kinds, run.made, run.schema, run.started, tuple(run.stretches),
        run.stretches.n_counted, run.ended, run.state is RunState.FAILED, run.is_steered, shares,
        run.lengthened, run.edits,
    )  # fmt: skip


def run_record(head: RunHead, schema: int) -> dict[str, Any]:
    """Return a head as JSON values; `schema` is the number under which its schema is kept."""
    return {
        "params": head.params.to_dict(), "wanted": head.wanted.to_dict(), "origin": head.origin,
        "objective": head.facts.name, "card": list(head.card),
        "branch": None if head.branch is None else list(head.branch),
        "scored_again": None if head.scored_again is None else list(head.scored_again),
        "plan": None if head.plan is None else plan_record(head.plan), "kinds": dict(head.kinds),
        "made": None if head.made is None else head.made.record(), "schema": schema,
        "started": None if head.started is None else _started_record(head.started),
        "stretches": [
            [
                stretch.params.to_dict(), stretch.first, stretch.last, ended_record(stretch.ended),
                *([] if stretch.cluster is None else [stretch.cluster]),
            ]
            for stretch in head.stretches
        ],
        "shown_stretches": head.shown_stretches, "ended": ended_record(head.ended),
        "has_failed": head.has_failed, "is_steered": head.is_steered, "shares": head.shares,
        "lengthened": head.lengthened, "edits": list(head.edits),
    }  # fmt: skip


def schema_text(schema: DataSchema) -> str:
    """Return a schema as JSON."""
    return json_text([schema_record(schema), schema.target_is_date])


def schema_from(text: str) -> DataSchema:
    """Read what `schema_text` wrote."""
    record, is_date = json.loads(text)
    return replace(schema_of(record), target_is_date=is_date is True)


def run_of(number: int, record: Any, schemas: Mapping[int, DataSchema]) -> Run:
    """Read what `run_record` wrote: a run that stands still, and has no rounds yet."""
    record = checks.mapping(record, "a run")
    run = Run(number, params_of(record["params"]), origin=checks.text(record["origin"], "origin"))
    run.facts = objective_facts(checks.text(record["objective"], "objective"))
    run.wanted = params_of(record["wanted"])
    title, note, pinned = record["card"]
    run.card = RunCard(checks.text(title, "a name"), checks.text(note, "a note"), pinned is True)
    if record["branch"] is not None:
        other, at = record["branch"]
        run.branch = BranchPoint(_count(other, 1, MOST_RUNS), _count(at))
    if record["scored_again"] is not None:
        name, rounds = record["scored_again"]
        run.scored_again = ScoredAgain(checks.text(name, "a name"), _count(rounds))
    run.plan = None if record["plan"] is None else plan_of(record["plan"])
    run.kinds = kinds_of(record["kinds"])
    run.made = None if record["made"] is None else action_of(record["made"])
    run.schema = schemas[record["schema"]] if record["schema"] else None
    if record["started"] is not None:
        run.started = _started_of(record["started"], run)
        run.facts = run.facts.with_metrics(run.started.own_metrics)
    run.stretches = Stretches(
        Stretch(params_of(params), _count(first), _count(last), ended_of(ended), *map(_cluster_of, cluster))
        for params, first, last, ended, *cluster in record["stretches"]
    )
    run.is_steered = record["is_steered"] is True
    run.lengthened = _count(record["lengthened"])
    run.edits = tuple(checked_entries(record["edits"]))
    run.ended = ended_of(record["ended"])
    run.state = RunState.FAILED if record["has_failed"] is True else RunState.ENDED
    return run


def plan_record(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON values."""
    return {"roles": dict(plan.roles), **{name: getattr(plan, name) for name in PLAN_FIELDS}}


def plan_of(record: Any) -> Plan:
    """Read what `plan_record` wrote."""
    record = checks.mapping(record, "a plan")
    roles = checks.mapping(record["roles"], "roles")
    share, positive = float(record["valid_fraction"]), record["positive"]
    if not all(role in ROLES for role in roles.values()) or not 0 <= share < 1:
        raise WorkbenchError("Damaged project: a plan cannot be.")
    return Plan(
        {checks.text(name, "a column"): role for name, role in roles.items()},
        checks.text(record["objective"], "objective"), record["target_guessed"] is True, share,
        checks.integer(record["split_seed"], "split_seed", 0, 2**62), record["stratified"] is True,
        None if positive is None else checks.text(positive, "positive"),
        _split_by(record.get("split_by", "rows")),
        _text_or_none(record.get("split_column"), "split_column"),
        _text_or_none(record.get("split_file"), "split_file"), record.get("split_took") is True,
    )  # fmt: skip


def _split_by(value: Any) -> SplitBy:
    if value not in SPLITS_BY:
        raise WorkbenchError("Damaged project: rows are held out in a way that there is not.")
    return next(by for by in SPLITS_BY if by == value)


def _text_or_none(value: Any, where: str) -> str | None:
    return None if value is None else checks.text(value, where)


def kinds_of(record: Any) -> dict[str, Any]:
    """Read kinds of columns by name."""
    kinds = checks.mapping(record, "kinds")
    if not all(kind in KINDS for kind in kinds.values()):
        raise WorkbenchError("Damaged project: a column has a kind that there is not.")
    return kinds


def params_of(record: Any) -> TrainingParams:
    """Read parameters; those that this version does not know are left out."""
    values = checks.mapping(record, "params")
    return TrainingParams(**{name: value for name, value in values.items() if name in BY_NAME})


def _started_record(started: TrainingStarted) -> dict[str, Any]:
    ensemble = started.ensemble
    return {
        "ensemble": {
            "objective": ensemble.objective, "n_features": ensemble.n_features,
            "n_classes": ensemble.n_classes, "n_parallel": ensemble.n_parallel,
            "has_offset": ensemble.has_offset, "output_names": list(ensemble.output_names),
            "base_margin": [float(value) for value in ensemble.base_margin], "double": ensemble.adds_doubles,
        },
        "params": started.params.to_dict(), "metrics": list(started.metrics), "watched": started.watched,
        "initial_train": started.initial_train, "initial_valid": started.initial_valid,
        "initial_loss": started.initial_loss,
        "own_metrics": {facts.name: facts.higher_is_better for facts in started.own_metrics},
        "notes": list(started.notes),
        **{name: getattr(started, name) for name in STARTED},
    }  # fmt: skip


def _started_of(record: Any, run: Run) -> TrainingStarted:
    record = checks.mapping(record, "started")
    known = checks.mapping(record["ensemble"], "ensemble")
    n_classes = checks.integer(known["n_classes"], "n_classes", 1, 100_000)
    base: NDArray[np.floating[Any]] = np.array(known["base_margin"], np.float32)
    if known["double"] is True:
        base = np.array(known["base_margin"], np.float64)
    n_features = checks.integer(known["n_features"], "n_features", 1, 2**31 - 1)
    has_columns = run.schema is not None and len(run.schema.features) == n_features
    if base.shape != (n_classes,) or not has_columns:
        raise WorkbenchError("Damaged project: a run does not fit its columns or its outputs.")
    base.flags.writeable = False
    names = checks.sequence(known["output_names"], "output_names")
    if len(names) != (n_classes if n_classes > 1 else 0):
        raise WorkbenchError("Damaged project: a run has other outputs than names for them.")
    metrics = tuple(checks.text(name, "a metric") for name in checks.sequence(record["metrics"], "metrics"))
    params = params_of(record["params"])
    ensemble = Ensemble(
        checks.text(known["objective"], "objective"), n_features, n_classes, base,
        n_parallel=checks.integer(known["n_parallel"], "n_parallel", 1, 100_000),
        has_offset=known["has_offset"] is True,
        output_names=tuple(checks.text(name, "an output") for name in names),
        averages=METHODS[params.method].averages,
    )
    return TrainingStarted(
        ensemble=ensemble, params=params, metrics=metrics,
        watched=checks.text(record["watched"], "watched"),
        initial_train=_numbers(record["initial_train"]), initial_valid=_numbers(record["initial_valid"]),
        initial_loss=float(record["initial_loss"]),
        own_metrics=_facts_of(record["own_metrics"]),
        notes=tuple(checks.text(note, "a note") for note in checks.sequence(record["notes"], "notes")),
        **{name: checks.integer(record[name], name, 0, 2**62) for name in STARTED},
    )  # fmt: skip


def _cluster_of(value: Any) -> Cluster:
    """Read where rounds were grown; nothing is contacted for it."""
    if isinstance(value, str):
        return value
    return {
        name: checks.integer(one, name, 0, 1_000_000) if isinstance(one, int) else checks.text(one, name)
        for name, one in checks.mapping(value, "a cluster").items()
    }


def ended_record(ended: TrainingEnded | None) -> dict[str, Any] | None:
    """Return the end of a run as JSON values."""
    if ended is None:
        return None
    return {"reason": ended.reason.name, "round": ended.round, "best_round": ended.best_round,
            "seconds": ended.seconds, "cuts": list(ended.cuts), "notes": list(ended.notes)}  # fmt: skip


def ended_of(record: Any) -> TrainingEnded | None:
    """Read what `ended_record` wrote."""
    if record is None:
        return None
    record = checks.mapping(record, "ended")
    if record["reason"] not in EndReason.__members__:
        raise WorkbenchError("Damaged project: a run ended for a reason that there is not.")
    return TrainingEnded(
        EndReason[record["reason"]], _count(record["round"]),
        _count(record["best_round"]), float(record["seconds"]),
        tuple(checks.integers(record["cuts"], "cuts", low=0, high=2**31 - 1).tolist()),
        tuple(checks.text(note, "a note") for note in checks.sequence(record["notes"], "notes")),
    )  # fmt: skip


def _facts_of(record: Any) -> tuple[MetricFacts, ...]:
    return tuple(
        MetricFacts(checks.text(name, "a metric"), unit="from a Python file", higher_is_better=higher is True)
        for name, higher in checks.mapping(record, "own_metrics").items()
    )


def _numbers(record: Any) -> dict[str, float]:
    metrics = checks.mapping(record, "metrics")
    return {checks.text(name, "a metric"): float(value) for name, value in metrics.items()}


def _count(value: Any, lowest: int = 0, highest: int = MOST_ROUNDS) -> int:
    return checks.integer(value, "a count", lowest, highest)
