"""Damage of a project in plain words: what is wrong, in which part of it, and what to do."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.formats.bytes.checks import DAMAGE
from workbench.session.project.file import ADVICE

if TYPE_CHECKING:
    from collections.abc import Iterator

GARBLED = "its text is garbled or breaks off"
OTHER_VALUES = "it holds other values than it should"
_FOREWORDS = ("Damaged project: ", "Damaged model file: ", "The model file is damaged: ")


class DamagedPart(WorkbenchError):
    """What is wrong within a part of a project."""

    def __init__(self, part: str, what: str) -> None:
        super().__init__(what)
        self.part = part


@contextmanager
def part_of_project(part: str) -> Iterator[None]:
    """Say of damage in which part it stands, "round 3 of run 1"; the innermost part is said."""
    try:
        yield
    except DamagedPart:
        raise
    except (WorkbenchError, *DAMAGE) as error:
        raise DamagedPart(part, _what(error)) from error


@contextmanager
def damage_said(name: str) -> Iterator[None]:
    """Turn whatever a damaged project raises into one line; `name` is the file's."""
    try:
        yield
    except DamagedPart as error:
        raise WorkbenchError(f"{name} is damaged in {error.part}: {error}. {ADVICE}") from error
    except (WorkbenchError, *DAMAGE) as error:
        raise WorkbenchError(f"{name} is damaged: {_what(error)}. {ADVICE}") from error


def _what(error: Exception) -> str:
    """Return what is wrong without a stop at its end, in no words of Python or of JSON."""
    if isinstance(error, WorkbenchError):
        words = str(error)
        for foreword in _FOREWORDS:
            words = words.removeprefix(foreword)
        return words.removesuffix(".")
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError, RecursionError)):
        return GARBLED
    if isinstance(error, KeyError) and error.args:
        return f"'{str(error.args[0])[:40]}' is missing"
    return OTHER_VALUES
