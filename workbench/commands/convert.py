"""`workbench convert`: a model from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Convert:
    """Reads any known format."""

    name = "convert"
    help = "write a model in another format"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.add_argument("model", metavar="MODEL", help="model file")
        parser.add_argument("--to", metavar="FORMAT", required=True, help="json, python, c, sql, onnx, …")
        parser.add_argument("--output", metavar="FILE", required=True, help="file to write")

    def run(self, args: Namespace) -> int:
        """Load and save."""
        from workbench.formats.base import writer
        from workbench.formats.model import load_model

        writer(args.to)
        load_model(args.model).save(args.output, format=args.to)
        return 0


COMMANDS.register(Convert())
