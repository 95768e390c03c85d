"""The training history: one flat record a round, and the same as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import RoundFinished
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.ensembles.events import Event

FIGURES = (
    "loss", "omega", "omega_leaves", "omega_weights", "structure_score", "gain", "leaves", "depth",
    "promised", "delivered", "seconds", "best_round",
)  # fmt: skip
LIVE = tuple(p.name for p in PARAMETERS if p.live)


def history_rows(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """Return a record for each finished round among `events`.

    The keys are `round`, `train:metric`, `valid:metric`, the figures of `RoundFinished`, and the
    parameters that may change during a run, as they were in force.
    """
    return tuple(_row(event) for event in events if isinstance(event, RoundFinished))


def history_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the records as CSV: UTF-8, a header, a line a round."""
    rows = list(rows)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, columns or ["round"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8")


def _row(event: RoundFinished) -> dict[str, Any]:
    return (
        {"round": event.round}
        | {f"train:{name}": _plain(value) for name, value in event.train.items()}
        | {f"valid:{name}": _plain(value) for name, value in event.valid.items()}
        | {name: _plain(getattr(event, name)) for name in FIGURES}
        | {name: getattr(event.params, name) for name in LIVE}
    )


def _plain(value: Any) -> float | int:
    """Return a Python number for a numpy one."""
    return value.item() if hasattr(value, "item") else value
