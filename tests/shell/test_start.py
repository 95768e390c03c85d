from __future__ import annotations

import subprocess
import sys

START = """
import linecache
import sys
from pathlib import Path
from workbench.commands.window import window_part

app_module = window_part("workbench.app")
from workbench.shell.settings import Settings

app = app_module.application()
window = app_module.build_window(app, Settings(Path(sys.argv[1])))
window.show()
app.processEvents()
print([name for name in ("pandas", "numba") if name in sys.modules])
print(sum(name.endswith("view.py") for name in linecache.cache))
window.close()
"""


def test_the_window_stands_before_pandas_and_numba_are_imported_and_no_source_is_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["[]", "0"]
