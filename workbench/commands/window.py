"""The parts of the program that need Qt."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from workbench.errors import WorkbenchError

_NEEDED = ("PySide6", "shiboken6", "pyqtgraph")


def has_screen() -> bool:
    """Whether Qt can open a window; without one it would abort the process."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def window_part(module: str) -> Any:
    """Import a module that needs Qt, or say that Qt is not installed."""
    try:
        importlib.import_module("workbench.views.plain_import").import_plainly()
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise WorkbenchError(
            f"The window needs {error.name}, which is not installed. Install it with: pip install "
            "PySide6-Essentials pyqtgraph. The commands work without it: workbench --help"
        ) from error
