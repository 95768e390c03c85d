"""The file itself: an SQLite database that is ours, and that can run nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".workbench"
APPLICATION_ID = 0x426F5762  # "BoWb"
VERSION = 1
SECONDS = 5.0  # that a lock is waited for
MOST_VALUE_BYTES = (1 << 31) - 1  # bytes of one value
TABLES = {
    "facts": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "lines": "place INTEGER PRIMARY KEY, line TEXT NOT NULL",
    "runs": "number INTEGER PRIMARY KEY, record TEXT NOT NULL",
    "rounds": "run INTEGER, round INTEGER, record TEXT NOT NULL, trees BLOB NOT NULL, "
              "PRIMARY KEY (run, round)",
    "blobs": "name TEXT PRIMARY KEY, data BLOB NOT NULL",
}
BEGIN = b"SQLite format 3\x00"
ADVICE = "Take a copy from before."


def create(path: Path | None = None) -> sqlite3.Connection:
    """Return a connection to a new, empty project: a file, or in memory."""
    connection = sqlite3.connect(":memory:") if path is None else connect(path)
    with connection:
        connection.execute("BEGIN")  # all of it or nothing, whenever the program is killed
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        for name, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
    return connection


def connect(path: Path, *, reads_only: bool = False) -> sqlite3.Connection:
    """Return a connection that trusts nothing in the file."""
    mode = "ro" if reads_only else "rwc"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=SECONDS, check_same_thread=False
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    return connection


def is_project(head: bytes) -> bool:
    """Whether a file begins as a project does."""
    return head.startswith(BEGIN) and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection for reading to a project that was found sound; what is wrong is said in a line."""
    name = isolated(path.name)
    with trouble_said(path, "opened"):
        if not path.is_file():
            raise WorkbenchError(f"There is no file {name}.")
        with path.open("rb") as file:
            head = file.read(100)
        if not is_project(head):
            raise WorkbenchError(f"{name} is no project of the Boosting Workbench.")
        with closing(_readable(path)) as connection:
            _check(connection, name)
            yield connection


def _readable(path: Path) -> sqlite3.Connection:
    """Connect so that what a crash left half written is taken back; only to read where it cannot be."""
    try:
        connection = connect(path)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):  # it would be as long again
            raise
        return connect(path, reads_only=True)
    return connection


def _check(connection: sqlite3.Connection, name: str) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise WorkbenchError(f"{name} was written by a later version of the program. Update it to open this.")
    parts = connection.execute("SELECT type, name FROM sqlite_schema").fetchall()
    tables = {found for kind, found in parts if kind == "table"}
    more = [found for kind, found in parts if kind != "table" and found[:11] != "sqlite_auto"]
    if tables != TABLES.keys() or more:
        raise WorkbenchError(f"{name} is damaged: its parts are no project's. {ADVICE}")
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise WorkbenchError(f"{name} is damaged: it is garbled or cut off in places. {ADVICE}")


@contextmanager
def trouble_said(path: Path, done: str) -> Iterator[None]:
    """Say in one line what kept a project from being opened or written."""
    name = isolated(path.name)
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise WorkbenchError(f"{name} cannot be {done}: {_reason(error)}") from error
    except UnicodeDecodeError as error:  # of what SQLite says of a damaged name
        raise WorkbenchError(f"{name} cannot be {done}: it is damaged. {ADVICE}") from error
    except OSError as error:
        raise WorkbenchError(f"{name} cannot be {done}: {error.strerror or error}.") from error


def _reason(error: sqlite3.DatabaseError) -> str:
    text = str(error)
    if "locked" in text:
        return "another program holds it. Close that, and try again."
    if "full" in text:
        return "the disk is full. Make room, and try again."
    if "readonly" in text or "unable to open" in text:
        return "its folder may not be written to. Choose another."
    if "malformed" in text or "not a database" in text or "encrypted" in text:
        return f"it is damaged. {ADVICE}"
    return f"{text}."
