"""Flags that settle how a table is read; what is not given is guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.data.readers.options import ReadOptions

FLAGS = {
    "separator": "--separator", "encoding": "--encoding", "decimal": "--decimal",
    "header": "--header or --no-header", "units": "--keep-units", "first_line": "--first-line",
    "footer": "--keep-footer or --drop-footer", "missing": "--missing", "dates": "--dates",
    "part": "--sheet", "merged": "--fill-merged", "kinds": "--kind",
}  # that settle an option of reading  # fmt: skip
_FORMS = {"point": ".", "comma": ","}


def add_reading_flags(parser: ArgumentParser) -> None:
    """Declare the flags, under a heading of their own."""
    group = parser.add_argument_group("Reading the table (each is guessed where it is not given)")
    group.add_argument("--separator", metavar="SIGN", help="between fields: , ; | tab, space, aligned …")
    group.add_argument("--encoding", metavar="NAME", help="utf-8, cp1252, utf-16 or another")
    group.add_argument("--decimal", metavar="SIGN", help="point or comma")
    group.add_argument("--header", action="store_true", help="the first line names the columns")
    group.add_argument("--no-header", action="store_true", help="the first line is a row like the others")
    group.add_argument(
        "--keep-units", action="store_true", help="a line below the names that looks like units is a row"
    )
    group.add_argument("--first-line", metavar="N", type=int, help="the table begins in this line, from 1")
    group.add_argument(
        "--keep-footer", action="store_true", help="last lines that look like totals or remarks are rows"
    )
    group.add_argument(
        "--drop-footer", action="store_true", help="leave them out also where they may be rows"
    )
    group.add_argument(
        "--missing", metavar="CODE", nargs="+", action="extend",
        help="what stands for missing, beside an empty cell and NA, null, ? and the like",
    )  # fmt: skip
    group.add_argument("--only-missing", action="store_true", help="NA, null, ? and the like are no codes")
    group.add_argument("--dates", metavar="ORDER", help="dmy or mdy, for dates like 03/04/2020")
    group.add_argument("--sheet", metavar="NAME", help="sheet of a workbook, or table in a zip archive")
    group.add_argument(
        "--fill-merged", action="store_true",
        help="cells of a sheet merged over several rows hold their value in each of them",
    )  # fmt: skip
    group.add_argument(
        "--kind", metavar="COLUMN=KIND", nargs="+", action="extend", default=[],
        help="read a column as number, category, boolean or date",
    )  # fmt: skip
    group.add_argument(
        "--sample-rows", metavar="N", type=int, help="of a larger table, read N rows drawn at random"
    )
    group.add_argument("--sample-share", metavar="X", type=float, help="the same with a share of the rows")
    group.add_argument(
        "--unpack-all", action="store_true", help="read a packed table however much it unpacks to"
    )
    group.add_argument(
        "--map", action="store_true",
        help="keep a table larger than memory on disk while it is used: slower, but whole",
    )  # fmt: skip
    group.add_argument(
        "--map-folder", metavar="FOLDER", help="the same, in this folder instead of that for temporary files"
    )


def options_of(args: Namespace) -> ReadOptions:
    """Return what the flags settle."""
    from workbench.data.readers.options import ReadOptions, separator_of

    if args.header and args.no_header:
        raise WorkbenchError("--header and --no-header clash; give one of them.")
    header = True if args.header else False if args.no_header else None
    if args.keep_footer and args.drop_footer:
        raise WorkbenchError("--keep-footer and --drop-footer clash; give one of them.")
    footer = False if args.keep_footer else True if args.drop_footer else None
    return ReadOptions(
        separator=None if args.separator is None else separator_of(args.separator),
        encoding=args.encoding,
        decimal=_FORMS.get(args.decimal, args.decimal),
        header=header,
        units=False if args.keep_units else None,
        missing=None if args.missing is None else tuple(args.missing),
        usual_missing=False if args.only_missing else None,
        dates=args.dates,
        part=args.sheet,
        merged=True if args.fill_merged else None,
        first_line=args.first_line,
        footer=footer,
        kinds=tuple(map(_kind, args.kind)),
        sample_rows=args.sample_rows,
        sample_share=args.sample_share,
        map_folder="" if args.map and args.map_folder is None else args.map_folder,
        unpacks_all=True if args.unpack_all else None,
    )


def _kind(text: str) -> tuple[str, Any]:
    name, sign, kind = text.rpartition("=")
    if not sign:
        raise WorkbenchError(f"--kind is COLUMN=KIND, as in zip=category, not '{text}'.")
    return name, kind
