"""`workbench evaluate`: a model and a table with answers in, metrics out."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.model_flags import add_model_flags, model_of
from workbench.commands.reading_flags import add_reading_flags, options_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Evaluate:
    """Metrics, the confusion matrix of classes, the coverage of quantiles; by column too."""

    name = "evaluate"
    help = "hold a model against a table that knows the answers"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument("file", metavar="FILE", help="table with the model's columns and its target")
        parser.add_argument("--by", metavar="COLUMN", help="evaluate the rows with each of its values apart")
        parser.add_argument(
            "--metric",
            metavar="NAME",
            nargs="+",
            default=[],
            help="metrics to be taken besides the usual ones",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--quiet", action="store_true", help="do not list differences")
        add_reading_flags(parser)

    def run(self, args: Namespace) -> int:
        """Predict, evaluate and print; say on stderr in what the table differs from the model's."""
        from workbench.explain.evaluation import evaluation_lines
        from workbench.scoring.score_file import evaluate_file

        model = model_of(args)
        scored = evaluate_file(model, args.file, by=args.by, metrics=args.metric, options=options_of(args))
        assert scored.evaluation is not None
        if args.json:
            print(json.dumps(scored.evaluation.to_dict(), ensure_ascii=False, indent=1))
        else:
            print("\n".join(map(on_console, evaluation_lines(scored.evaluation, scored.rows))))
        for difference in [] if args.quiet else scored.differences:
            kind = "warning" if difference.is_warning else "note"
            print(on_console(f"{kind}: {difference.text}"), file=sys.stderr)
        return 0


COMMANDS.register(Evaluate())
