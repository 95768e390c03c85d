"""A large table takes little more than its columns, and a cancelled one leaves nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

ROWS, COLUMNS = 600_000, 10
MIB = 1 << 20
ROOM = 64 * MIB  # blocks of text under way, and what they were made into

MEASURED = """
import gc, json, sys
from pathlib import Path
from workbench.data.reading import read_table
from workbench.errors import Cancelled

def now(name):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024

path, warm, action = sys.argv[1:]
read_table(warm)
gc.collect()
Path("/proc/self/clear_refs").write_text("5")
before, told = now("VmRSS"), []
stop_at = 0.7 if action == "cancel" else 2

def progress(done, total):
    told.append(done / total)

try:
    table = read_table(path, progress=progress, cancelled=lambda: bool(told) and told[-1] >= stop_at)
except Cancelled:
    table = None
gc.collect()
print(json.dumps([now("VmHWM") - before, now("VmRSS") - before, len(told), table is None]))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A table of all digits, with a category, and a small one that loads what reading needs."""
    folder = tmp_path_factory.mktemp("large")
    random = np.random.default_rng(0)
    lines = [
        ",".join([*map(repr, row), f"town {place % 50}"]) + "\n"
        for place, row in enumerate(random.normal(size=(20_000, COLUMNS - 1)).tolist())
    ]
    header = ",".join(f"x{place}" for place in range(COLUMNS)) + "\n"
    for name, times in (("large.csv", ROWS // 20_000), ("small.csv", 20)):
        with (folder / name).open("w") as file:
            file.write(header)
            for _ in range(times):
                file.writelines(lines)
    return folder / "large.csv", folder / "small.csv"


def measured(files: tuple[Path, Path], action: str) -> tuple[Any, ...]:
    done = subprocess.run([sys.executable, "-c", MEASURED, *files, action], capture_output=True, text=True,
                          timeout=200, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-800:]
    return tuple(json.loads(done.stdout))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells peaks of memory in /proc")
def test_peak_is_near_the_size_of_the_columns(files: tuple[Path, Path]) -> None:
    peak, _, blocks, _ = measured(files, "read")
    assert blocks > 10
    assert peak <= 1.3 * ROWS * COLUMNS * 4 + ROOM


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells memory in /proc")
def test_a_cancelled_reading_gives_its_memory_back(files: tuple[Path, Path]) -> None:
    _, after, blocks, was_cancelled = measured(files, "cancel")
    assert was_cancelled
    assert blocks > 10
    assert after < ROOM / 4
