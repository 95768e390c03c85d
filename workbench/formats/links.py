"""How raw predictions become predictions, for code in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from workbench.formats.xgboost_objectives import by_own_name

if TYPE_CHECKING:
    from workbench.ensembles.ensemble import Ensemble

LinkName = Literal["identity", "logistic", "exp", "softmax"]
_OF_MARGIN: dict[str, LinkName] = {"identity": "identity", "logit": "logistic", "log": "exp"}


class Link(NamedTuple):
    """The inverse of the link: identity, 1/(1 + e^−fŷ), e^ŷ, or e^ŷ over the sum of all classes.

    Attributes
    ----------
    name : LinkName
    factor : float
        f, what the raw prediction is multiplied by first.
    """

    name: LinkName
    factor: float = 1.0


def link_of(ensemble: Ensemble) -> Link:
    """Return the inverse link of a model."""
    row = by_own_name(ensemble.objective)
    if row.task == "multiclass":
        return Link("softmax")
    return Link(_OF_MARGIN[row.link], row.factor)


def precision_said(ensemble: Ensemble) -> str:
    """Say in a comment how leaves are added up."""
    return "double precision" if ensemble.adds_doubles else "single precision as in training"
