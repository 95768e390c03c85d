"""Disks that are full, folders that are read-only, gone or in the way, names of every kind.

Whatever writes a file says in one line what went wrong, leaves the old file as it was, and nothing beside it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.formats.making import make_model
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes.files import atomic_write
from workbench.formats.load import load_model
from workbench.formats.own.history_csv import history_csv
from workbench.formats.sklearn.export import save as save_sklearn
from workbench.scoring.score_file import score_file
from workbench.session.opening.pasted import keep_pasted

resource = pytest.importorskip("resource", reason="Windows limits no files")

MODEL = make_model(1, "squared", 2, rounds=3, kinds=("number",))
TABLE = "x0,x1\n" + "".join(f"{i},{i / 7}\n" for i in range(3000))
OLD = b"the old file"


KEPT = tempfile.TemporaryDirectory(prefix="workbench-tests-")
TABLE_FILE = Path(KEPT.name, "table.csv")
TABLE_FILE.write_text(TABLE, encoding="utf-8")


def fitted(path):
    from sklearn.tree import DecisionTreeRegressor

    rows = [[i % 7, i % 5] for i in range(200)]
    save_sklearn(DecisionTreeRegressor().fit(rows, range(200)), path)


WRITERS = {
    **{f.name: lambda path, name=f.name: MODEL.save(path, format=name) for f in FORMATS if f.can_write},
    "history": lambda path: atomic_write(path, history_csv(MODEL.history) * 20),
    "pasted": lambda path: keep_pasted(path, TABLE),
    "predictions": lambda path: score_file(MODEL, TABLE_FILE, path, serial=True),
    "predictions.parquet": lambda path: score_file(MODEL, TABLE_FILE, path, serial=True),
}
STANDALONE = {"scikit-learn": fitted}  # no part of the program where it runs: its errors are Python's own


def needs(name):
    modules = {"onnx": "onnx", "scikit-learn": "sklearn", "predictions.parquet": "pyarrow"}
    if name in modules:
        pytest.importorskip(modules[name])


def out(name, folder):
    """Return a path whose ending says what the writer goes by."""
    return folder / ("out.parquet" if name.endswith("parquet") else "out")


@contextlib.contextmanager
def largest_file(size):
    """Let no file grow beyond so many bytes: what a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def failing(number):
    def fail(*_args, **_kwargs):
        raise OSError(number, os.strerror(number))

    return fail


def refused(write, path):
    """Return what is said; the old file and the folder stay as they were."""
    path.write_bytes(OLD)
    beside = sorted(path.parent.iterdir())
    with pytest.raises(WorkbenchError) as found:
        write(path)
    text = str(found.value)
    assert text.startswith("Cannot write ")
    assert "\n" not in text
    assert path.read_bytes() == OLD
    assert sorted(path.parent.iterdir()) == beside
    return text


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(name, tmp_path):
    needs(name)
    with largest_file(300):
        assert "too large" in refused(WRITERS[name], out(name, tmp_path))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_at_the_last_moment(name, number, tmp_path, monkeypatch):
    needs(name)
    monkeypatch.setattr(os, "fsync", failing(number))
    assert os.strerror(number)[1:] in refused(WRITERS[name], out(name, tmp_path))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_read_only_folder(name, number, tmp_path, monkeypatch):
    """Whoever runs the tests may be root, who may write anywhere, so the system's answer is made up."""
    needs(name)
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.setattr(tempfile, "mkstemp", failing(number))
    assert os.strerror(number)[1:] in refused(WRITERS[name], out(name, tmp_path))


@pytest.mark.sampled
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("number", [errno.ESTALE, errno.EIO, errno.ENOENT, errno.EHOSTDOWN])
def test_a_network_folder_that_goes_away_before_the_file_takes_its_place(name, number, tmp_path, monkeypatch):
    needs(name)
    monkeypatch.setattr(Path, "replace", failing(number))
    refused(WRITERS[name], out(name, tmp_path))


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_is_really_gone_before_the_end(name, tmp_path, monkeypatch):
    needs(name)
    folder = tmp_path / "share"
    folder.mkdir()
    real = os.fsync

    def gone(descriptor):
        real(descriptor)
        shutil.rmtree(folder)

    monkeypatch.setattr(os, "fsync", gone)
    with pytest.raises(WorkbenchError, match="there is no folder") as found:
        WRITERS[name](out(name, folder))
    assert "\n" not in str(found.value)
    assert not folder.exists() or name == "pasted"


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_in_the_way(name, tmp_path):
    needs(name)
    path = out(name, tmp_path)
    (path / "kept").mkdir(parents=True)
    with pytest.raises(WorkbenchError, match="it is a folder"):
        WRITERS[name](path)
    assert [p.name for p in tmp_path.rglob("*")] == [path.name, "kept"]


NAMES = ["two words", "🌲 λ² – tab\tand 'quotes'", "-rf", "$(id)", "a\nb"]
NAMES += ["n" * 255, "🌲" * 63 + "abc", "é" * 127]


@pytest.mark.sampled
@pytest.mark.parametrize("target", NAMES, ids=range(len(NAMES)))
@pytest.mark.parametrize("name", [*(name for name in WRITERS if name != "predictions.parquet"), *STANDALONE])
def test_names_of_every_kind(name, target, tmp_path):
    needs(name)
    path = tmp_path / target
    for _ in range(2):
        (WRITERS | STANDALONE)[name](path)
    assert [p.name for p in tmp_path.iterdir()] == [target]
    if name in STANDALONE or any(f.name == name and f.can_read for f in FORMATS):
        assert load_model(path).ensemble.n_features == 2


@pytest.mark.parametrize("name", WRITERS)
def test_a_name_that_is_too_long_is_said(name, tmp_path):
    needs(name)
    with pytest.raises(WorkbenchError, match="name too long"):
        WRITERS[name](tmp_path / ("n" * 256))
    assert list(tmp_path.iterdir()) == []


def test_the_script_for_scikit_learn_keeps_the_old_file(tmp_path):
    pytest.importorskip("sklearn")
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    with largest_file(100), pytest.raises(OSError, match="too large"):
        fitted(path)
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("name", WRITERS)
def test_the_disk_that_is_always_full(name):
    needs(name)
    if name in ("pasted", "predictions.parquet"):
        pytest.skip("the device's name has no such ending, and its folder is not the program's own")
    with pytest.raises(WorkbenchError, match="no space left on device"):
        WRITERS[name](Path("/dev/full"))
    assert Path("/dev/full").is_char_device()


COMMANDS = {
    "convert": ("convert", "{model}", "--to", "json", "--output", "{out}"),
    "predict": ("predict", "{model}", "{table}", "--output", "{out}"),
    "script": ("script", "--output", "{out}"),
}


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_with_a_full_disk(command, tmp_path):
    MODEL.save(tmp_path / "m.json")
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    out = tmp_path / "out file.csv"
    out.write_bytes(OLD)
    known = {"model": tmp_path / "m.json", "table": tmp_path / "t.csv", "out": out}
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)); sys.dont_write_bytecode = True;"
        "from workbench.__main__ import main; sys.exit(main())"
    )
    arguments = [part.format(**known) for part in COMMANDS[command]]
    env = {**os.environ, "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", limited, *arguments], capture_output=True, text=True, check=False, env=env,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert [line for line in done.stderr.splitlines() if "Cannot write" in line]
    assert out.read_bytes() == OLD
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.json", "out file.csv", "t.csv"]
