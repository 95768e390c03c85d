"""Which runs take kernels that are compiled after the window is usable. Knows nothing of numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.methods import IMPURITY

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

BYTE_BINS = 255  # of columns with more, the bins take 16 bits


def needs_rare_kernels(params: TrainingParams) -> bool:
    """Whether a run with these parameters takes kernels that most runs do not take."""
    return (
        params.method in (*IMPURITY, "linear", "steps")
        or (params.method == "adaboost" and params.objective == "softmax")
        or params.tree_method != "hist"
        or params.max_bin > BYTE_BINS
        or is_restrained(params)
        or bool(params.feature_weights)
    )


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
