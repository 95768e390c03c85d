"""AdaBoost of stumps beside scikit-learn's, one thread each: python -m tests.benchmarks.adaboost."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING

from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import workbench

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, COLUMNS, ROUNDS = 10_000, 20, 200
MOST = 0.2  # of scikit-learn's time


def seconds(run: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    began = perf_counter()
    run()
    return perf_counter() - began


def main() -> int:
    """Print the seconds; 1 where ours are more than their share."""
    x, y = make_classification(ROWS, COLUMNS, random_state=0)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=ROUNDS)
    known = seconds(lambda: theirs.fit(x, y))
    worst = 0.0
    for method in ("hist", "exact"):
        given = {"method": "adaboost", "tree_method": method, "threads": 1}
        workbench.fit(x, y, rounds=1, **given)  # compiles
        ours = seconds(lambda given=given: workbench.fit(x, y, rounds=ROUNDS, **given))
        print(f"{method}: {ours:.2f} s, scikit-learn {known:.2f} s, ratio {ours / known:.3f}")
        worst = max(worst, ours / known)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
