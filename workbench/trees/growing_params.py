"""What shapes a tree while it grows, and the rows it is grown on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.trees.structure_score import LEAST_LOSS_CHANGE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_LIMIT = 2**62  # of leaves


class GrowingParams(NamedTuple):
    """What shapes a tree.

    Attributes
    ----------
    max_depth, max_leaves : int
        0 is no limit.
    by_gain : bool
        Whether the node with the best gain is split next, not the next by depth.
    post_pruning : bool
        Whether γ takes splits away once the tree is grown, and does not stop it growing.
    max_cat_to_onehot : int
        Columns of more categories are parted into two sets, not one category from the rest.
    cat_smooth, cat_l2 : float
        Added to H of a category where they are ordered, and to λ where more than nine are parted.
    min_category_rows : int
        Categories of fewer rows share a bin, in columns of more categories than there are bins.
    least_gain : float
        What ½[…] of a split must exceed, so that none is made of rounding errors.
    """

    reg_lambda: float = 1.0
    gamma: float = 0.0
    learning_rate: float = 0.1
    min_child_weight: float = 1.0
    max_depth: int = 6
    max_leaves: int = 0
    by_gain: bool = False
    post_pruning: bool = False
    max_cat_to_onehot: int = 254
    cat_smooth: float = 0.0
    cat_l2: float = 0.0
    min_category_rows: int = 1
    least_gain: float = LEAST_LOSS_CHANGE


class DrawnRows(NamedTuple):
    """Rows of the training matrix (uint32, ascending): those that grow a tree, and the others.

    Where every row grows it, `drawn` is what is parted meanwhile; it is ascending again afterwards.
    """

    drawn: NDArray[np.uint32]
    left_out: NDArray[np.uint32]
