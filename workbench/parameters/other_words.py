"""What people type out of other libraries' habit and no parameter here has as an alias: names, and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Mapping

# By the name that is typed: the values that change nothing here, and what to say of all others.
NO_PARAMETERS: Mapping[str, tuple[tuple[Any, ...], str]] = {
    "verbosity": ((0, 1, 2, 3, None), ""),
    "silent": ((True, False, None), ""),
    "enable_categorical": ((True, None), "Category columns are taken as such; make them numbers."),
    "use_label_encoder": ((True, False, None), ""),
    "device": (("cpu", "auto", None), "Trees grow on the processor; leave it out."),
    "predictor": (("auto", "cpu_predictor", None), "Predictions are made on the processor; leave it out."),
    "bagging_freq": ((0, 1, None), "Rows are drawn for every round: give subsample alone."),
    "subsample_freq": ((0, 1, None), "Rows are drawn for every round: give subsample alone."),
    "num_class": ((None,), "The classes are counted in the target; leave it out."),
    "callbacks": ((None, [], ()), "Use the events of workbench.train, which yields each round."),
    "importance_type": ((None,), "Ask the model: model.importance('total_gain')."),
    "multi_strategy": (("one_output_per_tree", None), "There is a tree for each class; leave it out."),
    "warm_start": ((False, None), "Give init_model to workbench.fit, which goes on from a model."),
    "n_iter_no_change": ((None,), "Give early_stopping_rounds."),
    "validation_fraction": ((None,), "Give valid_fraction."),
    "lr": ((None,), "Give learning_rate."),
    "evals": ((None, [], ()), "Give valid, or eval_set."),
    "valid_sets": ((None, [], ()), "Give valid, or eval_set."),
    "verbose": ((0, -1, None), "workbench.fit takes it, beside params; workbench.train yields the figures."),
    "verbose_eval": ((False, None), "Give verbose."),
    "logging_level": (("Silent", None), "Give verbose."),
    "sample_rate": ((1, None), "Give subsample."),
    "max_samples": ((None,), "Give subsample."),
    "oob_score": ((False, None), "Methods that draw rows with bootstrap report it; leave it out."),
    "min_samples_split": ((2, None), "Give min_leaf_rows, the fewest rows of a leaf."),
    "min_impurity_decrease": ((0, None), "Give gamma, the least gain of a split."),
    "custom_metric": ((None,), "Give more_metrics."),
    "od_type": (("Iter", None), "Give early_stopping_rounds."),
    "use_best_model": ((True, None), "After early stopping the rounds up to the best one stay."),
    "is_unbalance": ((False, None), "Give class_weight='balanced'."),
    "unbalance": ((False, None), "Give class_weight='balanced'."),
    "auto_class_weights": (("None", None), "Give class_weight='balanced'."),
    "init_score": ((None,), "Give base_margin."),
    "init": ((None,), "Give base_score, or base_margin for each row."),
    "boosting_from_average": ((True, None), "Give base_score."),
    "boost_from_average": ((True, None), "Give base_score."),
    "cat_features": ((None,), "Give categories."),
    "categorical_feature": (("auto", None), "Give categories."),
    "categorical_features": (("from_dtype", None), "Give categories."),
    "feature_name": (("auto", None), "Give a frame, whose columns have names."),
    "one_hot_max_size": ((None,), "Give max_cat_to_onehot."),
    "nan_mode": (("Min", None), "Missing values go to the side with the greater gain; leave it out."),
    "bootstrap_type": (("No", "Bernoulli", None), "Give subsample."),
    "bagging_temperature": ((0, None), "Give subsample."),
    "random_strength": ((0, None), "Gains are taken as they are; leave it out."),
    "score_function": (("L2", "NewtonL2", None), "Splits are chosen by their gain; leave it out."),
    "leaf_estimation_method": (("Newton", None), "Leaves have Newton's weight; leave it out."),
    "leaf_estimation_iterations": ((1, None), "A leaf takes one Newton step; leave it out."),
    "extra_trees": ((False, None), "Give method='extra_trees'."),
    "linear_tree": ((False, None), "Leaves hold numbers; for a linear model give method='linear'."),
    "path_smooth": ((0, None), "Give reg_lambda, which draws leaves towards 0."),
    "max_drop": ((0, -1, None), "Give rate_drop, the share of trees that is left out."),
    "subsample_for_bin": ((200_000, None), "All rows make the bins; leave it out."),
    "deterministic": ((True, False, None), ""),
    "force_row_wise": ((True, False, None), ""),
    "force_col_wise": ((True, False, None), ""),
    "allow_writing_files": ((True, False, None), ""),
    "device_type": (("cpu", None), "Trees grow on the processor; leave it out."),
    "task_type": (("CPU", None), "Trees grow on the processor; leave it out."),
    "gpu_id": ((-1, None), "Trees grow on the processor; leave it out."),
    "process_type": (("default", None), "Trees are grown; leave it out."),
    "updater": ((None,), "Give tree_method."),
}
BOOSTERS: Mapping[str, dict[str, Any]] = {
    "gbtree": {}, "gbdt": {}, "dart": {}, "gblinear": {"method": "linear"},
    "goss": {"sampling_method": "goss"}, "rf": {"method": "forest"},
}  # fmt: skip
# By our own name of a parameter: what a value of other libraries is here.
VALUES: Mapping[str, Mapping[str, str]] = {
    "grow_policy": {
        "depthwise": "depth", "Depthwise": "depth", "lossguide": "best_gain", "Lossguide": "best_gain",
    },
    "objective": {
        "RMSE": "squared", "rmse": "squared", "l2": "squared", "mse": "squared", "regression_l2": "squared",
        "MAE": "absolute", "l1": "absolute", "Logloss": "logistic", "CrossEntropy": "logistic",
        "MultiClass": "softmax", "Poisson": "poisson", "Huber": "huber", "Quantile": "quantile",
        "Tweedie": "tweedie",
    },
}  # fmt: skip


def own_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed without what changes nothing here, and boosters as our own parameters.

    Raises
    ------
    WorkbenchError
        Something cannot be, with the name of what can.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in NO_PARAMETERS:
            harmless, instead = NO_PARAMETERS[name]
            if not any(value is one or value == one for one in harmless):
                raise WorkbenchError(f"{name} is {value!r:.60}, which cannot be. {instead}".strip())
        elif name in ("booster", "boosting", "boosting_type"):
            if value not in (None, *BOOSTERS):
                raise WorkbenchError(f"{name} is {value!r}; it must be one of {', '.join(BOOSTERS)}.")
            values |= BOOSTERS.get(value, {})
        else:
            values[name] = value
    return values
