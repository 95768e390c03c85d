"""Forced splits as a person writes them become those that a tree grows with: columns and levels by number."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from workbench.data import dates
from workbench.errors import WorkbenchError
from workbench.parameters.forced_splits import read
from workbench.trees.binning import HIGHEST
from workbench.trees.forced_splits import MOST_LEVELS, NO_SPLITS, ForcedSplits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from workbench.data.schema import DataSchema, Feature
    from workbench.parameters.forced_splits import ForcedSplit

MOST_COMPARED = 5000  # names


def forced_plan(text: str, schema: DataSchema, place_of: Callable[[str], int]) -> ForcedSplits:
    """Return the splits that `text` forces on every tree.

    Parameters
    ----------
    place_of : callable
        Gives the place of a column by its name, or refuses it.
    """
    if not text:
        return NO_SPLITS
    splits = list(read(text).all)
    numbers = {id(split): number for number, split in enumerate(splits)}
    columns = [place_of(split.column) for split in splits]
    features = [schema.features[column] for column in columns]
    codes = [_codes(split, feature) for split, feature in zip(splits, features, strict=True)]
    children = [[numbers.get(id(side), -1) for side in (split.yes, split.no)] for split in splits]
    plan = ForcedSplits(
        np.array(columns, np.int64),
        np.array([_threshold(s, f) for s, f in zip(splits, features, strict=True)], np.float32),
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


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to an unknown one, or which there are."""
    names = list(known)
    by_small = {own.lower(): own for own in reversed(names[:MOST_COMPARED])}
    close = get_close_matches(name.lower(), by_small, 1)
    return f"The nearest is '{by_small[close[0]]}'." if close else f"Known: {', '.join(names[:20])}."


def _threshold(split: ForcedSplit, feature: Feature) -> float:
    """Return the number below which a split answers yes; NaN where it asks about categories."""
    if feature.is_categorical:
        return float("nan")
    if split.relation != "<":
        raise WorkbenchError(
            f"forced_splits asks '{split.question}', but '{feature.name}' holds {feature.kind}s; ask "
            f"{feature.name} < {'2020-01-31' if feature.kind == 'date' else 'number'}."
        )
    value = _number(split, feature)
    if abs(value) > HIGHEST:
        raise WorkbenchError(f"forced_splits asks '{split.question}', which no value of a column can reach.")
    return value


def _number(split: ForcedSplit, feature: Feature) -> float:
    try:
        return float(split.values[0])
    except ValueError:
        found = dates.parse(split.values) if feature.kind == "date" else None
    if found is None or np.isnan(found.days[0]):
        raise WorkbenchError(
            f"forced_splits asks '{split.question}'; a {feature.kind} must follow '{feature.name} <'."
        )
    return float(found.days[0])


def _codes(split: ForcedSplit, feature: Feature) -> list[int]:
    """Return the codes of the levels that answer yes, ascending; none where a split asks about numbers."""
    if not feature.is_categorical:
        return []
    if split.relation == "<":
        raise WorkbenchError(
            f"forced_splits asks '{split.question}', but '{feature.name}' holds categories; ask "
            f"{feature.name} = level or {feature.name} in {{a, b}}."
        )
    known = {label: code for code, label in enumerate(feature.categories)}
    for level in split.values:
        if level not in known:
            raise WorkbenchError(
                f"forced_splits names the level '{level}', which '{feature.name}' does not have. "
                f"{nearest(level, known)}"
            )
    return sorted({known[level] for level in split.values})
