"""What is known of the processor that kernels are compiled for."""

from __future__ import annotations

from pathlib import Path

SMALL_CACHE = 32 * 1024
INNERMOST = Path("/sys/devices/system/cpu/cpu0/cache/index0")


def innermost_cache_bytes() -> int:
    """Return the size of a core's innermost data cache, in bytes; a usual small one where nobody tells."""
    try:
        kind, size = (INNERMOST / "type").read_text().strip(), (INNERMOST / "size").read_text().strip()
        return int(size.removesuffix("K")) * 1024 if kind == "Data" else SMALL_CACHE
    except (OSError, ValueError):
        return SMALL_CACHE
