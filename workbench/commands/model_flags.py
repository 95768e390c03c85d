"""Flags that say which model a command works on, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.formats.model import Model


def add_model_flags(parser: ArgumentParser) -> None:
    """Declare the model file and `--rounds`."""
    parser.add_argument("model", metavar="MODEL", help="model file")
    parser.add_argument(
        "--rounds", metavar="N", type=int, help="take the model as it stood after its first N rounds"
    )


def model_of(args: Namespace) -> Model:
    """Return the model that the flags ask for."""
    from workbench.formats.load import load_model

    model = load_model(args.model)
    return model if args.rounds is None else model.first_rounds(args.rounds)
