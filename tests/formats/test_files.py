"""A file is written completely or stays as it was."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from workbench.errors import WorkbenchError
from workbench.formats.files import atomic_write


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "m.json"
    atomic_write(path, b"one")
    atomic_write(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["m.json"]
    assert path.stat().st_mode & 0o600 == 0o600


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(b"old")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkbenchError, match="no space left on device"):
        atomic_write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["m.json"]


def test_a_failed_rename_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(b"old")

    def refused(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(WorkbenchError, match="permission denied"):
        atomic_write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["m.json"]


def test_missing_folder_and_folder_in_the_way(tmp_path):
    with pytest.raises(WorkbenchError, match="no folder"):
        atomic_write(tmp_path / "none" / "m.json", b"")
    with pytest.raises(WorkbenchError, match="it is a folder"):
        atomic_write(tmp_path, b"")
    with pytest.raises(WorkbenchError, match="Cannot write"):
        atomic_write(tmp_path / "a\0b", b"")


def test_a_link_is_followed(tmp_path):
    target = tmp_path / "real.json"
    target.write_bytes(b"old")
    link = tmp_path / "link.json"
    link.symlink_to(target)
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_what_is_no_file_is_written_to_and_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        atomic_write(pipe, b"model")
        assert os.read(reader, 100) == b"model"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert names(tmp_path) == ["pipe"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(WorkbenchError, match="permission denied"):
        atomic_write(tmp_path / "m.json", b"")
    tmp_path.chmod(0o700)
