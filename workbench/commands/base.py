"""What a command is, and which ones there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.registry import Registry

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class Command(Protocol):
    """One command: `workbench NAME …`. Its module imports nothing slow before `run`."""

    name: str
    help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        ...

    def run(self, args: Namespace) -> int:
        """Do it; return the exit code. WorkbenchError is bad input."""
        ...


COMMANDS: Registry[Command] = Registry("command", "workbench.commands")
