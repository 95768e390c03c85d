"""`workbench tour`: the scripted demonstration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.window import has_screen, window_part

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class TourCommand:
    """Drives the real window."""

    name = "tour"
    help = "show a scripted demonstration in the window"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.add_argument("--shots", metavar="DIR", help="folder for screenshots")

    def run(self, args: Namespace) -> int:
        """Start it, unseen where there is no screen."""
        if not has_screen():
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        code: int = window_part("workbench.tour.tour").main(args.shots)
        return code


COMMANDS.register(TourCommand())
