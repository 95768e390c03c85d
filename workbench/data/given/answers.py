"""A target as a script gave it: natural labels, the code of each row, numbers where it has any."""

from __future__ import annotations

import datetime
import numbers as kinds_of_numbers
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.classes import label_text
from workbench.data.distinct import distinct_codes
from workbench.data.given.plain_series import plain_series
from workbench.data.given.rows import values_of
from workbench.data.remarks import one_value_note
from workbench.data.roles import task_of_tally
from workbench.data.values.columns import LARGEST_EXACT, LARGEST_READ
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from workbench.data.classes import Label
    from workbench.data.schema import Task
    from workbench.data.table import Kind, TableNote

DAY = 86_400_000_000  # microseconds
LONGEST = 2**63  # beyond which int64 holds no number


@dataclass(frozen=True)
class Answers:
    """One answer a row.

    Attributes
    ----------
    name : str
    kind : Kind
        number or date: `numbers` are what stood there, or days since 1970-01-01. Else category.
    labels : sequence of str, int, float or bool
        Those that occur, ascending, whole numbers with all their digits; empty where only numbers were asked.
    codes : ndarray of int64, shape (n,)
        Index into `labels`; -1 is missing.
    numbers : ndarray of float64, shape (n,), or None
        None stands for text and truth values.
    """

    name: str
    kind: Kind
    labels: Sequence[Label]
    codes: NDArray[np.int64]
    numbers: NDArray[np.float64] | None

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows have none."""
        return self.codes < 0 if self.numbers is None else np.isnan(self.numbers)

    def task(self) -> Task:
        """Guess what they ask for, as `guess_task` does of a column; a single class is one of two."""
        if self.numbers is None and len(self.labels) == 1:
            return "binary"
        distinct = np.arange(len(self.labels)) if self.numbers is None else np.array(self.labels, np.float64)
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.labels))
        return task_of_tally(self.name, self.kind, distinct, counts)

    def classes(self, labels: Sequence[Label]) -> NDArray[np.float64]:
        """Return for each row the place of its label in `labels`; NaN where it is missing."""
        place = {label: index for index, label in enumerate(labels)}
        values = np.array([place[label] for label in self.labels] + [np.nan])[self.codes]
        return self.numbers if self.numbers is not None and np.array_equal(values, self.numbers) else values


def answers_of(target: Any, n_rows: int, name: str, *, only_numbers: bool = False) -> Answers:
    """Return a target as answers.

    Parameters
    ----------
    target : array-like, Series or column of Arrow, shape (n,) or (n, 1)
    only_numbers : bool
        Whether no labels are needed where they are numbers.
    """
    array = plain_values(target, name)
    if array.shape != (n_rows,):
        raise WorkbenchError(
            f"The target has shape {array.shape} where ({n_rows},) is needed. Give one value for each row."
        )
    if array.dtype.kind == "M":
        days = array.astype("datetime64[us]")
        numbers = np.where(np.isnat(days), np.nan, days.astype(np.int64) / DAY)
        return _of_numbers(name, numbers, "date", only_numbers)
    if array.dtype.kind in "fiu":
        return _of_numbers(name, array, "number", only_numbers)
    return _of_objects(name, array.tolist(), only_numbers)


def plain_values(target: Any, name: str) -> NDArray[Any]:
    """Return a target as an array of numbers, dates or objects; missing is NaN, NaT, or NA among objects."""
    values = values_of(target, "target")
    if not isinstance(values, np.ndarray):
        values = _array_of(plain_series(name, values))
    if values.dtype.kind == "c":
        raise WorkbenchError(f"Complex data not supported: the target '{name}' has complex numbers.")
    if values.dtype.kind == "m":
        return np.where(np.isnat(values), np.nan, values / np.timedelta64(1, "s"))
    if values.dtype.kind == "S":
        return values.astype(str)
    return _of_one_kind(values, name) if values.dtype.kind == "O" else values


def is_missing(value: Any) -> bool:
    """Whether a single value stands for none: None, NaN, NaT, NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, Decimal)) and value != value


def other_class(label: Label, positive: Any = None) -> Label:
    """Return what the other one of two classes is called where every row has the same one."""
    if positive is not None and str(positive) != str(label):
        told: Label = positive
        return told
    if isinstance(label, bool):
        return not label
    if isinstance(label, (int, float)):
        return 1 if label in (0, -1) else 0
    return f"not {label}"


def with_other_class(labels: Sequence[Label], positive: Any = None) -> Sequence[Label]:
    """Return labels of which there are two at least."""
    if len(labels) != 1:
        return labels
    both = [labels[0], other_class(labels[0], positive)]
    return both if any(isinstance(label, str) for label in both) else sorted(both)


