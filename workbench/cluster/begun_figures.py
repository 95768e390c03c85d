"""What the model that a run goes on from is worth before its first new round, as XGBoost takes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.cluster.jobs_there import finished
from workbench.cluster.learner_params import learner_params
from workbench.cluster.measures import MEASURES
from workbench.cluster.start_booster import start_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.cluster.setup import ClusterSetup

OF_FIGURES = ("objective", "num_class", "tweedie_variance_power", "eval_metric")


class PartFigures(NamedTuple):
    """Figures of the rows of one worker, by XGBoost's names, and what they count in those of all.

    Attributes
    ----------
    figures : dict of str to float
    weight, pairs : float
        Σw of all rows, and of those with a positive target times that of the others.
    """

    figures: dict[str, float]
    weight: float
    pairs: float


def begun_figures(
    connection: Connection, setup: ClusterSetup, rows: RowsThere, cancelled: Callable[[], bool]
) -> dict[str, dict[str, float]]:
    """Return XGBoost's figures of the training rows, and of those held out where there are any."""
    params, client = setup.params, connection.client
    names = list(dict.fromkeys(MEASURES[name].named(params) for name in setup.metrics.names))
    whole = learner_params(params, setup.objective, setup.schema, names)
    learner = {name: whole[name] for name in OF_FIGURES if name in whole}
    document = start_document(setup.begun, setup.schema, params)
    placed = [("train", *one) for one in rows.train.items()] + [("valid", *one) for one in rows.valid.items()]
    futures = [
        client.submit(figures_of, document, learner, parts, workers=[worker], pure=False)
        for _, worker, parts in placed
    ]
    found = finished(connection, futures, rows.workers, cancelled)
    by_rows: dict[str, list[PartFigures]] = {}
    for (of, _, _), part in zip(placed, found, strict=True):
        by_rows.setdefault(of, []).append(part)
    return {of: together(parts) for of, parts in by_rows.items()}


def figures_of(document: bytes, learner: Mapping[str, Any], parts: Sequence[dict[str, Any]]) -> PartFigures:
    """Take the figures of a model on the rows of a worker; called there.

    Features are not copied: the raw predictions are those that a model without trees begins at.
    """
    import xgboost
    from distributed import get_worker

    threads = {"nthread": get_worker().state.nthreads}
    model = xgboost.Booster(threads, model_file=bytearray(document))
    raw = [
        model.inplace_predict(part["data"], predict_type="margin", validate_features=False) for part in parts
    ]
    label = np.concatenate([part["label"] for part in parts])
    weight = np.concatenate([part["weight"] for part in parts]) if "weight" in parts[0] else None
    matrix = xgboost.DMatrix(
        np.zeros((len(label), 1), np.float32), label, weight=weight, base_margin=np.concatenate(raw),
        nthread=threads["nthread"],
    )  # fmt: skip
    text = xgboost.Booster(dict(learner) | threads, [matrix]).eval_set([(matrix, "x")])
    told = (piece.removeprefix("x-").rpartition(":") for piece in text.split()[1:])
    weights = np.ones(len(label)) if weight is None else weight.astype(np.float64)
    positive, total = float(weights[label > 0.5].sum()), float(weights.sum())
    return PartFigures({name: float(value) for name, _, value in told}, total, positive * (total - positive))


def together(parts: Sequence[PartFigures]) -> dict[str, float]:
    """Return the figures of all workers' rows, reduced as XGBoost does."""
    return {name: _reduced(name, parts) for name in parts[0].figures}


def _reduced(name: str, parts: Sequence[PartFigures]) -> float:
    values = np.array([part.figures[name] for part in parts])
    shares = np.array([
        part.pairs if name == "auc" else 1.0 if name == "aucpr" else part.weight for part in parts
    ])  # fmt: skip
    total = float(shares.sum())
    if total <= 0.0:
        return math.nan
    if name == "rmse":
        return math.sqrt(float(shares @ (values * values)) / total)
    return float(shares @ values) / total
