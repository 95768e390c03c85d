"""Where the open table came from, and how it was read."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.data.readers.options import GUESS_ALL

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Kind

class TableSource(NamedTuple):
    """The file, how that was read, and what was there.

    `kinds` are those of its columns as they were read.
    """

    path: Path
    options: ReadOptions | None
    kinds: dict[str, Kind]


def options_record(options: ReadOptions | None) -> dict[str, Any]:
    """Return what is settled about reading, as JSON values."""
    if options is None:
        return {}
    return {
        f.name: getattr(options, f.name) for f in fields(options)
        if f.name != "known" and getattr(options, f.name) != getattr(GUESS_ALL, f.name)
    }  # fmt: skip
