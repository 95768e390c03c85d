"""Folds are those of scikit-learn's splitters, and what cannot be divided is one line."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

from workbench.errors import WorkbenchError
from workbench.validation.fold_plan import FoldPlan
from workbench.validation.folds import folds_of

RNG = np.random.default_rng(8)
N = 61
X, Y = np.zeros((N, 1)), RNG.choice([2.0, 0.0, 1.0], N, p=[0.5, 0.3, 0.2])
GROUPS = RNG.integers(0, 13, N).astype(float)
DAYS = RNG.permutation(N).astype(float)


def assert_same(made, theirs) -> None:
    theirs = list(theirs)
    assert len(made) == len(theirs)
    for fold, (train, valid) in zip(made, theirs, strict=True):
        np.testing.assert_array_equal(fold.train, np.sort(train))
        np.testing.assert_array_equal(fold.valid, np.sort(valid))


@pytest.mark.parametrize("seed", [0, 7])
def test_they_are_the_rows_of_scikit_learn(seed) -> None:
    made = folds_of(FoldPlan(5, seed=seed), N)
    assert_same(made, KFold(5, shuffle=True, random_state=seed).split(X))
    made = folds_of(FoldPlan(4, 3, seed), N)
    assert_same(made, RepeatedKFold(n_splits=4, n_repeats=3, random_state=seed).split(X))
    made = folds_of(FoldPlan(5, seed=seed, by="classes"), N, classes=Y)
    assert_same(made, StratifiedKFold(5, shuffle=True, random_state=seed).split(X, Y))
    made = folds_of(FoldPlan(3, 2, seed, by="classes"), N, classes=Y)
    theirs = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=seed)
    assert_same(made, theirs.split(X, Y))
    made = folds_of(FoldPlan(4, seed=seed, by="groups"), N, marks=GROUPS)
    assert_same(made, GroupKFold(4).split(X, groups=GROUPS))
    made = folds_of(FoldPlan(5, by="time"), N, marks=DAYS)
    order = np.argsort(DAYS)
    assert_same(made, [(order[train], order[valid]) for train, valid in TimeSeriesSplit(5).split(X)])


def test_repeated_groups_are_those_of_one_generator() -> None:
    made = folds_of(FoldPlan(4, 2, 3, by="groups"), N, marks=GROUPS)
    rng = np.random.RandomState(3)
    theirs = [pair for _ in range(2)
              for pair in GroupKFold(4, shuffle=True, random_state=rng).split(X, groups=GROUPS)]  # fmt: skip
    assert_same(made, theirs)
    for fold in made:
        assert not set(GROUPS[fold.train]) & set(GROUPS[fold.valid])


def test_rows_of_one_moment_stay_together_and_the_future_never_trains() -> None:
    moments = np.repeat(np.arange(12.0), 5)[RNG.permutation(60)]
    made = folds_of(FoldPlan(4, by="time"), 60, marks=moments)
    for fold in made:
        assert moments[fold.train].max() < moments[fold.valid].min()
    assert sum(len(fold.valid) for fold in made) + len(made[0].train) == 60


@pytest.mark.parametrize(("plan", "given", "words"), [
    (FoldPlan(9), {}, "9 folds need as many rows, and there are 8"),
    (FoldPlan(4, by="groups", column="site"), {"marks": np.repeat([1.0, 2.0, np.nan], [3, 3, 2])},
     "4 folds need as many groups, and 'site' has 3"),
    (FoldPlan(7, by="classes"), {"classes": np.repeat([0.0, 1.0], 4)}, "need a class of 7 rows"),
    (FoldPlan(3, by="time", column="day"), {"marks": np.repeat([1.0, 2.0], 4)}, "'day' has 2 times in 8"),
    (FoldPlan(3, 2, by="time"), {"marks": np.arange(8.0)}, "leave repeats at 1"),
])  # fmt: skip
def test_too_few_rows_groups_or_times_are_one_line(plan, given, words) -> None:
    with pytest.raises(WorkbenchError, match=words) as refused:
        folds_of(plan, 8, **given)
    assert "\n" not in str(refused.value)


def test_numbers_of_folds_are_checked() -> None:
    for wrong in ({"folds": 1}, {"repeats": 0}, {"folds": 2.5}, {"seed": -1}):
        with pytest.raises(WorkbenchError):
            FoldPlan(**wrong)
