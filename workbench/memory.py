"""How much memory there is, asked before much of it is taken."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from workbench.errors import WorkbenchError

SHARE = 0.8  # of what is free; the rest is for everything else
MEMORY_INFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")  # of a container, with a limit of its own


def free_bytes() -> int | None:
    """Return the bytes that can be had without swapping, None where the system does not tell."""
    known = [size for size in (_of_machine(), _of_group()) if size is not None]
    return min(known, default=None)


def ask_for(wanted: float, name: str, what: str) -> None:
    """Raise WorkbenchError where a file needs more memory than there is."""
    if short := shortage(wanted, name, what):
        raise WorkbenchError(short)


def shortage(wanted: float, name: str, what: str) -> str:
    """Say that a file needs more memory than there is, "" where it does not."""
    free = free_bytes()
    if free is None or wanted <= SHARE * free:
        return ""
    return (
        f"'{name}' needs {in_megabytes(wanted)} of memory ({what}), and {in_megabytes(SHARE * free)} are "
        "free. Close other programs, or choose fewer rows or columns."
    )


def in_megabytes(size: float) -> str:
    """Return a size in words."""
    return f"{size / 2**20:,.0f} MiB"


def _of_machine() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in MEMORY_INFO.read_text().splitlines():
            name, _, amount = line.partition(":")
            if name == "MemAvailable":
                return 1024 * int(amount.split()[0])
    return None


def _of_group() -> int | None:
    with suppress(OSError, ValueError):
        limit, used, parts = ((GROUP / f"memory.{name}").read_text() for name in ("max", "current", "stat"))
        sizes = dict(line.split() for line in parts.splitlines())
        files = sum(int(sizes.get(name, 0)) for name in ("active_file", "inactive_file"))  # can be put out
        return max(int(limit) - int(used) + files, 0)
    return None
