"""Which rows train and which validate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.distinct import LARGEST_COUNTED, distinct_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    shuffled = np.random.Generator(np.random.PCG64(seed)).permutation(n)
    held = np.zeros(n, dtype=bool)
    if isinstance(target, int) or not stratified:
        held[shuffled[: min(_rounded(n * fraction), max(n - 1, 0))]] = True
    else:
        _hold_by_class(target, shuffled, fraction, held)
    return np.flatnonzero(~held), np.flatnonzero(held)


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
