"""How the cells of a column are written, where the same text may mean something else in another table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Writing:
    """What was found, or guessed, of how a column is written; "" where nothing shows it.

    Attributes
    ----------
    order : "dmy", "mdy" or ""
        What the first two parts of its dates were taken for, where they might be the other.
    decimal : ".", "," or ""
        The decimal sign of its numbers.
    unit : str
        That stands beside its numbers.
    is_compact : bool
        Whether its dates are whole numbers, as 20200131.
    time_digits : int
        Of the time in such numbers: 4 in 202001312359.
    """

    order: str = ""
    decimal: str = ""
    unit: str = ""
    is_compact: bool = False
    time_digits: int = 0


UNKNOWN = Writing()
