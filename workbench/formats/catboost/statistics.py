"""CatBoost's statistics of categories (CTR): a number for each category, or for several values together.

The file keeps how many rows of each class a category had, under a hash of its name: 32 bits stand for a
category, and 64, made of these one after the other, for values of several columns. What a category counts is
computed as CatBoost does, in single precision; one that the file does not have counts as one without rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FACTOR = 0x4906BA494954CB65
_UNDONE = pow(_FACTOR, -2, 1 << 64)
_NO_KEY = (1 << 64) - 1  # in places of the table that nothing has taken
_MOST_ROWS = (1 << 31) - 1
_MOST_BORDERS = 255  # CatBoost's own limit
MEANS = ("BinarizedTargetMeanValue", "FloatTargetMeanValue")
COUNTERS = ("Counter", "FeatureFreq")
_OF_ONE = ("identifier", "target_border_idx", "prior_numerator", "prior_denomerator", "shift", "scale")


class Statistic(NamedTuple):
    """One kind of number, with the borders that splits compare it with.

    Attributes
    ----------
    elements : tuple of dict
        What it is taken of, as the file has it: columns of categories, or questions with two answers.
    borders : ndarray of float32
    target_border : int
    keys : ndarray of uint64, ascending
    values : ndarray of float32
        What they count.
    unknown : float32
        What any other counts.
    """

    elements: tuple[dict[str, Any], ...]
    borders: NDArray[np.float32]
    target_border: int
    keys: NDArray[np.uint64]
    values: NDArray[np.float32]
    unknown: np.float32

    @property
    def only_column(self) -> int | None:
        """Index of the column of categories where the number is taken of it alone."""
        first = self.elements[0]
        alone = len(self.elements) == 1 and first["combination_element"] == "cat_feature_value"
        return first["cat_feature_index"] if alone else None

    def hashes(self) -> NDArray[np.int64]:
        """Return the hashes of the categories that the number of one column knows."""
        signed = (self.keys * np.uint64(_UNDONE)).view(np.int64)
        return signed[signed == signed.astype(np.int32)] % (1 << 32)

    def looked_up(self, keys: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return what each key counts."""
        if not len(self.keys):
            return np.full(keys.shape, self.unknown)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.values[at], self.unknown)


def joined_keys(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.uint64]:
    """Return the keys of all combinations of values: of hashes of categories, and answers 0 and 1."""
    keys = np.zeros((), np.uint64)
    factor = np.array(_FACTOR, np.uint64)
    for part in parts:
        signed = np.where(part >> 31 & 1, part - (1 << 32), part).astype(np.int64).view(np.uint64)
        keys = (keys[..., None] + signed * factor) * factor
    return keys


def statistics_of(info: dict[str, Any], tables: Any) -> list[Statistic]:
    """Read `ctrs` and the tables that belong to them."""
    tables = checks.mapping(tables or {}, "ctr_data")
    read: dict[str, tuple[NDArray[np.uint64], NDArray[np.float64]]] = {}
    found = []
    for one in checks.sequence(info.get("ctrs") or [], "ctrs"):
        name = checks.text(one["identifier"], "identifier")
        table = checks.mapping(tables[name], "a table of ctr_data")
        if name not in read:
            read[name] = _table(table)
        found.append(_statistic(checks.mapping(one, "a statistic"), table, *read[name]))
    return found


def are_mixed_up(info: dict[str, Any]) -> bool:
    """Whether statistics that differ in their targets alone share a table: the file keeps one of a name.

    CatBoost tells a statistic once, with all its borders; a second that is equal is of other targets.
    """
    of_targets = [one for one in info.get("ctrs") or [] if one["ctr_type"] not in COUNTERS]
    told = [tuple(str(one[key]) for key in _OF_ONE) for one in of_targets]
    return len(set(told)) < len(told)


def _table(record: dict[str, Any]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Return the keys, ascending, and what was counted of each."""
    flat = checks.sequence(record["hash_map"], "hash_map")
    stride = checks.integer(record["hash_stride"], "hash_stride", 2, max(len(flat), 2))
    if len(flat) % stride:
        raise WorkbenchError("Damaged model file: a hash_map does not fit its hash_stride.")
    keys = np.array([_key(text) for text in flat[::stride]], np.uint64)
    counts = np.array([checks.reals(flat[k::stride], "hash_map") for k in range(1, stride)]).T
    order = np.argsort(keys, kind="stable")
    order = order[keys[order] != np.uint64(_NO_KEY)]
    return keys[order], checks.finite(counts, "hash_map")[order]


def _key(text: Any) -> int:
    return checks.integer(int(checks.text(text, "a key of hash_map")), "a key of hash_map", 0, _NO_KEY)


def _statistic(
    record: dict[str, Any], table: dict[str, Any], keys: NDArray[np.uint64], counts: NDArray[np.float64]
) -> Statistic:
    kind = record["ctr_type"]
    border = checks.integer(record["target_border_idx"], "target_border_idx", 0, _MOST_ROWS)
    most = checks.integer(table.get("counter_denominator", 0), "counter_denominator", 0, _MOST_ROWS)
    if (counts[:, kind in MEANS :] % 1 != 0).any() or (counts[:, kind in MEANS :] < 0).any():
        raise WorkbenchError("Damaged model file: hash_map has counts that are none.")
    good, total = _counted(kind, counts, border, most)
    if total.max(initial=0) > _MOST_ROWS:
        raise WorkbenchError("Damaged model file: hash_map counts too many rows.")
    terms = [record[name] for name in ("prior_numerator", "prior_denomerator", "shift", "scale")]
    prior, prior_rows, shift, scale = checks.float32(checks.reals(terms, "a prior"), "a prior")
    with np.errstate(all="ignore"):
        rows = np.append(total, most if kind in COUNTERS else 0.0).astype(np.float32)
        values = ((np.append(good, 0.0).astype(np.float32) + prior) / (rows + prior_rows) + shift) * scale
    borders = checks.float32(checks.reals(record["borders"], "borders"), "borders")
    if len(borders) > _MOST_BORDERS:
        raise WorkbenchError("Damaged model file: a statistic has too many borders.")
    elements = [checks.mapping(one, "an element") for one in checks.sequence(record["elements"], "elements")]
    if not elements:
        raise WorkbenchError("Damaged model file: a statistic is taken of nothing.")
    return Statistic(tuple(elements), borders, border, keys, values[:-1], values[-1])


def _counted(
    kind: Any, counts: NDArray[np.float64], border: int, most: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the rows that count, or the sum of their targets, and all rows."""
    width = counts.shape[1]
    if kind in MEANS and width == 2:
        return counts[:, 0], counts[:, 1]
    if kind in COUNTERS and width == 1:
        return counts[:, 0], np.full(len(counts), float(most))
    if kind == "Buckets" and border < width:
        return counts[:, border], counts.sum(1)
    if kind == "Borders" and border < width - 1:
        return counts[:, border + 1 :].sum(1), counts.sum(1)
    raise WorkbenchError(f"The statistic '{str(kind)[:40]}' of {width} numbers is not known here.")
