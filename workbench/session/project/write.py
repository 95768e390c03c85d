"""Batches written to a project, each whole or not at all."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from workbench.session.project.json_text import json_text
from workbench.session.project.round_record import round_record
from workbench.session.project.run_record import plan_record, run_record, schema_text
from workbench.session.project.state_record import state_record

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from workbench.session.journal.journal import JournalLine
    from workbench.session.project.content import Batch


def write(connection: sqlite3.Connection, batch: Batch, folder: Path | None = None) -> None:
    """Write a batch in one transaction; call it on a thread beside the session's.

    `folder` is that of the project, from which the way to the table is noted.
    """
    lines = [(place, json_text(line_record(line))) for place, line in batch.lines]
    runs = [(number, json_text(run_record(*head))) for number, head in batch.heads.items()]
    rounds = [(*place, *round_record(event, before)) for *place, event, before in batch.rounds]
    told = ((name, value) for name, value in batch.facts.items() if name != "opened")
    facts = [(name, json_text(_fact(name, value, folder))) for name, value in told]
    facts += [(f"schema {number}", schema_text(schema)) for number, schema in batch.schemas.items()]
    models = [(f"model {number}", _model_bytes(model)) for number, model in batch.models.items()]
    with connection:
        for number in batch.gone:
            connection.execute("DELETE FROM runs WHERE number = ?", (number,))
            connection.execute("DELETE FROM rounds WHERE run = ?", (number,))
            connection.execute("DELETE FROM blobs WHERE name = ?", (f"model {number}",))
        for number, kept in batch.kept_rounds.items():
            connection.execute("DELETE FROM rounds WHERE run = ? AND round > ?", (number, kept))
        connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)
        connection.executemany("INSERT OR REPLACE INTO lines VALUES (?, ?)", lines)
        connection.execute("DELETE FROM lines WHERE place >= ?", (batch.n_lines,))
        connection.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?)", runs)
        connection.executemany("INSERT OR REPLACE INTO rounds VALUES (?, ?, ?, ?)", rounds)
        connection.executemany("INSERT OR REPLACE INTO blobs VALUES (?, ?)", models)


def relative_to(folder: Path, path: str) -> str:
    """Return the way from a folder to a file; "" where there is none."""
    try:
        return os.path.relpath(path, folder) if path else ""
    except ValueError:  # another drive
        return ""


def write_blob(connection: sqlite3.Connection, name: str, data: bytes | None) -> None:
    """Write a table or a picture; take it out where there is none."""
    with connection:
        if data is None:
            connection.execute("DELETE FROM blobs WHERE name = ?", (name,))
        else:
            connection.execute("INSERT OR REPLACE INTO blobs VALUES (?, ?)", (name, data))


def line_record(line: JournalLine) -> list[Any]:
    """Return a line of the journal as JSON values."""
    before, after = line.before, line.after
    return [line.action.record(), state_record(before, after), state_record(after, before)]


def _fact(name: str, value: Any, folder: Path | None) -> Any:
    if name == "plan":
        return plan_record(value)
    if name == "validation":
        return value.record()
    if name == "points":
        return None if value is None else value.record()
    if name == "table" and folder is not None:
        return {**value, "relative": relative_to(folder, value["path"])}
    return state_record({"first": value}, {})["first"] if name == "first" else value


def _model_bytes(model: Any) -> bytes:
    from workbench.formats.base import FORMATS

    data: bytes = FORMATS.get("json").write(model)
    return data
