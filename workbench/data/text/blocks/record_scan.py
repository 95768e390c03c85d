"""One block of regular records made into columns by the kernels; what they do not know is left to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.text.blocks.wanted_columns import Columns, WantedColumns
from workbench.data.values import numerals
from workbench.data.values.labels import Labels
from workbench.data.values.leading_zeros import WIDEST, has_leading_zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.text.blocks.scanning.cells import RecordForm

MOST_HARD = 1024  # cells of a block that Python reads


class RecordScan(WantedColumns):
    """Takes blocks apart."""

    def columns(self, data: bytes, most: int) -> Columns | None:
        """Return numbers, texts and digits of leading zeros by place, and the number of rows, `most` at most.

        None where a record is irregular.
        """
        from workbench.data.text.blocks.scanning.cells import IRREGULAR, NumberCells, TextCells, scan

        text = np.frombuffer(data, np.uint8)
        values = np.empty((len(self.numbers), most))
        digits, padded = np.zeros(values.shape, np.uint8), np.zeros(len(values), np.bool_)
        codes = np.empty((len(self.texts), most), np.int32)
        firsts = np.empty((len(self.texts), most, 2), np.int32)
        table = np.zeros((len(self.texts), 2 << most.bit_length()), np.int32)
        counts, hard = np.zeros(len(self.texts) + 1, np.int64), np.empty((MOST_HARD, 4), np.int32)
        found, texts = NumberCells(values, digits, padded), TextCells(codes, firsts, table)
        n_rows = scan(text, self._form(), found, texts, counts, hard)
        if n_rows == IRREGULAR or not self._read_hard(data, hard[: counts[-1]], values, digits, padded):
            return None
        labels = {}
        for slot, place in enumerate(sorted(self.texts)):
            known = [data[begin:end].decode() for begin, end in firsts[slot, : counts[slot]].tolist()]
            labels[place] = Labels(tuple(known), codes[slot, :n_rows])
        slots = list(enumerate(sorted(self.numbers)))
        numbers = {place: values[slot, :n_rows] for slot, place in slots}
        zeros = {place: digits[slot, :n_rows] for slot, place in slots if padded[slot]}
        return numbers, labels, zeros, n_rows

    def _form(self) -> RecordForm:
        from workbench.data.text.blocks.scanning.cells import NUMBER, SKIPPED, TEXT, RecordForm

        kinds = np.full(self.width, SKIPPED, np.int8)
        kinds[list(self.numbers)] = NUMBER
        kinds[list(self.texts)] = TEXT
        codes = [code.encode() for code in self.missing_codes]
        ends = np.cumsum([len(code) for code in codes], dtype=np.int64)
        missing = np.frombuffer(b"".join(codes), np.uint8)
        return RecordForm(ord(self.separator), ord(self.decimal), kinds, missing, ends)

    def _read_hard(
        self, data: bytes, cells: NDArray[np.int32], values: NDArray[np.float64], digits: NDArray[np.uint8],
        padded: NDArray[np.bool_],
    ) -> bool:  # fmt: skip
        """Read numbers of many digits and the like; False where one of them is none."""
        for slot, row, begin, end in cells.tolist():
            text = data[begin:end].decode().strip()
            if not numerals.is_plain(text, self.decimal):
                return False
            values[slot, row] = numerals.plain_value(text, self.decimal)
            if has_leading_zeros(text):
                digits[slot, row], padded[slot] = min(len(text), WIDEST), True
        return True
