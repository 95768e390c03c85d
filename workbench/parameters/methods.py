"""The training methods: their names and words, and which objectives each can train.

What a method does stands in its own file in `ensembles/`; which parameters it has, in their declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LOSSES: Mapping[str, str] = MappingProxyType(
    {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}
)
SHARES: Mapping[str, str] = MappingProxyType(
    {"regression": "squared", "binary": "share", "multiclass": "shares"}
)


@dataclass(frozen=True)
class Method:
    """One training method.

    Attributes
    ----------
    name : str
        A value of the parameter `method`.
    label, help : str
        What the window shows: a short name, and a plain sentence.
    objectives : mapping of str to str
        The objective by task; a task that is missing cannot be trained.
    others : tuple of str, or None
        Further objectives that it takes; None: any but those of shares, which trees of classes hold.
    averages : bool
        Whether its trees are averaged, not added up.
    """

    name: str
    label: str
    help: str
    objectives: Mapping[str, str] = field(default_factory=lambda: LOSSES)
    others: tuple[str, ...] | None = ()
    averages: bool = False

    def takes(self, objective: str) -> bool:
        """Whether it trains the objective of this name; "auto" follows from the task."""
        if self.others is None:
            return objective not in ("share", "shares")
        return objective in ("auto", *self.objectives.values(), *self.others)

    def objective_of(self, objective: str, task: str | None) -> str:
        """Return an objective where the method takes it, else the method's own for the task."""
        if objective != "auto" and self.takes(objective):
            return objective
        return self.objectives.get(task or "") or LOSSES.get(task or "", objective)


_DECLARED = (
    Method(
        "newton", "Newton boosting",
        "Each round fits trees to gradients and hessians of the loss, as XGBoost does.", others=None,
    ),
    Method(
        "friedman", "Gradient boosting (Friedman)",
        "Each round fits a tree to the residuals by least squares; its leaves then search their own step.",
        others=("absolute", "huber", "quantile", "exponential"),
    ),
    Method(
        "adaboost", "AdaBoost",
        "Each round grows a small tree on weighted rows; rows that it gets wrong weigh more in the next.",
        objectives=MappingProxyType({"binary": "exponential", "multiclass": "softmax"}),
    ),
    Method(
        "forest", "Random forest",
        "Deep trees on bootstrap samples, each split among a few drawn columns; their mean predicts.",
        objectives=SHARES, averages=True,
    ),
    Method(
        "extra_trees", "Extra trees",
        "Deep trees whose cuts are drawn at random, the best of some columns taken; their mean predicts.",
        objectives=SHARES, averages=True,
    ),
    Method(
        "bagging", "Bagging",
        "Deep trees on bootstrap samples, with all columns at each split; their mean predicts.",
        objectives=SHARES, averages=True,
    ),
    Method(
        "cart", "Single tree (CART)",
        "One tree whose leaves predict the mean or the shares of the classes; it can be pruned back by cost.",
        objectives=SHARES,
    ),
    Method(
        "linear", "Linear model",
        "A weighted sum of the columns, with L2 and L1 penalties: ridge, lasso, elastic net, logistic.",
    ),
    Method(
        "steps", "Step function",
        "A function of one column that is constant between cuts, scored by the structure score.",
        objectives=MappingProxyType({"regression": "squared"}),
    ),
)
METHODS: dict[str, Method] = {method.name: method for method in _DECLARED}
DEFAULT_METHOD = "newton"

# Groups of methods, for the declarations of parameters.
NEWTON = ("newton",)
BOOSTING = ("newton", "friedman")
AVERAGED = ("forest", "extra_trees", "bagging")
IMPURITY = (*AVERAGED, "cart")
ROUNDS = (*BOOSTING, "adaboost", *AVERAGED)
TREES = (*ROUNDS, "cart")
UNPENALISED = ("friedman", "adaboost", *IMPURITY)
UNSHRUNK = ("adaboost", *IMPURITY, "linear", "steps")
