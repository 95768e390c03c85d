"""What an objective is: a loss with its first two derivatives and its link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from workbench.kernels.kernel_arrays import kernel_array
from workbench.objectives.line_search import by_leaf
from workbench.parameters.methods import LOSSES
from workbench.registry import Registry
from workbench.threads.row_blocks import weights_or_ones
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.objectives.line_search import SearchedRows
    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team

Task = Literal["regression", "binary", "multiclass"]

# As XGBoost holds them.
LEAST_HESSIAN = 1e-16  # of a row
LEAST_SHARE = 1e-6  # of a class among the rows


class Objective(Protocol):
    """A loss l(y, ŷ) of raw predictions ŷ.

    Raw predictions are float32, shape (n,), or (n, K) where there are K outputs a row. Inside the
    trainer everything stands by class, shape (K, n) (K = 1 for one output), each class contiguous.

    Attributes
    ----------
    name : str
    aliases : tuple of str
        Other names, XGBoost's among them.
    label : str
        As the window shows it.
    task : {"regression", "binary", "multiclass"}
    metrics : tuple of str
        Names in `metrics/`; the first is watched.
    searches_leaves : bool
        Whether leaves are weighed by `leaf_weights`, not from G and H.
    weighs_whole_trees : bool
        Whether the weights of a tree's leaves depend on one another.
    needs_groups : bool
        Whether rows belong to queries; see `with_groups`.
    first_metric_is_loss : bool
        Whether the first metric follows from the mean loss.
    link : str
        How the prediction follows from ŷ, as the window shows it; "" where it is ŷ.
    by_blocks : bool
        Whether `evaluate` takes the ones of a single block of rows for the weights of all.
    highest_raw : float
        The ŷ beyond which the prediction is more than float32 holds.
    boundary : float
        The prediction above which class 1 of two is the likelier: that of a probability.
    """

    name: str
    aliases: tuple[str, ...]
    label: str
    task: Task
    metrics: tuple[str, ...]
    searches_leaves: bool = False
    weighs_whole_trees: bool = False
    needs_groups: bool = False
    first_metric_is_loss: bool = True
    link: str = ""
    by_blocks: bool = False
    highest_raw: float = np.inf
    boundary: float = 0.5

    def with_params(self, params: TrainingParams) -> Objective:
        """Return the objective as a run has it: with the slope, power or quantile that is wanted."""
        return self

    def with_groups(self, groups: NDArray[np.int64]) -> Objective:
        """Return the objective for rows with these queries, shape (n,)."""
        return self

    def check(self, target: NDArray[np.float64]) -> None:
        """Raise WorkbenchError where the objective cannot have such a target."""
        return

    def lacks(self) -> str:
        """Say why it has no gradients, so that nothing can be trained with it; "" where it has."""
        return ""

    def leaf_weight(self, residual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weight of a leaf with these residuals y − ŷ, where it depends on nothing else."""
        return float(np.average(residual, weights=weight)) if weight.any() else 0.0

    def leaf_weights(self, rows: SearchedRows) -> NDArray[np.float64]:
        """Return the weight of every leaf of a tree, shape (n_nodes,); asked where `searches_leaves`."""
        return by_leaf(self.leaf_weight, rows)

    def of_constants(self) -> Objective:
        """Return the objective whose derivatives tell the best constant beside offsets."""
        return self

    def log_odds(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the log-odds of class 1 of two; of several classes what softmax makes their shares of."""
        return raw

    def n_outputs(self, n_classes: int) -> int:
        """Return how many raw predictions a row has: one."""
        return 1

    def output_names(self, class_labels: Sequence[object]) -> tuple[str, ...]:
        """Return what each raw prediction of a row is for, where there are several: the classes."""
        return tuple(map(str, class_labels)) if self.n_outputs(len(class_labels)) > 1 else ()

    def of_output(self, k: int) -> Objective:
        """Return the objective of the k-th raw prediction of a row alone, where each has its own."""
        return self

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the raw predictions before the first tree, shape (K,).

        They are the best constant, or what `base_score` (on the output scale) means.
        """

    def evaluate(
        self,
        target: NDArray[np.float64],
        raw: NDArray[np.float32],
        weight: NDArray[np.float64],
        gradients: NDArray[np.float64],
        hessians: NDArray[np.float64],
        losses: NDArray[np.float64],
        team: Team,
    ) -> tuple[float, dict[str, float]]:
        """Fill gradients and hessians, shape (K, n); return the weighted sum of losses.

        With it come those metrics, by name, that are taken of the rows on the way.

        `raw` has shape (K, n). `losses`, shape (n,) or (0,), is filled with the weighted loss of each row
        where there is room.
        """

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the first metric from the weighted mean of the loss: the mean itself."""
        return mean_loss

    def loss_of_metric(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weighted mean of the loss from the first metric: the inverse of the above."""
        return values

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return predictions from raw predictions: the inverse of the link, in the same shape."""


OBJECTIVES: Registry[Objective] = Registry("objective", "workbench.objectives")


def by_use() -> list[Objective]:
    """Return the objectives that can be trained, those that follow from a target first."""
    usual = list(LOSSES.values())
    known = [objective for objective in OBJECTIVES if not objective.lacks()]
    return sorted(known, key=lambda o: usual.index(o.name) if o.name in usual else len(usual))


def task_of(name: str | None) -> Task | None:
    """Return the task of the objective called `name`; None where it follows from the target."""
    return None if name is None or name == "auto" else OBJECTIVES.get(name).task


def evaluated(
    objective: Objective,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    weight: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return g and h of every row, in the shape of `raw`, and Σ weight·l; on one thread, from any thread."""
    by_class = kernel_array(raw.T if raw.ndim == 2 else raw[None], np.float32)
    g, h = np.empty(by_class.shape), np.empty(by_class.shape)
    weight = weights_or_ones(weight, by_class.shape[1])
    loss, _ = objective.evaluate(kernel_array(target, np.float64), by_class, weight, g, h, np.empty(0), ALONE)
    return (g.T, h.T, loss) if raw.ndim == 2 else (g[0], h[0], loss)


def gradients(
    objective: Objective,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    weight: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return g and h of every row, in the shape of `raw`; on one thread, from any thread."""
    g, h, _ = evaluated(objective, target, raw, weight)
    return g, h


def loss_sum(
    objective: Objective,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    weight: NDArray[np.float64] | None = None,
) -> float:
    """Return Σ weight·l(y, ŷ); on one thread, from any thread."""
    return evaluated(objective, target, raw, weight)[2]


