"""How splits are sought: methods by name, each of which makes a grower of trees from the rows of a run."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from workbench.registry import Registry
from workbench.trees.bins.cuts import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team
    from workbench.trees.growing_params import DrawnRows
    from workbench.trees.restraints import Rules
    from workbench.trees.tree import Tree
    from workbench.trees.tree_task import TreeTask


class RunRows(NamedTuple):
    """The rows of a run.

    Attributes
    ----------
    features : ndarray of float32, shape (N, d)
        Contiguous by row or by column; NaN is missing.
    train, valid : ndarray of int64
        Rows that grow trees, and rows that are held out.
    n_categories : tuple of int
        Categories of each column; 0 where it holds numbers.
    kept : mapping of int to ndarray of float32
        By column the thresholds that must be cuts, or the codes that must have a bin of their own.
    counts : ndarray of bool, shape (n,), or None
        Which of the training rows have a weight, so that their values are places to cut; None: all.
    """

    features: NDArray[np.float32]
    train: NDArray[np.int64]
    valid: NDArray[np.int64]
    n_categories: tuple[int, ...]
    kept: Mapping[int, NDArray[np.float32]] = MappingProxyType({})
    counts: NDArray[np.bool_] | None = None

    def cut_at(self, drawn: NDArray[np.uint32] | None = None) -> NDArray[np.int64]:
        """Return the training rows whose values are places to cut, or those of them that were drawn."""
        if drawn is not None:
            return self.train[counted(drawn, self.counts)]
        return self.train if self.counts is None else self.train[self.counts]


class Grower(Protocol):
    """Grows one tree after another."""

    @property
    def cuts_by_column(self) -> tuple[int, ...]:
        """How many places to cut each column has, in the last tree."""
        ...

    def of_tree(self, hessians: NDArray[np.float64], rows: DrawnRows) -> Grower:
        """Return who grows parts of the tree that was grown on these rows, on its places to cut."""
        ...

    def grow(
        self,
        task: TreeTask,
        valid: Any = None,
        class_index: int = 0,
        rules: Rules | None = None,
    ) -> Tree | None:
        """Grow one tree and add it to the raw predictions; None when it was stopped."""


class ReadyGrower(NamedTuple):
    """A grower, and the held-out rows in the form in which its `grow` takes them."""

    grower: Grower
    held_out: object


class TreeMethod(Protocol):
    """A way to seek splits."""

    @property
    def name(self) -> str:
        """Its name, a value of the parameter `tree_method`."""
        ...

    @property
    def least_cells(self) -> int:
        """Rows × columns from which more than one thread pays."""
        ...

    def prepare(
        self, rows: RunRows, params: TrainingParams, team: Team, cancelled: Callable[[], bool]
    ) -> ReadyGrower:
        """Bring the rows into the form that is searched; `cancelled` is asked between columns."""
        ...


TREE_METHODS: Registry[TreeMethod] = Registry("tree method", "workbench.trees")
