"""What is said of cells that were read otherwise than they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.table import TableNote
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.values.change import ValueChange
    from workbench.data.values.labels import Labels


def change_notes(name: str, changes: Sequence[ValueChange], labels: Labels) -> list[TableNote]:
    """Say what was changed in a column, in how many cells and where first."""
    found = [(change.what, Places.of_labels(labels, change.touched)) for change in changes]
    return [
        TableNote(f"Column '{name}': {what} {places.within}.", name, places.count, "warning")
        for what, places in found if places
    ]  # fmt: skip
