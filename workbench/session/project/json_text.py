"""Values as the JSON text that a project keeps."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """Return the text of a value that may hold numbers of numpy."""
    return json.dumps(value, ensure_ascii=False, default=python_number)


def python_number(number: Any) -> Any:
    """Return a number of numpy as Python's."""
    return number.item()
