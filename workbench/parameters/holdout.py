"""The parameters of the hold-out, each declared once; names are those of the session's plan."""

from __future__ import annotations

from workbench.parameters.spec import Parameter

BY = Parameter(
    "split_by", "Held out", "rows", "choice", group="Hold-out",
    choices=("rows", "groups", "time", "column", "file"),
    help="Rows at random, whole groups at random, the latest rows, those that a column names, or a second "
    "file.",
)
SHARE = Parameter(
    "valid_fraction", "Share", 0.25, "real", group="Hold-out", lower=0.0, upper=0.9, slider=(0.0, 0.9),
    help="Share of the rows that no tree is trained on: the model is measured on them.",
)
SEED = Parameter(
    "split_seed", "Seed", 0, "integer", group="Hold-out", lower=0, upper=2**31 - 1, slider=(0, 100),
    help="The same seed holds out the same rows.",
)
HOLD_OUT: tuple[Parameter, ...] = (SHARE, SEED)
BY_TITLES = {
    "rows": "Rows at random",
    "groups": "Whole groups of a column",
    "time": "The latest rows",
    "column": "Rows that a column names",
    "file": "A second file",
}
NEEDS_SHARE = ("rows", "groups", "time")
NEEDS_SEED = ("rows", "groups")
NEEDS_COLUMN = ("groups", "time", "column")
