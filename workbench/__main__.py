"""The command line: `workbench …` or `python -m workbench …`."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from typing import TYPE_CHECKING

from workbench.errors import Cancelled, OutputError, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_INPUT, FAILURE, INTERRUPTED = 2, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code. Errors are one line on stderr."""
    from workbench.commands.parser import parse

    arguments = list(sys.argv[1:] if argv is None else argv)
    _forgive_characters()
    try:
        args = parse(arguments)
        if getattr(args, "quiet", False):
            logging.getLogger("workbench").setLevel(logging.ERROR)
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _leave_pipe()
        return FAILURE
    except (KeyboardInterrupt, Cancelled):
        return _refused("interrupted", INTERRUPTED)
    except WorkbenchError as error:
        if "--debug" in arguments:
            raise
        return _refused(str(error), FAILURE if isinstance(error, OutputError) else BAD_INPUT)
    except OSError as error:
        if "--debug" in arguments:
            raise
        return _refused(f"{error.strerror or error}", FAILURE)
    except Exception as error:
        if "--debug" in arguments:
            raise
        line = " ".join(str(error).split()) or "no message"
        return _refused(
            f"{type(error).__name__}: {line} (a fault of the program; --debug shows where)", FAILURE
        )


def _refused(text: str, code: int) -> int:
    with contextlib.suppress(BrokenPipeError):
        sys.stderr.write(f"workbench: {' '.join(text.split())}\n")
    return code


def _forgive_characters() -> None:
    """Print a question mark for what the console cannot show, rather than failing."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _leave_pipe() -> None:
    """Keep Python from flushing into a closed pipe at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
