"""Shells complete what the command line takes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from workbench.__main__ import main
from workbench.commands.base import COMMANDS

bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


def completed(capsys, *words):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    typed = " ".join(f'"{word}"' for word in words)
    place = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}"
    code = [script, place, "_workbench", 'printf "%s\\n" "${COMPREPLY[@]}"']
    done = subprocess.run(["bash", "-c", "\n".join(code)], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.splitlines()


@bash
@pytest.mark.parametrize(("words", "found"), [
    (("workbench", "pred"), {"predict"}), (("workbench", "train", "--reg-l"), {"--reg-lambda"}),
    (("workbench", "train", "--method", "f"), {"friedman", "forest"}),
    (("workbench", "completion", "z"), {"zsh"}),
    (("workbench", "train", "--method", "=", "f"), {"friedman", "forest"}),
])  # fmt: skip
def test_bash_completes_commands_flags_and_values(capsys, words, found):
    assert found <= set(completed(capsys, *words))


@bash
@pytest.mark.parametrize("before", [("predict",), ("predict", "--output"), ("train", "a b.csv", "--export")])
def test_bash_completes_files_where_no_flag_is_begun(capsys, before, tmp_path, monkeypatch):
    (tmp_path / "a b.csv").touch()
    monkeypatch.chdir(tmp_path)
    assert completed(capsys, "workbench", *before, "") == ["a b.csv"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_known_to_every_shell(capsys, shell):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command.name in script for command in COMMANDS)
    assert "learning-rate" in script
