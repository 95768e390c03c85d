"""Python's own `import` again, after PySide has put its own in its place.

PySide's asks of each module whether it names PySide6, and for that reads its source and keeps it: of numba,
pandas and scipy 23 million characters. It does so for `__feature__`, which nothing here uses.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401  replaces `import`


def import_plainly() -> None:
    """Let later imports be Python's own; do nothing where PySide's are not in place."""
    names = vars(builtins)
    if names["__import__"] is names.get("__feature_import__"):
        names["__import__"] = names["__orig_import__"]
