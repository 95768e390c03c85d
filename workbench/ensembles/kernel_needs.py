"""Which runs take kernels that are compiled after the window is usable. Knows nothing of numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.methods import IMPURITY

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

CONTRIBUTIONS, EFFECTS = "Contributions", "Effects of columns"  # which the tab Explain takes
SHARES, SAMME = "Trees of means and class shares", "AdaBoost of several classes"
ALONE = {"linear": "Linear models", "steps": "Step functions"}  # methods whose kernels no other takes
BYTE_BINS = 255  # of columns with more, the bins take 16 bits


def rare_kernels(params: TrainingParams) -> str:
    """Name the kernels that a run with these parameters takes and most do not; empty where it has none."""
    if params.method in IMPURITY:
        return SHARES
    if params.method in ALONE:
        return ALONE[params.method]
    if params.method == "adaboost" and params.objective == "softmax":
        return SAMME
    kinds = [params.tree_method] * (params.tree_method != "hist")
    kinds += ["restrained"] * (is_restrained(params) or bool(params.feature_weights))
    kinds += ["16-bit bins"] * (params.max_bin > BYTE_BINS and params.tree_method != "exact")
    return f"Trees ({', '.join(kinds)})" if kinds else ""


def is_restrained(params: TrainingParams) -> bool:
    """Whether trees are restrained beyond λ, γ and the least hessian of a child."""
    return (
        params.reg_alpha > 0.0
        or params.max_delta_step > 0.0
        or params.min_leaf_rows > 1
        or params.colsample_bylevel < 1.0
        or params.colsample_bynode < 1.0
        or any(sign for _, sign in params.monotone_constraints)
        or bool(params.interaction_constraints)
        or bool(params.forced_splits)
    )
