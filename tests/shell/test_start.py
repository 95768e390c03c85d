from __future__ import annotations

import subprocess
import sys

START = """
import sys
from pathlib import Path
from workbench.app import application, build_window
from workbench.shell.settings import Settings

app = application()
window = build_window(app, Settings(Path(sys.argv[1])))
window.show()
app.processEvents()
print([name for name in ("pandas", "numba") if name in sys.modules])
window.close()
"""


def test_the_window_stands_before_pandas_and_numba_are_imported(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
