from __future__ import annotations

import os
import subprocess
import sys

import pytest

from workbench.trees import cache

NEW_PROCESS = """
import sys
from workbench.trees.cache import cache_folder, kernels_ready
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
    assert folder == str(tmp_path / "boosting-workbench" / cache.cache_key())
    assert ready == "False"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG is for the others")
def test_a_folder_that_cannot_be_written_is_replaced(tmp_path):
    (tmp_path / "file").write_text("no folder")
    folder, _ = folder_in_a_new_process(XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert folder.startswith(str(tmp_path / "boosting-workbench-"))


def test_the_key_follows_the_sources(tmp_path, monkeypatch):
    for room in cache.ROOMS_WITH_KERNELS:
        (tmp_path / room).mkdir()
    kernel = tmp_path / "trees" / "kernel.py"
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "trees" / "cache.py"))
    keys = set()
    for source in ("a", "b"):
        kernel.write_text(source)
        cache.cache_key.cache_clear()
        keys.add(cache.cache_key())
    cache.cache_key.cache_clear()
    assert len(keys) == 2


def test_the_marker_belongs_to_these_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not cache.kernels_ready()
    cache.mark_kernels_ready()
    assert cache.kernels_ready()
    monkeypatch.setattr(cache, "cache_key", lambda: "other")
    assert not cache.kernels_ready()
