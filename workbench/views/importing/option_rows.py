"""What can be chosen about how a file is read, in reading order."""

from __future__ import annotations

from typing import Any

from workbench.data.readers.options import ENCODINGS
from workbench.data.text.wrappings.aligned import ALIGNED
from workbench.views.importing.rows import ChoiceRow, KindRow, MissingRow

SEPARATORS = (
    ("Comma  ,", ","), ("Semicolon  ;", ";"), ("Tab", "\t"), ("Vertical bar  |", "|"), ("Spaces", " "),
    ("Aligned columns", ALIGNED), ("Colon  :", ":"), ("Tilde  ~", "~"), ("Caret  ^", "^"),
    ("Control character 1", "\x01"),
)  # fmt: skip
DECIMALS = (("Point  1.5", "."), ("Comma  1,5", ","))
HEADERS = (("Names the columns", True), ("Is a row like the others", False))
UNITS = (("Left out", True), ("Is a row like the others", False))
FOOTERS = (("Left out", True), ("Are rows like the others", False))
MERGED = (("Missing below the first", False), ("Filled in each row", True))
DATES = (("Day first  31/12/2020", "dmy"), ("Month first  12/31/2020", "mdy"))


def option_rows() -> tuple[Any, ...]:
    """Make the rows; the last one is that of the columns' types."""
    return (
        ChoiceRow("part", "Sheet", ()),
        ChoiceRow("merged", "Merged cells", MERGED),
        ChoiceRow("separator", "Separator", SEPARATORS),
        ChoiceRow("encoding", "Encoding", [(text, name) for name, text in ENCODINGS.items()]),
        ChoiceRow("decimal", "Decimal sign", DECIMALS, unknown="Column by column"),
        ChoiceRow("first_line", "Begins in", ()),
        ChoiceRow("header", "First line", HEADERS),
        ChoiceRow("units", "Second line", UNITS),
        ChoiceRow("footer", "Last lines", FOOTERS),
        ChoiceRow("dates", "Dates", DATES),
        MissingRow(),
        KindRow(),
    )
