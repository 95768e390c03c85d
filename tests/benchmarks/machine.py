"""What was measured on: processor, cores, vector instructions, versions, date."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("numba", "numpy", "lightgbm", "xgboost-cpu", "xgboost", "scikit-learn", "catboost")


def describe() -> list[str]:
    """Return lines that state the machine and the versions."""
    found = []
    for library in LIBRARIES:
        with suppress(PackageNotFoundError):
            found.append(f"{library} {version(library)}")
    facts = _processor()
    wide = "AVX-512" if "avx512f" in facts.get("flags", "").split() else "no AVX-512"
    name = facts.get("model name") or platform.processor() or platform.machine()
    return [
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {name}, {os.cpu_count()} cores, {wide}; "
        f"{platform.system()}, Python {platform.python_version()}",
        ", ".join(found),
    ]


def _processor() -> dict[str, str]:
    """What Linux says of the first core; nothing elsewhere."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return {}
    lines = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}
