"""What XGBoost calls our objectives, and how an intercept is said to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import scalar_text

if TYPE_CHECKING:
    from workbench.data.schema import Task
    from workbench.parameters.training import TrainingParams

LEAST_PROBABILITY = np.float32(1e-6)  # XGBoost holds probabilities this far from 0 and 1
# What base_score is on the output scale where the margin is exactly 0, by the link.
NEUTRAL = {"identity": "0E0", "logit": "5E-1", "log": "1E0"}


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
        Key of its parameter object; "" where it has none.
    values : dict of str to str
        That object; names of parameters and `n_classes` in braces are filled in.
    task : Task
    link : {"identity", "logit", "log"}
        From `base_score` to the margin.
    aliases : tuple of str
        Further XGBoost objectives that predict the same way.
    factor : float
        What our raw predictions are multiplied by to be XGBoost's.
    several : bool
        Whether a row may have several numbers to predict, which XGBoost counts as targets.
    inverse : str
        How our predictions follow from raw ones, where XGBoost's do otherwise.
    """

    name: str
    learner: str
    section: str
    values: dict[str, str]
    task: Task
    link: str = "identity"
    aliases: tuple[str, ...] = ()
    factor: float = 1.0
    several: bool = False
    inverse: str = ""

    @property
    def counts_classes(self) -> bool:
        """Whether XGBoost counts several raw predictions a row as classes, whose softmax it takes."""
        return self.task == "multiclass" and not self.several

    @property
    def neutral(self) -> str:
        """`base_score` with a margin of exactly 0."""
        return NEUTRAL[self.link]

    @property
    def scale_is_raw(self) -> bool:
        """Whether `base_score` is the margin itself, so that one class needs no leading tree."""
        return self.link == "identity"

    def record(self, n_classes: int, params: TrainingParams) -> dict[str, Any]:
        """Return XGBoost's `objective` object."""
        known = {
            "n_classes": n_classes, "quantile_alpha": ",".join(map(scalar_text, params.quantile_alpha)),
            "huber_slope": f"{params.huber_slope:.9g}",
            "tweedie_variance_power": f"{params.tweedie_variance_power:.9g}",
        }
        values = {key: value.format(**known) for key, value in self.values.items()}
        return {"name": self.learner} | ({self.section: values} if self.section else {})

    def margin(self, base_score: float) -> np.float32:
        """Return the margin that XGBoost derives from `base_score`."""
        score = np.float32(base_score)
        if self.link == "identity":
            return score
        if self.link == "log":
            if not score > 0.0:
                raise WorkbenchError(f"The model's base_score is {base_score}; it must be above 0.")
            return _log(score)
        if not 0.0 < score < 1.0:
            raise WorkbenchError(f"The model's base_score is {base_score}; it must lie between 0 and 1.")
        held = min(max(score, LEAST_PROBABILITY), np.float32(1) - LEAST_PROBABILITY)
        return -_log(np.float32(1) / held - np.float32(1))


def _log(value: np.float32) -> np.float32:
    """Return the nearest float32 to the logarithm, as C has it; numpy's own of float32 is a bit beside it."""
    return np.float32(np.log(float(value)))


