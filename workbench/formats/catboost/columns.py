"""The columns of CatBoost's models, and what splits ask of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from workbench.data.schema import Feature
from workbench.errors import WorkbenchError
from workbench.formats.answers import Among, Border, diagram
from workbench.formats.bytes import checks
from workbench.formats.bytes.short_name import short_name
from workbench.formats.catboost.categories import MOST_CODE, OF_ITSELF, Categories, hash_of
from workbench.formats.catboost.statistics import are_mixed_up, joined_keys, statistics_of
from workbench.formats.imported_tree import above

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.formats.answers import ForeignAnswer
    from workbench.formats.catboost.statistics import Statistic

MOST_COLUMNS = 10**7
MOST_NAMED = 5
MOST_TOGETHER = 10**7  # combinations of values of which one statistic is taken
MOST_COMPARED = 2 * 10**8  # with all borders of all statistics
FOR_MISSING = ("nan", "None", "<NA>", "NaT", "")  # what text Python and CatBoost make of a missing value
TOO_LARGE = (
    "The model asks for statistics of several columns together, which would make its trees too large. "
    "Train it with max_ctr_complexity=1."
)
MIXED_UP = (
    "The model takes the same statistics of categories of several targets, or for other borders of one, and "
    "CatBoost's file keeps the counts of one alone: predictions are the file's, not the saved model's."
)


class Category(NamedTuple):
    """A column of categories: where it stands, codes by hash, and the code of a missing value."""

    place: int
    codes: dict[int, int]
    missing: int

    @property
    def others(self) -> int:
        """The code of every category that the model does not know."""
        return len(self.codes)


@dataclass
class CatBoostColumns:
    """The columns of the table, and what splits ask of them.

    Attributes
    ----------
    found : list of Feature
        In the order of the table, once all are added.
    statistics : list of Statistic
    numbers : dict of int to (int, bool)
        By index among the numbers: the column, and whether missing values are below every border.
    categories : dict of int to Category
        By index among the categories.
    first : int
        The number of the first split on a statistic; those on numbers and on one category stand before.
    notes : list of str
    """

    found: list[Feature | None]
    statistics: list[Statistic]
    numbers: dict[int, tuple[int, bool]] = field(default_factory=dict)
    categories: dict[int, Category] = field(default_factory=dict)
    first: int = 0
    notes: list[str] = field(default_factory=list)
    _answers: dict[int, list[ForeignAnswer]] = field(default_factory=dict)
    _compared: int = 0

    @property
    def features(self) -> tuple[Feature, ...]:
        """The columns."""
        return tuple(feature for feature in self.found if feature is not None)

    @property
    def are_joined(self) -> bool:
        """Whether splits ask for several columns together."""
        return any(one.only_column is None for one in self.statistics)

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        """Behind the last border of each statistic."""
        return np.cumsum([len(one.borders) for one in self.statistics])

    def add(self, record: dict[str, Any], kind: Literal["number", "category"], texts: Iterable[str]) -> int:
        """Take a column, and return its place."""
        place = checks.integer(record["flat_feature_index"], "flat_feature_index", 0, len(self.found) - 1)
        self.found[place] = Feature(name_of(record, place), kind, tuple(texts))
        return place

    def answer(self, split: Any) -> ForeignAnswer:
        """Return what a split asks."""
        split = checks.mapping(split, "a split")
        if split["split_type"] == "FloatFeature":
            return self._border(split)
        if split["split_type"] == "OneHotFeature":
            return self._one(split)
        if split["split_type"] == "OnlineCtr":
            return self._of_statistic(split)
        raise WorkbenchError(f"Splits of the kind '{str(split['split_type'])[:40]}' are not known here.")

    def _border(self, record: dict[str, Any]) -> Border:
        place, default_left = self.numbers[record["float_feature_index"]]
        border = checks.finite(checks.reals([record["border"]], "border"), "border")
        return Border(place, above(border)[0], default_left, below=False, above=True)

    def _one(self, record: dict[str, Any]) -> Among:
        column = self.categories[record["cat_feature_index"]]
        this = 1 << column.codes[hash_of(record["value"])]
        rest = (2 << column.others) - 1 - this
        return Among(column.place, column.others, column.missing, ((this, True), (rest, False)))

    def _of_statistic(self, split: dict[str, Any]) -> ForeignAnswer:
        """Find the statistic by the number of the split, which counts the borders of all."""
        number = checks.integer(split["split_index"], "split_index", self.first, MOST_CODE) - self.first
        place = int(np.searchsorted(self._ends, number, "right"))
        if place == len(self.statistics):
            raise WorkbenchError("Damaged model file: a split asks for a statistic that there is not.")
        statistic = self.statistics[place]
        at = number - int(self._ends[place]) + len(statistic.borders)
        if checks.float32(checks.reals([split["border"]], "border"), "border")[0] != statistic.borders[at]:
            raise WorkbenchError("Damaged model file: a split has another border than its statistic.")
        if place not in self._answers:
            self._answers[place] = self._diagrams(statistic)
        return self._answers[place][at]

    def _diagrams(self, statistic: Statistic) -> list[ForeignAnswer]:
        """Return an answer for each border."""
        keys, questions = zip(*map(self._axis, statistic.elements), strict=True)
        shape = [2 if isinstance(asked, Border) else asked.others + 1 for asked in questions]
        if statistic.only_column is None:
            self._compared += math.prod(shape) * len(statistic.borders)
            if math.prod(shape) > MOST_TOGETHER or self._compared > MOST_COMPARED:
                raise WorkbenchError(TOO_LARGE)
        values = np.full(shape, statistic.unknown)
        values[tuple(slice(len(one)) for one in keys)] = statistic.looked_up(joined_keys(keys))
        order = sorted(range(len(shape)), key=lambda k: (isinstance(questions[k], Among), shape[k]))
        values = values.transpose(order)
        asked = [questions[k] for k in order]
        return [diagram(values > border, asked) for border in statistic.borders]

    def _axis(self, element: dict[str, Any]) -> tuple[NDArray[np.int64], Border | Among]:
        """Return the keys of the values that an element may have, unknown ones left out, and what it asks."""
        if element["combination_element"] == "float_feature":
            return np.arange(2), self._border(element)
        column = self.categories[element["cat_feature_index"]]
        asked = Among(column.place, column.others, column.missing, ())
        hashes = np.array([*column.codes], np.int64)
        if element["combination_element"] == OF_ITSELF:
            return hashes, asked
        return np.append(hashes == hash_of(element["value"]), False).astype(np.int64), asked


def columns_of(info: dict[str, Any], tables: Any) -> CatBoostColumns:
    """Read `features_info`, with the tables of its statistics."""
    for kind in ("text_features", "embedding_features"):
        if info.get(kind):
            raise WorkbenchError(f"The model has {kind.replace('_', ' ')}; it cannot be shown here.")
    numbers = checks.sequence(info.get("float_features") or [], "float_features")
    categories = checks.sequence(info.get("categorical_features") or [], "categorical_features")
    statistics = statistics_of(info, tables)
    names = Categories(info, statistics)
    partly: list[str] = []
    columns = CatBoostColumns([None] * (len(numbers) + len(categories)), statistics)
    for one in numbers:
        place = columns.add(one, "number", ())
        columns.numbers[_index(one)] = (place, one.get("nan_value_treatment") != "AsTrue")
        columns.first += len(checks.sequence(one.get("borders") or [], "borders"))
    for one in categories:
        asked = [hash_of(value) for value in checks.sequence(one.get("values") or [], "values")]
        named = names.of(_index(one), asked)
        place = columns.add(one, "category", named)
        codes = {value: code for code, value in enumerate(named.values())}
        missing = next((text for text in FOR_MISSING if text in named), None)
        code = len(codes) if missing is None else codes[named[missing]]
        columns.categories[_index(one)] = Category(place, codes, code)
        columns.first += len(asked)
        columns.notes += _notes(name_of(one, place), names.are_all_named[_index(one)], missing)
        if not names.are_all_told[_index(one)]:
            partly.append(short_name(name_of(one, place)))
    if are_mixed_up(info):
        columns.notes.append(MIXED_UP)
    if partly:
        columns.notes.append(_told_partly(partly))
    if None in columns.found:
        raise WorkbenchError("Damaged model file: two columns have the same place.")
    return columns


def _index(record: dict[str, Any]) -> int:
    return checks.integer(record["feature_index"], "feature_index", 0, MOST_COLUMNS)


def name_of(record: dict[str, Any], place: int) -> str:
    """Return the name of a column."""
    name = record.get("feature_name") or record.get("feature_id") or f"f{place}"
    return checks.text(name, "a feature's name")


def _notes(name: str, are_all_named: bool, missing: str | None) -> list[str]:
    """Say what the file does not know of a column of categories, and what missing values are taken for."""
    notes = []
    if not are_all_named:
        notes.append(
            f"The file does not have the names of all categories of '{short_name(name)}'; those without one "
            "are taken for new ones. Save the model with a pool that has them all."
        )
    if missing is not None:
        notes.append(f"Missing values of '{short_name(name)}' count as its category '{missing}'.")
    return notes


def _told_partly(names: list[str]) -> str:
    """Say of which columns the file has only some categories, as each is asked for by itself."""
    listed = ", ".join(f"'{name}'" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return (
        f"The file tells only the categories that are asked for, of {listed}{more}: others are told as new, "
        "and predicted as in CatBoost."
    )
