"""Folds: the rows that each holds out, those of scikit-learn's splitters with the same seed.

`rows` are those of KFold(shuffle=True), `classes` of StratifiedKFold(shuffle=True), repeated as RepeatedKFold
and RepeatedStratifiedKFold do it; `groups` of GroupKFold, which is shuffled where it is repeated; `time` of
TimeSeriesSplit on rows that are ordered by it. NumPy's older generator is theirs, hence it is used here.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.distinct import distinct_codes
from workbench.data.split_columns import in_order_seen
from workbench.errors import WorkbenchError
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.validation.fold_plan import FoldPlan


class Fold(NamedTuple):
    """One division of the rows.

    Attributes
    ----------
    repeat, number : int
        From 1.
    train, valid : ndarray of int64
        Rows, ascending and disjoint.
    """

    repeat: int
    number: int
    train: NDArray[np.int64]
    valid: NDArray[np.int64]

    @property
    def name(self) -> str:
        """What it is called, "fold 3" or "fold 3 of repeat 2"."""
        return f"fold {self.number}" + (f" of repeat {self.repeat}" if self.repeat > 1 else "")


def folds_of(
    plan: FoldPlan,
    n: int,
    classes: NDArray[np.float64] | None = None,
    marks: NDArray[np.float64] | None = None,
) -> tuple[Fold, ...]:
    """Divide `n` rows.

    Parameters
    ----------
    classes : ndarray, shape (n,), optional
        The class of each row, for folds by classes.
    marks : ndarray, shape (n,), optional
        The group or the time of each row.

    Raises
    ------
    WorkbenchError
        There are too few rows, groups or moments for so many folds.
    """
    if plan.by == "time" and plan.repeats > 1:
        raise WorkbenchError("Folds by time are the same every time: leave repeats at 1.")
    rng = np.random.RandomState(plan.seed)
    made: list[Fold] = []
    for repeat in range(1, plan.repeats + 1):
        for number, (train, valid) in enumerate(_parts(plan, n, classes, marks, rng), 1):
            made.append(Fold(repeat, number, train, valid))
    return tuple(made)


def given_folds(splits: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> tuple[Fold, ...]:
    """Return folds whose rows are given: pairs of those that train and those that are held out."""
    return tuple(
        Fold(1, number, np.sort(train), np.sort(valid)) for number, (train, valid) in enumerate(splits, 1)
    )


def _parts(
    plan: FoldPlan, n: int, classes: NDArray[np.float64] | None, marks: NDArray[np.float64] | None,
    rng: np.random.RandomState,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:  # fmt: skip
    if plan.by == "time":
        assert marks is not None
        yield from _forward(marks, plan)
        return
    if plan.by == "groups":
        assert marks is not None
        fold_of = _by_groups(marks, plan, rng)
    elif plan.by == "classes" and classes is not None:
        fold_of = _by_classes(classes, plan.folds, rng)
    else:
        fold_of = _by_rows(n, plan.folds, rng)
    for fold in range(plan.folds):
        held = fold_of == fold
        yield np.flatnonzero(~held), np.flatnonzero(held)


def _by_rows(n: int, folds: int, rng: np.random.RandomState) -> NDArray[np.int64]:
    """Return the fold of each row: equal parts of the rows in a drawn order."""
    if n < folds:
        raise WorkbenchError(f"{folds} folds need as many rows, and there are {n}. Take fewer folds.")
    order = np.arange(n)
    rng.shuffle(order)
    sizes = np.full(folds, n // folds)
    sizes[: n % folds] += 1
    fold_of = np.empty(n, np.int64)
    fold_of[order] = np.repeat(np.arange(folds), sizes)
    return fold_of


def _by_classes(classes: NDArray[np.float64], folds: int, rng: np.random.RandomState) -> NDArray[np.int64]:
    """Return the fold of each row, each class dealt out to the folds as evenly as it goes."""
    codes = in_order_seen(classes).astype(np.int64)
    counts = np.bincount(codes)
    if counts.max() < folds:
        raise WorkbenchError(
            f"{folds} folds with equal shares of classes need a class of {folds} rows, and the largest has "
            f"{counts.max()}. Take fewer folds."
        )
    ordered = np.sort(codes)
    dealt = np.array([np.bincount(ordered[fold::folds], minlength=len(counts)) for fold in range(folds)])
    fold_of = np.empty(len(classes), np.int64)
    for code in range(len(counts)):
        own = np.arange(folds).repeat(dealt[:, code])
        rng.shuffle(own)
        fold_of[codes == code] = own
    return fold_of


def _by_groups(groups: NDArray[np.float64], plan: FoldPlan, rng: np.random.RandomState) -> NDArray[np.int64]:
    """Return the fold of each row: the largest groups first, each into the smallest fold.

    Where folds are repeated, equal numbers of groups in a drawn order.
    """
    missing = np.isnan(groups)
    present, known, counts = distinct_codes(groups[~missing])
    codes = np.full(len(groups), len(present), np.int64)
    codes[~missing] = known
    sizes = np.append(counts, missing.sum()) if missing.any() else counts
    if len(sizes) < plan.folds:
        raise WorkbenchError(
            f"{plan.folds} folds need as many groups, and '{plan.column or 'groups'}' has "
            f"{len(sizes)}. Take fewer folds."
        )
    fold_of = np.empty(len(sizes), np.int64)
    if plan.repeats > 1:
        for fold, some in enumerate(np.array_split(rng.permutation(len(sizes)), plan.folds)):
            fold_of[some] = fold
        return fold_of[codes]
    taken = np.zeros(plan.folds, np.int64)
    for group in np.argsort(sizes, kind="stable")[::-1]:
        lightest = int(np.argmin(taken))
        taken[lightest] += sizes[group]
        fold_of[group] = lightest
    return fold_of[codes]


def _forward(
    moments: NDArray[np.float64], plan: FoldPlan
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield folds of equal size that go forward in time; rows of one moment stay together."""
    n, size = len(moments), len(moments) // (plan.folds + 1)
    ordered = np.sort(moments)
    n_moments = int(np.count_nonzero(np.diff(ordered))) + 1 if n else 0
    ends = [n - size * (plan.folds - fold) for fold in range(plan.folds)] + [n]
    cuts = [int(np.searchsorted(ordered, ordered[end])) if end < n else n for end in ends] if size else [0, 0]
    if any(later <= former for former, later in zip([0, *cuts], cuts, strict=False)):
        raise WorkbenchError(
            f"{plan.folds} folds by time need rows at {plan.folds + 1} times at least, spread over the rows; "
            f"'{plan.column or 'time'}' has {counted(n_moments, 'time')} in {counted(n, 'row')}. "
            "Take fewer folds."
        )
    order = np.argsort(moments, kind="stable")
    for begin, end in pairwise(cuts):
        yield np.sort(order[:begin]), np.sort(order[begin:end])
