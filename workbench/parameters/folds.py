"""The parameters of cross-validation, each declared once; names are those of `FoldPlan`."""

from __future__ import annotations

from workbench.parameters.spec import Parameter

FOLDS = Parameter(
    "folds", "Folds", 5, "integer", group="Cross-validation", lower=2, upper=1000, slider=(2, 20),
    help="Parts that the rows are divided into; each is held out once, and the others train.",
)
REPEATS = Parameter(
    "repeats", "Repeats", 1, "integer", group="Cross-validation", lower=1, upper=1000, slider=(1, 10),
    help="Times that the rows are divided anew.",
)
FOLD_SEED = Parameter(
    "fold_seed", "Seed", 0, "integer", group="Cross-validation", lower=0, upper=2**31 - 1, slider=(0, 100),
    help="The same seed makes the same folds, and those of scikit-learn's splitters with it as random_state.",
)
FOLDED: tuple[Parameter, ...] = (FOLDS, REPEATS, FOLD_SEED)
FOLD_TITLES = {
    "rows": "Rows at random",
    "classes": "Rows, class shares kept",
    "groups": "Whole groups of a column",
    "time": "By time, forward",
}
