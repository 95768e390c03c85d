"""Which columns are wanted of a block of records, and what comes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.data.values.labels import Labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

Columns = tuple[dict[int, "NDArray[np.float64]"], dict[int, Labels], dict[int, "NDArray[np.uint8]"], int]


@dataclass(frozen=True)
class WantedColumns:
    """Columns of blocks of one layout.

    Attributes
    ----------
    width : int
        Fields of a record.
    numbers, texts : frozenset of int
        Places of the columns wanted as numbers and as text.
    separator, decimal : str
        One byte each.
    missing_codes : sequence of str
        Codes that stand for missing among the numbers, beside an empty field.
    """

    width: int
    numbers: frozenset[int]
    texts: frozenset[int]
    separator: str
    decimal: str
    missing_codes: Sequence[str] = ()
