"""Why cuts are refused and columns have nothing to offer, in words; without a kernel, for views too."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

RIGHT, LEFT = 0, 1  # the side of the missing values


class CutRefusal(IntEnum):
    """Why a cut cannot be made, however much it gains."""

    NONE = 0
    LIGHT = 1  # a child has less hessian than is asked for
    FEW_ROWS = 2
    MONOTONE = 3
    NOT_DRAWN = 4  # of extra trees, which draw one cut a column


class Why(Enum):
    """Why a column has no split to offer."""

    FORBIDDEN = "forbidden"
    NOT_DRAWN = "not drawn for this tree"
    NOT_DRAWN_HERE = "not drawn for this level or node"
    APART = "may not stand on one path with the columns above"
    CONSTANT = "the same in every row here"
    CONSTANT_BY_WEIGHT = "the same in every row here that has weight"
    ONE_BIN = "its values here lie in one bin"
    RARE = "its categories here are too rare, or counted as one"
    LIGHT = "a child has H below {min_child_weight:g}"
    FEW_ROWS = "a child has fewer than {min_leaf_rows} rows"
    CUT_NOT_DRAWN = "not the cut that was drawn here"
    MONOTONE = "every cut goes against its direction"
    NO_GAIN = "no cut gains anything"
    BY_CHANCE = "gains less than its many categories gain by chance"

    def words(self, params: TrainingParams) -> str:
        """The reason with the limits that were in force."""
        return self.value.format(
            min_child_weight=params.min_child_weight, min_leaf_rows=params.min_leaf_rows
        )


WHY_REFUSED = {
    CutRefusal.LIGHT: Why.LIGHT,
    CutRefusal.FEW_ROWS: Why.FEW_ROWS,
    CutRefusal.MONOTONE: Why.MONOTONE,
    CutRefusal.NOT_DRAWN: Why.CUT_NOT_DRAWN,
}
