"""One block of regular records made into columns by pandas; what is irregular is left to others."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.text.blocks.wanted_columns import Columns, WantedColumns
from workbench.data.values.labels import Labels
from workbench.data.values.leading_zeros import digits_by_place, may_have_leading_zeros

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

WIDE = 2000  # columns, from which on it counts what is done for each
_NUMBER, _TEXT = np.dtype(np.float64), np.dtype(object)
_TINY = re.compile(rb"[eE]-0*+(?:3\d\d|[4-9]\d\d|\d{4})")
_BLANK_LINES = re.compile(rb"\n\n+")
_FIRST_LINE = re.compile(rb"(?: *\n)*+([^\n]*)")


class RecordFrame(WantedColumns):
    """Takes blocks apart."""

    def columns(self, data: bytes) -> Columns | None:
        """Return numbers, texts and digits of leading zeros by place, and the number of rows.

        None where a record is irregular.
        """
        if self.width > WIDE and self.numbers and self.texts:
            return self._columns_by_kind(data)
        if b"\n\n" in data and b'"' not in data:
            data = _BLANK_LINES.sub(b"\n", data)  # at which pandas is slow
        if not data.strip():
            return self._no_rows()
        frame = None if self._begins_too_wide(data) or _has_tiny(data) else self._frame(data)
        if frame is None or self._separators(data) != (self.width - 1) * len(frame):
            return None
        cells = self._cells(frame)
        numbers = {place: cells[place] for place in self.numbers}
        texts = {place: _labels(cells[place]) for place in self.texts}
        has_zeros = self.numbers and may_have_leading_zeros(data, self.separator)
        return numbers, texts, self._digits(data) if has_zeros else {}, len(frame)

    def _no_rows(self) -> Columns:
        numbers = {place: np.empty(0) for place in self.numbers}
        return numbers, {place: Labels.of(()) for place in self.texts}, {}, 0

    def _digits(self, data: bytes) -> dict[int, NDArray[np.uint8]]:
        """Parse columns of numbers as text, in which zeros in front are seen."""
        found = replace(self, numbers=frozenset(), texts=self.numbers).columns(data)
        return {} if found is None else digits_by_place(found[1])

    def _columns_by_kind(self, data: bytes) -> Columns | None:
        """Parse numbers and texts one after the other."""
        first = replace(self, texts=frozenset()).columns(data)
        second = None if first is None else replace(self, numbers=frozenset()).columns(data)
        if first is None or second is None:
            return None
        numbers, _, digits, n_rows = first
        return numbers, second[1], digits, n_rows

    def _cells(self, frame: pd.DataFrame) -> dict[int, NDArray[Any]]:
        if self.numbers and self.texts:
            return {place: frame[place].to_numpy() for place in self.numbers | self.texts}
        return dict(zip(frame.columns.tolist(), frame.to_numpy().T, strict=True))

    def _frame(self, data: bytes) -> pd.DataFrame | None:
        """Parse with pandas; None where a record is too long or a number is none.

        Where all columns are of one kind, it is said once: pandas takes 8 KiB for each that it is told of.
        """
        import pandas as pd

        wanted = self.numbers | self.texts
        missing = ["", *self.missing_codes]
        dtype: Any = {place: _NUMBER if place in self.numbers else _TEXT for place in wanted}
        na_values: Any = dict.fromkeys(self.numbers, missing)
        if not (self.numbers and self.texts):
            dtype, na_values = (_NUMBER, missing) if self.numbers else (_TEXT, [])
        try:
            frame = pd.read_csv(
                io.BytesIO(data),
                sep=self.separator,
                header=None,
                names=list(range(self.width)),
                usecols=sorted(wanted) if len(wanted) < self.width else None,
                dtype=dtype,
                keep_default_na=False,
                na_values=na_values,
                decimal=self.decimal,
                skipinitialspace=True,
                low_memory=False,
                encoding="utf-8",
                **_exact(pd.__version__),
            )
        except (ValueError, OverflowError):
            return None
        return frame if isinstance(frame.index, pd.RangeIndex) else None

    def _begins_too_wide(self, data: bytes) -> bool:
        """Whether the first line has more fields than there are columns: pandas makes an index of them."""
        first = _FIRST_LINE.match(data)
        return first is not None and self._separators(first[1]) >= self.width

    def _separators(self, data: bytes) -> int:
        """Count the separators outside quotes: complete records have one less than fields."""
        outside = b"".join(data.split(b'"')[::2]) if b'"' in data else data
        return int(np.count_nonzero(np.frombuffer(outside, np.uint8) == ord(self.separator)))


def _has_tiny(data: bytes) -> bool:
    """Whether a number may be too near to 0 for float64, which pandas does not tell."""
    return (b"e-" in data or b"E-" in data) and _TINY.search(data) is not None


def _exact(version: str) -> dict[str, Any]:
    """Return what makes pandas read the nearest number: before 3.1 an option, since then nothing."""
    major, minor = map(int, version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _labels(texts: NDArray[np.object_]) -> Labels:
    import pandas as pd

    codes, distinct = pd.factorize(texts)
    return Labels(tuple(distinct), codes.astype(np.int32))
