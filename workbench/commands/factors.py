"""`workbench factors`: a model as factor tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.model_flags import add_model_flags, model_of
from workbench.commands.reading_flags import add_reading_flags, options_of
from workbench.isolation import isolated
from workbench.number_text import counted, figure

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MOST_LINES = 20


class Factors:
    """Exact where trees ask at most two columns together, else the nearest, and what they leave out."""

    name = "factors"
    help = "write a model as factor tables: effects of columns and of pairs, level by level"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument(
            "file", metavar="FILE",
            help="table whose rows weigh the levels; with the target, G and H are written too",
        )  # fmt: skip
        parser.add_argument(
            "--output", metavar="FILE", required=True,
            help="file to write: an Excel workbook where it ends with .xlsx, else CSV",
        )  # fmt: skip
        parser.add_argument(
            "--neutralise-formulas", action="store_true",
            help="in CSV, put an apostrophe before text that begins with = + - @, a tab or a return",
        )  # fmt: skip
        parser.add_argument("--quiet", action="store_true", help="print nothing")
        add_reading_flags(parser)

    def run(self, args: Namespace) -> int:
        """Take apart, write, and say how well the tables stand for the model."""
        from workbench.data.reading import read_table
        from workbench.formats.bytes.files import check_spares, check_writable
        from workbench.scoring.as_trained import as_trained

        check_spares(args.output, args.model, args.file)
        check_writable(args.output)
        model = model_of(args)
        options, _ = as_trained(options_of(args), model.schema, args.file)
        tables = model.factor_tables(read_table(args.file, options=options))
        tables.save(args.output, neutralise=args.neutralise_formulas)
        if not args.quiet:
            found = tables.found
            columns, pairs = counted(len(found.mains), "column"), counted(len(found.pairs), "pair")
            print(on_console(f"{columns}, {pairs}; {tables.told}."))
            for table in tables.found.tables[:MOST_LINES]:
                spread = figure(float(table.spread.max(initial=0.0)))
                print(on_console(f"  {spread:>10}  {isolated(tables.name(table))}"))
        return 0


COMMANDS.register(Factors())
