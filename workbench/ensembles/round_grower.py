"""The trees of one round: their rows are drawn, then each is grown and added to the raw predictions."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.ensembles.row_sampling import SampledRows, draw_rows
from workbench.ensembles.run.taken_trees import add_trees
from workbench.ensembles.searched_leaves import SearchedLeaves
from workbench.ensembles.tree_plan import draw_sample, growing_params, plan_tree
from workbench.trees.tree_task import TreeTask

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.run.begun import Begun
    from workbench.ensembles.run.setup import RunSetup
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.ensembles.tree_plan import TreePlan
    from workbench.parameters.training import TrainingParams
    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.tree import Tree


class RoundGrower:
    """Grows trees on gradients and hessians.

    Parameters
    ----------
    setup : RunSetup
    data : Dataset
        Its features are looked at where the objective searches the leaves.
    begun : Begun
        The rows in the form that is searched, and the predictions that trees are added to.
    loss : TrainingLoss
        Its gradients and hessians are those before the round.
    least_gain : float
        That counts.
    stop_flag : ndarray of uint8, shape (1,)
    given : mapping of int to tuple of Tree
        Trees of rounds that are not grown.

    Attributes
    ----------
    has_split : bool
        Whether a tree has been split.
    """

    def __init__(
        self,
        setup: RunSetup,
        data: Dataset,
        begun: Begun,
        loss: TrainingLoss,
        least_gain: float,
        stop_flag: NDArray[np.uint8],
        given: Mapping[int, tuple[Tree, ...]] = MappingProxyType({}),
    ) -> None:
        self._setup, self._data = setup, data
        self._grower, self._held_out = begun.prepared
        self._rows = begun.rows
        self._loss, self._least_gain, self._stop_flag = loss, least_gain, stop_flag
        self._every_row = SampledRows(draw_rows(len(self._rows.train), 1.0, setup.params.seed, 0))
        self._given = given
        self.has_split = False

    @property
    def cuts_by_column(self) -> tuple[int, ...]:
        """How many places to cut each column has, in the last tree."""
        return self._grower.cuts_by_column

    def draw(self, params: TrainingParams, number: int, beside: int = 0) -> SampledRows:
        """Return the rows that a tree of round `number` is grown on."""
        if params.sampling_method != "goss" and params.subsample >= 1.0:
            return self._every_row
        loss = self._loss
        return draw_sample(params, loss.gradients, loss.hessians, number, beside, self._setup.team)

    def grow(
        self, params: TrainingParams, number: int, sample: SampledRows, learning_rate: float
    ) -> tuple[Tree, ...] | None:
        """Return the trees of round `number`; None when it was broken off.

        Parameters
        ----------
        sample : SampledRows
            The rows of the first of the trees side by side; each of the others draws its own.
        learning_rate : float
            η by which the trees are shrunk.
        """
        if number in self._given:
            return self._taken(self._given[number])
        growing = growing_params(params, learning_rate, self._least_gain)
        n_outputs = self._setup.n_outputs
        trees = []
        for place in range(n_outputs * params.num_parallel_tree):
            plan = plan_tree(params, self._setup.columns, number, place, n_outputs)
            own = self.draw(params, number, plan.beside) if plan.beside else sample
            tree = self._grown(plan, own, growing)
            if tree is None:
                return None
            trees.append(tree)
            self.has_split |= tree.n_nodes > 1
        return tuple(trees)

    def _taken(self, trees: tuple[Tree, ...]) -> tuple[Tree, ...]:
        """Add trees that were not grown here to the raw predictions."""
        add_trees(trees, self._data, self._rows)
        self.has_split |= any(tree.n_nodes > 1 for tree in trees)
        return trees

    def _grown(self, plan: TreePlan, sample: SampledRows, growing: GrowingParams) -> Tree | None:
        k, objective, (train, valid) = plan.class_index, self._setup.objective, self._rows
        searched = SearchedLeaves(objective, train, valid, k) if objective.searches_leaves else None
        task = TreeTask(
            *sample.amplified(self._loss.gradients[k], self._loss.hessians[k]), sample.rows, plan.columns,
            growing, self._stop_flag, train.raw[k], valid.raw[k],
        )
        tree = self._grower.grow(task, self._held_out, k, plan.rules)
        if tree is None or searched is None:
            return tree
        return searched.replaced(tree, self._data, sample, self._loss.gradients[k])
