"""A person's own Python file: read as text, run only where they say so, its errors put in one line."""

from __future__ import annotations

import hashlib
import stat
import sys
import traceback
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_BYTES = 1 << 20


def read_code(path: str | Path) -> str:
    """Return the text of a file without running it; raise WorkbenchError where that cannot be."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # a pipe might be waited for
            raise WorkbenchError(f"Cannot read {path}: it is not a regular file.")
        with Path(path).open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            raise WorkbenchError(f"{path} has more than a megabyte, too much for a few functions.")
        return found.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(f"Cannot read {path}: {one_line(error)}.") from error


def run_code(code: str, path: str, functions: Sequence[str]) -> ModuleType:
    """Run the code of a file as a module that pickle finds; it can do whatever a program can.

    Raises
    ------
    WorkbenchError
        It fails, or lacks a function.
    """
    name = "own_file_" + hashlib.sha256(f"{path}\n{code}".encode()).hexdigest()[:16]
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        exec(compile(code, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise WorkbenchError(f"{path} cannot be run: {one_line(error)}{line_of(error, path)}.") from error
    missing = [name for name in functions if not callable(getattr(module, name, None))]
    if missing:
        raise WorkbenchError(f"{path} has no function {' and no function '.join(missing)}.")
    return module


def call(module: ModuleType, function: str, *arguments: Any) -> Any:
    """Call a function of the file; what goes wrong in it is raised as WorkbenchError with file and line.

    Of a generator all that it yields is returned, since until then it has not run.
    """
    try:
        answer = getattr(module, function)(*arguments)
        return tuple(answer) if isinstance(answer, Generator) else answer
    except (Exception, SystemExit) as error:
        path = str(module.__file__)
        failed = f"{one_line(error)}{line_of(error, path)}"
        raise WorkbenchError(f"The function {function} of {path} failed: {failed}.") from error


def named(module: ModuleType, function: str) -> str:
    """Return "function metric of own.py (line 3)"."""
    path, code = module.__file__, getattr(getattr(module, function), "__code__", None)
    if code is None or code.co_filename != path:
        return f"function {function} of {path}"
    return f"function {function} of {path} (line {code.co_firstlineno})"


def line_of(error: BaseException, path: str) -> str:
    """Return " (line 3)", the place in the file where an error arose; "" where it is not known."""
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno is not None:
        return "" if "line" in one_line(error) else f" (line {error.lineno})"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f" (line {lines[-1]})" if lines else ""


def one_line(error: BaseException) -> str:
    """Return an error's kind and words without line breaks."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(".")
