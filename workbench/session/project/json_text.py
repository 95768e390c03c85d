"""Values as the JSON text that a project keeps."""

from __future__ import annotations

import json
from typing import Any

FEW = 50  # entries of what is looked into
PART = 1000  # entries that are written at once


def json_text(value: Any) -> str:
    """Return the text of a value that may hold numbers of numpy.

    What is long, such as all that is told of 60,000 columns, is written part by part: Python lets no other
    thread go ahead within one.
    """
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        if len(value) <= FEW:
            written = [f"{_ENCODER.encode(name)}: {json_text(held)}" for name, held in value.items()]
        else:
            items = [*value.items()]
            written = [_inner(dict(items[begin : begin + PART])) for begin in range(0, len(items), PART)]
        return f"{{{', '.join(written)}}}"
    if isinstance(value, (list, tuple)):
        if len(value) <= FEW:
            written = [json_text(held) for held in value]
        else:
            written = [_inner(value[begin : begin + PART]) for begin in range(0, len(value), PART)]
        return f"[{', '.join(written)}]"
    return _ENCODER.encode(value)


def python_number(number: Any) -> Any:
    """Return a number of numpy as Python's."""
    return number.item()


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=python_number)


def _inner(held: Any) -> str:
    """Return the text of a list or an object without its brackets."""
    return _ENCODER.encode(held)[1:-1]
