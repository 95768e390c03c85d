"""Columns of text in a SQL query: each text is looked up once a row, and trees ask for its code.

A table of a column has its texts with their codes, and is joined as `t` and the column's place. What is not
in it has no code, and answers "no". Databases join only so many tables, so that the texts of more columns
stand in the questions themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.values.known_labels import is_day, label_codes
from workbench.data.values.labels import BLANKS
from workbench.formats.bytes.template import chunks
from workbench.formats.code.sql_names import column, text_literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema, Feature
    from workbench.ensembles.ensemble import Ensemble

MISSING = -1  # the code of a text without signs
MOST_JOINED = 50  # tables; sqlite joins 64
SHORT, MOST_COMPARED = 4, 100  # values that are compared one by one; a join is sooner done with more


class Texts:
    """The columns of text that a model asks about.

    Parameters
    ----------
    ensemble : Ensemble
    schema : DataSchema
    """

    def __init__(self, ensemble: Ensemble, schema: DataSchema) -> None:
        asked = {place for tree in ensemble.trees for place in tree.nodes["feature"][~tree.is_leaf].tolist()}
        places = [place for place in sorted(asked) if schema.features[place].categories]
        self._features = schema.features
        self._codes = {place: _codes(schema.features[place]) for place in places}
        self._joined = places[:MOST_JOINED]

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._codes)

    def question(self, place: int, codes: Sequence[int], *, missing_is_yes: bool) -> str:
        """Return whether a row's text is one of those with these codes."""
        known, name = self._codes[place], self._features[place].name
        if "" in known:
            missing = f" OR {column(name)} IS NULL"
        else:
            codes, missing = [*codes, *([MISSING] if missing_is_yes else [])], ""
        if place in self._joined:
            test = is_one_of(f"t{place}.code", list(map(str, codes)))
        else:
            texts = [text_literal(text) for text, code in self._rows(place) if code in set(codes)]
            test = is_one_of(self._stripped(place), texts)
        return f"({test}{missing})" if missing and missing_is_yes else test

    def tables(self, mark: str) -> list[str]:
        """Return the tables that are joined."""
        return [
            f"{_table(place, mark)}(label, code) AS (VALUES {self._values(place)}),\n"
            for place in self._joined
        ]

    def joins(self, mark: str) -> str:
        """Return how they are joined."""
        return "".join(
            f"\nLEFT JOIN {_table(place, mark)} AS t{place} ON t{place}.label = {self._stripped(place)}"
            for place in self._joined
        )

    def _values(self, place: int) -> str:
        return ", ".join(f"({text_literal(text)}, {code})" for text, code in self._rows(place))

    def _rows(self, place: int) -> list[tuple[str, int]]:
        known = self._codes[place]
        return [*known.items(), *([] if "" in known else [("", MISSING)])]

    def _stripped(self, place: int) -> str:
        """Return the text of a row without blanks around it, but where the model knows it with them."""
        known = self._codes[place]
        exact = f"CAST({column(self._features[place].name)} AS VARCHAR)"
        stripped = f"TRIM({exact}, {text_literal(BLANKS)})"
        if "" not in known:
            stripped = f"COALESCE({stripped}, '')"
        blank = [text_literal(text) for text in known if text != text.strip()]
        return f"CASE WHEN {is_one_of(exact, blank)} THEN {exact} ELSE {stripped} END" if blank else stripped


def is_one_of(value: str, known: Sequence[str]) -> str:
    """Return the question in lists so short that no database makes a join of each."""
    lists = [known] if len(known) > MOST_COMPARED else chunks(known, SHORT)
    tests = [f"{value} IN ({', '.join(some)})" for some in lists]
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


def _table(place: int, mark: str) -> str:
    return f"texts_{mark}_{place}"


def _codes(feature: Feature) -> dict[str, int]:
    """Return the codes of labels, also as databases write whole numbers and dates."""
    found = label_codes(feature)
    for label, code in list(found.items()):
        if label.lstrip("-").isdecimal():
            found.setdefault(f"{label}.0", code)
        elif is_day(label):
            found.setdefault(f"{label} 00:00:00", code)
    return found
