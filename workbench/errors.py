"""The one exception whose text is meant for the person."""

from __future__ import annotations


class WorkbenchError(Exception):
    """Bad input, said in one line: what is wrong, where, and what to do.

    The window shows the text in the panel it concerns, the command line prints it on stderr and
    ends with exit code 2. Anything else that is raised is a fault of the program.
    """


class OutputError(WorkbenchError):
    """No fault of the input: the disk is full, a folder is read-only, there is no screen.

    The command line ends with exit code 1.
    """


class Cancelled(Exception):
    """The person cancelled the work; nothing was changed."""