def one_value_notes(answers: Answers, labels: Sequence[Label]) -> list[TableNote]:
    """Say that every row has the same answer, so that nothing can be learnt."""
    present = ~answers.missing
    if labels:
        if len(answers.labels) > 1:
            return []
        label = answers.labels[0]
        what = f"'{label}'" if isinstance(label, str) else label_text(label)
        does = "predicts this class alone"
    else:
        assert answers.numbers is not None
        found = answers.numbers[present]
        if found.min() != found.max():
            return []
        what, does = f"{found[0]:g}", "predicts this number alone"
    return [one_value_note(answers.name, what, does, int(present.sum()))]


def _array_of(series: pd.Series) -> NDArray[Any]:
    """Return a series as an array in its own type where nothing is missing or that can say so."""
    import pandas as pd

    if isinstance(series.dtype, np.dtype):
        return series.to_numpy()
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        return series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    plain = getattr(series.dtype, "numpy_dtype", None)
    if plain is not None and plain.kind in "iufb" and not series.isna().any():
        return series.to_numpy(plain)
    return series.astype(object).to_numpy()


def _of_one_kind(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return objects that are all numbers, or all dates, as such; whole numbers keep all their digits."""
    values = array.ravel().tolist()
    present = [value for value in values if not is_missing(value)]
    kinds = set(map(type, present))
    if any(issubclass(kind, (complex, np.complexfloating)) for kind in kinds):
        raise WorkbenchError(f"Complex data not supported: the target '{name}' has complex numbers.")
    odd = next((kind for kind in kinds if kind.__hash__ is None), None)
    if odd is not None:
        raise WorkbenchError(f"The target '{name}' holds a {odd.__name__} where one value a row is needed.")
    if not kinds:
        return np.full(array.shape, np.nan)
    truths = [issubclass(kind, (bool, np.bool_)) for kind in kinds]
    if not all(issubclass(kind, (kinds_of_numbers.Real, Decimal, np.bool_)) for kind in kinds):
        dates = all(issubclass(kind, (datetime.date, np.datetime64)) for kind in kinds)
        return _moments(values).reshape(array.shape) if dates else array
    if all(truths):
        return array
    if all(issubclass(kind, (kinds_of_numbers.Integral, np.bool_)) for kind in kinds):
        if len(present) == len(values) and -LONGEST <= min(present) <= max(present) < LONGEST:
            return np.array(list(map(int, values)), np.int64).reshape(array.shape)
        if max(map(abs, map(int, present))) > LARGEST_EXACT:
            return array
    floats = [np.nan if is_missing(value) else float(value) for value in values]
    return np.array(floats, np.float64).reshape(array.shape)


def _moments(values: list[Any]) -> NDArray[Any]:
    import pandas as pd

    series = pd.to_datetime(pd.Series(values, dtype=object), utc=True)
    return _array_of(series)


def _of_numbers(name: str, array: NDArray[Any], kind: Kind, only_numbers: bool) -> Answers:
    numbers = np.asarray(array, np.float64)
    beyond = np.abs(numbers) > LARGEST_READ
    if beyond.any():
        raise WorkbenchError(
            f"The target '{name}' is infinite or beyond 3.4e38 in row {int(np.argmax(beyond))}. Scale it."
        )
    if only_numbers:
        return Answers(name, kind, (), np.empty(0, np.int64), numbers)
    codes = np.full(len(numbers), -1)
    present = ~np.isnan(numbers)
    exact = array if array.dtype.kind in "iu" else numbers  # which float64 may round
    kept, codes[present], _ = distinct_codes(exact[present])
    whole = bool(np.all(kept == np.floor(kept)))
    return Answers(name, kind, [int(v) if whole else float(v) for v in kept], codes, numbers)


def _of_objects(name: str, values: list[Any], only_numbers: bool) -> Answers:
    """Return texts and truth values, and whole numbers that no array holds beside missing ones."""
    present = [value for value in values if not is_missing(value)]
    is_whole = all(isinstance(value, (kinds_of_numbers.Integral, np.bool_)) for value in present)
    if is_whole and not all(isinstance(value, (bool, np.bool_)) for value in present):
        whole = [None if is_missing(value) else int(value) for value in values]
        return _of_long_numbers(name, whole, only_numbers)
    natural = [_natural(value) for value in values]
    labels = sorted({value for value in natural if value is not None}, key=lambda v: (str(type(v)), v))
    return Answers(name, "category", labels, _places(natural, labels), None)


def _of_long_numbers(name: str, values: list[int | None], only_numbers: bool) -> Answers:
    numbers = np.array([np.nan if value is None else float(value) for value in values])
    rounded = _of_numbers(name, numbers, "number", only_numbers)
    if only_numbers:
        return rounded
    labels = sorted({value for value in values if value is not None})
    return replace(rounded, labels=labels, codes=_places(values, labels))


def _places(values: Sequence[Label | None], labels: Sequence[Label]) -> NDArray[np.int64]:
    place = {label: code for code, label in enumerate(labels)}
    return np.array([-1 if value is None else place[value] for value in values], np.int64)


def _natural(value: Any) -> str | bool | None:
    if is_missing(value):
        return None
    return bool(value) if isinstance(value, (bool, np.bool_)) else str(value)
