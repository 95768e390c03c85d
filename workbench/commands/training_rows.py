"""The rows of commands that train: what their columns are for, and how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.commands.doubts import doubt_lines, doubts_about
from workbench.commands.telling import say
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.schema import Role
    from workbench.data.split_columns import Parts
    from workbench.data.table import Table
    from workbench.parameters.training import TrainingParams

MOST_DOUBTS = 5  # that are said before training


def add_role_flags(parser: ArgumentParser) -> None:
    """Declare the flags that say what columns are for."""
    parser.add_argument("--weight", metavar="COLUMN", help="column of row weights")
    parser.add_argument(
        "--ignore", metavar="COLUMN", nargs="+", action="extend", default=[], help="columns to leave out"
    )
    parser.add_argument("--group", metavar="COLUMN", help="column of the queries whose rows are ranked")
    parser.add_argument(
        "--offset", metavar="COLUMN", help="column with a known part of the raw prediction (log exposure)"
    )
    parser.add_argument("--positive", metavar="LABEL", help="class of two whose probability is predicted")


def dataset_of(
    table: Table, args: Namespace, params: TrainingParams, column: str | None, split: dict[str, Any]
) -> Dataset:
    """Encode a table as the flags say.

    Parameters
    ----------
    column : str or None
        The column that says how rows are divided or held out, which is no feature then.
    split : dict
        How rows are held out, as `build_dataset` takes it.
    """
    from workbench.data.dataset import build_dataset
    from workbench.data.roles import guess_task, named_roles
    from workbench.objectives.base import task_of

    if args.target in (args.weight, args.group, args.offset, column, *args.ignore):
        raise WorkbenchError(f"'{args.target}' is the target and cannot have another role.")
    named: dict[str, Any] = dict.fromkeys(args.ignore, "ignore")
    named |= {column: "ignore"} if column else {}
    named |= {args.weight: "weight"} if args.weight else {}
    named |= {args.group: "group"} if args.group else {}
    named |= {args.offset: "offset"} if args.offset else {}
    named |= {args.target: "target"}
    for name in named:
        table.column(name)
    roles = named_roles(table, named)
    if not args.quiet:
        say_guesses({name: role for name, role in roles.items() if name not in named})
    task = task_of(params.objective) or guess_task(table.column(args.target))
    if args.positive is not None and task != "binary":
        what = "a number" if task == "regression" else "one of several classes"
        raise WorkbenchError(
            f"--positive names one of two classes, but '{args.target}' is predicted as {what}. Leave it "
            "out, or give --objective logistic."
        )
    return build_dataset(table, roles, task, positive=args.positive, **split)


def say_how_read(table: Table, args: Namespace) -> None:
    """Name the first doubts, and what was repaired."""
    doubts = doubt_lines(doubts_about(args, table=table))
    for line in doubts[:MOST_DOUBTS]:
        say(line)
    if len(doubts) > MOST_DOUBTS:
        say(f"doubtful: {len(doubts) - MOST_DOUBTS} more; workbench describe lists them all.")
    for note in table.notes:
        say(f"{note.severity}: {note.text}")


def say_cut_queries(dataset: Dataset, parts: Iterable[Parts]) -> None:
    """Say how many queries of a ranking are divided, each time that rows are."""
    from workbench.data.splits import queries_in_both

    if told := queries_in_both(dataset.groups, parts):
        say(f"warning: {told}")


def say_guesses(roles: Mapping[str, Role]) -> None:
    """Name the columns that are no features, so that nobody is surprised."""
    words = {"ignore": "left out (no information)", "weight": "row weights", "group": "groups"}
    for role, meaning in words.items():
        names = [name for name, given in roles.items() if given == role]
        if names:
            say(f"{meaning}: {', '.join(names)}")
