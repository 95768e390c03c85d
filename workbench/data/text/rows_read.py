"""The rows of a text table that were read so far: how many, and what was repaired in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.text.blocks.line_repairs import LineRepairs

if TYPE_CHECKING:
    from workbench.data.readers.source import Progress
    from workbench.data.text.blocks.record_block import RecordBlock


class RowsRead:
    """Counts the rows of blocks, and tells of them.

    Attributes
    ----------
    count : int
    repairs : LineRepairs
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self.count = 0
        self.repairs = LineRepairs()

    def add(self, block: RecordBlock) -> None:
        """Count the rows of a block, which stands below those so far."""
        self.count += block.n_rows
        self.repairs.join(block.repairs)

    def tell(self, share: float) -> None:
        """Tell how many there are, and how many are expected where they are such a share of the file."""
        if self._progress is not None:
            self._progress(self.count, round(self.count / share))
