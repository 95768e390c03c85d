"""What is asked about a round over one or two columns; without a kernel, for views."""

from __future__ import annotations

from typing import NamedTuple


class PictureAsked(NamedTuple):
    """What of a round is looked at.

    Attributes
    ----------
    round : int
        From 1; 0 for the model before its first tree.
    place : int
        Of the tree in its round.
    columns : tuple of int
        Of the matrix, one or two.
    limits : tuple of pairs
        Of each of them.
    row : int or None
        Row of the dataset at which the other columns stand; None averages over rows.
    """

    round: int
    place: int
    columns: tuple[int, ...]
    limits: tuple[tuple[float, float], ...]
    row: int | None = None
