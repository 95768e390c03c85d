"""What is put down for a moment is gone afterwards, whatever happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from workbench.data.reading import read_table
from workbench.errors import OutputError, WorkbenchError
from workbench.passing_folder import PREFIX, passing_folder

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="nothing is locked on Windows")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def grow_old(folder):
    os.utime(folder, (time.time() - 3600,) * 2)


def test_it_goes_with_what_is_in_it(temporary):
    with passing_folder() as folder:
        (folder / "rows.csv").write_text("a\n1\n")
    assert list(temporary.iterdir()) == []


def test_it_goes_after_an_error(temporary):
    with pytest.raises(FileNotFoundError), passing_folder() as folder:
        (folder / "none").read_text()
    assert list(temporary.iterdir()) == []


def test_no_folder_for_temporary_files(temporary):
    temporary.rmdir()
    with pytest.raises(OutputError, match="TMPDIR"):
        passing_folder().__enter__()


@on_posix
def test_that_of_a_killed_program_goes_with_the_next_one(temporary):
    killed = (
        "import os, signal, sys, tempfile; tempfile.tempdir = sys.argv[1];"
        "from workbench.passing_folder import passing_folder; held = passing_folder();"
        "(held.__enter__() / 'rows.csv').write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", killed, str(temporary)], check=False, cwd=Path(__file__).parents[1]
    )
    assert done.returncode == -signal.SIGKILL
    (left,) = temporary.iterdir()
    grow_old(left)
    with passing_folder() as folder:
        assert list(temporary.iterdir()) == [folder]


@on_posix
def test_one_that_is_in_use_stays_however_old_it_is(temporary):
    with passing_folder() as first:
        grow_old(first)
        with passing_folder():
            assert first.is_dir()


@on_posix
def test_folders_of_others_stay(temporary):
    links, files, others = temporary / f"{PREFIX}link", temporary / f"{PREFIX}file", temporary / "workbench-x"
    others.mkdir()
    links.symlink_to(others)
    files.write_text("")
    for path in (others, files):
        grow_old(path)
    with passing_folder():
        pass
    assert all(path.exists() for path in (links, files, others))


def test_a_table_that_lies_on_a_full_disk_for_a_moment(temporary, tmp_path, monkeypatch):
    resource = pytest.importorskip("resource", reason="Windows limits no files")
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in "ab":
        (tables / f"{name}.csv").write_text("a,b\n" + "1.25,x\n" * 5000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(WorkbenchError, match="folder for temporary files") as found:
            read_table(tables)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert "\n" not in str(found.value)
    assert list(temporary.iterdir()) == []
