"""Reading values from parsed JSON: each is checked for type, size and range before it is used."""

from __future__ import annotations

import binascii
import json
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.short_name import short_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

MOST_MADE_UP = 1_100_000  # names; somewhat above the largest code of a category
FEW_MADE_UP = 100_000  # that any file may have
MADE_UP_A_NODE = 100  # more, for each node of its trees
DAMAGE = (  # what a damaged file makes its reader raise
    KeyError,
    TypeError,
    ValueError,
    OverflowError,
    IndexError,
    AttributeError,
    RecursionError,
    zlib.error,
    binascii.Error,
    MemoryError,
)


@contextmanager
def damage_reported(what: str) -> Iterator[None]:
    """Turn whatever a damaged file raises into one sentence about `what`."""
    try:
        yield
    except WorkbenchError:
        raise
    except DAMAGE as error:
        missing = isinstance(error, KeyError) and error.args
        detail = f"'{error.args[0]}' is missing" if missing else str(error)
        line = (detail.splitlines() or ["it cannot be read"])[0][:200]
        raise WorkbenchError(f"The {what} is damaged: {line}.") from error


@contextmanager
def within(place: str) -> Iterator[None]:
    """Say of whatever is damaged at which place of the file it stands."""
    try:
        with damage_reported(""):
            yield
    except WorkbenchError as error:
        words = str(error).removeprefix("Damaged model file: ").removeprefix("The  is damaged: ")
        raise WorkbenchError(f"Damaged model file: {place}: {words}") from error


def parse_object(data: bytes) -> dict[str, Any]:
    """Parse JSON text as data; the outermost value must be an object."""
    try:
        parsed = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"The file is not UTF-8 text (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        wrong = f"{error.msg.removesuffix(' at')} at line {error.lineno}"
        raise WorkbenchError(f"The file is not complete JSON: {wrong}.") from error
    except RecursionError as error:
        raise WorkbenchError("The file is JSON nested too deeply to be a model.") from error
    except ValueError as error:
        raise WorkbenchError(f"The file is not JSON: {error}.") from error
    return mapping(parsed, "the file")


def mapping(value: Any, where: str) -> dict[str, Any]:
    """Return `value` if it is an object."""
    if not isinstance(value, dict):
        raise WorkbenchError(f"Damaged model file: {where} must be an object.")
    return value


def sequence(value: Any, where: str, length: int | None = None) -> list[Any]:
    """Return `value` if it is an array (of this length)."""
    if not isinstance(value, list):
        raise WorkbenchError(f"Damaged model file: {where} must be an array.")
    if length is not None and len(value) != length:
        raise WorkbenchError(f"Damaged model file: {where} has {len(value)} entries instead of {length}.")
    return value


def text(value: Any, where: str) -> str:
    """Return `value` if it is a string."""
    if not isinstance(value, str):
        raise WorkbenchError(f"Damaged model file: {where} must be text.")
    return value


def integer(value: Any, where: str, low: int, high: int) -> int:
    """Return a whole number within bounds; XGBoost writes its own as text."""
    if isinstance(value, str) and value.lstrip("-").isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise WorkbenchError(f"Damaged model file: {where} must be a whole number from {low} to {high}.")
    return value


def integers(value: Any, where: str, length: int | None = None, *, low: int, high: int) -> NDArray[np.int64]:
    """Return an array of whole numbers within bounds."""
    items = sequence(value, where, length)
    if not set(map(type, items)) <= {int, bool}:
        raise WorkbenchError(f"Damaged model file: {where} must hold whole numbers only.")
    if items and not low <= min(items) <= max(items) <= high:
        raise WorkbenchError(f"Damaged model file: {where} has a number outside {low} to {high}.")
    return np.array(items, np.int64)


def each_once(names: Iterable[object], where: str) -> None:
    """Refuse a name that stands for two things; true is not 1."""
    known = set()
    for name in names:
        key = (isinstance(name, bool), name)
        if key in known:
            shown = repr(short_name(name)) if isinstance(name, str) else json.dumps(name)
            raise WorkbenchError(f"Damaged model file: {where} has {shown} twice.")
        known.add(key)


def made_up(count: int, what: str, nodes: int) -> None:
    """Refuse to make up names for more columns or categories than a file with so many nodes may have.

    A short one could ask for any number.
    """
    most = min(MOST_MADE_UP, FEW_MADE_UP + MADE_UP_A_NODE * nodes)
    if count > most:
        held = f"and {nodes:,} nodes in its trees"
        raise WorkbenchError(f"The model has {count:,} {what} without names, {held}; {most:,} are the most.")


def reals(value: Any, where: str, length: int | None = None) -> NDArray[np.float64]:
    """Return an array of numbers; null stands for an unknown one (NaN)."""
    items = sequence(value, where, length)
    if not set(map(type, items)) <= {float, int, type(None)}:
        raise WorkbenchError(f"Damaged model file: {where} must hold numbers only.")
    return np.array(items, np.float64)


def finite(values: NDArray[Any], where: str) -> NDArray[Any]:
    """Return `values` if none is infinite or unknown."""
    if not np.isfinite(values).all():
        raise WorkbenchError(f"Damaged model file: {where} has a value that is not a finite number.")
    return values


def doubles(values: NDArray[np.float64], where: str) -> NDArray[np.float64]:
    """Return `values` if each is a finite float32 number but for its last digits."""
    float32(values, where)
    return values


def float32(values: NDArray[np.float64], where: str) -> NDArray[np.float32]:
    """Return `values` as float32 if each is a finite number there.

    The shortest text of the largest float32 is a double just above it.
    """
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if not np.isfinite(single).all():
        raise WorkbenchError(f"Damaged model file: {where} has a value that is no finite float32 number.")
    return single
