"""Folders for temporary files: gone when they are left, or at the next one where a program was killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "workbench-passing-"
YOUNG = 60  # seconds in which a new folder may not be held yet


@contextlib.contextmanager
def passing_folder() -> Iterator[Path]:
    """Make a folder for as long as the block lasts; OutputError where there is no room for one."""
    with contextlib.ExitStack() as held:
        try:
            above = Path(tempfile.gettempdir())
            _remove_left(above)
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=above))
            held.callback(shutil.rmtree, folder, ignore_errors=True)
            held.enter_context(_held(folder))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            words = "Make room there, or set the variable TMPDIR to another folder"
            raise OutputError(f"No folder for temporary files can be made: {reason}. {words}.") from error
        yield folder


def _remove_left(above: Path) -> None:
    """Remove our own folders that nobody holds any more."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError), os.scandir(above) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                known = entry.stat(follow_symlinks=False)
                if known.st_uid == os.getuid() and time.time() - known.st_mtime > YOUNG:
                    with contextlib.suppress(OSError), _held(Path(entry.path)):
                        shutil.rmtree(entry, ignore_errors=True)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Say that the folder is in use, for as long as this process lives; OSError where another one has."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
