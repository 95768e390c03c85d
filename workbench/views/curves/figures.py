"""The series of a run that the plots show, as arrays over rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.run.measured import weighing
from workbench.session.run_parts.by_objective import other_rounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run


def drawn_weight(run: Run) -> NDArray[np.float64]:
    """Weight of the rows that each round drew, about; `promised` and `delivered` are sums over them."""
    return np.maximum(run.train_weight * run.history.column("subsample"), 1e-300)


def drop(run: Run, name: str) -> NDArray[np.float64]:
    """Return how much the loss fell in each round, per row: `name` is "promised" or "delivered"."""
    return -run.history.column(name) / drawn_weight(run)


def hold_out_drop(run: Run) -> NDArray[np.float64]:
    """Return how much the loss per hold-out row fell in each round; empty where no metric tells it.

    NaN where the round made another loss small.
    """
    loss_of_metric = run.facts.loss_of_metric
    if run.started is None or loss_of_metric is None:
        return np.empty(0)
    name = run.facts.metrics[0].name
    values, before = run.history.column(f"valid:{name}"), run.started.initial_valid.get(name, np.nan)
    if not len(values):
        return np.empty(0)
    fell: NDArray[np.float64] = -np.diff(loss_of_metric(np.concatenate([[before], values])))
    names = weighing(run.started.ensemble.objective)
    for change in run.changes:
        if change.name in names and change.round <= len(fell):
            fell[change.round - 1] = np.nan  # other rows counted before
    fell[: other_rounds(run)] = np.nan  # which made another loss small
    return fell
