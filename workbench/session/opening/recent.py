"""The files that were opened last, remembered in a small JSON file."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.data.readers.options import ReadOptions
from workbench.errors import WorkbenchError
from workbench.paths import exists
from workbench.session.project.file import SUFFIX

LIMIT = 8
_DAMAGE = (
    ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, WorkbenchError,
)  # fmt: skip
_TYPES: dict[str, tuple[type, ...]] = {  # of options that are no text
    "header": (bool,), "usual_missing": (bool,), "footer": (bool,), "units": (bool,), "first_line": (int,),
    "merged": (bool,),
    "sample_rows": (int,), "sample_share": (int, float), "missing": (tuple,), "kinds": (tuple,),
    "known": (tuple,), "unpacks_all": (bool,),
}  # fmt: skip


@dataclass(frozen=True)
class RecentFile:
    """A file that was opened, what was seen in it, and how a person settled that it is read.

    A table has rows; a model has `rounds`, which is None for a table.
    """

    path: str
    rows: int
    columns: int
    target: str | None
    opened: datetime
    options: ReadOptions | None = None
    rounds: int | None = None

    @property
    def is_model(self) -> bool:
        """Whether it is a model and no table."""
        return self.rounds is not None

    @property
    def is_project(self) -> bool:
        """Whether it is a project."""
        return self.path.endswith(SUFFIX)

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return Path(self.path).name


class RecentFiles:
    """At most eight files, newest first; a damaged or missing list counts as empty.

    Parameters
    ----------
    path : Path
        The JSON file that remembers them.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = _load(path)
        self._writing = threading.Lock()

    def entries(self) -> list[RecentFile]:
        """Return the files and folders that still exist, newest first."""
        return [file for file in self._files if exists(file.path)]

    def options_of(self, path: Path) -> ReadOptions | None:
        """Return how a file was settled to be read; None where it never was."""
        return next((file.options for file in self._files if file.path == str(path)), None)

    def add(self, file: RecentFile) -> None:
        """Put a file first; it is remembered from the next `save` on."""
        others = [known for known in self.entries() if known.path != file.path]
        self._files = [file, *others][:LIMIT]

    def save(self) -> bool:
        """Write the list as it stands; return whether it could be. May be called on any thread."""
        with self._writing:  # so that the newest list is written last
            return _save(self._path, self._files)


def _load(path: Path) -> list[RecentFile]:
    from workbench.formats.bytes.files import read_bytes

    try:
        entries = json.loads(read_bytes(path))
        return [_read(entry) for entry in entries][:LIMIT]
    except _DAMAGE:
        return []


def _read(entry: dict[str, Any]) -> RecentFile:
    target, rounds = entry["target"], entry.get("rounds")
    return RecentFile(str(entry["path"]), int(entry["rows"]), int(entry["columns"]),
                      None if target is None else str(target), datetime.fromisoformat(entry["opened"]),
                      _read_options(entry.get("options")), None if rounds is None else int(rounds))


def _read_options(values: dict[str, Any] | None) -> ReadOptions | None:
    if values is None:
        return None
    missing = values.get("missing")
    read = values | {
        "missing": None if missing is None else tuple(map(_text, missing)),
        "kinds": tuple((_text(name), _text(kind)) for name, kind in values.get("kinds", ())),
        "known": None,  # known from another table
    }
    for name, value in read.items():
        if value is not None and type(value) not in _TYPES.get(name, (str,)):
            raise TypeError(name)
    return ReadOptions(**read)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _save(path: Path, files: list[RecentFile]) -> bool:
    """Write the list whole or not at all; return which."""
    from workbench.formats.bytes.files import atomic_write, make_folder

    entries = [asdict(file) | {"opened": file.opened.isoformat()} for file in files]
    with suppress(WorkbenchError):
        make_folder(path.parent)
        atomic_write(path, json.dumps(entries, indent=1).encode())
        return True
    return False
