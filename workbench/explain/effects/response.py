"""What is looked at over a grid: the trees of a model, or whatever predicts a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from workbench.ensembles.prediction import raw_predictions
from workbench.explain.effects.lines import RawLines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.effects.grid import ColumnGrid


class Response(Protocol):
    """Predicts rows; from any thread."""

    def predict(
        self, features: NDArray[np.float32], offset: NDArray[np.float32] | None
    ) -> NDArray[np.float64]:
        """Return predictions, shape (K, n)."""

    def over(
        self, grids: Sequence[ColumnGrid]
    ) -> Callable[[NDArray[np.float32], NDArray[np.float32] | None], NDArray[np.float64]]:
        """Return what takes rows and their offset to predictions at all places, shape (K, n, places)."""


class TreesResponse:
    """The trees of a model, or its weights of columns; serial kernels.

    Parameters
    ----------
    ensemble : Ensemble
    transform : callable, optional
        Raw predictions, (n,) or (n, K), to what is shown: an objective's. Raw where there is none.
    """

    def __init__(
        self, ensemble: Ensemble,
        transform: Callable[[NDArray[np.floating[Any]]], NDArray[np.floating[Any]]] | None = None,
    ) -> None:
        self.ensemble, self._transform = ensemble, transform

    def predict(
        self, features: NDArray[np.float32], offset: NDArray[np.float32] | None
    ) -> NDArray[np.float64]:
        """Return predictions, shape (K, n)."""
        raw = raw_predictions(self.ensemble, features, serial=True, offset=offset)
        return self._shown(np.asarray(raw, np.float64).reshape(len(features), -1).T)

    def over(
        self, grids: Sequence[ColumnGrid]
    ) -> Callable[[NDArray[np.float32], NDArray[np.float32] | None], NDArray[np.float64]]:
        """Return what takes rows and their offset to predictions at all places, shape (K, n, places)."""
        if self.ensemble.is_linear:
            return _placed(self, grids)
        lines = RawLines(self.ensemble, [grid.column for grid in grids], [grid.places for grid in grids])

        def shown(
            features: NDArray[np.float32], offset: NDArray[np.float32] | None
        ) -> NDArray[np.float64]:
            raw = lines.of(features)
            if offset is not None:
                raw += offset[None, :, None]
            return self._shown(raw.reshape(len(raw), -1)).reshape(-1, *raw.shape[1:])

        return shown

    def _shown(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the predictions of raw ones, both of shape (K, n)."""
        if self._transform is None:
            return raw
        single = raw.astype(self.ensemble.base_margin.dtype)
        said = self._transform(single[0] if len(single) == 1 else np.ascontiguousarray(single.T))
        return np.asarray(said, np.float64).reshape(raw.shape[1], -1).T


class AnyResponse:
    """A callable that takes a float32 matrix, shape (n, d), to predictions, (n,) or (n, K)."""

    def __init__(self, predict: Callable[[NDArray[np.float32]], Any]) -> None:
        self._predict = predict

    def predict(
        self, features: NDArray[np.float32], offset: NDArray[np.float32] | None
    ) -> NDArray[np.float64]:
        """Return predictions, shape (K, n)."""
        return np.asarray(self._predict(features), np.float64).reshape(len(features), -1).T

    def over(
        self, grids: Sequence[ColumnGrid]
    ) -> Callable[[NDArray[np.float32], NDArray[np.float32] | None], NDArray[np.float64]]:
        """Return what takes rows and their offset to predictions at all places, shape (K, n, places)."""
        return _placed(self, grids)


def _placed(
    response: Response, grids: Sequence[ColumnGrid]
) -> Callable[[NDArray[np.float32], NDArray[np.float32] | None], NDArray[np.float64]]:
    """Return what puts rows at every place one after another."""
    places = np.stack([m.ravel() for m in np.meshgrid(*(g.places for g in grids), indexing="ij")])

    def shown(features: NDArray[np.float32], offset: NDArray[np.float32] | None) -> NDArray[np.float64]:
        moved, found = np.array(features, np.float32, order="F"), []
        for place in places.T:
            for grid, value in zip(grids, place, strict=True):
                moved[:, grid.column] = value
            found.append(response.predict(moved, offset))
        return np.stack(found, axis=2)

    return shown
