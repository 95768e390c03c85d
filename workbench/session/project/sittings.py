"""Sittings in the folder of the program's state: what was not closed properly, and what was never saved."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from workbench.session.project.file import SUFFIX, connect, is_project

if TYPE_CHECKING:
    from pathlib import Path

MOST_KEPT = 20  # files; the oldest go
CLOSED = "closed"  # the fact that tells so


class Sitting(NamedTuple):
    """A sitting that can be gone on with: its file, what was open, when, how far, and how it ended."""

    path: Path
    name: str
    when: datetime
    runs: int
    rounds: int
    closed: bool


def sittings_in(folder: Path) -> list[Sitting]:
    """Return those in a folder, the newest first; call it on a worker thread."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(OSError, ValueError, sqlite3.DatabaseError, KeyError, TypeError):
            found.append(_look_at(path))
    return sorted(found, key=lambda sitting: sitting.when, reverse=True)


def _look_at(path: Path) -> Sitting:
    with path.open("rb") as file:
        if not is_project(file.read(100)):
            raise ValueError(path)
    with closing(connect(path)) as connection:
        facts = dict(connection.execute("SELECT name, value FROM facts WHERE name IN ('name', 'closed')"))
        runs = connection.execute("SELECT count(DISTINCT run) FROM rounds").fetchone()[0]
        rounds = connection.execute("SELECT count(*) FROM rounds").fetchone()[0]
    when = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    return Sitting(path, str(json.loads(facts["name"])), when, runs, rounds, CLOSED in facts)


def let_oldest_go(folder: Path, kept: Path) -> None:
    """Delete the oldest sittings beyond those that are kept, but never that of now."""
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
    for path in files[:-MOST_KEPT]:
        if path != kept:
            forget(path)


def forget(path: Path) -> None:
    """Delete a sitting."""
    for one in (path, path.with_name(f"{path.name}-journal"), path.with_name(f"{path.name}.lock")):
        with suppress(OSError):
            one.unlink()
