"""What is doubtful about how the table of a command was read, as the window's page of import says it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.reading_flags import FLAGS, options_of
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from workbench.data.guess import Guess
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Table


def doubts_about(
    args: Namespace, options: ReadOptions | None = None, table: Table | None = None
) -> tuple[Guess, ...]:  # fmt: skip
    """Return the doubtful guesses about `args.file` that the flags, or the options, leave open.

    Of the table as it was read, those that later rows have answered are left out.
    """
    from workbench.data.reading import preview

    with suppress(WorkbenchError):  # of a table that was read, but not by its first rows alone
        seen = preview(Path(args.file), options or options_of(args))
        doubts = () if seen is None else seen.doubts
        return doubts if table is None else tuple(d for d in doubts if not _is_answered(d, table))
    return ()


def _is_answered(doubt: Guess, table: Table) -> bool:
    """Whether all rows tell another order of day and month than the first ones were taken to have."""
    if doubt.option != "dates" or doubt.column not in table.names:
        return False
    return table.column(doubt.column).writing.order not in ("", doubt.value)


def doubt_lines(doubts: Sequence[Guess]) -> list[str]:
    """Say each in a line, with the flag that settles it."""
    return [f"doubtful: {doubt.reason} Settle it with {FLAGS[doubt.option]}." for doubt in doubts]
