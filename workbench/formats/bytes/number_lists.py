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
    texts = [""] * len(arrays)
    for kind, places in _by_kind(arrays).items():
        of_kind = [arrays[place] for place in places]
        begins = np.cumsum([0, *map(len, of_kind)])
        for place, text in zip(places, _texts(of_kind, begins, kind), strict=True):
            texts[place] = text
    return texts


def part_texts(columns: Sequence[NDArray[Any]], begins: Sequence[int]) -> list[list[str]]:
    """Return the JSON of parts of columns that are equally long: of each column, from each begin to the next.

    The last of `begins` is their length.
    """
    if _are_few(columns):
        return [[compact_json(list_of(column[b:e])) for b, e in pairwise(begins)] for column in columns]
    texts: list[list[str]] = [[]] * len(columns)
    n_parts, n = len(begins) - 1, begins[-1]
    for kind, places in _by_kind(columns).items():
        inner = np.arange(len(places))[:, None] * n + np.asarray(begins[:-1], np.int64)
        its_begins = [*inner.ravel().tolist(), len(places) * n]
        written = _texts([columns[place] for place in places], its_begins, kind)
        for k, place in enumerate(places):
            texts[place] = written[k * n_parts : (k + 1) * n_parts]
    return texts


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


def _by_kind(arrays: Sequence[NDArray[Any]]) -> dict[type[np.generic], list[int]]:
    """Return the places of arrays by how their numbers are written."""
    places: dict[type[np.generic], list[int]] = {}
    for place, array in enumerate(arrays):
        is_double = array.dtype == np.float64
        kind = np.int64 if array.dtype.kind != "f" else np.float64 if is_double else np.float32
        places.setdefault(kind, []).append(place)
    return places


def _texts(
    arrays: list[NDArray[Any]], begins: Sequence[int] | NDArray[Any], kind: type[np.generic]
) -> list[str]:
    """Return the JSON of parts of arrays that are of one kind and stand one behind the other."""
    from workbench.kernels.decimal_text import LONGEST, powers_of_ten, write_floats, write_integers

    numbers = np.concatenate(arrays)
    text, ends = np.empty(LONGEST * len(numbers) + 1, np.uint8), np.zeros(len(numbers) + 1, np.int64)
    if kind is np.int64:
        write_integers(numbers.astype(np.int64), text, ends[1:])
    else:
        if np.isinf(numbers).any():
            raise ValueError("Out of range float values are not JSON compliant")
        write_floats(numbers.astype(np.float64), kind is np.float32, powers_of_ten(), text, ends[1:])
    written = text[: ends[-1]].tobytes().decode("ascii")
    begins = np.asarray(begins)
    starts, stops = ends[begins[:-1]] + (begins[:-1] > 0), ends[begins[1:]]  # a comma stands before most
    return [
        f"[{written[start:stop]}]" if stop > start else "[]"
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]
