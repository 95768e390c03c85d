"""Disks that are really full, read-only or gone, where the tests may mount one."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.formats.bytes.test_faults import OLD, WRITERS, needs, out
from workbench.errors import OutputError, WorkbenchError
from workbench.formats.bytes.files import atomic_stream, atomic_write


def ran(*command):
    try:
        return subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


@pytest.fixture
def disk(tmp_path):
    """A file system of its own in memory, with an old file in it."""
    place = tmp_path / "disk"
    place.mkdir()
    if not ran("mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)):
        pytest.skip("only root may mount a file system, and not everywhere")
    yield place
    while place.is_mount():
        assert ran("umount", "-l", str(place))


def fill(disk):
    """Leave no byte free."""
    with (disk / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


def refused(name, path, words):
    before = sorted(path.parent.iterdir())
    with pytest.raises(OutputError, match=words) as found:
        WRITERS[name](path)
    assert "\n" not in str(found.value)
    assert path.read_bytes() == OLD
    assert sorted(path.parent.iterdir()) == before


@pytest.mark.parametrize("name", WRITERS)
def test_full(name, disk):
    needs(name)
    path = out(name, disk)
    path.write_bytes(OLD)
    fill(disk)
    refused(name, path, r"no space left on device\. Make room, and try again\.$")


@pytest.mark.parametrize("name", WRITERS)
def test_read_only(name, disk):
    needs(name)
    path = out(name, disk)
    path.write_bytes(OLD)
    assert ran("mount", "-o", "remount,ro", str(disk))
    refused(name, path, r"read-only file system\. Choose another folder\.$")


def test_gone_in_the_midst(disk):
    """The folder is there, empty: what was mounted on it is not."""
    (disk / "share").mkdir()

    def broken_off():
        with atomic_stream(disk / "share" / "m") as sink:
            sink.write(b"half")
            assert ran("umount", "-l", str(disk))

    with pytest.raises(WorkbenchError, match="there is no folder"):
        broken_off()
    assert list(disk.iterdir()) == []


def test_full_without_files_that_have_no_name(disk, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    (disk / "m").write_bytes(OLD)
    fill(disk)
    with pytest.raises(OutputError, match="no space left on device"):
        atomic_write(disk / "m", bytes(100_000))
    assert sorted(path.name for path in disk.iterdir()) == ["filler", "m"]
    assert Path(disk, "m").read_bytes() == OLD
