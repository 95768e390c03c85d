"""JSON of documents that hold arrays of numbers: the same text as of lists, written at once."""

from __future__ import annotations

import json
import sys
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes.float_text import shortest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST_FOR_KERNELS = 20_000  # numbers; starting numba takes longer than fewer
FEWEST_WHERE_STARTED = 1_000  # where some machine code is loaded already
PLACE = "\0numbers\0"
_PLACE_IN_TEXT = json.dumps(PLACE)


def json_text(document: Any) -> str:
    """Return compact JSON; arrays are lists, of float32 as short as they can be read back, NaN is null.

    Raises
    ------
    ValueError
        A number is infinite.
    """
    arrays: list[NDArray[Any]] = []

    def place(value: Any) -> str:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"JSON has no {type(value).__name__}")
        arrays.append(value)
        return PLACE

    parts = _json(document, place).split(_PLACE_IN_TEXT)
    if len(parts) != len(arrays) + 1:  # a text of the document holds what stands for arrays
        return _json(document, list_of)
    few = sum(map(len, arrays)) < (FEWEST_WHERE_STARTED if _is_started() else FEWEST_FOR_KERNELS)
    texts = [_json(list_of(array), None) for array in arrays] if few else list_texts(arrays)
    return "".join(chain.from_iterable(zip_longest(parts, texts, fillvalue="")))


def _is_started() -> bool:
    """Whether numba has made itself ready for this processor, which takes a third of a second."""
    registry = sys.modules.get("numba.core.registry")
    return registry is not None and "_toplevel_target_context" in vars(registry.cpu_target)


def list_of(array: NDArray[Any]) -> list[Any]:
    """Return an array as the list that it is in JSON."""
    if array.dtype.kind != "f":
        return array.tolist()
    values = array.tolist() if array.dtype == np.float64 else shortest(array)
    return [value if value == value else None for value in values]


def list_texts(arrays: Sequence[NDArray[Any]]) -> list[str]:
    """Return the JSON of each array."""
    texts = [""] * len(arrays)
    kinds = [_kind_of(array) for array in arrays]
    for kind in (np.float32, np.float64, np.int64):
        of_kind = [place for place, its_kind in enumerate(kinds) if its_kind is kind]
        for place, text in zip(of_kind, _texts([arrays[place] for place in of_kind], kind), strict=True):
            texts[place] = f"[{text}]"
    return texts


def _kind_of(array: NDArray[Any]) -> type[np.generic]:
    if array.dtype.kind != "f":
        return np.int64
    return np.float64 if array.dtype == np.float64 else np.float32


def _texts(arrays: list[NDArray[Any]], kind: type[np.generic]) -> list[str]:
    """Return the numbers of each array, which are of one kind, with commas between them."""
    from workbench.kernels.decimal_text import LONGEST, powers_of_ten, write_floats, write_integers

    if not arrays:
        return []
    numbers = np.concatenate(arrays)
    text, ends = np.empty(LONGEST * len(numbers) + 1, np.uint8), np.zeros(len(numbers) + 1, np.int64)
    if kind is np.int64:
        write_integers(numbers.astype(np.int64), text, ends[1:])
    else:
        if np.isinf(numbers).any():
            raise ValueError("Out of range float values are not JSON compliant")
        write_floats(numbers.astype(np.float64), kind is np.float32, powers_of_ten(), text, ends[1:])
    written = text[: ends[-1]].tobytes().decode("ascii")
    begins = np.cumsum([0, *map(len, arrays)])
    starts, stops = ends[begins[:-1]] + (begins[:-1] > 0), ends[begins[1:]]
    return [
        written[start:stop] if stop > start else ""
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def _json(document: Any, default: Any) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default)
