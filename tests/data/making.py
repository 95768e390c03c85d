"""Files and columns that the tests of this floor are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Write = Callable[..., Path]


def numbers(name: str, values: Sequence[float]) -> Column:
    return Column(name, "number", np.array(values, dtype=np.float32))


def texts(name: str, values: Sequence[str | None]) -> Column:
    labels = tuple(sorted({value for value in values if value is not None}))
    codes = [np.nan if value is None else labels.index(value) for value in values]
    return Column(name, "category", np.array(codes, dtype=np.float32), labels)


def table(*columns: Column) -> Table:
    return Table("made", columns)


def said(read: Table) -> str:
    """All that the reader said, in one text."""
    return " ".join(note.text for note in read.notes)


def labels_of(column: Column) -> list[str | None]:
    """The labels of a category, row by row."""
    return [None if np.isnan(code) else column.categories[int(code)] for code in column.values]
