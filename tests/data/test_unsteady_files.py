"""What is no plain file, or does not stay one, ends in one clear line: no hang, no growth."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import can_be_mapped, preview, read_table, with_chunks
from workbench.errors import WorkbenchError
from workbench.paths import exists, is_file, is_folder
from workbench.session.opening.open_file import open_file

if TYPE_CHECKING:
    from collections.abc import Callable

MIB = 1 << 20
DESCRIBE = [sys.executable, "-m", "workbench", "describe"]
BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
from workbench.__main__ import main
raise SystemExit(main(["describe", sys.argv[1]]))
"""


@pytest.mark.sampled
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("kind", ["fifo", "zero", "null", "loop", "dangling", "socket folder"])
def test_no_plain_file_is_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "table.csv"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind in ("zero", "null"):
        path.symlink_to(f"/dev/{kind}")
    elif kind == "loop":
        path.symlink_to(tmp_path / "other.csv")
        (tmp_path / "other.csv").symlink_to(path)
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nothing")
    else:
        path = tmp_path / "gone" / "table.csv"
    done = subprocess.run([*DESCRIBE, path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(path) in done.stderr


@pytest.mark.sampled
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
@pytest.mark.parametrize("command", ["describe", "inspect"])
@pytest.mark.parametrize("name", ["kmsg", "cpuinfo"])
@pytest.mark.slow
def test_what_the_system_makes_up_is_not_read(command: str, name: str) -> None:
    run = [*DESCRIBE[:-1], command, f"/proc/{name}"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["gzip", "bz2", "lzma"])
def test_one_endless_record_does_not_grow(tmp_path: Path, pack: str) -> None:
    """Packed zeros, which are no table, and a quote that never closes."""
    import importlib

    module = importlib.import_module(pack)
    for number, rest in enumerate((b"\0" * MIB, b"a" * MIB)):
        path = tmp_path / f"{number}.csv.{pack}"
        with module.open(path, "wb") as file:
            file.write(b'x,y\n1,"')
            for _ in range(150):
                file.write(rest)
        command = [sys.executable, "-c", BOUNDED, path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr[-500:]


def shrink(path: Path) -> None:
    os.truncate(path, 5000)


def overwrite(path: Path) -> None:
    path.write_text("x,y\n" + "7,8\n" * 50_000)
    os.utime(path, (1, 1))


def append(path: Path) -> None:
    with path.open("a") as file:
        file.write("9,9\n" * 1000)


@pytest.fixture
def table(tmp_path: Path, small_blocks: None) -> Path:
    """A table that is read in many blocks."""
    path = tmp_path / "table.csv"
    path.write_text("x,y\n" + "1,2\n" * 50_000)
    return path


@pytest.mark.parametrize("change", [shrink, overwrite, append])
def test_a_file_that_changes_while_it_is_read_is_said_to(table: Path, change: Callable[[Path], None]) -> None:
    told = []

    def progress(done: int, total: int) -> None:
        told.append(done)
        if len(told) == 3:
            change(table)

    with pytest.raises(WorkbenchError, match=r"'table.csv' changed while it was read\. Read it again"):
        read_table(table, progress=progress)


def test_a_file_that_grows_without_end_is_not_followed(table: Path) -> None:
    told = []

    def progress(done: int, total: int) -> None:
        told.append(done)
        if len(told) < 300:
            append(table)

    with pytest.raises(WorkbenchError, match=r"'table.csv' changed while it was read\. Read it again"):
        read_table(table, progress=progress)
    assert told[-1] < 60_000


@pytest.mark.usefixtures("small_head", "small_blocks")
def test_a_file_that_vanishes_before_its_second_reading_is_said_to(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("x,y\n" + "1,2\n" * 5000 + "late,3\n")

    def progress(done: int, total: int) -> None:
        path.unlink(missing_ok=True)

    with pytest.raises(WorkbenchError, match="could not be read to its end: No such file"):
        read_table(path, progress=progress)


@pytest.mark.skipif(sys.platform == "win32", reason="names are longer there")
def test_a_path_that_cannot_be_asked_about_is_said() -> None:
    """As one in a closed folder, or on a disk that is gone."""
    path = Path("x" * 5_000 + ".csv")
    for read in (
        lambda: read_table(path),
        lambda: preview(path),
        lambda: with_chunks(path, lambda table: table.names),
        lambda: can_be_mapped(path, GUESS_ALL),
        lambda: open_file(path, lambda _done, _total: None, lambda: False),
    ):
        with pytest.raises(WorkbenchError, match="cannot be read"):
            read()
    assert not any(asked(path) for asked in (exists, is_folder, is_file))
