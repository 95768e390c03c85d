"""What cross-validation says while it trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event


@dataclass(frozen=True)
class OfFold:
    """What the trainer of a fold has said; `place` is the fold's, from 0."""

    place: int
    event: Event


@dataclass(frozen=True, eq=False)
class Predicted:
    """A fold is trained: its trees, and the predictions of the rows that it held out.

    Attributes
    ----------
    place : int
    ensemble : Ensemble
        With the rounds that count: up to the best one after early stopping.
    predictions : ndarray, shape (n_valid,) or (n_valid, K)
        After the link.
    """

    place: int
    ensemble: Ensemble
    predictions: NDArray[Any]
