"""The argument parser of all commands; what is wrong is said in one line."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any, NoReturn

from workbench.commands.base import COMMANDS
from workbench.commands.window import has_screen, window_part
from workbench.errors import OutputError, WorkbenchError
from workbench.parameters.nearest import nearest
from workbench.parameters.training import ALIASES, BY_NAME
from workbench.paths import exists
from workbench.version import __version__

NEGATIVE = re.compile(r"-[\d.,][\d.,eE+-]*$")  # values of a flag: -999,9 and -1e20 are no flags
HELP = {"-h", "--help"}
FLAG = re.compile(r"--[a-z][a-z0-9-]*")
FILE_WRITTEN = ("--export", "--output", "--predictions")  # what the file that a command writes is given by
FILE_WRITTEN_ELSEWHERE = (*FILE_WRITTEN, "-o", "--out", "--save")
DESCRIPTION = """Without a command the window opens, with FILE (a table or a model) and a model's TABLE.
A file that is called like a command is opened with its folder: ./train"""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong without repeating the usage."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self._negative_number_matcher = NEGATIVE

    def error(self, message: str) -> NoReturn:
        """Print one line and end with exit code 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def command_parser() -> argparse.ArgumentParser:
    """Return the parser with every command."""
    parser = OneLineParser(
        prog="workbench",
        usage="workbench [FILE [TABLE]]\n       workbench COMMAND …",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"Boosting Workbench {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog="workbench", parser_class=OneLineParser
    )
    for command in COMMANDS:
        one = commands.add_parser(
            command.name, help=command.help, description=command.help, allow_abbrev=False
        )
        one.add_argument("--debug", action="store_true", help="show where in the program an error arose")
        command.add_arguments(one)
        one.set_defaults(run=command.run, parser=one)
    return parser


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the call that opens the window."""
    parser = OneLineParser(prog="workbench", allow_abbrev=False)
    parser.add_argument("file", nargs="?", metavar="FILE")
    parser.add_argument("table", nargs="?", metavar="TABLE")
    parser.add_argument("--debug", action="store_true")
    parser.set_defaults(run=open_window, parser=parser)
    return parser


def parse(argv: list[str]) -> argparse.Namespace:
    """Read the arguments of a command, or those of the window."""
    known = {command.name for command in COMMANDS} | {*HELP, "--version"}
    make = command_parser if argv and argv[0] in known else window_parser
    if HELP.intersection(argv):
        return make().parse_args(argv)
    args, unknown = _without_demands(make()).parse_known_args(argv)
    if unknown and argv[0] not in known and not (args.file and exists(args.file)):
        raise WorkbenchError(_no_command(argv[0]))
    if unknown:
        flag = next((word for word in unknown if word.startswith("-")), unknown[0])
        args.parser.error(f"unrecognized arguments: {' '.join(unknown)}.{_instead(flag, args.parser)}")
    return make().parse_args(argv)


def _without_demands(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the parser, to which nothing is missing: a misspelt flag is found before what it is not."""
    for action in parser._actions:
        action.required = False
        choices = action.choices.values() if isinstance(action, argparse._SubParsersAction) else ()
        for one in choices:
            _without_demands(one)
    return parser


def _instead(word: str, parser: argparse.ArgumentParser) -> str:
    """Say which flag may be meant: one that another library calls so, or the nearest."""
    flag = word.partition("=")[0]
    known = dict.fromkeys(FLAG.findall(parser.format_help()))
    written = next((own for own in FILE_WRITTEN if own in known), None)
    if written is not None and flag in FILE_WRITTEN_ELSEWHERE:
        return f" It is {written} here."
    own = ALIASES.get(flag.lstrip("-").replace("-", "_"))
    if own is not None and BY_NAME[own].flag in known:
        factor = BY_NAME[own].alias_factor
        scaled = "" if factor == 1 else f", with {factor:g} times the value"
        return f" It is {BY_NAME[own].flag} here{scaled}."
    return f" {nearest(flag, known)}." if flag.startswith("-") and not NEGATIVE.match(flag) and known else ""


def open_window(args: argparse.Namespace) -> int:
    """Open the window, with the file in it that is given."""
    for file in filter(None, (args.file, args.table)):
        if not exists(file):
            raise WorkbenchError(_nothing_there(file))
    if not has_screen():
        raise OutputError("There is no screen here. Try workbench tour, or workbench train --help")
    code: int = window_part("workbench.app").main(args.file, args.table)
    return code


def _nothing_there(name: str) -> str:
    """Say that there is no such file; of a mere word, which commands there are."""
    if PurePath(name).suffix or PurePath(name).name != name:
        return f"There is no such file: '{name}'. Check the name and the folder."
    return _no_command(name)


def _no_command(word: str) -> str:
    """Say which commands there are."""
    names = sorted(command.name for command in COMMANDS)
    close = get_close_matches(word.lower(), names, 1)
    likely = f"The nearest is '{close[0]}'. " if close else ""
    what = "command and no file" if not word.startswith("-") else "command"
    return f"There is no {what} called '{word}'. {likely}The commands are {', '.join(names)}."
