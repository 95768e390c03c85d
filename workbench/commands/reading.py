"""Reading the table of a command, with a line of progress where someone watches."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.reading_flags import options_of

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from workbench.data.table import Table

WIPE = "\r\x1b[K"


def read_for(args: Namespace) -> Table:
    """Read `args.file` as the flags say."""
    from workbench.data.readers.base import read_table

    watched = sys.stderr.isatty() and not getattr(args, "quiet", False)
    try:
        return read_table(args.file, options=options_of(args), progress=_line(args.file) if watched else None)
    finally:
        if watched:
            sys.stderr.write(WIPE)
            sys.stderr.flush()


def _line(file: str) -> Callable[[int, int], None]:
    from workbench.session.time_left import TimeLeft, reading_words

    left, name = TimeLeft(), Path(file).name

    def show(rows: int, expected: int) -> None:
        sys.stderr.write(WIPE + reading_words(name, rows, expected, left))
        sys.stderr.flush()

    return show
