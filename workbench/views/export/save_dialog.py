"""Where a file goes: what the dialog asked about is what is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.paths import exists

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def ask_where(parent: QWidget, caption: str, start: str, kind: str, ending: str) -> Path | None:
    """Return the chosen path with its ending; None where nowhere.

    Raises
    ------
    WorkbenchError
        The ending makes it the name of another file that is there, of which the dialog did not warn.
    """
    chosen, _ = QFileDialog.getSaveFileName(parent, caption, start, kind)
    if not chosen:
        return None
    if chosen.lower().endswith(ending):
        return Path(chosen)
    path = Path(chosen + ending)
    if exists(path):
        raise WorkbenchError(f"{isolated(path.name)} exists. Choose that name to write over it.")
    return path
