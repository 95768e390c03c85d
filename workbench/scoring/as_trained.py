"""Cells of a table that is scored, read as those that the model was trained on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.reading import knows_cells
from workbench.errors import one_line
from workbench.scoring.matching import MOST_NAMED, TableDifference

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import DataSchema

_WORDS = {
    ("decimal", ","): "a comma is the decimal sign", ("decimal", "."): "a point is the decimal sign",
    ("dates", "dmy"): "dates begin with the day", ("dates", "mdy"): "dates begin with the month",
    ("usual_missing", False): "NA, null, ? and the like are no codes for missing",
}  # fmt: skip


def as_trained(
    options: ReadOptions, schema: DataSchema, path: str | Path
) -> tuple[ReadOptions, list[TableDifference]]:
    """Fill the options with what was settled for the training table's cells, and say what that is.

    How columns were found to be written there holds where no cell of the table tells.
    """
    if not knows_cells(path):
        return options, []
    known = tuple((feature.name, feature.writing) for feature in schema.features)
    filled = replace(options.filled(schema.settled), known=known)
    taken = [one for one in filled.of_cells if one not in options.of_cells]
    said = f"Cells are read as they were for training: {_said(taken)}."
    return filled, [TableDifference("read", said, ())] if taken else []


def _said(taken: Sequence[tuple[str, Any]]) -> str:
    return "; ".join(
        one_line(f"{', '.join(value[:MOST_NAMED])} stands for missing") if name == "missing"
        else _WORDS[name, value]
        for name, value in taken
    )  # fmt: skip
