"""A file is written completely or stays as it was."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.errors import OutputError, WorkbenchError
from workbench.formats.bytes.files import atomic_stream, atomic_write, check_writable


@pytest.fixture(params=["unnamed", "named", "never linked"], autouse=True)
def way(request, monkeypatch):
    """Drafts without names, with names where the system knows no others, and where it will not link them."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif request.param == "never linked":
        monkeypatch.setattr(os, "link", failing(errno.EPERM))
    return request.param


def failing(number):
    def fail(*_args, **_kwargs):
        raise OSError(number, os.strerror(number))

    return fail


def names(folder):
    return sorted(p.name for p in folder.iterdir())


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "m.json"
    atomic_write(path, b"one")
    atomic_write(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["m.json"]
    assert path.stat().st_mode & 0o600 == 0o600


@pytest.mark.parametrize("there", [False, True])
def test_a_name_that_ends_as_a_folder_does_is_no_file(there, tmp_path):
    path = f"{tmp_path}/new{os.sep}"
    if there:
        (tmp_path / "new").write_bytes(b"old")
    for write in (lambda: atomic_write(path, b"one"), lambda: check_writable(path)):
        with pytest.raises(WorkbenchError, match=r"it ends as a folder does\. Give a file name\.$"):
            write()
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"] * there


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(b"old")

    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(WorkbenchError, match="no space left on device"):
        atomic_write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["m.json"]


def test_a_failed_rename_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(b"old")

    monkeypatch.setattr(Path, "replace", failing(errno.EACCES))
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


def test_permissions_stay_and_those_of_new_files_are_usual(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"")
    old.chmod(0o640)
    usual = tmp_path / "usual"
    usual.write_bytes(b"")
    for path in (old, new):
        atomic_write(path, b"text")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_whether_a_file_can_be_written_leaves_nothing(tmp_path):
    check_writable(tmp_path / "m.json")
    assert names(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_nobody_waits_for_the_reader_of_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="nobody reads from that pipe"):
        atomic_write(tmp_path / "pipe", b"model")
    assert (tmp_path / "pipe").is_fifo()


def test_drafts_that_were_left_go_with_the_next_write(tmp_path):
    left = tmp_path / ".m.json.abcd1234.workbench.tmp"
    fresh = tmp_path / ".m.json.efgh5678.workbench.tmp"
    others = [tmp_path / ".n.json.abcd1234.workbench.tmp", tmp_path / ".m.json.abcd1234.tmp"]
    for path in (left, fresh, *others):
        path.write_bytes(b"half")
    for path in (left, *others):
        os.utime(path, (time.time() - 4000,) * 2)
    atomic_write(tmp_path / "m.json", b"new")
    assert names(tmp_path) == sorted([fresh.name, "m.json", *(path.name for path in others)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no SIGKILL")
def test_a_program_that_is_killed_in_the_midst_keeps_the_old_file(tmp_path, way):
    (tmp_path / "m.json").write_bytes(b"old")
    killed = (
        "import os, signal, sys; from workbench.formats.bytes.files import atomic_stream\n"
        "if sys.argv[2] == 'named': vars(os).pop('O_TMPFILE', None)\n"
        "with atomic_stream(sys.argv[1]) as sink:\n"
        "    sink.write(bytes(1 << 20)); os.kill(os.getpid(), signal.SIGKILL)"
    )
    command = [sys.executable, "-c", killed, str(tmp_path / "m.json"), way]
    done = subprocess.run(command, check=False, cwd=Path(__file__).parents[3])
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "m.json").read_bytes() == b"old"
    assert len(names(tmp_path)) <= 2
    for name in names(tmp_path):
        os.utime(tmp_path / name, (time.time() - 4000,) * 2)
    atomic_write(tmp_path / "m.json", b"new")
    assert names(tmp_path) == ["m.json"]


def test_of_two_who_write_one_file_at_a_time_the_last_wins_whole(tmp_path):
    path = tmp_path / "m.json"
    with atomic_stream(path) as first, atomic_stream(path) as second:
        for _ in range(100):
            first.write(b"one")
            second.write(b"two")
    assert path.read_bytes() == b"one" * 100
    assert names(tmp_path) == ["m.json"]


def test_a_folder_that_is_renamed_in_the_midst_keeps_its_old_file(tmp_path, way):
    folder, elsewhere = tmp_path / "share", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "m.json").write_bytes(b"old")

    def broken_off():
        with atomic_stream(folder / "m.json") as sink:
            sink.write(b"new")
            folder.rename(elsewhere)

    with pytest.raises(WorkbenchError, match="there is no folder"):
        broken_off()
    assert (elsewhere / "m.json").read_bytes() == b"old"
    assert way == "named" or names(elsewhere) == ["m.json"]
