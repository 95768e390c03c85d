"""What only a real process shows: pipes, imports, signals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import workbench
from workbench.data.samples import sample_file

HEART = str(sample_file("heart_disease"))


def run(*argv, timeout=120, **options):
    return subprocess.run([sys.executable, *argv], capture_output=True, text=True, timeout=timeout, **options)


def test_import_is_light_and_free_of_qt():
    code = (
        "import sys, workbench; from workbench.errors import WorkbenchError; "
        "assert workbench.WorkbenchError is WorkbenchError; "
        "heavy = {'numpy', 'pandas', 'numba', 'PySide6'} & set(sys.modules); assert not heavy, heavy; "
        "workbench.TrainingParams(rounds=3); workbench.fit; workbench.load_model; workbench.Model; "
        "assert 'PySide6' not in sys.modules and 'pandas' not in sys.modules; "
        "assert set(workbench.__all__) <= set(dir(workbench)); "
        "from workbench.formats.base import writer_for; assert writer_for('a.JSON').name == 'xgboost'; "
        "assert 'workbench.formats.onnx.onnx' not in sys.modules; assert writer_for('a.onnx').name == 'onnx'"
    )
    assert run("-c", code).stderr == ""


def test_help_imports_nothing_slow():
    code = (
        "import sys\nfrom workbench.__main__ import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'numba', 'PySide6'} & set(sys.modules)\nassert not heavy, heavy"
    )
    found = run("-c", code)
    assert found.stderr == ""
    for name in ("train", "predict", "describe", "inspect", "convert", "warmup", "tour"):
        assert name in found.stdout


def test_module_and_exit_codes():
    assert run("-m", "workbench", "--version").stdout.startswith("Boosting Workbench ")
    bad = run("-m", "workbench", "describe", "none.csv")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("workbench: There is no file")


@pytest.mark.slow
def test_the_tour_goes_to_its_end(tmp_path):
    done = run("-m", "workbench", "tour", "--shots", str(tmp_path), timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    pictures = sorted(path.name for path in tmp_path.glob("*.png"))
    assert f"{len(pictures)} pictures" in done.stdout
    assert len(pictures) >= 10
    history = workbench.load_model(tmp_path / "model.json").history
    assert [row["reg_lambda"] for row in history] == [1.0] * 100 + [4.0] * 100


@pytest.mark.slow
def test_a_closed_pipe_is_no_error():
    command = [sys.executable, "-m", "workbench", "describe", HEART, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=60)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="only Linux has a full disk at hand")
def test_a_full_disk_is_a_failure_in_one_line():
    command = [sys.executable, "-m", "workbench", "describe", HEART]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (1, "workbench: No space left on device\n")


def without_screen():
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return {name: value for name, value in os.environ.items() if name not in hidden}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_it_is_said():
    done = run("-m", "workbench", HEART, env=without_screen())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("workbench: There is no screen here. Try workbench tour")
