"""The command line as a page: every command with its flags, from the parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.docs.tables import code, table
from workbench.commands.parser import command_parser
from workbench.parameters.training import GROUPS

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser

OWN = ("positional arguments", "options")  # argparse's headings of what a command has for itself
NOT_TOLD = ("--help", "--debug")  # of every command


def commands() -> str:
    """Return a section a command, then what several have under one heading."""
    lines, shared = [], {}
    for name, parser in parsers().items():
        groups = {group.title: group._group_actions for group in parser._action_groups}
        lines += [f"## workbench {name}", "", _sentence(parser.description or ""), ""]
        lines += ["```text", _usage(name, parser), "```", ""]
        lines += [_flags([action for title in OWN for action in groups.get(title, ())]), ""]
        if GROUPS[0] in groups:
            lines += ["Each [parameter](parameters.md) is a flag too: `reg_lambda` is `--reg-lambda`.", ""]
        for title in [title for title in groups if title not in {*OWN, *GROUPS}]:
            shared.setdefault(title, groups[title])
            lines += [f"Other flags: [{title}](#{anchor(title)}).", ""]
    for title, actions in shared.items():
        lines += [f"## {title}", "", _flags(actions), ""]
    return "\n".join(lines)


def parsers() -> dict[str, ArgumentParser]:
    """Return the parser of each command."""
    (choices,) = (action.choices for action in command_parser()._actions if action.dest == "command")
    return dict(sorted(choices.items()))


def anchor(heading: str) -> str:
    """Return what a link to a heading says."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _usage(name: str, parser: ArgumentParser) -> str:
    if parser.usage:
        return parser.usage
    needed = (action for action in parser._actions if action.required)
    words = (" ".join(filter(None, (*action.option_strings[:1], action.metavar))) for action in needed)
    return " ".join(("workbench", name, *words, "[flags]"))


def _flags(actions: list[Action]) -> str:
    told = (a for a in actions if a.option_strings[-1:] not in ([flag] for flag in NOT_TOLD))
    return table(("flag", "what it does"), ((_flag(a), (a.help or "").replace("%%", "%")) for a in told))


def _flag(action: Action) -> str:
    value = action.metavar if action.nargs != 0 else None
    several = " …" if action.nargs in ("*", "+") else ""
    return code(" ".join(filter(None, (*action.option_strings[-1:], value))) + several)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…")) else ".") if text else ""
