"""What pictures and explanations ask of a model, which itself stands above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class ModelLike(Protocol):
    """A part of `Model`."""

    @property
    def ensemble(self) -> Ensemble:
        """Its trees, and what they begin with."""

    @property
    def schema(self) -> DataSchema:
        """Its columns and its target."""

    @property
    def params(self) -> TrainingParams:
        """As its run was started."""

    @property
    def history(self) -> tuple[dict[str, Any], ...]:
        """A record a round."""

    @property
    def provenance(self) -> dict[str, Any]:
        """How it came about."""

    @property
    def trees(self) -> tuple[Tree, ...]:
        """In the order round, class."""

    @property
    def rounds(self) -> int:
        """How many."""

    @property
    def best_round(self) -> int | None:
        """From 1."""

    @property
    def importance(self) -> Callable[..., Mapping[str, float]]:
        """How much each column matters, by name, for a kind of importance."""

    @property
    def contributions(self) -> Callable[..., NDArray[Any]]:
        """What each column adds to the predictions of rows."""

    @property
    def offset_of(self) -> Callable[..., NDArray[Any] | None]:
        """The known part of each row's raw prediction."""

    def transform(self, raw: NDArray[Any]) -> NDArray[Any]:
        """Return predictions from raw predictions."""
