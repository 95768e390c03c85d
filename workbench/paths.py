"""Whether something is there; a path says no too where its folder is closed or its disk is gone."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def exists(path: str | Path) -> bool:
    """Whether there is a file or a folder."""
    return os.path.exists(path)  # noqa: PTH110 (pathlib's raises)


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder."""
    return os.path.isdir(path)  # noqa: PTH112 (pathlib's raises)


def holds_something(path: str | Path) -> bool:
    """Whether there is a file with at least one byte in it."""
    try:
        return os.path.isfile(path) and os.path.getsize(path) > 0  # noqa: PTH113, PTH202 (pathlib's raises)
    except OSError:  # gone since
        return False


def is_file(path: str | Path) -> bool:
    """Whether there is a file."""
    return os.path.isfile(path)  # noqa: PTH113 (pathlib's raises)


def state_of(path: str | Path) -> tuple[int, int] | None:
    """Return size and time of the last change of a file, which tell whether it was changed; else None."""
    try:
        known = os.stat(path)  # noqa: PTH116 (as above)
    except (OSError, ValueError):
        return None
    return (known.st_size, known.st_mtime_ns) if os.path.isfile(path) else None  # noqa: PTH113
