"""Runs as a tree: each below the one that it stands on, in an order of the person's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from workbench.session.run import Run

ORDERS = ("making", "best metric", "name")


class RunPlace(NamedTuple):
    """A run, and how deep it lies below the runs that it stands on."""

    run: Run
    depth: int


def places(
    runs: Sequence[Run], everyone: Mapping[int, Run], order: str = "making", words: str = "",
    text_of: Callable[[Run], str] = lambda run: run.name,
) -> list[RunPlace]:
    """Return runs as a tree, line by line, pinned ones first among those of one run.

    Where one was deleted, what stood on it lies below the next run up. With `words`, only runs whose text
    has all of them.
    """
    sought = words.casefold().split()
    kept = [run for run in runs if all(word in text_of(run).casefold() for word in sought)]
    listed = {run.number for run in kept}
    children: dict[int, list[Run]] = {}
    for run in kept:
        children.setdefault(_parent(run, everyone, listed), []).append(run)
    keys = _keys(kept, children, order)
    found: list[RunPlace] = []
    waiting = [RunPlace(run, 0) for run in _sorted(children.get(0, ()), keys)]
    while waiting:
        place = waiting.pop()
        found.append(place)
        below = _sorted(children.get(place.run.number, ()), keys)
        waiting += [RunPlace(run, place.depth + 1) for run in below]
    return found


def _parent(run: Run, everyone: Mapping[int, Run], listed: set[int]) -> int:
    number = run.stands_on
    while number and number not in listed:
        number = everyone[number].stands_on if number in everyone else 0
    return number


def _sorted(runs: Iterable[Run], keys: Mapping[int, tuple[object, ...]]) -> list[Run]:
    """The last comes first, as a stack takes them."""
    return sorted(runs, key=lambda run: keys[run.number], reverse=True)


def _keys(
    runs: Sequence[Run], children: Mapping[int, list[Run]], order: str
) -> dict[int, tuple[object, ...]]:
    if order == "name":
        return {run.number: (not run.card.pinned, run.name.casefold(), run.number) for run in runs}
    if order != "best metric":
        return {run.number: (not run.card.pinned, run.number) for run in runs}
    best: dict[int, float] = {}
    for run in reversed(runs):  # a branch comes after what it stands on
        below = [best[child.number] for child in children.get(run.number, ())]
        best[run.number] = min([_rank(run), *below])
    return {run.number: (not run.card.pinned, best[run.number], run.number) for run in runs}


def _rank(run: Run) -> float:
    """The best watched metric so that less is better; unknown ones come last."""
    if run.best is None or not math.isfinite(run.best[1]):
        return math.inf
    return -run.best[1] if run.facts.metric(run.watched).higher_is_better else run.best[1]
