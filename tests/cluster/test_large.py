"""A table far larger than what this machine holds of it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

ROWS = 20_000_000
MOST_MB = 100


@pytest.mark.slow
def test_a_large_folder_is_trained_on_and_stays_there(tmp_path):
    """In a process of its own, which is watched while two workers of 4 GB read, encode and train."""
    code = f"from tests.cluster.large import main; main({str(tmp_path)!r}, {ROWS})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = re.search(r"(\d+) rows, (\d+) rounds, grew by (-?\d+) MB", done.stdout)
    assert found is not None, done.stdout
    assert (int(found[1]), int(found[2])) == (ROWS, 10)
    assert int(found[3]) < MOST_MB
