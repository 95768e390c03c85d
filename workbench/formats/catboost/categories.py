"""The categories of each column of a CatBoost model: hashes stand for them, and the names stand aside."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values.labels import MISSING_CODES, natural_key
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.catboost.statistics import joined_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.formats.catboost.statistics import Statistic

MOST_CODE = 1 << 32
MOST_TRIED = 10**7  # combinations of names that are looked for
OF_ITSELF, EXACT = "cat_feature_value", "cat_feature_exact_value"


NAMELESS = (
    "The file does not have the names of the model's categories. Save it with the data that the model was "
    "trained on: save_model(path, format='json', pool=pool)."
)
TOO_MANY = (
    "The model knows a column of categories only together with others, with too many names to try. "
    "Train it with max_ctr_complexity=1."
)


class Categories:
    """Finds the categories of a column in all that the file says of it.

    Parameters
    ----------
    info : dict
        The `features_info` of the file.
    statistics : sequence of Statistic

    Attributes
    ----------
    are_all_named : dict of int to bool
        By index of a column, whether the file has the names of all its categories.
    are_all_told : dict of int to bool
        Whether the file tells which categories the column has, and not only those that are asked for.
    """

    def __init__(self, info: dict[str, Any], statistics: Sequence[Statistic]) -> None:
        self._names = {
            hash_of(one["hash"]): checks.text(one["value"], "a category")
            for one in info.get("cat_features_hash") or []
        }
        self._statistics = statistics
        self._is_only = len(info.get("categorical_features") or []) == 1
        self.are_all_named: dict[int, bool] = {}
        self.are_all_told: dict[int, bool] = {}
        self._by_column: dict[int, set[int]] = {}
        self._tried = 0

    def of(self, index: int, asked: Sequence[int]) -> dict[str, int]:
        """Return names and hashes of a column's categories; `asked` are those of splits on one of them."""
        hashes = set(asked) | self._alone(index)
        for statistic in self._statistics:
            hashes |= {hash_of(one["value"]) for one in statistic.elements if _is(one, index, EXACT)}
        if not self._alone(index):
            hashes |= self._together(index)
        if hashes and not hashes & self._names.keys():
            raise WorkbenchError(NAMELESS)
        self.are_all_named[index] = hashes <= self._names.keys()
        self.are_all_told[index] = self._is_only or not hashes or hashes != set(asked)
        if hashes and hashes == set(asked):
            hashes |= self._unasked(hashes)
        named = {self._names.get(one, f"hash {one}"): one for one in hashes}
        if len(named) < len(hashes):
            raise WorkbenchError("Damaged model file: two categories have the same name.")
        return dict(sorted(named.items(), key=lambda pair: natural_key(pair[0])))

    def _unasked(self, asked: set[int]) -> set[int]:
        """Return categories that no split asks for, of a column of which the file tells no others.

        It has the names of all columns together: of the only one they are its own. Of one among several those
        are taken that readers of tables would else read as one that is asked for: "true" as "True", "nan" as
        "None".
        """
        if self._is_only:
            return {*self._names}
        alike = {_read_as(self._names.get(one, "")) for one in asked} - {None}
        return {one for one, name in self._names.items() if _read_as(name) in alike}

    def _alone(self, index: int) -> set[int]:
        """Return the categories that statistics of this column alone know."""
        if index not in self._by_column:
            tables = {id(one.keys): one for one in self._statistics if one.only_column == index}
            self._by_column[index] = set().union(*(one.hashes().tolist() for one in tables.values()))
        return self._by_column[index]

    def _together(self, index: int) -> set[int]:
        """Return the categories that statistics of several columns know: all names are tried."""
        found: set[int] = set()
        tables = {id(one.keys): one for one in self._statistics}
        for one in tables.values():
            for axis, element in enumerate(one.elements):
                if _is(element, index, OF_ITSELF):
                    found |= self._known_to(one, axis)
        return found

    def _known_to(self, statistic: Statistic, axis: int) -> set[int]:
        if not self._names:
            raise WorkbenchError(NAMELESS)
        parts = [self._possible(element) for element in statistic.elements]
        self._tried += math.prod(map(len, parts))
        if self._tried > MOST_TRIED:
            raise WorkbenchError(TOO_MANY)
        known = np.isin(joined_keys(parts), statistic.keys)
        others = tuple(k for k in range(len(parts)) if k != axis)
        return set(parts[axis][known.any(axis=others)].tolist())

    def _possible(self, element: dict[str, Any]) -> NDArray[np.int64]:
        if element["combination_element"] != OF_ITSELF:
            return np.arange(2)
        return np.array(list(self._alone(element["cat_feature_index"]) or self._names), np.int64)


def hash_of(value: Any) -> int:
    """Return the hash of a category, which CatBoost writes with a sign or without."""
    return checks.integer(value, "a hash", -MOST_CODE, MOST_CODE) % MOST_CODE


def _read_as(name: str) -> str | None:
    """Return what a reader of tables makes of a name that it writes otherwise."""
    stripped = name.strip()
    if stripped in MISSING_CODES:
        return ""
    return stripped.lower() if stripped.lower() in ("true", "false") else None


def _is(element: dict[str, Any], index: int, kind: str) -> bool:
    return element["combination_element"] == kind and element["cat_feature_index"] == index
