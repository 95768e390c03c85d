"""`workbench predict`: a model and a table in, a file of predictions out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.cluster_flags import add_cluster_flags, cluster_of, score_on
from workbench.commands.console import on_console
from workbench.commands.doubts import doubt_lines, doubts_about
from workbench.commands.model_flags import add_model_flags, model_of
from workbench.commands.reading_flags import add_reading_flags, options_of
from workbench.number_text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from workbench.data.guess import Guess
    from workbench.scoring.score_file import ScoredFile
    from workbench.scoring.wanted import Wanted


class Predict:
    """Columns: `prediction`, or one a quantile; for classes also `probability_LABEL`; others by flags."""

    name = "predict"
    help = "predict the rows of a table with a model"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument(
            "file", metavar="FILE", help="table with the model's columns; the target is not needed"
        )
        parser.add_argument(
            "--output", metavar="FILE", required=True,
            help="file to write, a line a row of FILE: CSV, or Parquet where it ends with .parquet",
        )  # fmt: skip
        add_cluster_flags(parser, "let a cluster read FILE, Parquet or a folder, and write the folder OUTPUT")
        parser.add_argument("--row-numbers", action="store_true", help="begin with the number of the row")
        parser.add_argument(
            "--keep", metavar="COLUMN", nargs="*",
            help="add columns of the table as they stand; all where none is named",
        )  # fmt: skip
        parser.add_argument("--raw", action="store_true", help="add the raw predictions, before the link")
        parser.add_argument(
            "--explain", action="store_true",
            help="add what each column adds to the raw prediction: SHAP values (TreeSHAP, weighted by the "
            "trees' own nodes); with base they add up to the raw prediction",
        )  # fmt: skip
        parser.add_argument(
            "--neutralise-formulas", action="store_true",
            help="in CSV, put an apostrophe before text that begins with = + - @, a tab or a return",
        )  # fmt: skip
        parser.add_argument("--quiet", action="store_true", help="do not list doubts and differences")
        add_reading_flags(parser)

    def run(self, args: Namespace) -> int:
        """Predict and write; say on stderr in what the table differs from the model's."""
        from workbench.formats.bytes.files import check_spares
        from workbench.scoring.as_trained import as_trained
        from workbench.scoring.score_file import score_file

        check_spares(args.output, args.model)
        options, model, cluster = options_of(args), model_of(args), cluster_of(args)
        if cluster is not None:
            scored = score_on(cluster, model, args.file, args.output, _wanted(args), options)
            if not args.quiet:
                _tell((), model.schema.names, scored)
                _tell_worth(scored)
                print(f"{counted(scored.rows, 'row')} scored in {on_console(args.output)}.")
            return 0
        scored = score_file(
            model, args.file, args.output, _wanted(args), options=options,
            neutralise=args.neutralise_formulas,
        )  # fmt: skip
        if not args.quiet:
            settled, _ = as_trained(options, model.schema, args.file)
            _tell(doubts_about(args, settled), model.schema.names, scored)
            _tell_worth(scored)
        return 0


def _wanted(args: Namespace) -> Wanted:
    from workbench.scoring.wanted import Wanted

    kept = () if args.keep is None else tuple(args.keep) or None
    return Wanted(args.row_numbers, kept, args.raw, args.explain)


def _tell_worth(scored: ScoredFile) -> None:
    """Print the metrics, where the table knows the answers."""
    if scored.evaluation is None:
        return
    from workbench.explain.evaluation import metric_lines, note_lines

    print(f"The table knows the answers of {counted(scored.evaluation.rows, 'row')}:")
    print("\n".join([*note_lines(scored.evaluation), *metric_lines(scored.evaluation)]))


def _tell(doubts: Sequence[Guess], names: Sequence[str], scored: ScoredFile) -> None:
    own = [d for d in doubts if d.option != "kinds" and (d.column is None or d.column in names)]
    for line in doubt_lines(own):  # kinds are as the model knows them
        print(on_console(line), file=sys.stderr)
    for note in scored.notes:
        if note.severity == "warning":
            print(on_console(f"warning: {note.text}"), file=sys.stderr)
    for difference in scored.differences:
        kind = "warning" if difference.is_warning else "note"
        print(on_console(f"{kind}: {difference.text}"), file=sys.stderr)


COMMANDS.register(Predict())
