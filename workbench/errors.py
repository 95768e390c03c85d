"""The exceptions that are no faults of the program; the text of one is meant for the person."""

from __future__ import annotations

import re
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 1000  # characters of a message
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")


def one_line(text: str) -> str:
    """Return the text as one line of at most `LONGEST` characters, whatever a file put into it.

    Line ends and signs that steer a terminal or turn text around become a space, so that no name of a column
    can pass for a message of ours; of a long text the beginning and the end stay.
    """
    text = _NO_TEXT.sub(" ", text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST * 2 // 3]} … {text[-LONGEST // 4 :]}"


class WorkbenchError(Exception):
    """Bad input, said in one line: what is wrong, where, and what to do.

    The window shows the text in the panel it concerns, the command line prints it on stderr and
    ends with exit code 2. Anything else that is raised is a fault of the program.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(one_line(text))


class InputError(WorkbenchError, ValueError):
    """Bad input of an estimator, which scikit-learn expects to be a ValueError."""


class WorkbenchWarning(UserWarning):
    """Something that a person who trains from Python should know: one line."""


def warn(text: str) -> None:
    """Warn of something, at the line of the script that called into this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "workbench":
        level, frame = level + 1, frame.f_back
    warnings.warn(one_line(text), WorkbenchWarning, stacklevel=level)


class OutputError(WorkbenchError):
    """No fault of the input: the disk is full, a folder is read-only, there is no screen.

    The command line ends with exit code 1.
    """


class Cancelled(Exception):
    """The person cancelled the work; nothing was changed."""


def leave_if(cancelled: Callable[[], bool] | None) -> None:
    """Raise Cancelled where the person has asked for it."""
    if cancelled is not None and cancelled():
        raise Cancelled
