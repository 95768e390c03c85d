"""A model that cannot be written where it should be goes to the folder for temporary files."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import OutputError, WorkbenchError

if TYPE_CHECKING:
    from workbench.formats.model import Model


def save_somewhere(model: Model, path: str | Path) -> None:
    """Write a model; an OutputError says where it is instead, if it is anywhere."""
    try:
        model.save(path)
    except WorkbenchError as error:
        second = _second(model, Path(path).name)
        if second is None:
            raise
        raise OutputError(f"{error} The model is in {second}") from error


def _second(model: Model, name: str) -> Path | None:
    with suppress(OSError, WorkbenchError):
        path = Path(tempfile.mkdtemp(prefix="workbench-model-")) / name
        model.save(path)
        return path
    return None
