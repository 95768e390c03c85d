"""The series of a run that the plots show, as arrays over rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run

_LOSS_METRICS = {"logistic": "logloss", "softmax": "mlogloss"}  # the metric that is the loss, by objective


def drawn_weight(run: Run) -> NDArray[np.float64]:
    """Weight of the rows that each round drew, about; `promised` and `delivered` are sums over them."""
    return np.maximum(run.train_weight * run.history.column("subsample"), 1e-300)


def drop(run: Run, name: str) -> NDArray[np.float64]:
    """Return how much the loss fell in each round, per row: `name` is "promised" or "delivered"."""
    return -run.history.column(name) / drawn_weight(run)


def hold_out_drop(run: Run) -> NDArray[np.float64]:
    """Return how much the loss per hold-out row fell in each round; empty where no metric tells it."""
    if run.started is None:
        return np.empty(0)
    objective = run.started.ensemble.objective
    name = _LOSS_METRICS.get(objective, "rmse" if objective == "squared" else "")
    values, before = run.history.column(f"valid:{name}"), run.started.initial_valid.get(name)
    if before is None or not len(values):
        return np.empty(0)
    losses = np.concatenate([[before], values])
    return -np.diff(0.5 * losses**2 if objective == "squared" else losses)
