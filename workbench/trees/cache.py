"""Where compiled kernels are kept on disk. Knows nothing of numba: it must run before numba is imported.

numba invalidates a cached kernel when the kernel's own file changes, not when a kernel that it calls
does. So the folder itself is named after everything that goes into the machine code.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

from workbench.version import __version__

ROOMS_WITH_KERNELS = ("trees", "objectives", "metrics", "ensembles", "explain")
MARKER = "kernels-ready"


def cache_folder() -> Path:
    """Return the folder in which numba keeps its compiled code: the one given, or one of our own."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else _writable(_user_caches() / "boosting-workbench" / cache_key())


def use_cache_folder() -> Path:
    """Tell numba to keep its compiled code in `cache_folder`; call before importing a kernel."""
    folder = cache_folder()
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    numba = sys.modules.get("numba")
    if numba is not None:
        numba.config.CACHE_DIR = str(folder)
    return folder


@cache
def cache_key() -> str:
    """Name what the machine code depends on: version, numba, Python and the sources of all kernels."""
    sources = hashlib.sha256()
    package = Path(__file__).parents[1]
    for room in ROOMS_WITH_KERNELS:
        for path in sorted((package / room).glob("*.py")):
            sources.update(path.name.encode() + path.read_bytes())
    python = "".join(platform.python_version_tuple()[:2])
    return f"{__version__}-numba{version('numba')}-py{python}-{sources.hexdigest()[:12]}"


def kernels_ready() -> bool:
    """Whether `warm_up` has filled the cache folder for exactly these sources."""
    return _marker().exists()


def mark_kernels_ready() -> None:
    """Note that every kernel has been compiled into the cache folder."""
    _marker().touch()


def _marker() -> Path:
    return cache_folder() / f"{MARKER}-{cache_key()}"


def _user_caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _writable(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        fallback = Path(tempfile.gettempdir()) / f"boosting-workbench-{_user()}" / cache_key()
        fallback.mkdir(parents=True, exist_ok=True)
        return fallback


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
