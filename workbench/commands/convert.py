"""`workbench convert`: a model from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.model_flags import add_model_flags, model_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Convert:
    """Reads any known format."""

    name = "convert"
    help = "write a model in another format"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument("--to", metavar="FORMAT", help="json, python, c, sql, onnx, …; else as FILE ends")
        parser.add_argument("--output", metavar="FILE", required=True, help="file to write")

    def run(self, args: Namespace) -> int:
        """Load and save."""
        from workbench.formats.base import writer, writer_for
        from workbench.formats.bytes.files import check_spares

        check_spares(args.output, args.model)
        _ = writer(args.to) if args.to else writer_for(args.output)  # refused before the model is read
        model_of(args).save(args.output, format=args.to)
        return 0


COMMANDS.register(Convert())
