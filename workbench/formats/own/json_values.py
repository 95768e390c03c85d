"""JSON values of what a model knows of itself: numbers that JSON cannot say are words there."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SAID_AS_THEY_ARE = {str, int, bool, float, type(None)}
CLOCK = ("created", "seconds")
_UNFINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def without_clock(record: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the clock says, so that the same run gives the same file."""
    kept = dict(record)
    for name in CLOCK:
        kept.pop(name, None)
    return kept


def encoded(value: Any) -> Any:
    """Return JSON values; numbers that JSON cannot say become words."""
    if isinstance(value, dict):
        if _are_said_as_they_are([value]):
            return value
        return {str(key): encoded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        rows_are_said = set(map(type, value)) == {dict} and _are_said_as_they_are(value)
        return list(value) if rows_are_said else [encoded(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _are_said_as_they_are(records: Sequence[dict[Any, Any]]) -> bool:
    """Whether names are text, and values text, whole numbers, none or finite numbers."""
    values = [*chain.from_iterable(record.values() for record in records)]
    if not set(map(type, chain.from_iterable(records))) <= {str}:
        return False
    if not set(map(type, values)) <= SAID_AS_THEY_ARE:
        return False
    return math.isfinite(sum([value for value in values if type(value) is float]))


def decoded(value: Any) -> Any:
    """Return what `encoded` was given."""
    if isinstance(value, dict):
        return {key: decoded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decoded(item) for item in value]
    return _UNFINITE.get(value, value) if isinstance(value, str) else value
