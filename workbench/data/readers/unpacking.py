"""Zip archives that workbooks are: none unpacks to far more than a table needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.memory import in_megabytes

if TYPE_CHECKING:
    from zipfile import ZipFile

LARGE = 1 << 28  # bytes that are looked at more closely
MOST_FOLD = 300  # a sheet full of one number shrinks a hundredfold; the most that deflate can do is 1,032


def check_unpacking(archive: ZipFile, name: str) -> int:
    """Return the bytes that all parts unpack to; WorkbenchError where one is made to fill the memory."""
    parts = archive.infolist()
    for part in parts:
        if part.file_size > max(LARGE, MOST_FOLD * part.compress_size):
            raise WorkbenchError(
                f"'{name}' unpacks {part.compress_size:,} bytes to {in_megabytes(part.file_size)}, which no "
                "table needs. Save it again as a workbook, or as CSV."
            )
    return sum(part.file_size for part in parts)
