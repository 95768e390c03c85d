"""The window opened from a script or a notebook, in a process of its own."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import threading
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.own_process import own_program

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.study.study import Study


def open(what: Model | Study | str | Path, data: Any = None) -> subprocess.Popen[bytes]:
    """Open the window and return at once.

    Parameters
    ----------
    what : Model, Study or path
        A study brings its table and its runs; a path may be that of a table, a model or a project.
    data : DataFrame, table of Arrow or path, optional
        The table that the model was trained on.

    Returns
    -------
    subprocess.Popen
        The window's process. What was written for it goes when it ends, or with this program.
    """
    from workbench.commands.window import has_screen

    if not has_screen():
        raise WorkbenchError("There is no screen here, so no window can be opened.")
    folder = Path(tempfile.mkdtemp(prefix="boosting-workbench-"))
    try:
        files = [] if data is None else [_table_of(data, folder, what)]
        files = [_file_of(what, folder, *files), *files]
        process = subprocess.Popen(own_program("workbench", *map(str, files)))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    threading.Thread(target=_remove_afterwards, args=(process, folder), daemon=True).start()
    return process


def _file_of(what: Any, folder: Path, table: Path | None = None) -> Path:
    """Return the file that holds a study, or a model that knows its table again."""
    if isinstance(what, (str, Path)):
        return Path(what).absolute()
    if hasattr(what, "session"):
        path = folder / "study.workbench"
        what.save(path, table=True)
        return path
    if not hasattr(what, "ensemble"):
        raise WorkbenchError(f"{type(what).__name__} is neither a model nor a study nor a path.")
    path = folder / "model.json"
    if table is not None:
        sha256 = hashlib.sha256(table.read_bytes()).hexdigest()
        what = replace(what, schema=replace(what.schema, sha256=sha256))
    what.save(path)
    return path


def _table_of(data: Any, folder: Path, what: Any = None) -> Path:
    """Return a file of a frame: Parquet, which keeps types, where that can be written.

    The features of a model stand first, as it has them: in another order they would be another table's.
    """
    if isinstance(data, (str, Path)):
        return Path(data).absolute()
    from workbench.data.given.rows import is_frame, rows_of

    frame: Any = rows_of(data)
    if not is_frame(frame):
        raise WorkbenchError("The table must be a frame with the names of the columns.")
    if hasattr(what, "schema"):
        names, features = list(frame.columns), what.schema.names
        first = [names.index(name) for name in features if name in names]
        frame = frame.iloc[:, [*first, *(place for place in range(len(names)) if place not in first)]]
    if find_spec("pyarrow") is not None:
        frame.to_parquet(folder / "table.parquet", index=False)
        return folder / "table.parquet"
    frame.to_csv(folder / "table.csv", index=False)
    return folder / "table.csv"


def _remove_afterwards(process: subprocess.Popen[bytes], folder: Path) -> None:
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
