"""What is remembered between sittings, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Signal

DEFAULTS: dict[str, Any] = {
    "scheme": "system",
    "geometry": None,
    "body_splitter": None,
    "upright_splitter": None,
    "folder": "",
    "harmless": False,
}


class Settings(QObject):
    """Reads and writes the remembered values by name; what cannot be written lasts for this sitting."""

    unwritable = Signal(str)  # why nothing is remembered, said once

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self._told = False
        location = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
        self.folder = folder or Path(location)
        self._store = QSettings(str(self.folder / "workbench.ini"), QSettings.Format.IniFormat)

    @property
    def recent_path(self) -> Path:
        """Where the recent files are listed."""
        return self.folder / "recent.json"

    def get(self, name: str) -> Any:
        """Return a remembered value, or its default."""
        return self._store.value(name, DEFAULTS[name])

    def set(self, name: str, value: Any) -> None:
        """Remember a value."""
        if name not in DEFAULTS:
            raise KeyError(name)
        self._store.setValue(name, value)
        self._store.sync()
        if self._store.status() is QSettings.Status.AccessError:
            self.tell_unwritable()

    def tell_unwritable(self) -> None:
        """Say that the folder takes nothing, where it was not said before."""
        if not self._told:
            self._told = True
            words = f"Choices and recent files are not remembered: {self.folder} cannot be written to."
            self.unwritable.emit(f"{words} Make room there, or change its permissions.")
