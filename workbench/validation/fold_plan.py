"""How rows are to be divided into folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.parameters.folds import FOLD_SEED, FOLDS, REPEATS

FoldsBy = Literal["rows", "classes", "groups", "time"]
FOLDS_BY: tuple[FoldsBy, ...] = ("rows", "classes", "groups", "time")


@dataclass(frozen=True)
class FoldPlan:
    """How rows are divided, checked.

    Attributes
    ----------
    folds, repeats : int
    seed : int
    by : {"rows", "classes", "groups", "time"}
        Rows at random, rows with equal shares of the classes, whole groups, or forward in time: each fold
        trains on the rows before those that it holds out.
    column : str or None
        Of the groups, or of the time.
    """

    folds: int = 5
    repeats: int = 1
    seed: int = 0
    by: FoldsBy = "rows"
    column: str | None = None

    def __post_init__(self) -> None:
        for name, declared in (("folds", FOLDS), ("repeats", REPEATS), ("seed", FOLD_SEED)):
            object.__setattr__(self, name, declared.check(getattr(self, name)))

    @property
    def words(self) -> str:
        """What it is called: "5 folds, class shares kept, 3 times"."""
        how = {
            "rows": "rows at random", "classes": "class shares kept", "time": f"forward by {self.column}",
            "groups": f"whole groups of {self.column}",
        }[self.by]  # fmt: skip
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        return f"{self.folds} folds, {how}{times}"
