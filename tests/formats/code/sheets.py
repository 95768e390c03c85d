"""Spreadsheet formulas evaluated: by a walk of our own, and by the program IronCalc."""

from __future__ import annotations

import math
import re

import numpy as np


class Text(str):
    __slots__ = ()

    def __mod__(self, more):
        """Stand for `&`."""
        return Text(str(self) + more)


class Cell:
    """A cell as spreadsheets take it: an empty one equals "" and FALSE, and is 0 in an order."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return (other == "" or other is False) if self.value is None else self.value == other

    def __lt__(self, other):
        return (self.value or 0) < other

    def __le__(self, other):
        return (self.value or 0) <= other

    def __radd__(self, sum_):
        return sum_ + (self.value or 0)

    __hash__ = None

    def __mod__(self, more):
        """Stand for `&`, which makes text of a cell."""
        text = str(self.value).upper() if isinstance(self.value, bool) else str(self.value)
        return Text("" if self.value is None else text) % more


FUNCTIONS = {
    "IF": lambda test, yes, no: yes if test else no, "OR": lambda *tests: any(tests),
    "AND": lambda *tests: all(tests), "EXACT": lambda a, b: a == b, "EXP": math.exp, "MIN": min,
    "MAX": max, "ABS": abs, "LN": math.log,
    "TRIM": lambda value: Text(" ".join(filter(None, (value % "").split(" ")))),
    "LOWER": str.lower, "CHAR": lambda code: Text(chr(code)), "TRUE": True, "FALSE": False, "Text": Text,
}  # fmt: skip


def formulas_of(text):
    """The formulas below the list of cells."""
    return [f"={formula}" for formula in text.partition("\n\n=")[2].rstrip("\n").split("\n=")]


def evaluated(formula, row):
    """Evaluate a formula as Python: texts aside, only its comparisons are written otherwise."""
    parts = re.split(r'("(?:[^"]|"")*")', formula.removeprefix("="))
    for place, part in enumerate(parts):
        if place % 2:
            text = part[1:-1].replace('""', '"')
            parts[place] = f"Text({text!r})"
        else:
            parts[place] = re.sub(r"(?<![<>=!])=", "==", part.replace("<>", "!=")).replace("&", "%")
    cells = {f"{chr(65 + place)}2": Cell(value) for place, value in enumerate(row)}
    return eval("".join(parts), FUNCTIONS | cells)


def computed(formulas, rows):
    """What IronCalc makes of the formulas, copied down beside the rows: shape (rows, formulas)."""
    import ironcalc

    book = ironcalc.create("book")
    width = max(map(len, rows)) + 1
    for line, row in enumerate(rows, start=2):
        for place, value in enumerate(row, start=1):
            _put(book, line, place, value)
        for place, formula in enumerate(formulas, start=width):
            book.set_user_input(0, line, place, _moved(formula, line))
    book.evaluate()
    return np.array([[book.get_cell_value(0, line, width + k) for k in range(len(formulas))]
                     for line in range(2, len(rows) + 2)], float)  # fmt: skip


def _put(book, line, place, value):
    if isinstance(value, bool):
        book.update_cell_with_bool(0, line, place, value)
    elif isinstance(value, str):
        book.update_cell_with_text(0, line, place, value)
    elif value is not None:
        book.update_cell_with_number(0, line, place, value)


def _moved(formula, line):
    """The formula copied from row 2 into another: its cells, but not what stands in quotes, move."""
    parts = re.split(r'("(?:[^"]|"")*")', formula)
    parts[::2] = [re.sub(r"\b([A-Z]+)2\b", rf"\g<1>{line}", part) for part in parts[::2]]
    return "".join(parts)
