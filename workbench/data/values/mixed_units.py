"""Numbers of one column in several units, as 5 kg beside 300 g: they are not brought to one unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.table import TableNote
from workbench.data.values import numerals
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from workbench.data.values.labels import Labels

AS_CATEGORY = "and is read as a category."
LOOKED_AT = 1000  # labels: where none of these has a unit, none is looked for
HALF = 0.5  # of the cells: so many have a unit
MOST_NAMED = 4


class MixedUnits(NamedTuple):
    """The units of a column, the commonest first, and where each stands; how many cells have none."""

    units: tuple[tuple[str, Places], ...]
    others: int

    @property
    def listed(self) -> str:
        """Says which units there are, in how many cells, and where first."""
        told = [f"{unit} {places.within}" for unit, places in self.units[:MOST_NAMED]]
        more = len(self.units) - MOST_NAMED
        return "; ".join([*told, *([f"and {more} more"] if more > 0 else [])])


def mixed_units(labels: Labels) -> MixedUnits | None:
    """Return the units in a column of numbers with several of them; None where it is no such column."""
    if not any(map(numerals.unit_of, labels.texts[:LOOKED_AT])):
        return None
    of_labels = np.array([numerals.unit_of(text) or "" for text in labels.texts], object)
    cells = int(np.count_nonzero(labels.codes >= 0))
    found = [(unit, Places.of_labels(labels, of_labels == unit)) for unit in set(of_labels) - {""}]
    found = sorted((one for one in found if one[1]), key=lambda one: (-one[1].count, one[1].row))
    with_unit = sum(places.count for _, places in found)
    if len(found) < 2 or with_unit <= HALF * cells:
        return None
    return MixedUnits(tuple(found), cells - with_unit)


def unit_notes(name: str, found: MixedUnits) -> list[TableNote]:
    """Say that the column holds several units."""
    count = sum(places.count for _, places in found.units)
    text = f"Column '{name}' has numbers in several units ({found.listed}) {AS_CATEGORY}"
    return [TableNote(text, name, count, "warning")]
