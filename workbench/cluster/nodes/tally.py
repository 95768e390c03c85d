"""What the rows of a node add up to: in all, and by the bin of every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.node_members import PartSums
from workbench.explain.node_targets import counted_target
from workbench.explain.tree_rows import NodeSums, node_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.cluster.nodes.piece import Passing, PlaceThere, RowPiece, TreesThere
    from workbench.trees.tree import Tree

MISSING, OTHER, FIRST = 0, 1, 2  # places in a histogram; its groups follow


class Binning(NamedTuple):
    """How the values of a column fall into groups.

    Attributes
    ----------
    cuts : ndarray of float32
        Threshold behind each group of numbers; none for categories, whose groups are their codes.
    n_groups : int
    """

    cuts: NDArray[np.float32]
    n_groups: int

    def places(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the place in a histogram of each value."""
        missing = np.isnan(values)
        if len(self.cuts):
            groups = np.searchsorted(self.cuts, values, side="right")
        else:
            groups = np.where(missing, 0, values).astype(np.int64)
        found = np.where(groups < self.n_groups, groups + FIRST, OTHER)
        found[missing] = MISSING
        return found


class PartTally(NamedTuple):
    """The rows of a node that train, or those held out.

    Attributes
    ----------
    sums : PartSums
    low, high : ndarray of float32, shape (d,)
        Least and largest value of each column; NaN where there is none.
    spans : ndarray of float64, shape (2, 2)
        Least and largest g, and h.
    histograms : list of ndarray of float64, shape (3, FIRST + n_groups)
        G, H and rows, by column.
    of_nodes : NodeSums
        G, H and rows of every node of the tree.
    targets : ndarray of float64, shape (n_nodes,)
        What the target adds up to in each: rows of a class, or the numbers themselves.
    """

    sums: PartSums
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    spans: NDArray[np.float64]
    histograms: list[NDArray[np.float64]]
    of_nodes: NodeSums
    targets: NDArray[np.float64]


@dataclass(frozen=True)
class NodeTally:
    """Both parts of a node; None of a part that has no rows at all."""

    train: PartTally | None
    valid: PartTally | None


@dataclass(frozen=True)
class TallyNode:
    """Asks what the rows of a node add up to, and in short those of all nodes of its tree."""

    place: PlaceThere
    binnings: tuple[Binning, ...]

    def of(self, piece: RowPiece, grown: TreesThere, cancelled: Callable[[], bool]) -> NodeTally:
        """Return the tally of a piece."""
        tree = self.place.tree
        every = piece.passing(grown, self.place._replace(node=0), cancelled)
        passing = every.under(tree, self.place.node)
        histograms, low, high = [], [], []
        for column, binning in enumerate(self.binnings):
            leave_if(cancelled)
            values = piece.features[passing.rows, column]
            histograms.append(_histogram(binning, values, passing))
            present = values[~np.isnan(values)]
            low.append(present.min() if len(present) else np.nan)
            high.append(present.max() if len(present) else np.nan)
        found = PartTally(
            _sums(passing), np.array(low, np.float32), np.array(high, np.float32), _spans(passing),
            histograms, node_sums(tree, every.leaves, every.gradients, every.hessians),
            _targets(piece, tree, every.leaves),
        )  # fmt: skip
        return NodeTally(None, found) if piece.is_held_out else NodeTally(found, None)

    def together(self, parts: Sequence[NodeTally]) -> NodeTally:
        """Add tallies up."""
        return NodeTally(
            *(
                _together([part for part in some if part is not None])
                for some in zip(*((part.train, part.valid) for part in parts), strict=True)
            )
        )


def _histogram(binning: Binning, values: NDArray[np.float32], passing: Passing) -> NDArray[np.float64]:
    places, n = binning.places(values), FIRST + binning.n_groups
    weights = (passing.gradients, passing.hessians, None)
    return np.array([np.bincount(places, weight, n) for weight in weights], np.float64)


def _targets(piece: RowPiece, tree: Tree, leaves: NDArray[np.int32]) -> NDArray[np.float64]:
    _, values = counted_target(tree, piece.run.schema, piece.target)
    return node_sums(tree, leaves, values, values).sum_gradient


def _sums(passing: Passing) -> PartSums:
    g, h = passing.gradients, passing.hessians
    return PartSums(len(g), float(g.sum()), float(h.sum()), float(np.abs(g).sum()))


def _spans(passing: Passing) -> NDArray[np.float64]:
    if not len(passing.rows):
        return np.full((2, 2), np.nan)
    return np.array([(some.min(), some.max()) for some in (passing.gradients, passing.hessians)])


def _together(parts: Sequence[PartTally]) -> PartTally | None:
    if not parts:
        return None
    of_nodes = [part.of_nodes for part in parts]
    spans = np.stack([part.spans for part in parts])
    return PartTally(
        PartSums(*map(sum, zip(*(part.sums for part in parts), strict=True))),
        np.fmin.reduce([part.low for part in parts]),
        np.fmax.reduce([part.high for part in parts]),
        np.stack([np.fmin.reduce(spans[:, :, 0]), np.fmax.reduce(spans[:, :, 1])], axis=1),
        [np.sum(columns, axis=0) for columns in zip(*(part.histograms for part in parts), strict=True)],
        NodeSums(*(sum(fields) for fields in zip(*of_nodes, strict=True))),
        np.sum([part.targets for part in parts], axis=0),
    )
