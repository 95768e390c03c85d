"""Runs on a cluster beside XGBoost's own, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xgboost
from xgboost import dask as of_dask

from workbench.cluster.connection import Connection
from workbench.cluster.learner_params import learner_params
from workbench.cluster.placed_matrix import PlacedMatrix
from workbench.cluster.sent_rows import SentRows
from workbench.cluster.setup import ClusterSetup
from workbench.cluster.trainer import ClusterRun
from workbench.ensembles.events import RoundFinished
from workbench.formats.xgboost.tree_reader import foreign_tree, parse_tree
from workbench.given import make_dataset

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

SAMPLES = Path(__file__).parents[2] / "sample_datasets"


class Few(Connection):
    """A connection that uses some of the workers alone."""

    def __init__(self, whole: Connection, workers: int) -> None:
        super().__init__(whole.client, owns_client=False)
        self._few = workers

    @property
    def workers(self) -> list[str]:
        return super().workers[: self._few]


def dataset(name: str, target: str, params: TrainingParams, valid_fraction: float = 0.25, **given: Any):
    frame = pd.read_csv(SAMPLES / f"{name}.csv")
    return make_dataset(frame, None, target, None, None, valid_fraction, params, **given)


def made_dataset(n_rows: int, params: TrainingParams, n_columns: int = 10):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
    frame = pd.DataFrame(x, columns=[f"x{place}" for place in range(n_columns)])
    frame["y"] = x[:, 0] * x[:, 1] + np.sin(3 * x[:, 2]) + rng.normal(size=n_rows)
    return make_dataset(frame, None, "y", None, None, 0.2, params)


def run_of(data, params, connection, control=None, start=None, best=None) -> ClusterRun:
    return ClusterRun(ClusterSetup(SentRows(data), params, start), connection, control, best)


def rounds_of(events) -> list[RoundFinished]:
    return [event for event in events if isinstance(event, RoundFinished)]


def own_params(data, params: TrainingParams) -> dict[str, Any]:
    objective = ClusterSetup(SentRows(data), params, None).objective
    return learner_params(params, objective, data.schema, [])


def types_of(data) -> list[str]:
    return ["c" if feature.is_categorical else "q" for feature in data.schema.features]


def xgboost_alone(data, params: TrainingParams) -> xgboost.Booster:
    """Train with xgboost.train on the same rows."""
    rows = data.train_rows
    weight = None if data.weight is None else data.weight[rows].astype(np.float32)
    given = {
        "label": data.target[rows].astype(np.float32), "weight": weight, "feature_types": types_of(data),
        "enable_categorical": True,
    }  # fmt: skip
    if params.tree_method == "hist":
        matrix = xgboost.QuantileDMatrix(data.features[rows], max_bin=params.max_bin, **given)
    else:
        matrix = xgboost.DMatrix(data.features[rows], **given)
    return xgboost.train(own_params(data, params) | {"nthread": 1}, matrix, params.rounds)


def xgboost_on_dask(data, params: TrainingParams, connection) -> xgboost.Booster:
    """Train with xgboost.dask.train on the same rows on the same workers."""
    setup = ClusterSetup(SentRows(data), params, None)
    placed = setup.rows.place(connection, setup.params, setup.objective, lambda: False)
    bins = params.max_bin if params.tree_method == "hist" else None
    matrix = PlacedMatrix(placed.train, types_of(data), bins)
    with connection.client.as_current(), xgboost.config_context(verbosity=0):
        done = of_dask.train(connection.client, own_params(data, params), matrix, params.rounds)
    return done["booster"]


def trees_of(booster: xgboost.Booster, n_features: int):
    from workbench.formats.bytes.ubjson import parse_ubjson

    model = parse_ubjson(bytes(booster.save_raw("ubj")))["learner"]["gradient_booster"]["model"]
    pairs = zip(model["trees"], model["tree_info"], strict=True)
    return [foreign_tree(parse_tree(record, n_features), int(k)) for record, k in pairs]


def assert_same_trees(found, wanted) -> None:
    assert len(found) == len(wanted)
    for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
        for name in ("feature", "threshold", "category", "default_left", "left", "leaf_value", "sum_hessian"):
            np.testing.assert_array_equal(one.nodes[name], other.nodes[name], f"{name} of tree {place}")
        np.testing.assert_array_equal(one.category_codes, other.category_codes)
        assert one.class_index == other.class_index
