"""Which rows train and which validate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.distinct import LARGEST_COUNTED, distinct_codes
from workbench.number_text import count, counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

FREE_GROUPS = 64


def hold_out(
    target: int | NDArray[np.generic], fraction: float, seed: int = 0, stratified: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split rows at random; the same seed gives the same split everywhere.

    Parameters
    ----------
    target : int or ndarray, shape (n,)
        Number of rows, or the class of each row.
    fraction : float
        Share of the rows held out; 0 holds out none.
    seed : int
    stratified : bool
        Keep the share of each class, where classes are given; a class of two rows or more keeps
        at least one row for training, and a class of one row trains.

    Returns
    -------
    train_rows, valid_rows : ndarray of int64
        Ascending and disjoint; at least one row trains.
    """
    n = target if isinstance(target, int) else len(target)
    if fraction == 0.0:
        return np.arange(n), np.arange(0)
    shuffled = np.random.Generator(np.random.PCG64(seed)).permutation(n)
    held = np.zeros(n, dtype=bool)
    if isinstance(target, int) or not stratified:
        held[shuffled[: min(_rounded(n * fraction), max(n - 1, 0))]] = True
    else:
        _hold_by_class(target, shuffled, fraction, held)
    return np.flatnonzero(~held), np.flatnonzero(held)


def hold_out_groups(
    groups: NDArray[np.floating], fraction: float, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split whole groups of rows at random; the same seed gives the same split everywhere.

    Parameters
    ----------
    groups : ndarray, shape (n,)
        Rows with the same value stay together; rows without a value (NaN) are one group.
    fraction : float
        Share of the rows held out, met as nearly as whole groups allow; at least one group trains.
    seed : int

    Returns
    -------
    train_rows, valid_rows : ndarray of int64
        Ascending and disjoint.
    """
    missing = np.isnan(groups)
    present, known, counts = distinct_codes(groups[~missing])
    codes = np.full(len(groups), len(present), np.int64)
    codes[~missing] = known
    sizes = np.append(counts, missing.sum()) if missing.any() else counts
    shuffled = np.random.Generator(np.random.PCG64(seed)).permutation(len(sizes))
    held = np.zeros(len(sizes), dtype=bool)
    held[shuffled] = _nearest(sizes[shuffled], _rounded(len(groups) * fraction))
    of_row = held[codes]
    return np.flatnonzero(~of_row), np.flatnonzero(of_row)


def hold_out_latest(
    moments: NDArray[np.floating], fraction: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Hold the latest rows out; those of one moment stay together.

    Parameters
    ----------
    moments : ndarray, shape (n,)
        Ascending in time; none is missing.
    fraction : float
        Share of the rows held out, met as nearly as whole moments allow; at least one moment trains.

    Returns
    -------
    train_rows, valid_rows : ndarray of int64
        Ascending and disjoint; every row held out is later than all that train.
    """
    n = len(moments)
    if fraction == 0.0 or not n:
        return np.arange(n), np.arange(0)
    ordered = np.sort(moments)
    begins = np.append(np.flatnonzero(np.diff(ordered, prepend=ordered[0])), n)  # of the later moments
    begin = begins[np.argmin(np.abs(begins - (n - _rounded(n * fraction))))]
    held = np.zeros(n, bool) if begin == n else moments >= ordered[begin]
    return np.flatnonzero(~held), np.flatnonzero(held)


def queries_in_both(
    groups: NDArray[np.int64] | None, parts: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> str:
    """Say how many queries of a ranking have rows that train and rows held out; "" where none has.

    Parameters
    ----------
    groups : ndarray of int64, shape (n,), or None
        The query of each row, from 0.
    parts : iterable of (ndarray of int64, ndarray of int64)
        Rows that train and rows held out, each time they are divided.
    """
    if groups is None:
        return ""
    n = int(groups.max(initial=-1)) + 1
    cut = np.zeros(n, np.bool_)
    for train, valid in parts:
        one, other = (np.bincount(groups[rows], minlength=n) > 0 for rows in (train, valid))
        cut |= one & other
    found = int(cut.sum())
    if not found:
        return ""
    queries = f"{count(found)} of {counted(n, 'query', 'queries')}"
    return f"{queries} {'stands' if found == 1 else 'stand'} in both parts; at random all stay whole."


def _nearest(sizes: NDArray[np.int64], wanted: int) -> NDArray[np.bool_]:
    """Choose groups, never all, whose rows add up nearest to `wanted`.

    The first groups are taken as long as they fit; only the last of those and the ones after them are
    free to be exchanged, which leaves the choice random and finds the nearest sum of up to 128 groups.
    """
    ends = np.cumsum(sizes)
    fitting = int(np.searchsorted(ends, wanted, "right"))
    free = range(max(fitting - FREE_GROUPS, 0), min(fitting + FREE_GROUPS, len(sizes)))
    chosen = np.zeros(len(sizes), dtype=bool)
    chosen[: free.start] = True
    left = wanted - (int(ends[free.start - 1]) if free.start else 0)
    every = int(sizes[free.start :].sum())
    reached = [1]  # bit s: the free groups so far can hold s rows
    for place in free:
        reached.append((reached[-1] | reached[-1] << int(sizes[place])) & ((1 << (2 * left + 1)) - 1))
    rows = _nearest_bit(reached[-1] & ~(1 << every), left)
    for place, before in zip(reversed(free), reversed(reached[:-1]), strict=True):
        if not before >> rows & 1:
            chosen[place] = True
            rows -= int(sizes[place])
    return chosen


def _nearest_bit(bits: int, place: int) -> int:
    """Return the set bit nearest to `place`, of two the lower; 0 where none is set."""
    below = (bits & ((1 << (place + 1)) - 1)).bit_length() - 1
    rest = bits >> place
    above = place + (rest & -rest).bit_length() - 1
    if rest and (below < 0 or above - place < place - below):
        return above
    return max(below, 0)


def _hold_by_class(
    target: NDArray[np.generic], shuffled: NDArray[np.int64], fraction: float, held: NDArray[np.bool_]
) -> None:
    _, codes, counts = distinct_codes(target)
    shares = _apportion(counts, fraction)
    by_class = shuffled[np.argsort(_narrow(codes[shuffled]), kind="stable")]
    starts = np.cumsum(counts) - counts
    for start, share in zip(starts, shares, strict=True):
        held[by_class[start : start + share]] = True


def _narrow(codes: NDArray[np.intp]) -> NDArray[Any]:
    """Sixteen bits where they suffice: numpy sorts them by radix."""
    return codes.astype(np.uint16) if codes.max(initial=0) <= LARGEST_COUNTED else codes


def _apportion(counts: NDArray[np.int64], fraction: float) -> NDArray[np.int64]:
    """Rows held out per class: largest remainders, and never a whole class."""
    exact = counts * fraction
    shares = np.minimum(np.floor(exact).astype(np.int64), counts - 1)
    left = _rounded(counts.sum() * fraction) - int(shares.sum())
    for code in np.argsort(-(exact - shares), kind="stable"):
        if left <= 0:
            break
        if shares[code] < counts[code] - 1:
            shares[code] += 1
            left -= 1
    return shares


def _rounded(rows: float) -> int:
    return int(np.floor(rows + 0.5))
