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
    code = [script, place, "_workbench", 'echo "${COMPREPLY[@]}"']
    done = subprocess.run(["bash", "-c", "\n".join(code)], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.split()


@bash
@pytest.mark.parametrize(("words", "found"), [
    (("workbench", "pred"), {"predict"}), (("workbench", "train", "--reg-l"), {"--reg-lambda"}),
    (("workbench", "train", "--method", "f"), {"friedman", "forest"}),
    (("workbench", "completion", "z"), {"zsh"}),
])  # fmt: skip
def test_bash_completes_commands_flags_and_values(capsys, words, found):
    assert found <= set(completed(capsys, *words))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_known_to_every_shell(capsys, shell):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command.name in script for command in COMMANDS)
    assert "learning-rate" in script
