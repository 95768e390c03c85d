"""Forced splits as a person writes them become those that a tree grows with: columns and levels by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.named_columns import codes_of, threshold_of
from workbench.errors import WorkbenchError
from workbench.parameters.forced_splits import read
from workbench.trees.forced_splits import MOST_LEVELS, NO_SPLITS, ForcedSplits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.schema import DataSchema


def forced_plan(text: str, schema: DataSchema, places: Mapping[str, int]) -> ForcedSplits:
    """Return the splits that `text` forces on every tree.

    Parameters
    ----------
    places : mapping of str to int
        Of the columns, by name; they have what the splits ask about.
    """
    if not text:
        return NO_SPLITS
    splits = list(read(text).all)
    numbers = {id(split): number for number, split in enumerate(splits)}
    columns = [places[split.column] for split in splits]
    features = [schema.features[column] for column in columns]
    codes = [codes_of(split, feature) for split, feature in zip(splits, features, strict=True)]
    children = [[numbers.get(id(side), -1) for side in (split.yes, split.no)] for split in splits]
    plan = ForcedSplits(
        np.array(columns, np.int64),
        np.array([threshold_of(s, f) for s, f in zip(splits, features, strict=True)], np.float32),
        np.cumsum([0, *map(len, codes)]).astype(np.int64),
        np.array([code for some in codes for code in some], np.int64),
        np.array(children, np.int64),
    )
    for column, values in plan.values().items():
        if len(values) > MOST_LEVELS:
            name = schema.features[column].name
            raise WorkbenchError(
                f"forced_splits names {len(values)} levels of '{name}'; {MOST_LEVELS} at most."
            )
    return plan
