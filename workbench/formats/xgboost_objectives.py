"""What XGBoost calls our objectives, and how an intercept is said to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.data.schema import Task


@dataclass(frozen=True)
class XGBoostObjective:
    """How one of our objectives stands in XGBoost's file.

    Attributes
    ----------
    name : str
        Ours.
    learner : str
        XGBoost's.
    section : str
        Key of its parameter object.
    values : dict of str to str
        That object; `{n_classes}` is filled in.
    task : Task
    neutral : str
        `base_score` on the output scale that gives a margin of exactly 0.
    scale_is_raw : bool
        Whether `base_score` is the margin itself, so that one class needs no leading tree.
    aliases : tuple of str
        Further XGBoost objectives that predict the same way.
    """

    name: str
    learner: str
    section: str
    values: dict[str, str]
    task: Task
    neutral: str
    scale_is_raw: bool
    aliases: tuple[str, ...] = ()

    def record(self, n_classes: int) -> dict[str, Any]:
        """Return XGBoost's `objective` object."""
        values = {key: value.format(n_classes=n_classes) for key, value in self.values.items()}
        return {"name": self.learner, self.section: values}

    def margin(self, base_score: float) -> np.float32:
        """Return the margin that XGBoost derives from `base_score`."""
        score = np.float32(base_score)
        if self.task != "binary":
            return score
        if not 0.0 < score < 1.0:
            raise WorkbenchError(f"The model's base_score is {base_score}; it must lie between 0 and 1.")
        return -np.log(np.float32(1) / score - np.float32(1))


_REGRESSION = {"scale_pos_weight": "1"}
XGBOOST_OBJECTIVES = (
    XGBoostObjective("squared", "reg:squarederror", "reg_loss_param", _REGRESSION, "regression", "0E0", True),
    XGBoostObjective(
        "logistic", "binary:logistic", "reg_loss_param", _REGRESSION, "binary", "5E-1", False,
        ("reg:logistic",),
    ),
    XGBoostObjective(
        "softmax", "multi:softprob", "softmax_multiclass_param", {"num_class": "{n_classes}"}, "multiclass",
        "0E0", True, ("multi:softmax",),
    ),
)  # fmt: skip


def by_own_name(name: str) -> XGBoostObjective:
    """Return the row of one of our objectives."""
    for row in XGBOOST_OBJECTIVES:
        if row.name == name:
            return row
    raise WorkbenchError(f"XGBoost's file cannot hold the objective '{name}'. Convert to 'json' instead.")


def by_learner(name: Any) -> XGBoostObjective:
    """Return the row of one of XGBoost's objectives."""
    for row in XGBOOST_OBJECTIVES:
        if name in (row.learner, *row.aliases):
            return row
    known = ", ".join(row.learner for row in XGBOOST_OBJECTIVES)
    raise WorkbenchError(f"The model's objective {name!r} is not known here. Known: {known}.")
