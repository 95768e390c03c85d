"""The flags that say what rows are held out, the same for every command that trains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.errors import WorkbenchError
from workbench.parameters.holdout import SEED

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.data.schema import SplitBy
    from workbench.data.table import Table

BY_FLAG: dict[str, SplitBy] = {"valid_groups": "groups", "valid_time": "time", "valid_column": "column",
                               "valid": "file"}  # fmt: skip


class AskedSplit(NamedTuple):
    """How rows are to be held out; `column` names one of the table, `file` a second one."""

    by: SplitBy
    fraction: float
    seed: int
    stratified: bool
    column: str | None
    file: str | None

    def arguments(self, table: Table) -> dict[str, Any]:
        """Return it as `build_dataset` takes it; reads the second file."""
        from workbench.data.second_file import read_second

        second = None if self.file is None else read_second(self.file, table)
        return {
            "valid_fraction": self.fraction, "seed": self.seed, "stratified": self.stratified,
            "split_by": self.by, "split_column": self.column, "valid": second,
        }  # fmt: skip


def add_holdout_flags(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group("Hold-out")
    group.add_argument(
        "--valid-fraction", metavar="X", type=float, default=0.0,
        help="share of the rows held out, at random where nothing else is said [default 0]",
    )  # fmt: skip
    group.add_argument(
        "--valid-groups", metavar="COLUMN",
        help="hold out whole groups, the rows with the same value in this column, which is no feature then",
    )  # fmt: skip
    group.add_argument(
        "--valid-time", metavar="COLUMN",
        help="hold out the latest rows by this column of dates or numbers, which is no feature then",
    )  # fmt: skip
    group.add_argument(
        "--valid-column", metavar="COLUMN",
        help="hold out the rows that this column names: valid beside train, 1 beside 0, yes beside no",
    )  # fmt: skip
    group.add_argument("--valid", metavar="FILE", help="hold out the rows of a second file")
    group.add_argument(
        "--split-seed", metavar="N", help="seed by which rows or groups are drawn [default that of the run]"
    )
    group.add_argument(
        "--no-stratify", action="store_true", help="draw rows without regard to the shares of classes"
    )


def split_of(args: Namespace, seed: int) -> AskedSplit:
    """Return what the flags ask for; `seed` is the run's own."""
    fraction: float = args.valid_fraction
    if not 0.0 <= fraction < 1.0:
        raise WorkbenchError(f"--valid-fraction is {fraction:g}; it must be 0 or more and below 1.")
    given = [name for name in BY_FLAG if getattr(args, name) is not None]
    flags = ["--" + name.replace("_", "-") for name in given]
    if len(given) > 1:
        raise WorkbenchError(f"{flags[0]} and {flags[1]} clash: rows are held out in one way.")
    by: SplitBy = BY_FLAG[given[0]] if given else "rows"
    named = getattr(args, given[0]) if given else None
    if by in ("column", "file") and fraction:
        raise WorkbenchError(f"{flags[0]} says what rows are held out; leave --valid-fraction out.")
    if by in ("groups", "time") and not fraction:
        raise WorkbenchError(f"{flags[0]} needs the share that is held out: add --valid-fraction 0.2, say.")
    chosen = SEED.parse(args.split_seed) if args.split_seed is not None else seed
    column, file = (None, named) if by == "file" else (named, None)
    return AskedSplit(by, fraction, chosen, not args.no_stratify, column, file)
