"""What is asked of a node whose columns are compared, wherever its rows lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.explain.node_members import NodeMembers
    from workbench.explain.node_targets import NodeTargets
    from workbench.explain.reasons import Why
    from workbench.explain.split_scan import ColumnScan, Terms
    from workbench.explain.spread import ColumnSpread
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class ComparedNode(Protocol):
    """A node of a tree of a run, and the cuts of every column there."""

    @property
    def tree(self) -> Tree:
        """Whose node it is."""

    @property
    def schema(self) -> DataSchema:
        """What the columns mean."""

    @property
    def params(self) -> TrainingParams:
        """In force in the round."""

    @property
    def node(self) -> int:
        """Its place in the tree."""

    @property
    def least_gain(self) -> float:
        """What ½[…] of a split must exceed."""

    @property
    def note(self) -> str:
        """What should be known of its figures; "" where they are those that grew the tree."""

    def terms(self, column: int) -> Terms:
        """Return what gains of a column are taken with."""

    def scan(self, column: int) -> ColumnScan:
        """Return every cut of a column."""

    def why_not_asked(self, column: int) -> Why | None:
        """Return why the node might not ask about a column; None where it might."""

    def why_uncut(self, column: int) -> Why:
        """Return why no cut of a column parts the rows."""

    def holdout_gain(
        self, column: int, threshold: np.float32, codes: NDArray[np.int64], *, default_left: bool
    ) -> float:
        """Return ½[…] − γ of a split of the node's hold-out rows; NaN where there are none."""

    def own_leaf_words(self, *, has_cut: bool) -> str:
        """Return why it is a leaf, where that does not follow from limits and gains; else ""."""


class ToldOfTree(NamedTuple):
    """What rows say of all nodes of a tree; None where they say nothing."""

    holdout: HoldOutGains | None
    targets: NodeTargets | None


class AskedNode(ComparedNode, Protocol):
    """A node that is asked about its rows too, wherever they lie."""

    @property
    def of_tree(self) -> ToldOfTree | None:
        """What became known of its tree with it; None where that is found without a node."""

    def spread(self, column: int, cancelled: Callable[[], bool] | None = None) -> ColumnSpread:
        """Return how a column's values, g and h are spread."""

    def members(self, cancelled: Callable[[], bool] | None = None) -> NodeMembers:
        """Return the first rows of the node, and what all of them add up to."""


class NodeSource(Protocol):
    """Where the rows lie that a run was trained on, if that is not here."""

    @property
    def train_weight(self) -> float:
        """Sum of the training rows' weights; NaN before it is known."""

    def node(
        self, begun: Ensemble, params: TrainingParams, rounds: Sequence[RoundFinished], round: int,
        place: int, node: int, cancelled: Callable[[], bool] | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> AskedNode:  # fmt: skip
        """Return a node of a run: of a round from 1, of the tree at a place in it, from 0.

        Parameters
        ----------
        begun : Ensemble
            What the run began with.
        params : TrainingParams
            As started.
        rounds : sequence of RoundFinished
            May grow meanwhile.
        """
