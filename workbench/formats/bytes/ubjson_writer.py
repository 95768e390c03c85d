"""Universal binary JSON, written: every length and whole number in 64 bits, every other number a float32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes.number_lists import WritesItself
from workbench.formats.bytes.ubjson import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    MarkerOf = Callable[[dict[str, Any], str], bytes | None]


def ubjson(value: Any, marker_of: MarkerOf) -> bytes:
    """Return the bytes of a value as `json.loads` returns it; lists of one type may be arrays.

    Parameters
    ----------
    value : dict, list, str, bool, int, float or None
    marker_of : callable
        (object, key) to the marker of the numbers in the list that stands there; where it is None, the list
        says the marker of each value.

    Raises
    ------
    ValueError
        Where text is no Unicode, or a number is not finite or larger than its type.
    """
    parts: list[bytes] = []
    _write(value, marker_of, parts)
    return b"".join(parts)


def _write(value: Any, marker_of: MarkerOf, parts: list[bytes]) -> None:
    if isinstance(value, dict):
        parts.append(b"{")
        for key, inner in value.items():
            parts.append(_text(key))
            marker = marker_of(value, key) if isinstance(inner, (list, np.ndarray)) else None
            if marker is not None:
                parts += b"[$", marker, b"#", _count(len(inner)), _numbers(inner, marker)
            else:
                _write(inner, marker_of, parts)
        parts.append(b"}")
    elif isinstance(value, WritesItself):
        _write(value.values(), marker_of, parts)
    elif isinstance(value, list):
        parts += b"[#", _count(len(value))
        for inner in value:
            _write(inner, marker_of, parts)
    elif isinstance(value, str):
        parts += b"S", _text(value)
    elif value is None or isinstance(value, bool):
        parts.append({None: b"Z", True: b"T", False: b"F"}[value])
    else:
        marker = b"L" if isinstance(value, int) else b"d"
        parts += marker, _numbers([value], marker)


def _numbers(values: list[Any] | NDArray[Any], marker: bytes) -> bytes:
    wide = np.array(values, np.float64 if marker in (b"d", b"D") else np.int64)
    with np.errstate(over="ignore"):
        narrow = wide.astype(NUMBERS[marker])
    if not np.isfinite(narrow).all() or (marker != b"d" and (narrow != wide).any()):
        raise ValueError(f"a number is too large or not finite: {wide.max():g}")
    return narrow.tobytes()


def _count(count: int) -> bytes:
    return b"L" + count.to_bytes(8, "big")


def _text(text: str) -> bytes:
    raw = text.encode("utf-8")
    return _count(len(raw)) + raw
