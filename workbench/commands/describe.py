"""`workbench describe`: what the reader made of a table, and of what it is not sure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.doubts import doubt_lines, doubts_about
from workbench.commands.reading import read_for
from workbench.commands.reading_flags import add_reading_flags
from workbench.isolation import isolated
from workbench.number_text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from workbench.data.guess import Guess
    from workbench.data.table import Table


class Describe:
    """Rows; columns with kind, missing, distinct and the guessed role; doubts, repairs and warnings."""

    name = "describe"
    help = "say what the reader made of a table: rows, columns, doubts, repairs and warnings"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.add_argument("file", metavar="FILE", help="table to look at")
        parser.add_argument("--json", action="store_true", help="print JSON")
        add_reading_flags(parser)

    def run(self, args: Namespace) -> int:
        """Read and print."""
        table = read_for(args)
        doubts = doubts_about(args, table=table)
        if args.json:
            print(json.dumps(describe(table, doubts), ensure_ascii=False, indent=1))
        else:
            print("\n".join(map(on_console, lines(describe(table, doubts), doubt_lines(doubts)))))
        return 0


def describe(table: Table, doubts: Sequence[Guess] = ()) -> dict[str, Any]:
    """Return the description as JSON values."""
    from workbench.data.roles import guess_roles
    from workbench.data.statistics import column_summary

    roles = guess_roles(table)
    return {
        "name": table.name,
        "rows": table.n_rows,
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "missing": column.missing,
                "distinct": int(column_summary(column).distinct),
                "role": roles[column.name],
            }
            for column in table.columns
        ],
        "doubts": [
            {"option": d.option, "text": d.reason, "column": d.column} for d in doubts
        ],
        "notes": [
            {"severity": n.severity, "text": n.text, "column": n.column, "count": int(n.count)}
            for n in table.notes
        ],
    }


def lines(description: dict[str, Any], doubts: Sequence[str] = ()) -> list[str]:
    """Return the description as text."""
    columns = description["columns"]
    width = min(max([len("name"), *(len(c["name"]) for c in columns)]), 40)
    size = f"{counted(description['rows'], 'row')}, {counted(len(columns), 'column')}"
    found = [f"{isolated(description['name'])}: {size}", ""]
    found.append(f"{'name':<{width}}  {'kind':<8}  {'missing':>8}  {'distinct':>8}  role")
    for c in columns:
        name = c["name"] if len(c["name"]) <= width else c["name"][: width - 1] + "…"
        shown = isolated(name) + " " * (width - len(name))
        found.append(f"{shown}  {c['kind']:<8}  {c['missing']:>8}  {c['distinct']:>8}  {c['role']}")
    notes = [f"{note['severity']}: {note['text']}" for note in description["notes"]]
    return [*found, "", *doubts, *notes] if doubts or notes else found


COMMANDS.register(Describe())
