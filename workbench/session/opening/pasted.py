"""Tables from the clipboard, kept as files so that they can be opened again."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MOST_KEPT = 10


def pasted_path(folder: Path) -> Path:
    """Return where a table that is pasted now goes."""
    return folder / f"pasted {datetime.now().astimezone():%Y-%m-%d %H.%M.%S}.csv"


def keep_pasted(path: Path, text: str) -> None:
    """Write a pasted table; of the earlier ones the newest stay."""
    from workbench.formats.bytes.files import atomic_write, make_folder

    make_folder(path.parent)
    atomic_write(path, text.encode("utf-8", "replace"))
    for old in sorted(path.parent.glob("pasted *.csv"))[:-MOST_KEPT]:
        with suppress(OSError):
            old.unlink()
