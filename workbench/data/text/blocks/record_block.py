"""One block of records made into columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from workbench.data.text.blocks.line_repairs import LineRepairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.values.labels import Labels


@dataclass
class RecordBlock:
    """The columns of one block, by place, and what was repaired.

    Attributes
    ----------
    n_rows : int
    numbers : dict of int to ndarray of float64
    texts : dict of int to Labels
    digits : dict of int to ndarray of uint8
        Of columns of numbers with leading zeros, how many digits such cells have; 0 for the others.
    not_numbers : set of int
        Columns that were taken for numbers and hold something else.
    careful : bool
        Whether records were looked at one by one.
    repairs : LineRepairs
        Lines that were filled up, shortened or left out.
    """

    n_rows: int = 0
    numbers: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    texts: dict[int, Labels] = field(default_factory=dict)
    digits: dict[int, NDArray[np.uint8]] = field(default_factory=dict)
    not_numbers: set[int] = field(default_factory=set)
    careful: bool = False
    repairs: LineRepairs = field(default_factory=LineRepairs)

    def rows(self, places: NDArray[np.integer]) -> RecordBlock:
        """Return a block of some of the rows."""
        numbers = {place: values[places] for place, values in self.numbers.items()}
        texts = {place: found.of_rows(places) for place, found in self.texts.items()}
        digits = {place: values[places] for place, values in self.digits.items()}
        return replace(self, n_rows=len(places), numbers=numbers, texts=texts, digits=digits)
