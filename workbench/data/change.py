"""What is read otherwise than it stands, and which cells that was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.places import Places
from workbench.data.table import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from workbench.data.labels import Labels


class Change(NamedTuple):
    """A rule by which labels were read, in words, and which of them it touched."""

    what: str
    touched: NDArray[np.bool_]


def change_where(what: str, touched: Iterable[object]) -> tuple[Change, ...]:
    """Return the change of the labels that are true; none where none is."""
    chosen = np.fromiter(map(bool, touched), bool)
    return (Change(what, chosen),) if chosen.any() else ()


def change_notes(name: str, changes: Sequence[Change], labels: Labels) -> list[Note]:
    """Say what was changed in a column, in how many cells and where first."""
    found = [(change.what, Places.of_labels(labels, change.touched)) for change in changes]
    return [
        Note(f"Column '{name}': {what} {places.within}.", name, places.count, "warning")
        for what, places in found if places
    ]  # fmt: skip


def joined_changes(parts: Sequence[Sequence[Change]]) -> tuple[Change, ...]:
    """Join the changes of labels that were read one by one."""
    touched: dict[str, NDArray[np.bool_]] = {}
    for place, changes in enumerate(parts):
        for change in changes:
            touched.setdefault(change.what, np.zeros(len(parts), np.bool_))[place] = change.touched[0]
    return tuple(map(Change, touched, touched.values()))
