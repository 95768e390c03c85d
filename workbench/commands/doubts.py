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


def doubts_about(args: Namespace, options: ReadOptions | None = None) -> tuple[Guess, ...]:
    """Return the doubtful guesses about `args.file` that the flags, or the options, leave open."""
    from workbench.data.readers.preview import preview

    with suppress(WorkbenchError):  # of a table that was read, but not by its first rows alone
        seen = preview(Path(args.file), options or options_of(args))
        return () if seen is None else seen.doubts
    return ()


def doubt_lines(doubts: Sequence[Guess]) -> list[str]:
    """Say each in a line, with the flag that settles it."""
    return [f"doubtful: {doubt.reason} Settle it with {FLAGS[doubt.option]}." for doubt in doubts]
