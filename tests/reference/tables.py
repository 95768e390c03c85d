"""Datasets made for tests."""

from __future__ import annotations

import numpy as np

from workbench.data.dataset import Dataset
from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.parameters.training import TrainingParams

N_CLASSES = {"regression": 0, "binary": 2, "multiclass": 4}


def dataset(features, target, task="regression", *, categories=None, weight=None, n_valid=0):
    """A dataset of arrays; `categories` gives the number of codes by column."""
    features = np.asfortranarray(features, np.float32)
    n, d = features.shape
    categories = categories or {}
    kinds = tuple(
        Feature(f"x{f}", "category", tuple(f"c{c}" for c in range(categories[f])))
        if f in categories else Feature(f"x{f}", "number")
        for f in range(d)
    )
    target = np.asarray(target, np.float64)
    labels = tuple(range(max(2, int(target.max()) + 1))) if task != "regression" else ()
    rows = np.arange(n)
    weight = None if weight is None else np.asarray(weight, np.float64)
    schema = DataSchema(kinds, "y", task, labels)
    return Dataset(schema, features, target, weight, rows[: n - n_valid], rows[n - n_valid :], rows)


def random_dataset(task="regression", n=500, d=6, *, n_valid=100, seed=0, missing=0.1, weighted=False):
    """Numbers with gaps, one column of categories (the second), a target that depends on three columns."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d)).astype(np.float32)
    features[:, 1] = rng.integers(0, 5, n)
    signal = features[:, 0] + np.where(features[:, 1] == 3, 2, 0) + features[:, -1] ** 2
    signal = signal + rng.normal(size=n) / 3
    features[rng.random((n, d)) < missing] = np.nan
    edges = {"binary": [1.0], "multiclass": [0.0, 1.0, 2.0]}.get(task)
    target = signal if edges is None else np.digitize(signal, edges).astype(float)
    weight = rng.integers(0, 3, n) if weighted else None
    return dataset(features, target, task, categories={1: 5}, weight=weight, n_valid=n_valid)


def train(data, **params):
    """Run to the end; return the events by kind: started, rounds, ended."""
    events = list(make_trainer(data, TrainingParams(**params)).rounds())
    return events[0], [e for e in events if isinstance(e, RoundFinished)], events[-1]


def fitted(data, **params):
    """Run to the end; return the ensemble."""
    started, rounds, _ = train(data, **params)
    assert isinstance(started, TrainingStarted)
    return started.ensemble.with_rounds(rounds)
