from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import workbench
from workbench.kernels import cache, kept_code

NEW_PROCESS = """
import sys
import time
from workbench.kernels.cache import cache_folder, kernels_ready
assert "numba" not in sys.modules
print(cache_folder(), kernels_ready(), sep="\\n")
"""


def folder_in_a_new_process(**environment):
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", NEW_PROCESS], env=inherited | environment, capture_output=True, text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_given_folder_is_respected(tmp_path):
    assert folder_in_a_new_process(NUMBA_CACHE_DIR=str(tmp_path)) == [str(tmp_path), "False"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG is for the others")
def test_folder_of_the_person(tmp_path):
    folder, ready = folder_in_a_new_process(XDG_CACHE_HOME=str(tmp_path))
    assert Path(folder).parent == tmp_path / "boosting-workbench"
    assert cache.OWN_FOLDER.fullmatch(Path(folder).name)
    assert ready == "False"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG is for the others")
def test_a_folder_that_cannot_be_written_is_replaced(tmp_path):
    (tmp_path / "file").write_text("no folder")
    folder, _ = folder_in_a_new_process(XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert folder.startswith(str(tmp_path / "boosting-workbench-"))


def test_a_folder_that_stands_in_is_told_of(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(cache, "_user_caches", lambda: tmp_path / "caches")
    assert cache.folder_remark() == ""
    monkeypatch.setattr(cache, "_user_caches", lambda: tmp_path / "file")
    assert cache.can_keep_kernels()
    assert cache.folder_remark().startswith(f"Compiled kernels are kept in {tmp_path}")
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path / "file"))
    assert not cache.can_keep_kernels()
    assert "Set NUMBA_CACHE_DIR" in cache.folder_remark()
    cache.mark_kernels_ready()  # nothing can be written, and that is all
    assert not cache.kernels_ready()


def test_a_filled_folder_needs_no_remark_where_it_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache.mark_kernels_ready(rare=True)
    monkeypatch.setattr(cache, "can_keep_kernels", lambda: False)
    assert cache.folder_remark() == ""


@pytest.fixture
def key_of(tmp_path, monkeypatch):
    """Write sources of a package with one kernel, and return the key they have."""
    for folder in cache.FOLDERS_WITH_KERNELS:
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "trees" / "exact").mkdir()
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "trees" / "cache.py"))

    def keyed(**sources):
        for name, source in sources.items():
            (tmp_path / "trees" / "exact" / f"{name}.py").write_text(source)
        cache.cache_key.cache_clear()
        return cache.cache_key()

    yield keyed
    cache.cache_key.cache_clear()


def test_the_key_follows_kernels_and_what_they_import(key_of):
    taken = ("from workbench.kernels.kernel import kernel\n"
             "from workbench.trees.exact import (\n    taken,\n)\n"
             "if TYPE_CHECKING:\n    from workbench.trees.exact.record import Record\n"
             "    from workbench.trees.exact.plain import Plain\n")
    known = {key_of(scan=taken, taken="A = 1", record="class Record(NamedTuple): ...", plain="", other="")}
    record = "class Record(NamedTuple):\n    a: int"
    for changed in ({"scan": taken + "\n"}, {"taken": "A = 2"}, {"record": record}):
        key = key_of(**changed)
        assert key not in known
        known.add(key)
    assert key_of(plain="B = 1", other="B = 1") in known


def test_every_module_with_a_kernel_is_in_the_key():
    package = Path(workbench.__file__).parent
    compiled = re.compile(r"^\s*@(kernel|njit|intrinsic|vectorize)\b", re.MULTILINE)
    with_kernels = {path for path in package.rglob("*.py") if compiled.search(path.read_text("utf-8"))}
    assert len(with_kernels) > 50
    assert with_kernels - set(cache.kernel_sources()) == set()


def test_the_marker_belongs_to_these_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not cache.kernels_ready()
    cache.mark_kernels_ready()
    assert cache.kernels_ready()
    monkeypatch.setattr(cache, "cache_key", lambda: "other")
    assert not cache.kernels_ready()


def made_folder(parent, name, days):
    folder = parent / name
    (folder / "trees_0a1b").mkdir(parents=True)
    for file in ("grow-12.py311.1.nbc", "grow-12.py311.nbi", "grow-12.py311.nbi.tmp.0a1b2c"):
        (folder / "trees_0a1b" / file).touch()
    (folder / f"kernels-ready-{name}").touch()
    used = time.time() - days * cache.DAY
    os.utime(folder, (used, used))
    return folder


def test_old_folders_go_when_a_new_one_is_made(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache, "_user_caches", lambda: tmp_path)
    ours = tmp_path / "boosting-workbench"
    names = [f"0.{k}.0-numba0.68.1-py311-0123456789ab" for k in range(5)]
    oldest, older, last, in_use, special = (
        made_folder(ours, name, days) for name, days in zip(names, (30, 20, 3, 0.5, 40), strict=True)
    )
    (special / "trees_0a1b" / "notes.txt").write_text("mine")
    foreign = made_folder(ours, "my-models", 90)
    link = ours / "0.9.0-numba0.68.1-py311-0123456789ab"
    link.symlink_to(foreign)
    current = cache.cache_folder()
    assert current.parent == ours
    assert sorted(path for path in ours.iterdir() if path != special) == sorted(
        [current, in_use, foreign, link]
    )
    assert [path.name for path in special.rglob("*") if path.is_file()] == ["notes.txt"]
    assert len(list(foreign.rglob("*"))) == 5
    assert not oldest.exists()
    assert not older.exists()
    assert not last.exists()  # one other is kept: that in use


def test_the_last_used_folder_is_kept_however_old(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache, "_user_caches", lambda: tmp_path)
    ours = tmp_path / "boosting-workbench"
    old = made_folder(ours, "0.1.0-numba0.61.0-py311-0123456789ab", 90)
    older = made_folder(ours, "0.0.9-numba0.61.0-py311-0123456789ab", 91)
    cache.cache_folder()
    assert old.exists()
    assert not older.exists()
    made_folder(ours, older.name, 91)
    cache.cache_folder()  # is there already: nothing is looked through
    assert older.exists()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="where XDG is, there are owners")
def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"boosting-workbench-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    folder = cache._temporary()
    assert folder.parent.parent == tmp_path
    assert not folder.is_symlink()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_what_is_kept_is_found_wherever_the_program_is_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_code, "PACKAGE", tmp_path)
    place = kept_code.ForgivingFolder.get_suitable_cache_subpath
    assert place(str(tmp_path / "trees" / "exact" / "scan.py")) == "trees.exact"
    assert len({place(f"/{folder}/own.py") for folder in ("a", "b")}) == 2
