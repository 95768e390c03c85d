"""What is remembered between sittings, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, QStandardPaths

DEFAULTS: dict[str, Any] = {
    "scheme": "system",
    "geometry": None,
    "body_splitter": None,
    "upright_splitter": None,
    "folder": "",
    "harmless": False,
}


class Settings:
    """Reads and writes the remembered values by name."""

    def __init__(self, folder: Path | None = None) -> None:
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
