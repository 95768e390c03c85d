"""What is read otherwise than it stands, and which cells that was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


class ValueChange(NamedTuple):
    """A rule by which labels were read, in words, and which of them it touched."""

    what: str
    touched: NDArray[np.bool_]


def change_where(what: str, touched: Iterable[object]) -> tuple[ValueChange, ...]:
    """Return the change of the labels that are true; none where none is."""
    chosen = np.fromiter(map(bool, touched), bool)
    return (ValueChange(what, chosen),) if chosen.any() else ()


def joined_changes(parts: Sequence[Sequence[ValueChange]]) -> tuple[ValueChange, ...]:
    """Join the changes of labels that were read one by one."""
    touched: dict[str, NDArray[np.bool_]] = {}
    for place, changes in enumerate(parts):
        for change in changes:
            touched.setdefault(change.what, np.zeros(len(parts), np.bool_))[place] = change.touched[0]
    return tuple(map(ValueChange, touched, touched.values()))
