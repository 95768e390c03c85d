"""The examples of a page: its blocks of Python, and of command lines."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = {"python", "sh", "text"}  # run, run line by line, and not run
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = "workbench"
OTHER_PROGRAMS = {"make", "python", "pip"}  # which install, measure or fuzz
COMPILES = "warmup"  # every kernel, for a minute


@dataclass(frozen=True)
class Example:
    """A block, and the line of the page in which it begins."""

    language: str
    text: str
    line: int


def examples(page: str) -> Iterator[Example]:
    for block in BLOCK.finditer(page):
        yield Example(block[1], block[2], page.count("\n", 0, block.start(2)))


def command_lines(text: str) -> Iterator[list[str]]:
    """Yield the words of each line of a block that is to be run."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] not in OTHER_PROGRAMS and not opens_a_window(words) and words[1] != COMPILES:
            yield words


def opens_a_window(words: list[str]) -> bool:
    """Whether a command line shows the window: without a command, or as the tour does."""
    return words[0] == PROGRAM and (words[1:2] == ["tour"] or words[1:2] not in [[c.name] for c in COMMANDS])
