"""The label of a value, whichever way it comes: truth values, numbers, dates and texts of a category."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.distinct import distinct_codes
from workbench.data.values.columns import LARGEST_READ
from workbench.data.values.labels import LAST_DAY, Labels, date_label, moment_label, number_label

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

MICROSECONDS = 86_400_000_000  # a day
_MISSING = ("NAType", "NaTType")  # of pandas


def label_of(value: Any) -> str | None:
    """Write a value as the label that a file would hold; None is missing, as what is beyond float32 is.

    The same value has the same label in an array, a list, a frame and a file: a number by its size and not
    by its type, a moment in UTC and without a time that is midnight.
    """
    if value is None or type(value).__name__ in _MISSING or value != value:
        return None
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        return None if abs(float(value)) > LARGEST_READ else number_label(value)
    if isinstance(value, np.datetime64):
        return moment_label(value)
    return _date_label(value) if isinstance(value, date) else str(value)


def _date_label(value: date) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    to_datetime64 = getattr(value, "to_datetime64", None)  # of pandas, which has nanoseconds
    return moment_label(np.datetime64(value) if to_datetime64 is None else to_datetime64())


def day_label(days: np.floating) -> str:
    """Write days since 1970-01-01 as `label_of` writes the moment, to the microsecond."""
    if not abs(days) <= LAST_DAY:
        return date_label(days)
    return moment_label(np.datetime64(round(float(days) * MICROSECONDS), "us"))


def labels_of_array(values: NDArray[Any], write: Callable[[Any], str | None] = label_of) -> Labels:
    """Return the labels of numbers or truth values, shape (n,), ascending; `write` makes each of them."""
    present = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), bool)
    distinct, places, _ = distinct_codes(values[present])
    codes = np.full(len(values), -1, np.int64)
    codes[present] = places
    texts = list(map(write, distinct))
    return Labels.of_recoded(Labels(tuple(text or "" for text in texts), codes), texts)


def labels_of_series(series: pd.Series) -> Labels:
    """Return the labels of a series of any type; of categories also those that are in no row."""
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, distinct = series.cat.codes.to_numpy(), series.cat.categories
    else:
        codes, distinct = pd.factorize(series)
    texts = list(map(label_of, distinct))
    raw = Labels(tuple(text or "" for text in texts), np.asarray(codes, np.int32))
    return Labels.of_recoded(raw, texts)
