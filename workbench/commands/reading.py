"""Reading the table of a command, with a line of progress where someone watches."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from workbench.commands.reading_flags import options_of
from workbench.errors import WorkbenchError
from workbench.paths import is_file

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from workbench.data.table import Table

WIPE = "\r\x1b[K"
BEGINNING = 4096  # bytes by which a model is recognised


def read_for(args: Namespace) -> Table:
    """Read `args.file` as the flags say; a model only where they settle how it is read as a table."""
    from workbench.data.reading import read_table

    options = options_of(args)
    if not options.chosen:
        _refuse_model(args.file)
    watched = sys.stderr.isatty() and not getattr(args, "quiet", False)
    try:
        return read_table(args.file, options=options, progress=_line(args.file) if watched else None)
    finally:
        if watched:
            sys.stderr.write(WIPE)
            sys.stderr.flush()


def _refuse_model(file: str) -> None:
    from workbench.data.readers.source import open_source
    from workbench.formats.base import reader_of
    from workbench.formats.unread_files import advice_on, is_unread_model

    head = open_source(Path(file)).head[:BEGINNING] if is_file(file) else b""
    if is_unread_model(head, file):
        raise WorkbenchError(f"{file} is {advice_on(head, file)}")
    if reader_of(head) is not None:
        words = f"'{file}' is a model, not a table. See it with"
        raise WorkbenchError(f"{words}: workbench inspect {quote(file)}")


def _line(file: str) -> Callable[[int, int], None]:
    from workbench.session.time_left import TimeLeft, reading_words

    left, name = TimeLeft(), Path(file).name

    def show(rows: int, expected: int) -> None:
        sys.stderr.write(WIPE + reading_words(name, rows, expected, left))
        sys.stderr.flush()

    return show
