"""The table of a project, found again."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from workbench.data.readers.options import GUESS_ALL, ReadOptions
from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.session.project.read import blob_of
from workbench.session.project.save import TABLE
from workbench.session.project.table_bytes import table_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.table import Table
    from workbench.session.project.content import ProjectContent

State = Literal["same", "inside", "changed", "missing", "none"]


class FoundTable(NamedTuple):
    """The table, and how it was found.

    `state` is "same" where its file is what it was, "inside" where it came out of the project, "changed"
    where the file is another now, "missing" where there is none, "none" where the project is of a model.
    `words` say what a person should know of it, "" where all is as it was.
    """

    table: Table | None
    path: Path | None
    options: ReadOptions | None
    state: State
    words: str = ""


def find_table(
    project: Path, content: ProjectContent, elsewhere: Path | None = None,
    progress: Callable[[int, int], None] | None = None, cancelled: Callable[[], bool] | None = None,
) -> FoundTable:  # fmt: skip
    """Find and read the table of a project; call it on a worker thread.

    Parameters
    ----------
    elsewhere : Path, optional
        Where the person says that it is.
    """
    known = content.table
    if not known:
        return FoundTable(None, None, None, "none")
    options = options_of(known["options"])
    ways = [elsewhere] if elsewhere is not None else _ways(project, known)
    there = [path for path in ways if path.exists()]
    same = next((path for path in there if _is_same(path, known)), None)
    data = blob_of(project, TABLE) if same is None else None
    if data is not None:
        return FoundTable(table_from(data), there[0] if there else None, options, "inside")
    path = same or next(iter(there), None)
    name = isolated(known["name"])
    if path is None:
        return FoundTable(None, None, options, "missing", f"{name} is not where it was. Choose where it is.")
    from workbench.data.reading import read_table

    table = read_table(path, options=options or GUESS_ALL, progress=progress, cancelled=cancelled)
    if same is not None or table.sha256 == known["sha256"]:
        return FoundTable(table, path, options, "same")
    words = f"{name} has changed since. Runs can be looked at; they go on once you say that it is to be used."
    return FoundTable(table, path, options, "changed", words)


def options_of(record: dict[str, Any]) -> ReadOptions | None:
    """Read what `options_record` wrote; None where nothing was settled."""
    known = {f.name for f in fields(ReadOptions)} - {"known", "map_folder"}
    values = {name: _tupled(value) for name, value in record.items() if name in known}
    if not values:
        return None
    try:
        return ReadOptions(**values)
    except (TypeError, AttributeError) as error:
        raise WorkbenchError("Damaged project: its table cannot have been read so.") from error


def _ways(project: Path, known: dict[str, Any]) -> list[Path]:
    relative, path = known.get("relative", ""), known["path"]
    near = [(project.parent / relative).resolve()] if isinstance(relative, str) and relative else []
    return [*near, *([Path(path)] if path else [])]


def _is_same(path: Path, known: dict[str, Any]) -> bool:
    """Whether a file has the hash that was noted; a folder's is known once it is read."""
    if not path.is_file() or not known.get("sha256"):
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == known["sha256"]


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value
