"""What is remembered between sittings, declared once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Signal

DEFAULTS: dict[str, Any] = {
    "scheme": "system",
    "geometry": None,
    "body_splitter": None,
    "inspector_height": 0,
    "folder": "",
    "harmless": False,
    "breakpoints": "{}",
}


class Settings(QObject):
    """Holds the remembered values by name; what cannot be written lasts for this sitting."""

    changed = Signal()  # there is something to write
    unwritable = Signal(str)  # why nothing is remembered, said once

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self._told = False
        location = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
        self.folder = folder or Path(location)
        stored = self._file()
        self._values = {name: stored.value(name, default) for name, default in DEFAULTS.items()}
        self._writing = threading.Lock()

    @property
    def recent_path(self) -> Path:
        """Where the recent files are listed."""
        return self.folder / "recent.json"

    def get(self, name: str) -> Any:
        """Return a remembered value, or its default."""
        return self._values[name]

    def set(self, **values: Any) -> None:
        """Take values over; they are remembered from the next `save` on."""
        if unknown := values.keys() - DEFAULTS.keys():
            raise KeyError(*unknown)
        self._values.update(values)
        self.changed.emit()

    def save(self) -> bool:
        """Write the values as they stand; return whether they could be. May be called on any thread."""
        with self._writing:  # so that the newest values are written last
            file = self._file()
            for name, value in tuple(self._values.items()):
                file.setValue(name, value)
            file.sync()
            return file.status() is not QSettings.Status.AccessError

    def _file(self) -> QSettings:
        return QSettings(str(self.folder / "workbench.ini"), QSettings.Format.IniFormat)

    def tell_unwritable(self) -> None:
        """Say that the folder takes nothing, where it was not said before."""
        if not self._told:
            self._told = True
            words = f"Choices and recent files are not remembered: {self.folder} cannot be written to."
            self.unwritable.emit(f"{words} Make room there, or change its permissions.")
