"""`workbench completion`: a script with which a shell completes commands, flags and values."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

from workbench.commands.base import COMMANDS
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

HELP_LETTERS = 80  # of a flag's help that fish shows
BASH = """# Boosting Workbench, for bash: source <(workbench completion bash)
_workbench() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} offered="" flags=""
    if [ "$word" = "=" ]; then word=""; fi
    if [ "$before" = "=" ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    if [ "$COMP_CWORD" -eq 1 ]; then offered="{commands}"; fi
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    if [ "${{word:0:1}}" = "-" ]; then offered=$flags; fi
    COMPREPLY=($(compgen -W "$offered" -- "$word"))
    if [ "$COMP_CWORD" -eq 1 ] || [ "${{#COMPREPLY[@]}}" -eq 0 ]; then
        local IFS=$'\n'
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _workbench workbench
"""
ZSH = """# Boosting Workbench, for zsh: source <(workbench completion zsh)
autoload -U +X bashcompinit && bashcompinit
"""


class Flag(NamedTuple):
    """A flag, what it says of itself, and the values that it takes, where these are few."""

    name: str
    help: str
    values: tuple[str, ...]
    takes_value: bool


class CompletionCommand:
    """Made of the parser that reads the command line."""

    name = "completion"
    help = "print what lets a shell complete commands and flags: source <(workbench completion bash)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments."""
        parser.add_argument("shell", choices=tuple(SHELLS), help="whose script is printed")

    def run(self, args: Namespace) -> int:
        """Print the script."""
        print(SHELLS[args.shell](_flags_of_commands()), end="")
        return 0


def _flags_of_commands() -> dict[str, tuple[str, list[Flag]]]:
    """Return the help and the flags of every command."""
    found = {}
    for command in COMMANDS:
        parser = argparse.ArgumentParser(add_help=True)
        command.add_arguments(parser)
        found[command.name] = (command.help, list(_flags(parser)))
    return found


def _flags(parser: ArgumentParser) -> Iterable[Flag]:
    for action in parser._actions:
        for name in action.option_strings:
            known = BY_NAME.get(name[2:].replace("-", "_"))
            values = tuple(map(str, action.choices or (known.choices if known is not None else ())))
            if name.startswith("--"):
                yield Flag(name, " ".join((action.help or "").split()), values, action.nargs != 0)
        if not action.option_strings and action.choices:
            yield Flag("", "", tuple(map(str, action.choices)), True)


def _bash(commands: dict[str, tuple[str, list[Flag]]]) -> str:
    cases = []
    for name, (_, flags) in commands.items():
        of_flags = "".join(
            f"            {flag.name}) offered=\"{' '.join(flag.values)}\" ;;\n"
            for flag in flags if flag.values and flag.name
        )
        free = [flag.name for flag in flags if flag.takes_value and flag.name and not flag.values]
        of_flags += f"            {'|'.join(free)}) ;;\n" if free else ""
        places = " ".join(value for flag in flags if not flag.name for value in flag.values)
        others = f"offered=\"{places}\" flags=\"{' '.join(flag.name for flag in flags if flag.name)}\""
        of_flags += f"            *) {others} ;;\n"
        cases.append(f"        {name}) case \"$before\" in\n{of_flags}        esac ;;")
    return BASH.format(commands=" ".join(commands), cases="\n".join(cases))


def _zsh(commands: dict[str, tuple[str, list[Flag]]]) -> str:
    return ZSH + _bash(commands).partition("\n")[2]


def _fish(commands: dict[str, tuple[str, list[Flag]]]) -> str:
    lines = ["# Boosting Workbench, for fish: workbench completion fish | source"]
    for name, (help_, flags) in commands.items():
        lines.append(f"complete -c workbench -n __fish_use_subcommand -a {name} -d {_quoted(help_)}")
        of_command = f"complete -c workbench -n '__fish_seen_subcommand_from {name}'"
        for flag in flags:
            values = f" -x -a {_quoted(' '.join(flag.values))}" if flag.values else " -r" * flag.takes_value
            named = f" -l {flag.name[2:]} -d {_quoted(flag.help)}" if flag.name else ""
            lines.append(f"{of_command}{named}{values}")
    return "\n".join(lines) + "\n"


def _quoted(said: str) -> str:
    short = said if len(said) <= HELP_LETTERS else f"{said[: HELP_LETTERS - 1]}…"
    return "'" + short.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
COMMANDS.register(CompletionCommand())