_WEIGHTED = {"scale_pos_weight": "1"}
XGBOOST_OBJECTIVES = (
    XGBoostObjective("squared", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression", several=True),
    XGBoostObjective(
        "logistic", "binary:logistic", "reg_loss_param", _WEIGHTED, "binary", "logit", ("reg:logistic",)
    ),
    XGBoostObjective(
        "softmax", "multi:softprob", "softmax_multiclass_param", {"num_class": "{n_classes}"}, "multiclass",
        aliases=("multi:softmax",),
    ),
    XGBoostObjective(
        "custom", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression",
        aliases=("reg:squaredlogerror",), several=True,
    ),
    XGBoostObjective(  # of several expectiles XGBoost keeps how far each is above the one before
        "custom", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression",
        aliases=("reg:expectileerror",),
    ),
    XGBoostObjective("absolute", "reg:absoluteerror", "", {}, "regression"),
    XGBoostObjective(
        "huber", "reg:pseudohubererror", "pseudo_huber_param", {"huber_slope": "{huber_slope}"}, "regression"
    ),
    XGBoostObjective(
        "quantile", "reg:quantileerror", "quantile_loss_param", {"quantile_alpha": "[{quantile_alpha}]"},
        "regression", several=True,
    ),
    XGBoostObjective(
        "poisson", "count:poisson", "poisson_regression_param", {"max_delta_step": "0.699999988"},
        "regression", "log",
    ),
    XGBoostObjective("gamma", "reg:gamma", "reg_loss_param", _WEIGHTED, "regression", "log"),
    XGBoostObjective(
        "tweedie", "reg:tweedie", "tweedie_regression_param",
        {"tweedie_variance_power": "{tweedie_variance_power}"}, "regression", "log",
    ),
    XGBoostObjective(
        "lambdarank", "rank:ndcg", "lambdarank_param",
        {
            "lambdarank_bias_norm": "1", "lambdarank_normalization": "1",
            "lambdarank_num_pair_per_sample": "4294967295", "lambdarank_pair_method": "topk",
            "lambdarank_score_normalization": "1", "lambdarank_unbiased": "0", "ndcg_exp_gain": "1",
        },
        "regression", aliases=("rank:pairwise", "rank:map"),
    ),
    XGBoostObjective(
        "exponential", "binary:logistic", "reg_loss_param", _WEIGHTED, "binary", "logit", factor=2.0
    ),
    XGBoostObjective("share", "reg:squarederror", "reg_loss_param", _WEIGHTED, "binary"),
    XGBoostObjective(
        "shares", "reg:squarederror", "reg_loss_param", _WEIGHTED, "multiclass", several=True
    ),
    XGBoostObjective("logitraw", "binary:logitraw", "reg_loss_param", _WEIGHTED, "binary"),
    XGBoostObjective("cox", "survival:cox", "", {}, "regression", "log"),
    XGBoostObjective(
        "aft", "survival:aft", "aft_loss_param",
        {"aft_loss_distribution": "normal", "aft_loss_distribution_scale": "1"}, "regression", "log",
    ),
    XGBoostObjective("hinge", "binary:hinge", "", {}, "binary", inverse="step"),
    XGBoostObjective("focal", "binary:logistic", "reg_loss_param", _WEIGHTED, "binary", "logit"),
    XGBoostObjective(
        "multilabel", "binary:logistic", "reg_loss_param", _WEIGHTED, "regression", "logit", several=True
    ),
    XGBoostObjective(
        "one_vs_rest", "binary:logistic", "reg_loss_param", _WEIGHTED, "multiclass", "logit", several=True
    ),
    XGBoostObjective(
        "root", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression", inverse="square"
    ),
    XGBoostObjective(
        "uncertainty", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression", several=True,
        inverse="variance",
    ),
    XGBoostObjective(
        "cross_entropy_lambda", "reg:squarederror", "reg_loss_param", _WEIGHTED, "regression",
        inverse="softplus",
    ),
)


def by_own_name(name: str) -> XGBoostObjective:
    """Return the row of one of our objectives."""
    for row in XGBOOST_OBJECTIVES:
        if row.name == name:
            return row
    raise WorkbenchError(f"XGBoost's file cannot hold the objective '{name}'. Convert to 'json' instead.")


def by_learner(name: str, targets: int = 1) -> XGBoostObjective:
    """Return the row of one of XGBoost's objectives, with so many targets a row."""
    rows = [row for row in XGBOOST_OBJECTIVES if name in (row.learner, *row.aliases)]
    for row in rows:
        if targets == 1 or row.several:
            return row
    if rows:
        raise WorkbenchError("The model predicts several targets at once; it cannot be shown here.")
    known = ", ".join(dict.fromkeys(row.learner for row in XGBOOST_OBJECTIVES))
    raise WorkbenchError(f"The model's objective '{name:.60}' is not known here. Known: {known}.")
