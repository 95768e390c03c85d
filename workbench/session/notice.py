"""A sentence for the person, shown in the window where it concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Notice:
    """One line: what is, then what to do. `place` names the task it concerns."""

    text: str
    severity: Literal["info", "warning", "error"] = "info"
    place: Literal["data", "training", "export", "window"] = "window"
