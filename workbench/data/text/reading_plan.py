"""How one text table is read: its layout, which columns are parsed as numbers, in how large blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.data.text.blocks.block_parser import BlockParser
from workbench.data.text.blocks.record_frame import WIDE
from workbench.data.text.first_rows import FirstRows
from workbench.data.text.layout.find_layout import find_layout
from workbench.data.text.layout.head import with_lines
from workbench.data.text.layout.settled import Settled
from workbench.data.text.row_text import RowText
from workbench.data.text.stream.compression import BLOCK_BYTES
from workbench.kernels.cache import kernels_ready

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Source
    from workbench.data.text.layout.layout import TextLayout
    from workbench.data.text.stream.compression import Head
    from workbench.data.values.cell_rules import CellRules

KERNEL_BYTES = 1 << 26  # a file for which compiling them pays
FEWEST_ROWS = 64  # of which a block is made
LARGEST_BLOCK = 1 << 25


@dataclass(frozen=True)
class ReadingPlan:
    """What is settled and found out before the rows of a file are read.

    Attributes
    ----------
    source : Source
    options : ReadOptions
    layout : TextLayout
    first_rows : FirstRows
    numbers, texts : frozenset of int
        Places of the columns that are parsed as numbers at first, and as text.
    codes : tuple of str
        That stand for missing among the numbers.
    most : int, optional
        Only the records in so many first bytes are read.
    block_bytes : int
        Of a usual block; 0 leaves that to the stream.
    by_kernel : bool
        Whether regular records are taken apart by the kernels.
    """

    source: Source
    options: ReadOptions
    layout: TextLayout
    first_rows: FirstRows
    numbers: frozenset[int]
    texts: frozenset[int]
    codes: tuple[str, ...]
    most: int | None
    block_bytes: int
    by_kernel: bool

    @classmethod
    def of(
        cls, source: Source, head: Head, encoding: str, options: ReadOptions, most: int | None
    ) -> ReadingPlan:
        """Plan the reading of a file, or of its first `most` bytes, in one encoding."""
        layout = find_layout(head.data, source.name, encoding, Settled.by(options), whole=head.is_whole)
        first_rows = FirstRows(layout, options)
        width = len(layout.names)
        is_short = head.is_whole and width <= WIDE
        numbers = frozenset[int]() if is_short else first_rows.numbers
        by_kernel = source.size >= KERNEL_BYTES or (not head.is_whole and kernels_ready())
        return cls(
            source, options, layout, first_rows, numbers, frozenset(range(width)) - numbers,
            first_rows.codes_among(numbers), most and with_lines(head.data, most), _block_bytes(head, layout),
            by_kernel,
        )  # fmt: skip

    @property
    def rules(self) -> CellRules:
        """How cells are read."""
        return self.first_rows.rules

    def text(self, cancelled: CancelledQuestion | None) -> RowText:
        """Begin to go through the text of the rows."""
        return RowText(
            self.source, self.layout, self.options, block_bytes=self.block_bytes, most=self.most,
            cancelled=cancelled,
        )  # fmt: skip

    def parser(
        self, numbers: frozenset[int], texts: frozenset[int], codes: tuple[str, ...] = ()
    ) -> BlockParser:
        """Return what makes columns of blocks: of some as numbers, of others as text."""
        return BlockParser(self.layout, numbers, texts, codes, self.rules, self.by_kernel)


def _block_bytes(head: Head, layout: TextLayout) -> int:
    """Return the bytes of `FEWEST_ROWS` rows as long as the first; 0 where a usual block holds them."""
    some_rows = FEWEST_ROWS * len(head.data) // max(len(layout.rows), 1)
    return 0 if some_rows <= BLOCK_BYTES else min(some_rows, LARGEST_BLOCK)
