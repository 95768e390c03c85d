"""How much memory there is, asked before a table takes it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from workbench.errors import WorkbenchError

SHARE = 0.8  # of what is available; the rest is for everything else
GB = 1e9
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def available_bytes() -> int:
    """Return the bytes that can be had without swapping."""
    found = [_free(), *(_limit(path) for path in _LIMITS)]
    return min(known for known in found if known is not None)


def ask_for(wanted: float, name: str, what: str) -> None:
    """Raise WorkbenchError where a table needs more memory than there is."""
    there = SHARE * available_bytes()
    if wanted > there:
        raise WorkbenchError(
            f"'{name}' needs {wanted / GB:.1f} GB of memory ({what}), and {there / GB:.1f} GB are free. "
            "Close other programs, or choose fewer rows or columns."
        )


def _free() -> int:
    with suppress(OSError, ValueError, StopIteration, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    with suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    return 1 << 32


def _limit(path: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return None
