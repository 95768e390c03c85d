"""A record of a text table, as its fields."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Record:
    """The fields of one record, and the line of the text in which it ends."""

    fields: tuple[str, ...]
    last_line: int
