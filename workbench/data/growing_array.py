"""An array that grows at its end without ever being held twice as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from workbench.mapped import MappedSpace

LEAST_ROOM = 1 << 4


class GrowingArray:
    """Values added piece by piece.

    Room is asked for in advance, as much as is expected; the system gives memory only where it is written to.
    With a `space` it is room on the disk.
    """

    def __init__(self, dtype: DTypeLike, expected: int = 0, space: MappedSpace | None = None) -> None:
        self._is_mapped = space is not None
        self._empty: Callable[[int, DTypeLike], NDArray[Any]] = np.empty if space is None else space.empty
        self._room = self._empty(max(expected, LEAST_ROOM), dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def values(self) -> NDArray[Any]:
        """What was added so far; not to be kept."""
        return self._room[: self._length]

    def add(self, values: NDArray[Any]) -> None:
        """Append values."""
        length = self._length + len(values)
        if length > len(self._room):
            room = self._empty(length + length // 4, self._room.dtype)
            room[: self._length] = self.values
            self._room = room
        self._room[self._length : length] = values
        self._length = length

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Leave out all but the chosen values."""
        kept = self.values[chosen]
        self._length = len(kept)
        self._room[: self._length] = kept

    def finish(self) -> NDArray[Any]:
        """Return all of it, and give back what memory is left; nothing may be added any more."""
        if self._is_mapped:
            return self.values
        self._room.resize(self._length, refcheck=False)
        return self._room
