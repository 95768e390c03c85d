"""The lock that tells other windows whose a project file is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile

if TYPE_CHECKING:
    from pathlib import Path


def lock_of(path: Path) -> QLockFile:
    """Return the lock beside a file; who takes it holds it as long as the program lives."""
    lock = QLockFile(f"{path}.lock")
    lock.setStaleLockTime(0)
    return lock
