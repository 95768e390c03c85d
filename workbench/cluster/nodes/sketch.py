"""Where columns may be cut: from a sketch of the values on the workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.cluster.nodes.piece import RowPiece, TreesThere

ROWS_OF_PIECE = 65_536  # that are looked at, evenly through it
MOST_VALUES = 4096  # of a column that are kept


class ColumnSketch(NamedTuple):
    """What stands in a column of the training rows.

    Attributes
    ----------
    values : ndarray of float32
        Ascending, without missing ones; of very many some, evenly through their order.
    counts : ndarray of float64
        How many rows each stands for.
    """

    values: NDArray[np.float32]
    counts: NDArray[np.float64]

    def thinned(self) -> ColumnSketch:
        """Return one of at most `MOST_VALUES`, the ends among them."""
        if len(self.values) <= MOST_VALUES:
            return self
        upto = np.cumsum(self.counts)
        kept = np.unique(np.searchsorted(upto, np.linspace(upto[0], upto[-1], MOST_VALUES)))
        return ColumnSketch(self.values[kept], np.diff(upto[kept], prepend=0.0))


@dataclass(frozen=True)
class SketchColumns:
    """Asks for a sketch of every column."""

    def of(
        self, piece: RowPiece, grown: TreesThere, cancelled: Callable[[], bool]
    ) -> list[ColumnSketch] | None:
        """Return those of a piece that trains."""
        if piece.is_held_out or not len(piece):
            return None
        step = -(-len(piece) // ROWS_OF_PIECE)
        found = []
        for column in range(piece.features.shape[1]):
            leave_if(cancelled)
            values = piece.features[::step, column]
            distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
            found.append(ColumnSketch(distinct, counts.astype(np.float64) * step).thinned())
        return found

    def together(self, parts: Sequence[list[ColumnSketch]]) -> list[ColumnSketch]:
        """Return the sketches of all pieces."""
        return [merged(columns) for columns in zip(*parts, strict=True)]


def merged(sketches: Sequence[ColumnSketch]) -> ColumnSketch:
    """Return the sketch of the rows of all."""
    values = np.concatenate([sketch.values for sketch in sketches])
    counts = np.concatenate([sketch.counts for sketch in sketches])
    distinct, places = np.unique(values, return_inverse=True)
    return ColumnSketch(distinct, np.bincount(places, counts, len(distinct)).astype(np.float64)).thinned()


def cuts_of(sketch: ColumnSketch, max_bin: int, made: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return thresholds between the values of a column of numbers, and one above all, ascending.

    Parameters
    ----------
    made : ndarray of float32
        Thresholds that are asked about in any case: those of the tree.
    """
    values = sketch.values
    if not len(values):
        return made
    if len(values) > max_bin:
        upto = np.cumsum(sketch.counts)
        places = np.searchsorted(upto, np.linspace(0.0, upto[-1], max_bin + 1)[1:-1], side="right")
        values = values[np.unique(np.append(places, 0))]
    above = np.nextafter(sketch.values[-1], np.float32(np.inf), dtype=np.float32)
    return np.union1d(values[1:], np.append(made, above)).astype(np.float32)
