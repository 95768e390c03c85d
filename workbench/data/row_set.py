"""Rows of the table that were selected together, and in what words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RowSet:
    """Some rows.

    Attributes
    ----------
    rows : ndarray of int64
        Of the table, ascending.
    words : str
        What they are: "wrong rows".
    """

    rows: NDArray[np.int64]
    words: str

    def __contains__(self, row: int) -> bool:
        place = int(self.rows.searchsorted(row))
        return place < len(self.rows) and int(self.rows[place]) == row

    def __len__(self) -> int:
        return len(self.rows)
