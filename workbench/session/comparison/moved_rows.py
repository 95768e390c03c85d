"""The rows that two models predict otherwise, and the tree in which they part most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.objectives.base import OBJECTIVES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema, Feature
    from workbench.ensembles.ensemble import Ensemble

MOST_ROWS = 200_000  # that are predicted; of more, the first


class ScoredModel(NamedTuple):
    """A model, and what its columns are called."""

    ensemble: Ensemble
    schema: DataSchema


@dataclass(frozen=True)
class MovedRows:
    """Rows of the dataset, those whose prediction moved most first.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Indices into the dataset.
    outputs : ndarray of int64, shape (n,)
        Of several predictions of a row, the one that moved most.
    first, second : ndarray of float64, shape (n,)
        Predictions by both models.
    of : int
        How many rows were looked at.
    are_held_out : bool
    """

    rows: NDArray[np.int64]
    outputs: NDArray[np.int64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    of: int
    are_held_out: bool


def moved_rows(dataset: Dataset, first: ScoredModel, second: ScoredModel, most: int) -> MovedRows | None:
    """Return the hold-out rows whose predictions differ most, training rows where none are held out.

    None where the models predict different numbers of outputs. Serial, for worker threads.
    """
    if first.ensemble.n_classes != second.ensemble.n_classes:
        return None
    held_out = bool(len(dataset.valid_rows))
    rows = (dataset.valid_rows if held_out else dataset.train_rows)[:MOST_ROWS]
    offset = None if dataset.offset is None else dataset.offset[rows]
    made = []
    for model in (first, second):
        features = aligned(dataset, model.schema, rows)
        raw = raw_predictions(model.ensemble, features, serial=True, offset=offset)
        predicted = OBJECTIVES.get(model.ensemble.objective).transform(np.asarray(raw, np.float32))
        made.append(np.asarray(predicted, np.float64).reshape(len(rows), -1))
    moves = np.abs(made[1] - made[0])
    outputs = moves.argmax(axis=1)
    places = np.arange(len(rows))
    order = np.argsort(-moves[places, outputs], kind="stable")[:most]
    order = order[moves[order, outputs[order]] > 0]
    best = outputs[order]
    return MovedRows(rows[order], best, made[0][order, best], made[1][order, best], len(rows), held_out)


def aligned(dataset: Dataset, schema: DataSchema, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return rows of a dataset as the columns of another schema; what is not there is missing.

    Where a model's file names no categories, its codes are taken for those of the dataset.
    """
    if schema.features == dataset.schema.features:
        return dataset.features[rows]
    known = {feature.name: place for place, feature in enumerate(dataset.schema.features)}
    made = np.full((len(rows), len(schema.features)), np.nan, np.float32)
    for place, feature in enumerate(schema.features):
        if feature.name not in known:
            continue
        values = dataset.features[rows, known[feature.name]]
        own = dataset.schema.features[known[feature.name]]
        is_coded = has_codes_alone(feature) and set(own.categories).isdisjoint(feature.categories)
        is_category = own.is_categorical and feature.is_categorical and not is_coded
        if is_category and own.categories != feature.categories:
            codes = {label: code for code, label in enumerate(feature.categories)}
            table = np.array([codes.get(label, np.nan) for label in own.categories] or [np.nan], np.float32)
            there = ~np.isnan(values)
            values = np.where(there, table[np.where(there, values, 0).astype(np.int64)], np.nan)
        made[:, place] = values
    return made


def has_codes_alone(feature: Feature) -> bool:
    """Whether the categories of a column are but numbers from 0 on, as a file without names has them."""
    return feature.is_categorical and feature.categories == tuple(map(str, range(len(feature.categories))))


def most_parted_tree(
    first: ScoredModel, second: ScoredModel, dataset: Dataset, row: int
) -> tuple[int, float, float] | None:
    """Return the tree in which two models add the most different amounts for a row, and both amounts.

    None where they add the same everywhere.
    """
    added = []
    for model in (first, second):
        features = aligned(dataset, model.schema, np.array([row]))
        leaves = leaf_indices(model.ensemble.trees, features)[0]
        trees = zip(model.ensemble.trees, leaves, model.ensemble.tree_weights, strict=True)
        added.append(np.array([tree.nodes["leaf_value"][leaf] * weight for tree, leaf, weight in trees]))
    shared = min(map(len, added))
    apart = np.abs(added[0][:shared] - added[1][:shared])
    if not shared or not apart.max() > 0:
        return None
    place = int(apart.argmax())
    return place, float(added[0][place]), float(added[1][place])
