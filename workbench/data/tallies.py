"""The distinct values of a long column and how many values go up to each, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.stretches import stretches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Tally = tuple[NDArray[np.float32], NDArray[np.int64]]

MOST_SORTED = 1 << 24  # values at once, at least
PARTS = 16  # about, in which more of them are sorted
HALF = 1 << 16
SIGN = np.uint32(1 << 31)


def tallies(values: NDArray[np.float32]) -> Iterator[Tally]:
    """Yield distinct values ascending, some at a time, and how many values go up to each.

    Values are finite; NaN is passed over. Beside them a sixteenth of their memory is held, or 64 MiB.
    """
    held: Tally | None = None
    for found, ends in _pieces(values):
        if held is not None:
            goes_on = held[0][-1] == found[0]
            known = slice(-1 if goes_on else None)
            if len(held[0]) > goes_on:
                yield held[0][known], held[1][known]
        held = found, ends
    if held is not None:
        yield held


def least_tally(values: NDArray[np.float32], most: int) -> Tally:
    """Return the least distinct values, up to `most` of them, and how often each occurs."""
    found, ends = [values[:0]], [np.zeros(0, np.int64)]
    for some, up_to in tallies(values):
        found.append(some[:most])
        ends.append(up_to[:most])
        if sum(map(len, found)) >= most:
            break
    return np.concatenate(found)[:most], np.diff(np.concatenate(ends)[:most], prepend=0)


def all_differ(values: NDArray[np.float32]) -> bool:
    """Whether no value occurs twice."""
    n = 0
    for found, ends in tallies(values):
        n += len(found)
        if n < ends[-1]:
            return False
    return True


def _pieces(values: NDArray[np.float32]) -> Iterator[Tally]:
    """Yield the same; a value may be the last of one piece and the first of the next."""
    most = max(MOST_SORTED, len(values) // PARTS)
    if len(values) <= most:
        ordered = np.sort(values)  # NaN comes last
        yield from _runs(ordered[: np.searchsorted(ordered, np.nan)], 0)
        return
    counts = _counted_halves(values)
    done = 0
    for begin, end in _groups(counts, most):
        total = int(counts[begin:end].sum())
        if total > most:
            found, times = _of_one_half(values, begin)
            yield found, done + np.cumsum(times)
        else:
            yield from _runs(_sorted(values, begin, end, total), done)
        done += total


def _counted_halves(values: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return how many keys have each upper half."""
    counts = np.zeros(HALF, np.int64)
    for some in stretches(values):
        counts += np.bincount(_keys(some) // HALF, minlength=HALF)
    return counts


def _groups(counts: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Part the upper halves of keys, so that at most so many values are in each part, or it is one alone."""
    begin = held = 0
    for half in np.flatnonzero(counts).tolist():
        count = int(counts[half])
        if held and held + count > most:
            yield begin, half
            held = 0
        begin, held = begin if held else half, held + count
    yield begin, HALF


def _of_one_half(values: NDArray[np.float32], half: int) -> Tally:
    """Return the values whose keys have this upper half, and how often each occurs."""
    counts = np.zeros(HALF, np.int64)
    for some in stretches(values):
        keys = _keys(some)
        counts += np.bincount(keys[keys // HALF == half] % HALF, minlength=HALF)
    present = np.flatnonzero(counts)
    return _values_of((present + half * HALF).astype(np.uint32)), counts[present]


def _sorted(values: NDArray[np.float32], begin: int, end: int, total: int) -> NDArray[np.float32]:
    """Return the values, so many, whose keys have these upper halves."""
    low, high = _values_of(np.array([begin * HALF, end * HALF]).clip(*ENDS).astype(np.uint32))
    ordered = np.empty(total, np.float32)
    done = 0
    for some in stretches(values):
        chosen = some[(some >= low) & (some < high)]
        ordered[done : done + len(chosen)] = chosen
        done += len(chosen)
    ordered.sort()
    return ordered


def _runs(ordered: NDArray[np.float32], done: int) -> Iterator[Tally]:
    for some in stretches(ordered):
        last = np.flatnonzero(np.append(some[1:] != some[:-1], True))
        yield some[last], last + (done + 1)
        done += len(some)


def _keys(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return whole numbers in the order of the values."""
    bits = (values[~np.isnan(values)] + np.float32(0)).view(np.uint32)  # of -0 as of 0
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def _values_of(keys: NDArray[np.uint32]) -> NDArray[np.float32]:
    return np.where(keys & SIGN, keys ^ SIGN, ~keys).view(np.float32)


ENDS = _keys(np.array([-np.inf, np.inf], np.float32)).tolist()
