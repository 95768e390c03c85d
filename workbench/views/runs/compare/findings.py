"""What is worked out about two runs, on a worker thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.session.comparison.first_difference import Partings, Side
    from workbench.session.comparison.moved_rows import MovedRows
    from workbench.session.run import Run
    from workbench.workers.explainer import Explainer
    from workbench.workers.jobs import Job

MOST_ROWS = 200


class Pair(NamedTuple):
    """Two runs, and so many rounds of each; the round at which the ruler stands, 0 at the newest."""

    first: Run
    second: Run
    rounds: tuple[int, int]
    at: int = 0

    @property
    def runs(self) -> tuple[Run, Run]:
        """Both."""
        return self.first, self.second

    @property
    def linear(self) -> tuple[Run, ...]:
        """Those of both that are linear models, which have no trees to compare."""
        return tuple(run for run in self.runs if run.is_linear)


@dataclass(frozen=True)
class ShareFindings:
    """The share of each feature in a measure of importance, by both runs; the largest first."""

    names: tuple[str, ...]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    measure: str


@dataclass(frozen=True)
class Findings:
    """What is known of a pair."""

    pair: Pair
    partings: Partings
    shares: ShareFindings
    moved: MovedRows | None
    no_rows: str  # why no rows are compared


def find(pair: Pair, explainer: Explainer, job: Job) -> Findings:
    """Work out how two runs differ."""
    from workbench.session.comparison.first_difference import first_partings

    first, second = (
        _side(run, rounds, explainer) for run, rounds in zip(pair.runs, pair.rounds, strict=True)
    )
    partings = first_partings(first, second, job.cancelled, job.progress)
    moved, reason = _moved(pair, job)
    return Findings(pair, partings, _shares(pair), moved, reason)


def ensemble_of(run: Run, rounds: int) -> Ensemble:
    """Return the model of so many rounds."""
    made = run.ensemble(rounds)
    if made is None:
        raise WorkbenchError(f"{run.name} has no trees yet.")
    return made


def _side(run: Run, rounds: int, explainer: Explainer) -> Side:
    from workbench.session.comparison.first_difference import Side

    replay = None
    if run.dataset is not None and run.scored_again is None:
        replay = partial(explainer.replays.of, run)
    schema = run.schema
    if schema is None:
        raise WorkbenchError(f"{run.name} has no trees yet.")
    return Side([event.trees for event in run.rounds[:rounds]], schema, replay)


def _shares(pair: Pair) -> ShareFindings:
    from workbench.explain.importance import feature_importance

    for measure in ("gain", "count"):
        tables: list[dict[str, float]] = []
        for run, rounds in zip(pair.runs, pair.rounds, strict=True):
            values = feature_importance(ensemble_of(run, rounds), "gain" if measure == "gain" else "count")
            names = run.schema.names if run.schema is not None else ()
            total = float(values.sum())
            tables.append(dict(zip(names, (values / (total or 1.0)).tolist(), strict=True)))
        if all(np.isfinite(list(table.values())).all() for table in tables):
            break
    every = list(dict.fromkeys(name for table in tables for name in table))
    every.sort(key=lambda name: -max(table.get(name, 0.0) for table in tables))
    first, second = (np.array([table.get(name, 0.0) for name in every]) for table in tables)
    kinds = {0: measure, 1: "either", 2: "weight"}
    return ShareFindings(tuple(every), first, second, kinds[len(pair.linear)])


def _moved(pair: Pair, job: Job) -> tuple[MovedRows | None, str]:
    from workbench.session.comparison.moved_rows import ScoredModel, moved_rows

    dataset = next((run.dataset for run in pair.runs if run.dataset is not None), None)
    if dataset is None:
        return None, "Neither has its rows: open the table to see which rows moved."
    if job.cancelled():
        return None, ""
    models = [
        ScoredModel(ensemble_of(run, rounds), run.schema)
        for run, rounds in zip(pair.runs, pair.rounds, strict=True) if run.schema is not None
    ]
    found = moved_rows(dataset, models[0], models[1], MOST_ROWS)
    return found, "" if found is not None else "They predict different things."
