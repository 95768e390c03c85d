"""The training history: one flat record a round, and the same as CSV."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import RoundFinished
from workbench.formats.bytes.csv_text import csv_text
from workbench.parameters.training import BY_NAME, IN_BRANCH, PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.ensembles.events import Event
    from workbench.parameters.training import TrainingParams

FIGURES = (
    "loss", "omega", "omega_leaves", "omega_weights", "structure_score", "gain", "leaves", "depth",
    "promised", "delivered", "seconds", "best_round",
)  # fmt: skip
LIVE = tuple(p.name for p in PARAMETERS if p.live)
KNOWN = {"round", "dropped", *FIGURES, *LIVE, *IN_BRANCH}
_figures_of, _live_of = attrgetter(*FIGURES), attrgetter(*LIVE)


def history_rows(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """Return a record for each finished round among `events`.

    The keys are `round`, `train:metric`, `valid:metric`, those that only the training method has, as
    `oob:metric`, the figures of `RoundFinished`, `dropped` (how many rounds DART left out, where there were
    any), and the parameters that may change during a run, as they were in force; those that changed where a
    run branches off, as text.
    """
    rows = []
    params, live = None, {}
    rounds = [event for event in events if isinstance(event, RoundFinished)]
    changed = _changed_in_branch(rounds)
    for event in rounds:
        if event.params is not params:
            params, live = event.params, dict(zip(LIVE, _live_of(event.params), strict=True))
            live |= {name: BY_NAME[name].shown(getattr(params, name)) for name in changed}
        rows.append(_row(event, live))
    return tuple(rows)


def _changed_in_branch(rounds: Sequence[RoundFinished]) -> list[str]:
    """Return those parameters that are not live, and not the same in all rounds."""
    known = list({id(event.params): event.params for event in rounds}.values())
    return [name for name in IN_BRANCH if any(getattr(p, name) != getattr(known[0], name) for p in known[1:])]


def params_of_row(params: TrainingParams, row: Mapping[str, Any]) -> TrainingParams:
    """Return the parameters of a round, from its record and those of its run."""
    live = {name: row[name] for name in LIVE if name in row}
    fixed = {name: BY_NAME[name].parse(str(row[name])) for name in IN_BRANCH if name in row}
    return params.change(**live, **fixed)


def is_extra(name: str) -> bool:
    """Whether a figure of a record is one that only the training method has."""
    return name not in KNOWN and not name.startswith(("train:", "valid:"))


def history_csv(rows: Iterable[Mapping[str, Any]], *, neutralise: bool = False) -> bytes:
    """Return the records as CSV: UTF-8, a header, a line a round; with `neutralise` without formulas."""
    rows = list(rows)
    columns = list(dict.fromkeys(key for row in rows for key in row)) or ["round"]
    lines = ([row.get(column, "") for column in columns] for row in rows)
    return csv_text([columns, *lines], neutralise=neutralise)


def _row(event: RoundFinished, live: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"round": event.round}
    for name, value in event.train.items():
        row["train:" + name] = value
    for name, value in event.valid.items():
        row["valid:" + name] = value
    row.update(event.extras)
    row.update(zip(FIGURES, _figures_of(event), strict=True))
    row.update(live)
    if event.dropout is not None:
        row["dropped"] = len(event.dropout.dropped)
    return row
