"""Objectives of other programs' models, known by how predictions follow from raw ones; not trained here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.kernels.kernel_arrays import real_array
from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows, exp_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.objectives.base import Task

    Reals = NDArray[np.floating[Any]]

NOT_TRAINED = "The objective '{}' is known from models of other programs, and cannot be trained here."


def _chance(raw: Reals) -> Reals:
    """Return 1/(1+e^−ŷ) without overflow."""
    return np.exp(-np.logaddexp(0, -raw, dtype=raw.dtype))


def _softplus(raw: Reals) -> Reals:
    """Return ln(1+e^ŷ) without overflow."""
    return np.logaddexp(0, raw, dtype=raw.dtype)


def _signed_square(raw: Reals) -> Reals:
    """Return ŷ², with the sign of ŷ."""
    return raw * np.abs(raw)


def _step(raw: Reals) -> Reals:
    """Return 1 above 0, else 0."""
    return (raw > 0).astype(raw.dtype)


def _mean_and_variance(raw: Reals) -> Reals:
    """Return, of the mean and the logarithm of the standard deviation, the mean and the variance."""
    if raw.ndim == 1:
        return raw
    made = raw.copy()
    made[:, 1] = exp_of(2 * raw[:, 1])
    return made


@dataclass(frozen=True)
class OfOtherPrograms(ByRows):
    """One of them: `inverse` is that of its link, and `link` says it."""

    name: str
    label: str
    inverse: Callable[[Reals], Reals]
    link: str = ""
    task: Task = "regression"
    metrics: tuple[str, ...] = ("rmse", "mae")
    aliases: tuple[str, ...] = ()
    boundary: float = 0.5
    first_metric_is_loss = False

    def lacks(self) -> str:
        """Say that there is no loss."""
        return NOT_TRAINED.format(self.name)

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse to train."""
        raise WorkbenchError(f"{self.lacks()} Choose another objective.")

    def n_outputs(self, n_classes: int) -> int:
        """One raw prediction, or one a class."""
        return n_classes if self.task == "multiclass" else 1

    def transform(self, raw: Reals) -> Reals:
        """Return predictions from raw predictions."""
        return self.inverse(real_array(raw))


_CHANCE = "1/(1+e^−ŷ)"
for _objective in (
    OfOtherPrograms("cox", "Cox's hazard", exp_of, "e^ŷ"),
    OfOtherPrograms("aft", "Accelerated failure time", exp_of, "e^ŷ"),
    OfOtherPrograms("hinge", "Hinge", _step, "1 where ŷ > 0, else 0", "binary", ("error",)),
    OfOtherPrograms(
        "logitraw", "Log-odds", np.array, task="binary", metrics=("logloss", "error", "auc"), boundary=0.0
    ),
    OfOtherPrograms("focal", "Focal", _chance, _CHANCE, "binary", ("logloss", "error", "auc")),
    OfOtherPrograms("multilabel", "Several labels, each yes or no", _chance, _CHANCE),
    OfOtherPrograms(
        "one_vs_rest", "Each class against the others", _chance, _CHANCE, "multiclass", ("merror",)
    ),
    OfOtherPrograms("uncertainty", "Mean and variance", _mean_and_variance, "ŷ₁, e^2ŷ₂"),
    OfOtherPrograms("root", "Squared, of the target's root", _signed_square, "ŷ·|ŷ|"),
    OfOtherPrograms("cross_entropy_lambda", "Cross-entropy's λ", _softplus, "ln(1+e^ŷ)"),
):
    OBJECTIVES.register(_objective)
