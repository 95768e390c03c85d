"""What is compiled is compiled once: seen from new processes, which is how people meet it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import workbench
from tests.reference.compiling import compiled_by
from workbench.data.samples import sample_file
from workbench.kernels.cache import cache_folder
from workbench.warmup.warmup import warm_up

SMALL = """
import numpy as np
from workbench.objectives.base import OBJECTIVES, gradients
gradients(OBJECTIVES.get("squared"), np.zeros(9), np.zeros(9, np.float32))
"""
COMMAND = """
from workbench.__main__ import main
assert main(sys.argv[1:]) == 0
"""
WINDOW = """
from pathlib import Path
from workbench.app import application, build_window
from workbench.shell.settings import Settings
from PySide6.QtCore import QTimer

app = application()
window = build_window(app, Settings(Path(sys.argv[1])))
window.show()
loaded = []
window.warmup.finished.connect(loaded.append)
window.warmup.finished.connect(app.quit)
window.warmup.start()
QTimer.singleShot(240_000, app.quit)
app.exec()
window.close()
assert loaded == [True], loaded
"""


@pytest.fixture(scope="module")
def warm():
    """The folder of this run, filled."""
    warm_up(lambda *_: None)
    return {"NUMBA_CACHE_DIR": str(cache_folder())}


@pytest.mark.slow
def test_the_command_line_compiles_nothing_the_second_time(warm, tmp_path):
    for objective, sample in (("binary", "heart_disease"), ("regression", "nile_flow")):
        arguments = ["train", sample_file(sample), "--target"]
        target = {"heart_disease": "disease", "nile_flow": "flow_1e8_m3"}[sample]
        model = tmp_path / f"{objective}.json"
        compiled, lines = compiled_by(COMMAND, *arguments, target, "--export", model, "--rounds", 3, **warm)
        assert compiled == 0, lines
        assert model.exists()


@pytest.mark.slow
def test_the_window_compiles_nothing_the_second_time(warm, tmp_path):
    compiled, lines = compiled_by(WINDOW, tmp_path, **warm)
    assert compiled == 0, lines


@pytest.mark.slow
def test_a_script_is_told_once_that_it_waits_for_compiling(tmp_path):
    folder = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run([sys.executable, "-c", SMALL], env=folder, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stderr == "Compiling the kernels for this processor, once per version: some seconds.\n"
    assert second.stderr == ""


def test_tests_keep_what_they_compile():
    """The folder lies in the repository, not among the temporary files of one run."""
    folder = cache_folder()
    assert folder.is_relative_to(Path(__file__).parents[2]) or "NUMBA_CACHE_DIR" in os.environ


@pytest.mark.slow
def test_processors_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    monkeypatch.delenv("NUMBA_CPU_FEATURES", raising=False)
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    kinds = ({}, generic)
    first = [compiled_by(SMALL, **folder, **kind)[0] for kind in kinds]
    second = [compiled_by(SMALL, **folder, **kind)[0] for kind in kinds]
    assert min(first) > 0
    assert second == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("ruin", [lambda data: data[: len(data) // 2], lambda data: b""])
def test_a_torn_cache_costs_a_compilation_and_no_more(tmp_path, ruin):
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    before, _ = compiled_by(SMALL, **folder)
    for kind in ("*.nbc", "*.nbi"):
        files = list(tmp_path.rglob(kind))
        assert files
        for file in files:
            file.write_bytes(ruin(file.read_bytes()))
        assert compiled_by(SMALL, **folder)[0] == before
    for file in tmp_path.rglob("*.nbc"):
        file.unlink()
    assert compiled_by(SMALL, **folder)[0] == before


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="only Linux has a full disk at hand")
def test_a_full_disk_is_no_fault(tmp_path):
    full = SMALL.replace("import numpy as np", """
import numpy as np
from numba.core.caching import IndexDataCacheFile
def full(self, key, data):
    with open("/dev/full", "wb", buffering=0) as file:
        file.write(b"x")
IndexDataCacheFile.save = full
""")
    assert compiled_by(full, NUMBA_CACHE_DIR=str(tmp_path))[0] > 0


@pytest.mark.slow
def test_kernels_are_compiled_where_no_folder_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    nowhere = {"NUMBA_CACHE_DIR": str(tmp_path / "file" / "folder")}
    before = set(Path(workbench.__file__).parent.rglob("*.nb?"))
    assert compiled_by(SMALL, **nowhere)[0] > 0
    assert set(Path(workbench.__file__).parent.rglob("*.nb?")) == before


@pytest.mark.slow
def test_a_filled_folder_serves_those_who_can_only_read_it(tmp_path):
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert compiled_by(SMALL, **folder)[0] > 0
    files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    read_only = SMALL.replace("import numpy as np", """
import numpy as np
import tempfile
def refused(*arguments, **named):
    raise PermissionError(13, "Permission denied")
tempfile.TemporaryFile = refused
""")
    assert compiled_by(read_only, **folder)[0] == 0
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == files


@pytest.mark.slow
def test_two_processes_fill_one_folder(tmp_path):
    warm_now = [sys.executable, "-m", "workbench", "warmup", "--progress"]
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(warm_now, env=os.environ | folder, capture_output=True, text=True, check=True)
    told = [line.split(" ")[0] for line in done.stdout.splitlines()]
    steps = [word.split("/") for word in told if word != "READY"]
    assert "READY" in told
    assert all(total == steps[0][1] for _, total in steps)
    assert [int(n) for n, _ in steps] == sorted(int(n) for n, _ in steps)
    assert steps[-1][0] == steps[-1][1]
    everything = "from workbench.warmup.warmup import warm_up\nwarm_up(lambda *_: None)"
    assert compiled_by(everything, **folder)[0] == 0
    assert not list(tmp_path.rglob("*.tmp.*"))
