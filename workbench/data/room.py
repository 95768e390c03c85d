"""Whether a table fits into memory, asked before much of it is read."""

from __future__ import annotations

from workbench import memory
from workbench.errors import WorkbenchError

WORKING_SHARE = 1.3  # of the columns in single precision, while a table is put together
LABEL_BYTES = 160  # that a text takes which stands in one row only


class TooLarge(WorkbenchError):
    """A table that does not fit into memory: what it would take, its rows, about, and how many would fit."""

    def __init__(self, shortage: str, rows: int, fitting: int) -> None:
        super().__init__(
            f"{shortage} Read a sample of its rows (--sample-rows {fitting} or --sample-share "
            f"{fitting / rows:.2g}), or close other programs."
        )
        self.shortage = shortage
        self.rows = rows
        self.fitting = fitting


def row_bytes(columns: int, labels_per_row: float = 0.0) -> float:
    """Return the memory that a row takes; `labels_per_row` is how many texts come with each that are new."""
    return WORKING_SHARE * 4 * columns + LABEL_BYTES * labels_per_row


def ask_for_rows(name: str, rows: int, columns: int, bytes_of_row: float, held: int = 0) -> None:
    """Raise TooLarge where there is no memory for so many rows, of which `held` are there already."""
    free = memory.free_bytes()
    if free is None or (rows - held) * bytes_of_row <= memory.SHARE * free:
        return
    fitting = _rounded(int(memory.SHARE * free / bytes_of_row) + held)
    needed, there = memory.in_megabytes(rows * bytes_of_row), memory.in_megabytes(memory.SHARE * free)
    raise TooLarge(
        f"'{name}' has about {rows:,} rows × {columns} columns, which take {needed} of memory, and {there} "
        "are free.",
        rows, fitting,
    )  # fmt: skip


def _rounded(rows: int) -> int:
    """Round down to two digits."""
    unit = 10 ** max(len(str(rows)) - 2, 0)
    return max(rows // unit * unit, 1)
