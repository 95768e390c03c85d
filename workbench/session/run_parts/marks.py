"""What is noted on a run: the person's words, and which other run it comes from."""

from __future__ import annotations

from typing import NamedTuple


class RunCard(NamedTuple):
    """What the person wrote on a run: a name of its own, a note, and whether it is pinned."""

    title: str = ""
    note: str = ""
    pinned: bool = False


class BranchPoint(NamedTuple):
    """Where a run branches off: the number of the other run, and how many rounds it shares with it."""

    run: int
    round: int


class ScoredAgain(NamedTuple):
    """Whose trees a run holds with other weights, by its name, and so many rounds of them."""

    name: str
    rounds: int
