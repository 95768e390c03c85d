"""Whether there is room for a table, in memory or on disk, asked before much of it is read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from workbench import memory
from workbench.errors import WorkbenchError
from workbench.mapped import free_on_disk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.mapped import MappedSpace

MOST_COLUMNS = 200_000
WORKING_SHARE = 1.3  # of the columns in single precision, while a table is put together
LABEL_BYTES = 160  # that a text takes which stands in one row only, beside its signs
LEAST_TEXT = 1 << 26  # bytes of texts that any table may have
DISK_BYTES = 11  # a cell of a mapped table: its columns, and what training makes of them
ROW_BYTES = 24  # of memory, while one column of a mapped table is put together
TRAINING_BYTES = 80  # of memory that training takes a row beside its columns
DRAWN = 2  # times the rows of a sample are held while they are drawn, and those read at a time
OUTPUT_BYTES = 20  # for each output more than one
CELL_BYTES = 6  # in the matrix made for training, and its bins twice
MOST_FOLD = 300  # times that texts unpack to; a sheet full of one number shrinks a hundredfold
MUCH_TEXT = 1 << 30  # bytes that any text may unpack to
TOLD_BY = 1 << 26  # bytes that are unpacked before the rest is judged by them


class AwaitedRows(NamedTuple):
    """Rows for which there should be room.

    Attributes
    ----------
    name : str
        Of the table.
    number, columns : int
    text_per_row : float
        Bytes of memory that the texts take which come new with each row; see `bytes_of_texts`.
    held : int
        Rows that are there already.
    can_be_sampled : bool
        Whether some of the rows may be read alone.
    is_least : bool
        Whether the table has these and more, nobody knows how many.
    at_once : int
        How many are read at a time.
    """

    name: str
    number: int
    columns: int
    text_per_row: float = 0.0
    held: int = 0
    can_be_sampled: bool = True
    is_least: bool = False
    at_once: int = 0

    @property
    def words(self) -> str:
        """The size of the table, up to the memory that it takes."""
        if not self.is_least:
            return f"'{self.name}' has about {self.number:,} rows × {self.columns} columns, which take"
        known = self.held or self.number
        which = "which take" if known == self.number else f"and {self.number:,} take"
        return f"'{self.name}' has more than {known:,} rows × {self.columns} columns, {which}"

    def in_sample(self, fitting: int) -> int:
        """Return how many can be drawn at random where so many fit, with those held while they are drawn."""
        return fitting if fitting >= self.number else _rounded((fitting - self.at_once) // DRAWN)

    def bytes_of_row(self, *, mapped: bool) -> float:
        """Return the memory that a row takes."""
        cells = ROW_BYTES if mapped else WORKING_SHARE * 4 * self.columns
        return cells + self.text_per_row


class TooLarge(WorkbenchError):
    """A table for which there is no room.

    Attributes
    ----------
    shortage : str
        What it would take.
    rows : AwaitedRows
        That it has.
    sample : int
        How many can be drawn at random and held in memory; 0 where they cannot be read alone.
    can_be_mapped : bool
        Whether it can be kept on disk.
    """

    def __init__(self, shortage: str, rows: AwaitedRows, fitting: int, *, can_be_mapped: bool) -> None:
        self.sample = rows.in_sample(fitting) if fitting else 0
        ways = []
        if 0 < fitting < rows.number:
            share = "" if rows.is_least else f" or --sample-share {_share(fitting / rows.number)}"
            ways.append(f"read a sample of its rows (--sample-rows {self.sample}{share})")
        ways += ["read it into memory, where there is room"] if fitting >= rows.number else []
        ways += ["keep it on disk (--map: slower, but whole)"] if can_be_mapped else []
        advice = f"{', '.join([*ways, 'or close other programs' if ways else 'close other programs'])}."
        super().__init__(f"{shortage} {advice[0].upper()}{advice[1:]}")
        self.shortage = shortage
        self.rows = rows
        self.can_be_mapped = can_be_mapped


class Unfolds(WorkbenchError):
    """A packed table that unpacks to far more than tables do.

    Attributes
    ----------
    words : str
        How much that is.
    """

    def __init__(self, words: str) -> None:
        super().__init__(f"{words} If it is a table all the same, read it with --unpack-all.")
        self.words = words


class TooLargeToTrain(WorkbenchError):
    """A table in memory beside which there is no room for training; kept on disk, it could be trained on.

    Attributes
    ----------
    shortage : str
        What training would take, and what else can be done.
    """

    def __init__(self, shortage: str) -> None:
        super().__init__(f"{shortage} Or keep the table on disk (--map: slower, but whole).")
        self.shortage = shortage


def bytes_of_texts(texts: Sequence[str]) -> int:
    """Return the memory that distinct texts of a column take."""
    return LABEL_BYTES * len(texts) + sum(map(len, texts))


def check_columns(name: str, columns: int) -> None:
    """Refuse a table of more columns than can be worked with."""
    if columns > MOST_COLUMNS:
        words = f"'{name}' has {columns:,} columns, and {MOST_COLUMNS:,} can be read"
        raise WorkbenchError(f"{words}. Choose fewer of them, or write rows as columns.")


def ask_for_rows(rows: AwaitedRows, space: MappedSpace | None = None) -> None:
    """Raise TooLarge where there is no memory for the rows; or for a mapped table, no memory or disk."""
    free = memory.free_bytes()
    fitting = 0
    if free is not None:
        free = int(memory.SHARE * free)
        if rows.can_be_sampled:
            fitting = _rounded(int(free / rows.bytes_of_row(mapped=False)) + rows.held)
            fitting = min(fitting, rows.number)
        bytes_of_row = rows.bytes_of_row(mapped=space is not None)
        if (rows.number - rows.held) * bytes_of_row > free:
            needed = memory.in_megabytes(rows.number * bytes_of_row)
            beside = "" if space is None else ", even with the columns kept on disk"
            shortage = f"{rows.words} {needed} of memory{beside}, and {memory.in_megabytes(free)} are free."
            mapped = rows.bytes_of_row(mapped=True)
            fits = mapped < bytes_of_row and (rows.number - rows.held) * mapped <= free
            raise TooLarge(shortage, rows, fitting, can_be_mapped=fits)
    if space is not None:
        _ask_for_disk(rows, space.folder, fitting)


def check_unfolding(name: str, size: int, unpacked: int, share: float) -> None:
    """Raise Unfolds where a share of a file of a size has unpacked to so much that all is too much."""
    whole = unpacked / max(share, 1 / size)
    if unpacked >= TOLD_BY and whole > max(MUCH_TEXT, MOST_FOLD * size):
        raise Unfolds(
            f"'{name}' has {size:,} bytes and unpacks to {memory.in_megabytes(whole)} or more, "
            f"{whole / size:,.0f} times as much, which few tables do and takes long to read."
        )


def ask_to_train(name: str, rows: int, columns: int, outputs: int, *, mapped: bool) -> None:
    """Raise WorkbenchError where there is no memory to train on so many rows.

    TooLargeToTrain where there would be if the columns were kept on disk.
    """
    least = rows * (TRAINING_BYTES + OUTPUT_BYTES * (outputs - 1))
    size = f"to train on {rows:,} rows × {columns} columns"
    if mapped:
        memory.ask_for(least, name, f"{size} kept on disk")
        return
    short = memory.shortage(least + rows * CELL_BYTES * columns, name, size)
    if short:
        raise WorkbenchError(short) if memory.shortage(least, name, size) else TooLargeToTrain(short)


def _ask_for_disk(rows: AwaitedRows, folder: str, fitting: int) -> None:
    free, needed = free_on_disk(folder), (rows.number - rows.held) * rows.columns * DISK_BYTES
    if needed > free:
        shortage = (
            f"{rows.words} {memory.in_megabytes(needed)} in the folder {folder} while they are kept on disk, "
            f"and {memory.in_megabytes(free)} are free there."
        )
        raise TooLarge(shortage, rows, fitting, can_be_mapped=False)


def _rounded(rows: int) -> int:
    """Round down to two digits."""
    unit = 10 ** max(len(str(rows)) - 2, 0)
    return max(rows // unit * unit, 1)


def _share(share: float) -> str:
    """Write a share of at most 1 with two digits, rounded down."""
    digits = 1 - math.floor(math.log10(share))
    return f"{math.floor(share * 10**digits) / 10**digits:.2g}"
