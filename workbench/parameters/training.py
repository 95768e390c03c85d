"""The hyperparameters of training: the one place where each is declared."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from workbench.errors import WorkbenchError
from workbench.parameters.spec import Parameter, declarations, parameter

GROUPS = ("Objective", "Regularisation", "Tree", "Sampling", "Rounds", "Computing")


@dataclass(frozen=True, kw_only=True)
class TrainingParams:
    """Checked hyperparameters of one run; unknown names and values out of bounds are refused.

    Names are those of XGBoost's scikit-learn wrapper where it has one. γ (`gamma`) is that of the
    paper: `split_gain = ½[…] − γ`, so XGBoost's own `gamma` is 2γ.
    """

    objective: str = parameter(
        "auto", label="Objective", kind="choice", group="Objective",
        help="The loss that training makes small. auto follows from the target.",
        aliases={"xgboost": "objective", "lightgbm": "objective", "sklearn": "loss"})
    reg_lambda: float = parameter(
        1.0, label="L2 on weights", symbol="λ", kind="real", group="Regularisation",
        help="Pulls every leaf weight towards 0; larger is smoother.",
        formula="w* = −G / (H + λ)", lower=0.0, slider=(0.01, 100.0), scale="log", live=True,
        aliases={"xgboost": "lambda", "lightgbm": "lambda_l2", "sklearn": "l2_regularization"})
    gamma: float = parameter(
        0.0, label="Cost of a leaf", symbol="γ", kind="real", group="Regularisation",
        help="What one more leaf must gain. A split below it is not made. XGBoost's gamma is 2γ.",
        formula="gain = ½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ",
        lower=0.0, slider=(0.01, 100.0), scale="log", live=True,
        aliases={"xgboost": "gamma", "lightgbm": "min_gain_to_split"})
    learning_rate: float = parameter(
        0.1, label="Shrinkage", symbol="η", kind="real", group="Regularisation",
        help="The share of each tree that is added; smaller needs more rounds and fits smoother.",
        formula="ŷ ← ŷ + η·w*", lower=0.0, open_lower=True, upper=1.0, slider=(0.001, 1.0), scale="log",
        live=True, aliases={"xgboost": "eta", "lightgbm": "learning_rate", "sklearn": "learning_rate"})
    tree_method: str = parameter(
        "hist", label="Split search", kind="choice", choices=("hist", "exact"), group="Tree",
        help="hist seeks splits between bins; exact between any two values, which takes longer.",
        aliases={"xgboost": "tree_method"})
    max_depth: int = parameter(
        6, label="Max depth", kind="integer", group="Tree",
        help="Questions asked on the way to a leaf, at most; 0 is no limit.",
        lower=0, upper=30, slider=(1, 16), live=True,
        aliases={"xgboost": "max_depth", "lightgbm": "max_depth", "sklearn": "max_depth"})
    grow_policy: str = parameter(
        "depth", label="Growth", kind="choice", choices=("depth", "best_gain"), group="Tree", live=True,
        help="depth splits level by level; best_gain splits the leaf that gains most, wherever it is.",
        aliases={"xgboost": "grow_policy"})
    max_leaves: int = parameter(
        0, label="Max leaves", kind="integer", group="Tree",
        help="Leaves of a tree, at most; 0 is no limit but the depth.",
        lower=0, upper=65_536, slider=(0, 256), live=True,
        aliases={"xgboost": "max_leaves", "lightgbm": "num_leaves", "sklearn": "max_leaf_nodes"})
    min_child_weight: float = parameter(
        1.0, label="Min child H", kind="real", group="Tree",
        help="A split is refused where a child would have less hessian than this.",
        formula="H_L ≥ m and H_R ≥ m", lower=0.0, slider=(0.01, 1000.0), scale="log", live=True,
        aliases={"xgboost": "min_child_weight", "lightgbm": "min_sum_hessian_in_leaf"})
    max_bin: int = parameter(
        255, label="Bins", kind="integer", group="Tree",
        help="Candidate cuts for each column are at most this many bins.",
        lower=2, upper=255, slider=(2, 255), scale="log",
        aliases={"xgboost": "max_bin", "lightgbm": "max_bin", "sklearn": "max_bins"})
    subsample: float = parameter(
        1.0, label="Row share", kind="real", group="Sampling",
        help="Share of the training rows drawn, without replacement, for each round.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), live=True,
        aliases={"xgboost": "subsample", "lightgbm": "bagging_fraction", "sklearn": "subsample"})
    colsample_bytree: float = parameter(
        1.0, label="Column share", kind="real", group="Sampling",
        help="Share of the columns drawn for each tree.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), live=True,
        aliases={"xgboost": "colsample_bytree", "lightgbm": "feature_fraction", "sklearn": "max_features"})
    rounds: int = parameter(
        100, label="Rounds", kind="integer", group="Rounds",
        help="Trees to grow (for several classes: one each a round).", lower=1, upper=100_000,
        slider=(1, 10_000), scale="log", live=True,
        aliases={"xgboost": "n_estimators", "lightgbm": "num_iterations", "sklearn": "max_iter"})
    early_stopping_rounds: int | None = parameter(
        None, label="Patience", kind="integer", group="Rounds", optional=True,
        help="Stop when the validation metric has had no new best for this many rounds.",
        lower=1, upper=100_000, slider=(1, 1000), scale="log", live=True,
        aliases={"xgboost": "early_stopping_rounds", "lightgbm": "early_stopping_round",
                 "sklearn": "n_iter_no_change"})
    metric: str = parameter(
        "auto", label="Metric", kind="choice", group="Rounds", rare=True,
        help="The figure that early stopping watches. auto follows from the objective.",
        aliases={"xgboost": "eval_metric", "lightgbm": "metric", "sklearn": "scoring"})
    base_score: float | None = parameter(
        None, label="Base score", kind="real", group="Computing", optional=True, rare=True,
        help="Prediction before the first tree, on the output scale. none takes the best constant.",
        aliases={"xgboost": "base_score"})
    seed: int = parameter(
        0, label="Seed", kind="integer", group="Computing", lower=0, upper=2**31 - 1, slider=(0, 100),
        help="Same data, parameters and seed give the same trees.",
        aliases={"xgboost": "seed", "lightgbm": "seed", "sklearn": "random_state"})
    threads: int = parameter(
        0, label="Threads", kind="integer", group="Computing", lower=0, upper=256, slider=(0, 16), rare=True,
        help="Processor cores to use; 0 is all. The result does not depend on it.",
        aliases={"xgboost": "nthread", "lightgbm": "num_threads", "sklearn": "n_jobs"})

    def __post_init__(self) -> None:
        for declaration in PARAMETERS:
            value = declaration.check(getattr(self, declaration.name))
            object.__setattr__(self, declaration.name, value)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TrainingParams:
        """Make parameters from a mapping by name or alias; unknown names are refused."""
        return cls(**{resolve(name): value for name, value in values.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return every parameter by name, in the order of declaration."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def change(self, **values: Any) -> TrainingParams:
        """Return a copy with some values changed, checked again."""
        return replace(self, **{resolve(name): value for name, value in values.items()})


PARAMETERS: tuple[Parameter, ...] = declarations(TrainingParams)
BY_NAME: dict[str, Parameter] = {p.name: p for p in PARAMETERS}
_ALIASES = {alias: p.name for p in PARAMETERS for alias in p.aliases.values()} | {"n_estimators": "rounds"}


def resolve(name: str) -> str:
    """Return the parameter's own name for a name or an alias of another library."""
    if name in BY_NAME:
        return name
    if name in _ALIASES:
        return _ALIASES[name]
    raise WorkbenchError(f"There is no parameter '{name}'. Known: {', '.join(BY_NAME)}.")
