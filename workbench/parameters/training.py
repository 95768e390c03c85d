"""The hyperparameters of training: the one place where each is declared."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.parameters.methods import (
    AVERAGED,
    BOOSTING,
    DEFAULT_METHOD,
    IMPURITY,
    METHODS,
    NEWTON,
    ROUNDS,
    TREES,
    UNPENALISED,
    UNSHRUNK,
)
from workbench.parameters.nearest import nearest
from workbench.parameters.other_words import NO_PARAMETERS
from workbench.parameters.spec import UNSET, Parameter, declarations, parameter

if TYPE_CHECKING:
    from collections.abc import Collection

GROUPS = ("Method", "Regularisation", "Tree", "Sampling", "Columns", "Objective", "Rounds", "Computing")


@dataclass(frozen=True, kw_only=True)
class TrainingParams:
    """Checked hyperparameters of one run; unknown names and values out of bounds are refused.

    Names are those of XGBoost's scikit-learn wrapper where it has one. γ (`gamma`) is that of the
    paper: `split_gain = ½[…] − γ`, so XGBoost's own `gamma` is 2γ.
    """

    method: str = parameter(
        DEFAULT_METHOD, label="Method", kind="choice", choices=tuple(METHODS), group="Method",
        help="How the model is trained. Each method has its own parameters.")
    objective: str = parameter(
        "auto", label="Objective", kind="choice", group="Objective", in_branch=True,
        help="The loss that training makes small. auto follows from the target.",
        aliases={"xgboost": "objective",
                 "lightgbm": ("objective", "application", "app", "objective_type", "loss"),
                 "sklearn": "loss", "catboost": "loss_function"})
    scale_pos_weight: float = parameter(
        1.0, label="Positive ×", kind="real", group="Objective", in_branch=True, rare=True,
        help="Rows of the positive class of two count this many times, in training and in the metrics.",
        lower=0.0, open_lower=True, slider=(0.01, 100.0), scale="log",
        aliases={"xgboost": "scale_pos_weight", "lightgbm": "scale_pos_weight",
                 "catboost": "scale_pos_weight"})
    class_weights: tuple[tuple[str, float], ...] = parameter(
        (), label="Class weights", kind="column_numbers", named="classes", example="yes: 2, no: 1",
        group="Objective", in_branch=True, rare=True, lower=0.0,
        help="Rows of these classes count this many times, in training and in the metrics.",
        aliases={"sklearn": "class_weight"})
    quantile_alpha: tuple[float, ...] = parameter(
        (0.5,), label="Quantiles", symbol="α", kind="numbers", group="Objective", in_branch=True, rare=True,
        methods=BOOSTING,
        help="Which quantiles the objective quantile predicts; of several, each round grows a tree for each. "
        "They are fitted apart, so that the lines of two may cross where rows are few.",
        lower=0.0, open_lower=True, upper=0.9999,
        aliases={"xgboost": "quantile_alpha", "sklearn": "quantile"})
    huber_slope: float = parameter(
        1.0, label="Huber slope", symbol="δ", kind="real", group="Objective", in_branch=True, rare=True,
        methods=BOOSTING,
        help="Residuals beyond this count by their size, not its square, under the objective huber.",
        lower=0.0, open_lower=True, slider=(0.01, 100.0), scale="log", aliases={"xgboost": "huber_slope"})
    huber_quantile: float | None = parameter(
        None, label="Huber: residuals", symbol="α", kind="real", group="Objective", optional=True, rare=True,
        in_branch=True, methods=("friedman",), defaults={"friedman": 0.9},
        help="Under the objective huber, residuals beyond this quantile of their sizes are clipped, anew "
        "each round. none clips at the slope δ. The loss that is shown always takes δ.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.5, 1.0))
    tweedie_variance_power: float = parameter(
        1.5, label="Tweedie", symbol="p", kind="real", group="Objective", in_branch=True, rare=True,
        methods=NEWTON,
        help="The variance grows with the mean to this power under the objective tweedie.",
        lower=1.0, open_lower=True, upper=1.99, slider=(1.01, 1.99),
        aliases={"xgboost": "tweedie_variance_power", "lightgbm": "tweedie_variance_power"})
    softmax_hessian: str = parameter(
        "bound", label="Softmax", symbol="h", kind="choice", choices=("bound", "diagonal"), group="Objective",
        in_branch=True, rare=True,
        methods=NEWTON,
        help="Under the objective softmax: bound takes XGBoost's hessian, which is above that of all classes "
        "together; diagonal takes each class's own, half of it, so that steps are larger.",
        formula="bound: h = 2p(1 − p); diagonal: h = p(1 − p)")
    reg_lambda: float = parameter(
        1.0, label="L2 on weights", symbol="λ", kind="real", group="Regularisation",
        methods=(*NEWTON, "linear", "steps"), defaults=dict.fromkeys(UNPENALISED, 0.0) | {"linear": 0.001},
        help="Pulls every leaf weight towards 0; larger is smoother. Leaves of absolute, huber and quantile "
        "search their weights without it; there only the splits feel it. Of a linear model it is the penalty "
        "at which the path ends.",
        formula="w* = −G / (H + λ)", lower=0.0, slider=(0.01, 100.0), scale="log", live=True,
        aliases={"xgboost": ("lambda", "reg_lambda"), "lightgbm": ("lambda_l2", "reg_lambda", "lambda"),
                 "sklearn": "l2_regularization", "catboost": "l2_leaf_reg"})
    gamma: float = parameter(
        0.0, label="Cost of a leaf", symbol="γ", kind="real", group="Regularisation",
        methods=(*NEWTON, "steps"),
        help="What one more leaf must gain. A split below it is not made. XGBoost's gamma is 2γ.",
        formula="gain = ½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ",
        lower=0.0, slider=(0.01, 100.0), scale="log", live=True, alias_factor=0.5,  # their gain lacks the ½
        aliases={"xgboost": ("gamma", "min_split_loss"), "lightgbm": ("min_gain_to_split", "min_split_gain")})
    learning_rate: float = parameter(
        0.1, label="Shrinkage", symbol="η", kind="real", group="Regularisation",
        methods=(*BOOSTING, "adaboost"), defaults=dict.fromkeys(UNSHRUNK, 1.0),
        help="The share of each tree that is added; smaller needs more rounds and fits smoother.",
        formula="ŷ ← ŷ + η·w*", lower=0.0, open_lower=True, upper=1.0, slider=(0.001, 1.0), scale="log",
        live=True,
        aliases={"xgboost": ("eta", "learning_rate"),
                 "lightgbm": ("learning_rate", "eta", "shrinkage_rate"), "sklearn": "learning_rate",
                 "catboost": "learning_rate"})
    reg_alpha: float = parameter(
        0.0, label="L1 on weights", symbol="α", kind="real", group="Regularisation", rare=True,
        methods=NEWTON,
        help="Pulls the sum of gradients of a leaf towards 0 by this much; small leaves become exactly 0.",
        formula="w* = −soft(G, α) / (H + λ)", lower=0.0, slider=(0.01, 100.0), scale="log", live=True,
        aliases={"xgboost": ("alpha", "reg_alpha"),
                 "lightgbm": ("lambda_l1", "reg_alpha", "l1_regularization")})
    pruning: str = parameter(
        "pre", label="γ acts", kind="choice", choices=("pre", "post"), group="Regularisation", rare=True,
        live=True,
        methods=NEWTON,
        help="pre makes no split that gains less than γ; post grows first and then takes such splits back, "
        "but for those with a better one below.")
    max_delta_step: float = parameter(
        0.0, label="Largest step", symbol="δ", kind="real", group="Regularisation", rare=True, live=True,
        methods=NEWTON,
        help="No leaf weighs more than this before shrinkage; 0 is no limit.",
        formula="|w*| ≤ δ", lower=0.0, slider=(0.01, 100.0), scale="log",
        aliases={"xgboost": "max_delta_step",
                 "lightgbm": ("max_delta_step", "max_leaf_output", "max_tree_output")})
    learning_rate_decay: float = parameter(
        1.0, label="η by round", kind="real", group="Regularisation", rare=True, live=True,
        methods=BOOSTING,
        help="The shrinkage is multiplied by this after every round.",
        formula="η of round t = η · decay^(t − 1)", lower=0.0, open_lower=True, upper=1.0, slider=(0.9, 1.0))
    ccp_alpha: float = parameter(
        0.0, label="Cost of a leaf", symbol="α", kind="real", group="Regularisation", methods=("cart",),
        help="Cost-complexity pruning: subtrees that lower the error by less than this a leaf are cut.",
        formula="R(T) + α·leaves, R the impurity of the leaves by their share of the rows",
        lower=0.0, slider=(1e-5, 1.0), scale="log", aliases={"sklearn": "ccp_alpha"})
    l1_ratio: float = parameter(
        0.0, label="Share of L1", symbol="ρ", kind="real", group="Regularisation", methods=("linear",),
        in_branch=True,
        help="0 is ridge, 1 the lasso, between them the elastic net.",
        formula="λ·(ρ·Σ|β| + ½(1 − ρ)·Σβ²)", lower=0.0, upper=1.0, slider=(0.0, 1.0),
        aliases={"sklearn": "l1_ratio"})
    tree_method: str = parameter(
        "hist", label="Split search", kind="choice", choices=("hist", "approx", "exact"), group="Tree",
        methods=TREES, defaults={"cart": "exact", "extra_trees": "exact"},
        help="hist seeks splits between bins; approx chooses the bins anew for every tree, by the hessian; "
        "exact seeks between any two values. The last two take longer.",
        aliases={"xgboost": "tree_method"})
    max_depth: int = parameter(
        6, label="Max depth", kind="integer", group="Tree",
        methods=TREES, defaults={"friedman": 3, "adaboost": 1} | dict.fromkeys(IMPURITY, 0),
        help="Questions asked on the way to a leaf, at most; 0 is no limit.",
        lower=0, upper=30, slider=(1, 16), live=True,
        aliases={"xgboost": "max_depth", "lightgbm": "max_depth", "sklearn": "max_depth",
                 "catboost": ("depth", "max_depth")})
    criterion: str = parameter(
        "gini", label="Impurity", kind="choice", choices=("gini", "entropy", "misclassification"),
        group="Tree", in_branch=True, methods=IMPURITY,
        help="What a split of classes lowers; numbers are split by their squared error.",
        formula="gini Σp(1 − p); entropy −Σp·log₂ p; misclassification 1 − max p",
        aliases={"sklearn": "criterion"})
    step_column: tuple[str, ...] = parameter(
        (), label="Column", kind="column_list", group="Tree", methods=("steps",), example="year",
        help="The column that the steps are of; none takes the first column of numbers.")
    step_search: str = parameter(
        "optimal", label="Search", kind="choice", choices=("optimal", "greedy", "merging"), group="Tree",
        methods=("steps",),
        help="optimal finds the best of all step functions by dynamic programming; greedy splits top-down; "
        "merging joins neighbours bottom-up.")
    grow_policy: str = parameter(
        "depth", label="Growth", kind="choice", choices=("depth", "best_gain"), group="Tree", live=True,
        methods=BOOSTING,
        help="depth splits level by level; best_gain splits the leaf that gains most, wherever it is "
        "(XGBoost: depthwise and lossguide).",
        aliases={"xgboost": "grow_policy"})
    max_leaves: int = parameter(
        0, label="Max leaves", kind="integer", group="Tree",
        methods=(*BOOSTING, "steps"), defaults={"steps": 8},
        help="Leaves of a tree, at most; 0 is no limit but the depth.",
        lower=0, upper=65_536, slider=(0, 256), live=True,
        aliases={"xgboost": "max_leaves",
                 "lightgbm": ("num_leaves", "num_leaf", "max_leaves", "max_leaf", "max_leaf_nodes"),
                 "sklearn": "max_leaf_nodes", "catboost": "max_leaves"})
    min_child_weight: float = parameter(
        1.0, label="Min child H", kind="real", group="Tree",
        methods=NEWTON, defaults=dict.fromkeys(UNPENALISED, 0.0),
        help="A split is refused where a child would have less hessian than this.",
        formula="H_L ≥ m and H_R ≥ m", lower=0.0, slider=(0.01, 1000.0), scale="log", live=True,
        aliases={"xgboost": "min_child_weight",
                 "lightgbm": ("min_sum_hessian_in_leaf", "min_child_weight", "min_sum_hessian",
                              "min_hessian", "min_sum_hessian_per_leaf")})
    min_leaf_rows: int = parameter(
        1, label="Min leaf rows", kind="integer", group="Tree", rare=True, live=True,
        methods=TREES,
        help="A split is refused where a child would have fewer rows than this.",
        lower=1, upper=10_000_000, slider=(1, 10_000), scale="log",
        aliases={"lightgbm": ("min_data_in_leaf", "min_child_samples", "min_data", "min_data_per_leaf",
                              "min_samples_leaf"), "sklearn": "min_samples_leaf",
                 "catboost": "min_data_in_leaf"})
    max_bin: int = parameter(
        255, label="Bins", kind="integer", group="Tree",
        methods=TREES,
        help="Each column is cut into at most this many bins. Beyond 255, columns that need them take more "
        "time and memory.",
        lower=2, upper=65_535, slider=(2, 4096), scale="log",
        aliases={"xgboost": "max_bin", "lightgbm": ("max_bin", "max_bins"), "sklearn": "max_bins",
                 "catboost": ("border_count", "max_bin")})
    subsample: float = parameter(
        1.0, label="Row share", kind="real", group="Sampling",
        methods=(*BOOSTING, *AVERAGED),
        help="Share of the training rows drawn, without replacement, for each round. Trees grown side by "
        "side draw each for themselves.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), live=True,
        aliases={"xgboost": "subsample",
                 "lightgbm": ("bagging_fraction", "subsample", "bagging", "sub_row"),
                 "sklearn": "subsample", "catboost": "subsample"})
    bootstrap: bool = parameter(
        True, label="Bootstrap", kind="flag", group="Sampling", in_branch=True, methods=AVERAGED,
        defaults={"extra_trees": False},
        help="Each tree draws its rows with replacement; those left out give the out-of-bag error.",
        aliases={"sklearn": "bootstrap"})
    split_columns: int | None = parameter(
        None, label="Split columns", symbol="m", kind="integer", group="Sampling", optional=True,
        in_branch=True, methods=("forest", "extra_trees"),
        help="Columns drawn for each split. none takes the textbook's: a third of them for numbers, the "
        "square root of their number for classes.", lower=1, upper=1_000_000, slider=(1, 100), scale="log")
    combining: str = parameter(
        "mean", label="Trees combined", kind="choice", choices=("mean", "vote"), group="Sampling", rare=True,
        in_branch=True,
        methods=AVERAGED,
        help="mean averages the shares of the classes; vote lets every tree vote for its likeliest class.")
    sampling_method: str = parameter(
        "uniform", label="Rows drawn", kind="choice", choices=("uniform", "goss"), group="Sampling",
        rare=True, live=True,
        methods=NEWTON,
        help="uniform draws the row share; goss keeps the rows whose gradient times hessian is largest, and "
        "draws some of the others, which then count for more (LightGBM).",
        aliases={"xgboost": "sampling_method", "lightgbm": "data_sample_strategy"})
    top_rate: float = parameter(
        0.2, label="GOSS: kept", kind="real", group="Sampling", rare=True, live=True,
        methods=NEWTON,
        help="Share of the rows that goss keeps.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), aliases={"lightgbm": "top_rate"})
    other_rate: float = parameter(
        0.1, label="GOSS: drawn", kind="real", group="Sampling", rare=True, live=True,
        methods=NEWTON,
        help="Share of the rows that goss draws from the others.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), aliases={"lightgbm": "other_rate"})
    colsample_bytree: float = parameter(
        1.0, label="Column share", kind="real", group="Sampling",
        methods=BOOSTING,
        help="Share of the columns drawn for each tree.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), live=True,
        aliases={"xgboost": "colsample_bytree",
                 "lightgbm": ("feature_fraction", "colsample_bytree", "sub_feature"),
                 "sklearn": "max_features"})
    colsample_bylevel: float = parameter(
        1.0, label="Level share", kind="real", group="Sampling", rare=True, live=True,
        methods=BOOSTING,
        help="Share of the tree's columns drawn for each level.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0), aliases={"xgboost": "colsample_bylevel",
                                                                            "catboost": "rsm"})
    colsample_bynode: float = parameter(
        1.0, label="Node share", kind="real", group="Sampling", rare=True, live=True,
        methods=BOOSTING,
        help="Share of the level's columns drawn for each node.",
        lower=0.0, open_lower=True, upper=1.0, slider=(0.05, 1.0),
        aliases={"xgboost": "colsample_bynode",
                 "lightgbm": ("feature_fraction_bynode", "colsample_bynode", "sub_feature_bynode")})
    rate_drop: float = parameter(
        0.0, label="DART: share", kind="real", group="Sampling", rare=True, live=True,
        methods=NEWTON,
        help="Share of the earlier rounds that are left out while a round is grown, so that later trees "
        "matter too (DART). 0 leaves none out.",
        lower=0.0, upper=1.0, slider=(0.0, 0.5),
        aliases={"xgboost": "rate_drop", "lightgbm": ("drop_rate", "rate_drop")})
    skip_drop: float = parameter(
        0.0, label="DART: skip", kind="real", group="Sampling", rare=True, live=True,
        methods=NEWTON,
        help="Share of the rounds for which DART leaves none out.",
        lower=0.0, upper=1.0, slider=(0.0, 1.0),
        aliases={"xgboost": "skip_drop", "lightgbm": "skip_drop"})
    one_drop: bool = parameter(
        False, label="DART: at least one", kind="flag", group="Sampling", rare=True, live=True,
        methods=NEWTON,
        help="Every round that is not skipped leaves at least one earlier round out, also where the dropped "
        "share is 0.",
        aliases={"xgboost": "one_drop"})
    sample_type: str = parameter(
        "uniform", label="DART: which", kind="choice", choices=("uniform", "weighted"), group="Sampling",
        rare=True, live=True,
        methods=NEWTON,
        help="uniform leaves every earlier round out as likely; weighted those more likely that count more.",
        aliases={"xgboost": "sample_type"})
    normalize_type: str = parameter(
        "tree", label="DART: scale", kind="choice", choices=("tree", "forest"), group="Sampling",
        rare=True, live=True,
        methods=NEWTON,
        help="A round grown without k others counts like one of them (tree), or like all of them (forest). "
        "Then both shrink, so that together they are as much as the k were.",
        formula="tree: new · 1/(k+η), dropped · k/(k+η); forest: both · 1/(1+η)",
        aliases={"xgboost": "normalize_type"})
    feature_weights: tuple[tuple[str, float], ...] = parameter(
        (), label="Col. weights", kind="column_numbers", group="Columns", in_branch=True, rare=True,
        lower=0.0,
        methods=BOOSTING,
        help="How likely a column is drawn where a share of them is drawn; 1 where nothing is said.",
        aliases={"xgboost": "feature_weights",
                 "lightgbm": ("feature_contri", "feature_contrib", "feature_penalty", "fc", "fp")})
    monotone_constraints: tuple[tuple[str, float], ...] = parameter(
        (), label="Monotone", kind="column_numbers", group="Columns", in_branch=True, lower=-1.0, upper=1.0,
        methods=NEWTON,
        help="1: the prediction may only rise with the column; -1: it may only fall. Of several classes it "
        "is each raw prediction, before the link.",
        aliases={"xgboost": "monotone_constraints",
                 "lightgbm": ("monotone_constraints", "monotone_constraint", "monotonic_cst", "mc"),
                 "sklearn": "monotonic_cst"})
    interaction_constraints: tuple[tuple[str, ...], ...] = parameter(
        (), label="Together", kind="column_sets", group="Columns", in_branch=True, rare=True,
        methods=BOOSTING,
        help="Columns that may stand on one path of a tree; a column in no set stands alone.",
        aliases={"xgboost": "interaction_constraints", "lightgbm": "interaction_constraints",
                 "sklearn": "interaction_cst"})
    forbidden_columns: tuple[str, ...] = parameter(
        (), label="Forbidden", kind="column_list", group="Columns", in_branch=True, rare=True,
        methods=TREES,
        help="Columns that no split asks about.")
    forced_splits: str = parameter(
        "", label="First splits", kind="splits", group="Columns", in_branch=True, rare=True,
        methods=NEWTON,
        help="Every tree begins with these splits, whatever they gain and however few rows or little hessian "
        "a side has. Of a column alone, as in age, each tree finds the best cut. One with an empty side is "
        "left out, with those below it. Missing values go to the better side.")
    max_cat_to_onehot: int = parameter(
        4, label="One-hot up to", kind="integer", group="Columns", rare=True, lower=1, upper=1_000_000,
        slider=(1, 100), scale="log", live=True,
        methods=BOOSTING,
        help="Of columns with at most so many categories one is set against the rest; others are parted. "
        "hist and approx take neighbours together where a column has more than 254.",
        aliases={"xgboost": "max_cat_to_onehot", "lightgbm": "max_cat_to_onehot"})
    cat_smooth: float = parameter(
        1.0, label="Smoothing", kind="real", group="Columns", rare=True, lower=0.0, slider=(0.1, 1000.0),
        scale="log", live=True,
        methods=BOOSTING,
        help="Draws categories with few rows towards the middle before they are ordered and parted.",
        formula="G / (H + smooth)", aliases={"lightgbm": "cat_smooth"})
    cat_l2: float = parameter(
        3.0, label="L2 of parts", kind="real", group="Columns", rare=True, lower=0.0,
        slider=(0.1, 1000.0), scale="log", live=True,
        methods=BOOSTING,
        help="Added to λ while partitions of a column of more than 9 categories are compared; makes those of "
        "few rows look worse.",
        aliases={"lightgbm": "cat_l2"})
    min_category_rows: int = parameter(
        5, label="Least rows", kind="integer", group="Columns", rare=True, lower=1, upper=10_000_000,
        slider=(1, 1000), scale="log",
        methods=BOOSTING,
        help="Categories with fewer training rows are taken together, where a column is parted in two.",
        aliases={"lightgbm": "min_data_per_group"})
    rounds: int = parameter(
        100, label="Rounds", kind="integer", group="Rounds",
        methods=(*ROUNDS, "linear"), defaults={"cart": 1, "steps": 1},
        help="Each grows a tree, or one for each of several classes or quantiles.", lower=1, upper=100_000,
        slider=(1, 10_000), scale="log", live=True,
        aliases={"xgboost": ("n_estimators", "num_boost_round"),
                 "lightgbm": ("num_iterations", "num_iteration", "n_iter", "num_tree", "num_trees",
                              "num_round", "num_rounds", "nrounds", "num_boost_round", "n_estimators",
                              "max_iter"), "sklearn": ("max_iter", "n_estimators"),
                 "catboost": ("iterations", "n_estimators")})
    adaboost: str = parameter(
        "discrete", label="AdaBoost", kind="choice", choices=("discrete", "real"), group="Rounds",
        in_branch=True, methods=("adaboost",),
        help="discrete lets every tree vote with one weight β (SAMME for several classes); real adds half "
        "the log-odds of each leaf (SAMME.R for several: the logarithms of its shares, less their mean).",
        formula="β = ½ ln((1 − err)/err); real: f = ½ ln(p/(1 − p)), f_k = ln p_k − (1/K)·Σ ln p",
        aliases={"sklearn": "algorithm"})
    num_parallel_tree: int = parameter(
        1, label="Side by side", kind="integer", group="Rounds", rare=True, in_branch=True, lower=1,
        upper=1000, slider=(1, 50),
        methods=NEWTON,
        help="Trees grown on the same gradients each round, which share the step: a boosted forest. They "
        "differ where rows or columns are drawn.",
        aliases={"xgboost": "num_parallel_tree"})
    early_stopping_rounds: int | None = parameter(
        None, label="Patience", kind="integer", group="Rounds", optional=True,
        methods=(*BOOSTING, "adaboost", "linear"),
        help="Stop when the validation metric has had no new best for this many rounds.",
        lower=1, upper=100_000, slider=(1, 1000), scale="log", live=True,
        aliases={"xgboost": "early_stopping_rounds",
                 "lightgbm": ("early_stopping_round", "early_stopping_rounds", "early_stopping",
                              "n_iter_no_change"), "sklearn": "n_iter_no_change",
                 "catboost": ("od_wait", "early_stopping_rounds")})
    early_stopping_min_change: float = parameter(
        0.0, label="Least change", kind="real", group="Rounds", rare=True, lower=0.0, slider=(1e-6, 1.0),
        scale="log", live=True,
        methods=(*BOOSTING, "adaboost", "linear"),
        help="A round is a new best only where the metric is better by more than this.",
        aliases={"xgboost": "min_delta", "lightgbm": "early_stopping_min_delta", "sklearn": "tol"})
    metric: str = parameter(
        "auto", label="Metric", kind="choice", group="Rounds", in_branch=True, rare=True,
        help="The figure that early stopping watches. auto follows from the objective.",
        aliases={"xgboost": "eval_metric", "lightgbm": ("metric", "metrics", "metric_types"),
                 "sklearn": "scoring"})
    more_metrics: tuple[str, ...] = parameter(
        (), label="More metrics", kind="column_list", named="metrics", example="mape, r2", group="Rounds",
        in_branch=True, rare=True, help="Metrics that are reported too.")
    base_score: float | None = parameter(
        None, label="Base score", kind="real", group="Computing", optional=True, rare=True,
        lower=-3e38, upper=3e38,
        methods=BOOSTING,
        help="Prediction before the first tree, on the output scale; of several classes each raw prediction. "
        "none takes the best constant.",
        aliases={"xgboost": "base_score"})
    seed: int = parameter(
        0, label="Seed", kind="integer", group="Computing", lower=0, upper=2**31 - 1, slider=(0, 100),
        in_branch=True,
        help="Same data, parameters and seed give the same trees.",
        aliases={"xgboost": ("seed", "random_state"),
                 "lightgbm": ("seed", "random_seed", "random_state"), "sklearn": "random_state",
                 "catboost": ("random_seed", "random_state")})
    threads: int = parameter(
        0, label="Threads", kind="integer", group="Computing", in_branch=True, lower=0, upper=256,
        slider=(0, 16), rare=True,
        help="Processor cores to use; 0 is all. The result does not depend on it.",
        aliases={"xgboost": ("nthread", "n_jobs"),
                 "lightgbm": ("num_threads", "num_thread", "nthread", "nthreads", "n_jobs"),
                 "sklearn": "n_jobs", "catboost": "thread_count"})

    def __post_init__(self) -> None:
        for declaration in PARAMETERS:
            self._check(declaration)

    def _check(self, declaration: Parameter) -> None:
        """Let one value be as it is declared, or the default where none was given."""
        given = getattr(self, declaration.name)
        value = declaration.default_of(self.method) if given is UNSET else declaration.check(given)
        object.__setattr__(self, declaration.name, value)

    def __repr__(self) -> str:
        own = {p.name: getattr(self, p.name) for p in PARAMETERS}
        told = [name for name, value in own.items() if value != BY_NAME[name].default_of(self.method)]
        return f"TrainingParams({', '.join(f'{name}={own[name]!r}' for name in told)})"

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TrainingParams:
        """Make parameters from a mapping by name or alias; unknown names are refused."""
        return cls(**resolved(values))

    def to_dict(self) -> dict[str, Any]:
        """Return every parameter by name, in the order of declaration."""
        return {name: getattr(self, name) for name in BY_NAME}

    def change(self, **values: Any) -> TrainingParams:
        """Return a copy with some values changed, checked again; itself where all are what they were.

        With another method, what stood at the default of the old one stands at that of the new.
        """
        new = resolved(values)
        method = new.get("method", self.method)
        if method != self.method:
            left = {p.name: p.default_of(self.method) for p in PARAMETERS if p.defaults}
            moved = {name for name, value in left.items() if getattr(self, name) == value}
            new = {name: BY_NAME[name].default_of(method) for name in moved} | new
        held = {name: getattr(self, name) for name in new}
        if all(new[name] == held[name] and type(new[name]) is type(held[name]) for name in new):
            return self
        changed = copy(self)
        vars(changed).update(new)
        for name in new:  # the others are checked
            changed._check(BY_NAME[name])
        return changed


PARAMETERS: tuple[Parameter, ...] = declarations(TrainingParams)
BY_NAME: dict[str, Parameter] = {p.name: p for p in PARAMETERS}
IN_BRANCH = tuple(p.name for p in PARAMETERS if p.in_branch)
ALIASES = {alias: p.name for p in PARAMETERS for alias in p.other_names if alias not in BY_NAME}


def resolved(values: dict[str, Any], others: Collection[str] = ()) -> dict[str, Any]:
    """Return values by their parameters' own names, as they count here; one by two names is refused.

    An unknown name may be nearest to one of `others`, which were no parameters but stood beside them.
    """
    found: dict[str, Any] = {}
    names: dict[str, str] = {}
    for name, value in values.items():
        own = resolve(name, others)
        if own in names:
            raise WorkbenchError(f"{names[own]} and {name} are one parameter; give one of them.")
        found[own], names[own] = value if name == own else BY_NAME[own].from_alias(value), name
    return found


def resolve(name: str, others: Collection[str] = ()) -> str:
    """Return the parameter's own name for a name or an alias of another library."""
    if name in BY_NAME:
        return name
    if name in ALIASES:
        return ALIASES[name]
    instead = NO_PARAMETERS[name][1] if name in NO_PARAMETERS else ""
    if instead:
        raise WorkbenchError(f"There is no parameter '{name}'. {instead}")
    if name in others:
        raise WorkbenchError(f"'{name}' is an argument of its own; give it beside params.")
    raise WorkbenchError(f"There is no parameter '{name}'. {nearest(name, [*BY_NAME, *ALIASES, *others])}.")
