"""Lines for a terminal, in which no name from a file steers it."""

from __future__ import annotations

import json
import re

# Controls, ends of lines, and what turns the direction of writing.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def on_console(line: str) -> str:
    """Return a line with every character that would steer a terminal as JSON spells it."""
    return _STEERING.sub(lambda sign: json.dumps(sign[0])[1:-1], line)
