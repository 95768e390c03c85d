"""JSON of documents that hold arrays of numbers: the same text as of lists, written at once."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from itertools import chain, pairwise, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes.float_text import shortest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST_FOR_KERNELS = 20_000  # numbers; starting numba takes longer than fewer
FEWEST_WHERE_STARTED = 1_000  # where some machine code is loaded already
FEWEST_WHERE_LOADED = 50  # where that for numbers is
WHOLE, DOUBLE, SINGLE = range(3)  # how numbers are written
PLACE = "\0numbers\0"
PLACE_IN_TEXT = json.dumps(PLACE)


class WritesItself(ABC):
    """What stands in a document and is written by columns."""

    @abstractmethod
    def json(self) -> str:
        """Return the compact JSON of `values`."""

    @abstractmethod
    def values(self) -> list[Any]:
        """Return JSON values, with arrays in the place of lists of numbers."""


def json_text(document: Any) -> str:
    """Return compact JSON; arrays are lists, of float32 as short as they can be read back, NaN is null.

    Raises
    ------
    ValueError
        A number is infinite.
    """
    found: list[NDArray[Any] | WritesItself] = []

    def place(value: Any) -> str:
        if not isinstance(value, (np.ndarray, WritesItself)):
            raise TypeError(f"JSON has no {type(value).__name__}")
        found.append(value)
        return PLACE

    parts = compact_json(document, place).split(PLACE_IN_TEXT)
    if len(parts) != len(found) + 1:  # a text of the document holds what stands for arrays
        return compact_json(document, _plain)
    texts = iter(array_texts([value for value in found if isinstance(value, np.ndarray)]))
    written = [next(texts) if isinstance(value, np.ndarray) else value.json() for value in found]
    return "".join(chain.from_iterable(zip_longest(parts, written, fillvalue="")))


def compact_json(document: Any, default: Any = None) -> str:
    """Return JSON without a space, of text as it is."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default)


def array_texts(arrays: Sequence[NDArray[Any]]) -> list[str]:
    """Return the JSON of each array, by machine code where that is faster."""
    return [compact_json(list_of(array)) for array in arrays] if _are_few(arrays) else list_texts(arrays)


def list_texts(arrays: Sequence[NDArray[Any]]) -> list[str]:
    """Return the JSON of each array, by machine code."""
    written = _Written(arrays)
    begins = np.array(written.begins, np.int64)
    return written.lists(begins, begins + np.array([*map(len, arrays)], np.int64))


def part_texts(columns: Sequence[NDArray[Any]], begins: Sequence[int]) -> list[list[str]]:
    """Return the JSON of parts of columns that are equally long: of each column, from each begin to the next.

    The last of `begins` is their length.
    """
    if _are_few(columns):
        return [[compact_json(list_of(column[b:e])) for b, e in pairwise(begins)] for column in columns]
    written = _Written(columns)
    edges = np.array(written.begins, np.int64)[:, None] + np.asarray(begins, np.int64)
    texts, n = written.lists(edges[:, :-1].ravel(), edges[:, 1:].ravel()), len(begins) - 1
    return [texts[n * place : n * (place + 1)] for place in range(len(columns))]


def list_of(array: NDArray[Any]) -> list[Any]:
    """Return an array as the list that it is in JSON."""
    if array.dtype.kind != "f":
        return array.tolist()
    values = array.tolist() if array.dtype == np.float64 else shortest(array)
    return [value if value == value else None for value in values]


def _plain(value: Any) -> list[Any]:
    return value.values() if isinstance(value, WritesItself) else list_of(value)


def _are_few(arrays: Sequence[NDArray[Any]]) -> bool:
    if "workbench.kernels.decimal_text" in sys.modules:
        fewest = FEWEST_WHERE_LOADED
    else:
        fewest = FEWEST_WHERE_STARTED if _is_started() else FEWEST_FOR_KERNELS
    return sum(map(len, arrays)) < fewest


def _is_started() -> bool:
    """Whether numba has made itself ready for this processor, which takes a third of a second."""
    registry = sys.modules.get("numba.core.registry")
    return registry is not None and "_toplevel_target_context" in vars(registry.cpu_target)


def _kind(array: NDArray[Any]) -> int:
    if array.dtype.kind != "f":
        return WHOLE
    return DOUBLE if array.dtype == np.float64 else SINGLE


class _Written:
    """The numbers of several arrays as one text, whole numbers first, then doubles, then single ones.

    Attributes
    ----------
    begins : list of int
        How many numbers stand before those of each array.
    """

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        from workbench.kernels.decimal_text import LONGEST, powers_of_ten, write_numbers

        n = sum(map(len, arrays))
        numbers = np.empty(n, np.int64)
        reals, self.begins, groups, at = numbers.view(np.float64), [0] * len(arrays), [], 0
        kinds = [*map(_kind, arrays)]
        for kind, target in ((WHOLE, numbers), (DOUBLE, reals), (SINGLE, reals)):
            groups.append(at)
            for place, array in enumerate(arrays):
                if kinds[place] == kind:
                    self.begins[place], end = at, at + len(array)
                    target[at:end] = array
                    at = end
        text, self._ends = np.empty(LONGEST * n + 1, np.uint8), np.empty(n + 1, np.int64)
        if not write_numbers(numbers, *groups[1:], powers_of_ten(), text, self._ends):
            raise ValueError("Out of range float values are not JSON compliant")
        self._text = str(text[: self._ends[-1]].data, "ascii")

    def lists(self, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
        """Return the JSON of lists that begin and end behind so many numbers."""
        starts, stops = self._ends[begins] + (begins > 0), self._ends[ends]  # a comma stands before most
        return [
            f"[{self._text[start:stop]}]" if stop > start else "[]"
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
        ]
