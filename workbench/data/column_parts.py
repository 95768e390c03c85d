"""Columns that grow block by block while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.cell_rules import USUAL
from workbench.data.column_types import infer
from workbench.data.columns import LARGEST, collapse_notes, count_collapsed, needs_exact, refused_note
from workbench.data.labels import Labels
from workbench.data.table import Column, Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.cell_rules import CellRules
    from workbench.data.table import Kind

ROWS_PROBED = 10_000


class NumberParts:
    """A column of numbers.

    Blocks are kept as float32. From the first block whose first rows hold distinct values that
    become equal in float32, or whole numbers that float32 changes, float64 is kept, so that these
    can be counted over all blocks and shown as they are.
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.floating]] = []
        self._rows = 0
        self._refused = 0
        self._first_refused = 0
        self._collapses = False
        self._exact = False

    def add(self, values: NDArray[np.float64]) -> None:
        """Append a block."""
        infinite = np.abs(values) > LARGEST
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        if infinite.any():
            if not self._refused:
                self._first_refused = self._rows + int(np.argmax(infinite)) + 1
            self._refused += int(infinite.sum())
            values = np.where(infinite, np.nan, values)
            single = values.astype(np.float32)
        self._collapses = self._collapses or count_collapsed(values[:ROWS_PROBED]) > 0
        self._exact = self._exact or needs_exact(values, single)
        self._parts.append(values if self._collapses or self._exact else single)
        self._rows += len(values)

    def finish(self, name: str, missing_codes: Sequence[str] = ()) -> tuple[Column, list[Note]]:
        """Return the column, and notes on what was changed."""
        double = [part for part in self._parts if part.dtype == np.float64]
        collapsed = count_collapsed(np.concatenate(double)) if double else 0
        values = np.concatenate(self._parts, dtype=np.float32, casting="same_kind")
        exact = np.concatenate(self._parts, dtype=np.float64) if self._exact else None
        column = Column(name, "number", values, collapsed=collapsed, exact=exact)
        notes = [refused_note(name, self._refused, self._first_refused)] if self._refused else []
        if missing_codes and column.missing:
            text = f"Column '{name}': {column.missing:,} cells are missing (code {' '.join(missing_codes)})."
            notes.append(Note(text, name, column.missing))
        return column, notes + collapse_notes(name, collapsed)


class TextParts:
    """A column of text: distinct labels, and codes block by block."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._parts: list[NDArray[np.int32]] = []

    def add(self, texts: Sequence[str], codes: NDArray[np.integer]) -> None:
        """Append a block with its own distinct texts; -1 is missing."""
        recode = [self._index.setdefault(text, len(self._index)) for text in texts]
        self._parts.append(np.array([*recode, -1], dtype=np.int32)[codes])

    def finish(
        self, name: str, rules: CellRules = USUAL, kind: Kind | None = None
    ) -> tuple[Column, list[Note]]:
        """Return the column in the kind that is wanted, or that its labels show, and notes."""
        labels = Labels(tuple(self._index), np.concatenate(self._parts).astype(np.int64))
        return infer(name, labels, rules, kind)
