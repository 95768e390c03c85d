"""What a notebook shows of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.formats.model_like import ModelLike
    from workbench.formats.pictures.picture import Picture


class PicturedModel:
    """The part of `Model` that draws itself."""

    def plot_tree(self: ModelLike, place: int = 0, depth: int | None = None) -> Picture:
        """Draw the tree at `place`, from 0, down to a level; without one as many levels as can be read."""
        from workbench.formats.pictures.tree import tree_picture

        return tree_picture(self, place, depth)

    def plot_history(self: ModelLike, metric: str | None = None) -> Picture:
        """Draw a metric by round, the watched one unless another is named."""
        from workbench.formats.pictures.history import history_picture

        return history_picture(self, metric)

    def plot_importance(self: ModelLike, kind: str = "total_gain", most: int = 20, **given: Any) -> Picture:
        """Draw the most important columns; `given` goes to `importance`."""
        from workbench.formats.pictures.importance import importance_picture

        return importance_picture(self, kind, most, **given)

    def plot_contributions(self: ModelLike, X: Any, output: int = 0, **given: Any) -> Picture:
        """Draw what columns add to the predictions of rows, of one row step by step.

        `output` is the place of the class, where there are several; `given` goes to `contributions`.
        """
        from workbench.formats.pictures.contributions import contributions_picture

        return contributions_picture(self, X, output, **given)

    def _repr_html_(self: ModelLike) -> str:
        from workbench.formats.pictures.card import card

        return card(self)
