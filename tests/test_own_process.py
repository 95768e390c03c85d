from __future__ import annotations

import subprocess

from workbench.own_process import own_program


def test_nothing_is_run_of_the_folder_that_a_person_is_in(tmp_path):
    for name in ("pickle", "json", "runpy", "workbench"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger')")
    call = own_program("workbench", "train", "--version")
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "a stranger" not in done.stderr
    assert done.returncode == 2, "it is our command line that answers"
