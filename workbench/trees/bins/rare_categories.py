"""Which categories have too few rows for a bin of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams


class RareCategories(NamedTuple):
    """Categories of fewer than `below` rows, in columns of more than `beyond` categories."""

    below: int
    beyond: int


NONE_RARE = RareCategories(1, 0)


def rare_categories(params: TrainingParams) -> RareCategories:
    """Return which categories are rare in a run."""
    return RareCategories(params.min_category_rows, params.max_cat_to_onehot)
