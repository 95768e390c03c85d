"""Lines for a terminal, in which no name from a file steers it."""

from __future__ import annotations

import json
import re

from workbench.isolation import BEGIN, END, is_balanced

# Controls, ends of lines, and what turns the direction of writing.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066\u2067]")
_ISOLATES = re.compile(f"[{BEGIN}{END}]")


def on_console(line: str) -> str:
    """Return a line with every character that would steer a terminal as JSON spells it."""
    line = line if is_balanced(_STEERING.sub("", line)) else _ISOLATES.sub(_spelt, line)
    return _STEERING.sub(_spelt, line)


def _spelt(sign: re.Match[str]) -> str:
    return json.dumps(sign[0])[1:-1]
