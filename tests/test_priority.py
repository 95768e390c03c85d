from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.priority import COMPILING, WORKING


@pytest.mark.skipif(sys.platform != "linux", reason="niceness is counted by process elsewhere")
def test_the_window_goes_before_who_works_for_it_and_they_before_who_compiles():
    code = (
        "import os\n"
        "from workbench.priority import lower_compiler, lower_thread\n"
        "told = [os.nice(0)]\n"
        "for lower in (lower_thread, lower_compiler, lower_compiler):\n"
        "    lower()\n"
        "    told.append(os.nice(0))\n"
        "print(*told)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    usual, works, compiles, again = map(int, told.stdout.split())
    assert usual <= works <= compiles == again
    assert works >= WORKING
    assert compiles >= COMPILING > WORKING
