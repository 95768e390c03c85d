"""A model made of what a trainer has said so far."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingStarted, rounds_of_model
from workbench.errors import WorkbenchError
from workbench.formats.edits import with_edits
from workbench.formats.model import Model
from workbench.formats.own.history_csv import history_rows
from workbench.formats.xgboost.categories import unsafe_columns
from workbench.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import Event


def snapshot(
    schema: DataSchema,
    started: TrainingStarted,
    rounds: Sequence[RoundFinished],
    ended: TrainingEnded | None = None,
    keep: int | None = None,
    edits: Sequence[dict[str, Any]] = (),
) -> Model:
    """Return the model after `keep` rounds.

    Without `keep` all rounds count, but for a run that ended by early stopping: then those up to the
    best one. The history always holds every round.

    Parameters
    ----------
    edits : sequence of dict
        As `edit_entry` makes them.
    """
    before = started.ensemble.rounds
    notes = [*_notes(schema), *started.notes, *(ended.notes if ended else ())]
    if keep is None:
        keep = rounds_of_model(started, rounds, ended)
    model = Model(
        ensemble=started.ensemble.with_rounds(rounds[:keep]),
        schema=schema,
        params=started.params.change(objective=started.ensemble.objective),
        history=history_rows(rounds),
        provenance=_provenance(started, rounds, ended, before + keep) | {"notes": notes},
    )
    return with_edits(model, edits)


def model_from_events(schema: DataSchema, events: Iterable[Event]) -> Model:
    """Return the model at the end of a list of events."""
    events = list(events)
    started = next((e for e in events if isinstance(e, TrainingStarted)), None)
    if started is None:
        raise WorkbenchError("Training has not started; there is no model yet.")
    ended = next((e for e in events if isinstance(e, TrainingEnded)), None)
    return snapshot(schema, started, [e for e in events if isinstance(e, RoundFinished)], ended)


def _provenance(
    started: TrainingStarted, rounds: Sequence[RoundFinished], ended: TrainingEnded | None, kept: int
) -> dict[str, Any]:
    return {
        "program": "Boosting Workbench",
        "version": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "ended": ended.reason.value if ended else "still training",
        "rounds_grown": started.ensemble.rounds + len(rounds),
        "rounds_kept": kept,
        "best_round": rounds[-1].best_round if rounds else 0,
        "seconds": round(sum(float(r.seconds) for r in rounds), 3),
        "watched": started.watched,
        "metrics": list(started.metrics),
        **({"own_metrics": _directions(started)} if started.own_metrics else {}),
        "cuts": list(ended.cuts) if ended else [],
        "n_train": int(started.n_train),
        "n_valid": int(started.n_valid),
        "initial_train": {name: float(v) for name, v in started.initial_train.items()},
        "initial_valid": {name: float(v) for name, v in started.initial_valid.items()},
    }


def _directions(started: TrainingStarted) -> dict[str, str]:
    """Which way metrics from a person's own files are better: their model file keeps no more of them."""
    return {m.name: "higher" if m.higher_is_better else "lower" for m in started.own_metrics}


def _notes(schema: DataSchema) -> list[str]:
    """What was warned of the target, and what a person who takes the model to XGBoost should know."""
    warned = [n.text for n in schema.journal if n.column == schema.target and n.severity == "warning"]
    return warned + [
        f"Column '{name}' has category names that are not ASCII, which XGBoost cannot match. "
        "Give XGBoost its codes instead."
        for name in unsafe_columns(schema.features)
    ]
