"""`workbench script`: the script that exports scikit-learn's models where they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Script:
    """A pickle can run code, so none is opened here; the script runs where the model was made."""

    name = "script"
    help = "write the Python script that exports models of scikit-learn"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare flags."""
        parser.add_argument("--output", metavar="FILE", required=True, help="such as sklearn_export.py")

    def run(self, args: Namespace) -> int:
        """Copy the script."""
        from workbench.formats.bytes.files import atomic_write
        from workbench.formats.sklearn import export as sklearn_export

        atomic_write(args.output, Path(str(sklearn_export.__file__)).read_bytes())
        return 0


COMMANDS.register(Script())
