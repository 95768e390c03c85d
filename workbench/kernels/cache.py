"""Where compiled kernels are kept on disk. Knows nothing of numba: it must run before numba is imported.

numba invalidates a cached kernel when the kernel's own file changes, not when a kernel that it calls
does. So the folder itself is named after everything that goes into the machine code, the processor too: two
kinds of machine that share a home must not write one index.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import sys
import tempfile
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS_WITH_KERNELS = (
    "kernels", "threads", "data/text/blocks/scanning", "objectives", "metrics", "trees", "drawing",
    "ensembles", "explain", "linear",
)
COMPILES = b"workbench.kernels.kernel import"
FROM_PACKAGE = re.compile(rb"^( *)from (workbench[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
RECORD = b"(NamedTuple)"  # its fields are part of machine code, also where it is imported for types alone
MARKER = "kernels-ready"
CODE_SETTINGS = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX", "NUMBA_OPT")
TEMPORARY = "boosting-workbench-"  # begins the name of what stands in for a folder that cannot be written to
DAY = 86_400
OWN_FOLDER = re.compile(r"\d[\w.]*-numba[\w.]+-py\d+-[0-9a-f]{12}(-[0-9a-f]{8})?")
OWN_FILE = re.compile(rf".*\.(nbi|nbc)(\.tmp\.\w+)?|{MARKER}-.*")


def cache_folder() -> Path:
    """Return the folder in which numba keeps its compiled code: the one given, or one of our own."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else _writable(_user_caches() / "boosting-workbench" / cache_key())


def can_keep_kernels() -> bool:
    """Whether the cache folder can be written to."""
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def folder_remark() -> str:
    """Return what a person should know about where kernels are kept; nothing where all is as it should be."""
    if not can_keep_kernels() and not kernels_ready(rare=True):
        return (
            f"Compiled kernels cannot be kept: {cache_folder()} cannot be written to. Training has to wait "
            "for them at every start. Set NUMBA_CACHE_DIR to a folder that can be written to."
        )
    if cache_folder().name == cache_key() and cache_folder().parent.name.startswith(TEMPORARY):
        return (
            f"Compiled kernels are kept in {cache_folder()}, for {_user_caches()} cannot be written to. They "
            "may have to be compiled again when the computer was restarted."
        )
    return ""


def use_cache_folder() -> Path:
    """Tell numba to keep its compiled code in `cache_folder`; call before importing a kernel."""
    folder = cache_folder()
    if OWN_FOLDER.fullmatch(folder.name):
        with contextlib.suppress(OSError):
            os.utime(folder)  # it is in use; see `remove_old_folders`
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    numba = sys.modules.get("numba")
    if numba is not None:
        numba.config.CACHE_DIR = str(folder)
    return folder


@cache
def cache_key() -> str:
    """Name what machine code depends on: version, numba, Python, the sources of all kernels, processor."""
    sources = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in kernel_sources():
        sources.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    python = "".join(platform.python_version_tuple()[:2])
    processor = hashlib.sha256(_processor().encode()).hexdigest()
    return f"{__version__}-numba{version('numba')}-py{python}-{sources.hexdigest()[:12]}-{processor[:8]}"


def kernel_sources() -> list[Path]:
    """Return the files that machine code is made of: modules with kernels, and what these import."""
    package = Path(__file__).parents[1]
    found: dict[Path, None] = {}
    folders = (package / folder for folder in FOLDERS_WITH_KERNELS)
    files = [path for folder in folders for path in folder.rglob("*.py")]
    todo = [path for path in files if COMPILES in path.read_bytes()]
    while todo:
        path = todo.pop()
        if path not in found:
            found[path] = None
            todo += _imported(package, path.read_bytes())
    return sorted(found)


def _imported(package: Path, source: bytes) -> Iterator[Path]:
    """Yield the files of the package from which a module takes names as it is loaded, and records."""
    for indent, module, names in FROM_PACKAGE.findall(source):
        parts = module.decode().split(".")[1:]
        below = (package.joinpath(*parts, name.decode()) for name in re.findall(rb"\w+", names))
        for path in (package.joinpath(*parts), *below):
            file = path.with_suffix(".py")
            if file.is_file() and (not indent or RECORD in file.read_bytes()):
                yield file


def kernels_ready(*, rare: bool = False) -> bool:
    """Whether `warm_up` has filled the cache folder for exactly these sources; also with the rare kernels."""
    return _marker(rare).exists()


def mark_kernels_ready(*, rare: bool = False) -> None:
    """Note that the kernels, or the rare ones too, have been compiled into the cache folder."""
    with contextlib.suppress(OSError):  # nothing can be kept
        _marker(rare).touch()


def remove_old_folders(current: Path) -> None:
    """Remove the folders beside the current one, but for the last used and those used within a day.

    Only files that numba or we have written are removed, and only from folders named as ours are.
    """
    others = [
        (path.stat().st_mtime, path)
        for path in current.parent.iterdir()
        if path != current and OWN_FOLDER.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    ]
    for used, folder in sorted(others)[:-1]:
        if time.time() - used > DAY:
            _remove(folder)


def _remove(folder: Path) -> None:
    for place, folders, files in os.walk(folder, topdown=False):
        with contextlib.suppress(OSError):
            for name in sorted(files, key=lambda name: not name.startswith(MARKER)):
                if OWN_FILE.fullmatch(name):
                    Path(place, name).unlink()
            for name in folders:
                Path(place, name).rmdir()
    with contextlib.suppress(OSError):
        folder.rmdir()


def _processor() -> str:
    """Return what the processor is and can do, and what numba is told about it."""
    settings = [os.environ.get(name, "") for name in CODE_SETTINGS]
    facts = [platform.machine(), *settings]
    if sys.platform != "linux":  # where it starts a process
        facts.append(platform.processor())
    with contextlib.suppress(OSError):
        first = Path("/proc/cpuinfo").read_text(errors="replace").partition("\n\n")[0]
        facts += re.findall(r"^(?:model name|flags|CPU part|Features)\s*:.*", first, re.MULTILINE)
    return "\n".join(facts)


def _marker(rare: bool) -> Path:
    return cache_folder() / f"{MARKER}-{'rare-' * rare}{cache_key()}"


def _user_caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _writable(folder: Path) -> Path:
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            remove_old_folders(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        with contextlib.suppress(OSError):
            return _temporary()
        return folder


def _temporary() -> Path:
    """Return a folder for temporary files that is the person's own: what it holds will be run."""
    parent = Path(tempfile.gettempdir()) / f"{TEMPORARY}{_user()}"
    with contextlib.suppress(FileExistsError):
        parent.mkdir(mode=0o700)
    if hasattr(os, "getuid") and (parent.is_symlink() or parent.stat().st_uid != os.getuid()):
        parent = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    folder = parent / cache_key()
    folder.mkdir(exist_ok=True)
    return folder


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
