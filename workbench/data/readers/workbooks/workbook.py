"""What readers of workbooks share, whatever kind of file they open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from workbench.data.readers.options import CELL_OPTIONS, EDGE_OPTIONS, GUESS_ALL, SIZE_OPTIONS
from workbench.data.readers.workbooks.sheets import preview_of_sheets, table_of_sheets

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.source import Cancelled, Progress, Source
    from workbench.data.readers.workbooks.sheets import Sheet
    from workbench.data.table import Table


class WorkbookReader(ABC):
    """Reads one sheet: values, not formulas."""

    uses = CELL_OPTIONS | EDGE_OPTIONS | SIZE_OPTIONS | {"part", "merged"}

    @abstractmethod
    def opened(self, source: Source) -> AbstractContextManager[Sequence[Sheet]]:
        """Open the workbook; what is wrong with it is said in one line."""

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Table:  # fmt: skip
        """Read the sheet; see `read_table`."""
        with self.opened(source) as sheets:
            return table_of_sheets(source, sheets, options, progress, cancelled)

    def preview(
        self, source: Source, options: ReadOptions, cancelled: Cancelled | None = None
    ) -> Preview:
        """Read the first rows of the sheet."""
        with self.opened(source) as sheets:
            return preview_of_sheets(source, sheets, options, cancelled)
