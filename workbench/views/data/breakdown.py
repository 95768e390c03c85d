"""One column against the target: rows by value, the target in eight equal groups, a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values.columns import LARGEST_WHOLE
from workbench.data.values.labels import iso_day
from workbench.isolation import isolated
from workbench.number_text import count, percent
from workbench.round_numbers import round_step
from workbench.views.data.axis_text import brief

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.table import Column
    from workbench.views.data.target import TargetClasses

BINS = 14
GROUPS = 8
SHOWN_VALUES = 8  # bars of a category column
TOP_VALUES = 5
STACKED_CLASSES = 10


@dataclass(frozen=True)
class Histogram:
    """Rows by value and class.

    Attributes
    ----------
    edges : ndarray, shape (bins + 1,)
        Of values; whole numbers from 0 where the bars are categories.
    counts : ndarray of int, shape (classes, bins)
        One class where the target has none.
    values : tuple of str
        Names of the bars of a category column.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class TargetGroups:
    """The target's mean, or the share of a class, in groups of rows, and over all rows."""

    title: str
    places: NDArray[np.float64]
    means: NDArray[np.float64]
    sizes: NDArray[np.int64]
    overall: float
    is_share: bool
    is_date: bool = False


@dataclass(frozen=True)
class Breakdown:
    """What the detail panel shows of a column."""

    column: Column
    classes: TargetClasses | None
    histogram: Histogram
    groups: TargetGroups | None
    facts: tuple[tuple[str, str], ...]


def break_down(column: Column, target: Column | None, classes: TargetClasses | None) -> Breakdown:
    """Work it out; takes part of a second for a million rows."""
    values = column.values.astype(np.float64)
    index = None
    if classes is not None and target is not None and len(classes.labels) <= STACKED_CLASSES:
        index = classes.of_row
    places, order = (values, None) if not column.is_categorical else _places_by_size(column)
    histogram = _histogram(column, places, order, index, len(classes.labels) if classes else 1)
    groups = None
    if target is not None and target.name != column.name:
        groups = _groups(column, places, order, target, classes)
    return Breakdown(column, classes, histogram, groups, tuple(_facts(column, values)))


def _places_by_size(column: Column) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Give each row the place of its category, largest first; NaN for missing and the rarest."""
    codes = np.where(np.isnan(column.values), -1, column.values).astype(np.int64)
    sizes = np.bincount(codes[codes >= 0], minlength=len(column.categories))
    order = np.argsort(-sizes, kind="stable")
    order = order[sizes[order] > 0][:SHOWN_VALUES]
    place = np.full(len(column.categories) + 1, np.nan)
    place[order] = np.arange(len(order))
    return place[codes], order


def _histogram(
    column: Column, places: NDArray[np.float64], order: NDArray[np.int64] | None,
    index: NDArray[np.int64] | None, n_classes: int,
) -> Histogram:
    known = ~np.isnan(places)
    if order is None:
        edges, names = _edges(places[known]), ()
    else:
        edges = np.arange(len(order) + 1, dtype=np.float64) - 0.5
        names = tuple(column.categories[code] for code in order)
    if index is None:
        return Histogram(edges, np.histogram(places[known], edges)[0][None, :], names)
    counts = [np.histogram(places[known & (index == k)], edges)[0] for k in range(n_classes)]
    return Histogram(edges, np.stack(counts), names)


def _edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bins between round numbers; one a value for few whole numbers."""
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    largest = max(-low, high)
    if high - low <= BINS and largest <= LARGEST_WHOLE and (values == np.round(values)).all():
        return np.arange(low - 0.5, high + 1)
    step = max(round_step(high - low, BINS), 2 * float(np.spacing(largest)))  # numbers so far apart differ
    first, last = np.floor(low / step), np.floor(high / step)
    return (first + np.arange(last - first + 2)) * step


def _groups(
    column: Column, places: NDArray[np.float64], order: NDArray[np.int64] | None,
    target: Column, classes: TargetClasses | None,
) -> TargetGroups | None:
    wanted, what, is_share = _measure(target, classes)
    used = ~np.isnan(places) & ~np.isnan(wanted)
    x, y = places[used], wanted[used]
    if not len(x):
        return None
    distinct = np.unique(x)
    by_value = order is not None or len(distinct) <= GROUPS
    if by_value:
        group = np.searchsorted(distinct, x)
    else:
        cuts = np.unique(np.quantile(x, np.arange(1, GROUPS) / GROUPS))
        group = np.searchsorted(cuts, x, side="right")
    sizes = np.bincount(group)
    filled = sizes > 0
    mean_place = np.bincount(group, weights=x)[filled] / sizes[filled]
    means = np.bincount(group, weights=y)[filled] / sizes[filled]
    is_date = target.kind == "date" and not is_share
    title = f"{what} by value" if by_value else f"{what}, eight equal groups"
    return TargetGroups(title, mean_place, means, sizes[filled], float(y.mean()), is_share, is_date)


def _measure(target: Column, classes: TargetClasses | None) -> tuple[NDArray[np.float64], str, bool]:
    """Return what is averaged in each row, NaN where unknown, its name, and whether it is a share."""
    if classes is None:
        return target.values.astype(np.float64), f"Mean of {isolated(target.name)}", False
    index = classes.of_row
    shown = 1 if len(classes.labels) == 2 else int(np.bincount(index[index >= 0], minlength=1).argmax())
    wanted = np.where(index < 0, np.nan, (index == shown).astype(np.float64))
    return wanted, f"Share of {isolated(classes.labels[shown])}", True


def _facts(column: Column, values: NDArray[np.float64]) -> Sequence[tuple[str, str]]:
    known = values[~np.isnan(values)]
    distinct = np.unique(known, return_counts=True) if column.is_categorical else (np.unique(known), None)
    end = [("Distinct", count(len(distinct[0]))), ("Missing", count(len(values) - len(known)))]
    if column.collapsed:
        end.append(("Equal in 7 digits", count(column.collapsed)))
    if not len(known):
        return end
    if distinct[1] is not None:
        return _top_values(column, distinct[0], distinct[1]) + end
    low, middle, high = float(known.min()), float(np.median(known)), float(known.max())
    if column.kind == "date":
        return [("From", iso_day(low)), ("To", iso_day(high)), ("Median", iso_day(middle)), *end]
    deviation = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    spread = f"{brief(float(known.mean()))}, {brief(deviation, 3)}"
    span = f"{brief(low, 6)} to {brief(high, 6)}"
    return [("Range", span), ("Median", brief(middle, 6)), ("Mean, std", spread), *end]


def _top_values(
    column: Column, codes: NDArray[np.float64], sizes: NDArray[np.int64]
) -> list[tuple[str, str]]:
    total = sizes.sum()
    largest = np.argsort(-sizes, kind="stable")[:TOP_VALUES]
    return [
        (column.categories[int(codes[i])], f"{count(sizes[i])}, {percent(sizes[i] / total)}") for i in largest
    ]
