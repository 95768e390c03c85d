"""One block of regular records made into columns by the kernels; what they do not know is left to others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.data import numerals
from workbench.data.labels import Labels
from workbench.data.records import count_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_HARD = 1024  # cells of a block that Python reads

Columns = tuple[dict[int, "NDArray[np.float64]"], dict[int, Labels], int]


@dataclass(frozen=True)
class RecordScan:
    """Takes blocks of one layout apart.

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

    def columns(self, data: bytes) -> Columns | None:
        """Return numbers and texts by place, and the number of rows; None where a record is irregular."""
        from workbench.data.scanning.cells import IRREGULAR, scan

        text = np.frombuffer(data, np.uint8)
        most = count_lines(data)
        values = np.empty((len(self.numbers), most))
        codes = np.empty((len(self.texts), most), np.int32)
        firsts = np.empty((len(self.texts), most, 2), np.int32)
        table = np.zeros((len(self.texts), 2 << most.bit_length()), np.int32)
        counts, hard = np.zeros(len(self.texts) + 1, np.int64), np.empty((MOST_HARD, 4), np.int32)
        missing, ends = self._missing()
        n_rows = scan(text, ord(self.separator), ord(self.decimal), self._kinds(), missing, ends,
                      values, codes, firsts, table, counts, hard)  # fmt: skip
        if n_rows == IRREGULAR or not self._read_hard(data, hard[: counts[-1]], values):
            return None
        labels = {}
        for slot, place in enumerate(sorted(self.texts)):
            found = [data[begin:end].decode() for begin, end in firsts[slot, : counts[slot]].tolist()]
            labels[place] = Labels(tuple(found), codes[slot, :n_rows])
        numbers = {place: values[slot, :n_rows] for slot, place in enumerate(sorted(self.numbers))}
        return numbers, labels, n_rows

    def _kinds(self) -> NDArray[np.int8]:
        from workbench.data.scanning.cells import NUMBER, SKIPPED, TEXT

        kinds = np.full(self.width, SKIPPED, np.int8)
        kinds[list(self.numbers)] = NUMBER
        kinds[list(self.texts)] = TEXT
        return kinds

    def _missing(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        codes = [code.encode() for code in self.missing_codes]
        ends = np.cumsum([len(code) for code in codes], dtype=np.int64)
        return np.frombuffer(b"".join(codes), np.uint8), ends

    def _read_hard(self, data: bytes, cells: NDArray[np.int32], values: NDArray[np.float64]) -> bool:
        """Read numbers of many digits and the like; False where one of them is none."""
        for slot, row, begin, end in cells.tolist():
            text = data[begin:end].decode().strip()
            if not numerals.is_plain(text, self.decimal):
                return False
            values[slot, row] = numerals.plain_value(text, self.decimal)
        return True
