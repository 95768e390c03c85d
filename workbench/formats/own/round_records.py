"""The history as a model file holds it: a record a round, written column by column."""

from __future__ import annotations

from itertools import repeat
from operator import is_not
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes.number_lists import (
    PLACE,
    PLACE_IN_TEXT,
    WritesItself,
    array_texts,
    compact_json,
)  # fmt: skip
from workbench.formats.own.json_values import encoded, without_clock

if TYPE_CHECKING:
    from collections.abc import Sequence


class RoundRecords(WritesItself):
    """Records that have the same names, and mostly the same values in every round.

    Parameters
    ----------
    rows : sequence of dict
        As `history_rows` makes them.
    """

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = rows

    def values(self) -> list[Any]:
        """Return the records as JSON values, without what the clock said."""
        values: list[Any] = encoded([without_clock(row) for row in self._rows])
        return values

    def json(self) -> str:
        """Return the same as text; what is the same in all rounds is put into words once."""
        columns = self._columns()
        varying = [name for name, column in columns.items() if any(map(is_not, column, repeat(column[0])))]
        first = {name: column[0] for name, column in columns.items()} | dict.fromkeys(varying, PLACE)
        frame = compact_json(encoded(first))
        if not varying or frame.count(PLACE_IN_TEXT) != len(varying):
            return compact_json(self.values())
        frame = frame.replace("%", "%%").replace(PLACE_IN_TEXT, "%s")
        texts = _column_texts([columns[name] for name in varying])
        return f"[{','.join([frame % values for values in zip(*texts, strict=True)])}]"

    def _columns(self) -> dict[str, tuple[Any, ...]]:
        """Return each value in all rounds; nothing where rounds know different ones."""
        names = [*self._rows[0]] if self._rows else []
        if set(map(type, names)) != {str} or set(map(tuple, self._rows)) != {tuple(names)}:
            return {}
        columns = zip(*[row.values() for row in self._rows], strict=True)
        return without_clock(dict(zip(names, columns, strict=True)))


def _column_texts(columns: list[tuple[Any, ...]]) -> list[list[str]]:
    """Return the JSON of every value."""
    floats = [place for place, column in enumerate(columns) if set(map(type, column)) == {float}]
    known = ((place, np.array(columns[place])) for place in floats)
    reals = {place: values for place, values in known if np.isfinite(values).all()}
    written = dict(zip(reals, array_texts([*reals.values()]), strict=True))
    return [
        written[place][1:-1].split(",") if place in written else [*map(_text, column)]
        for place, column in enumerate(columns)
    ]


def _text(value: Any) -> str:
    return repr(value) if type(value) is int else compact_json(encoded(value))
