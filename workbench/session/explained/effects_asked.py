"""How the prediction of a run follows one or two of its columns: asked of some rows, then of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import EFFECTS
from workbench.errors import WorkbenchError, leave_if
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.effects.accumulated import AccumulatedEffects
    from workbench.explain.effects.accumulated_levels import AccumulatedLevels
    from workbench.explain.effects.grid import ColumnGrid
    from workbench.explain.effects.partial import EffectRows, PartialDependence
    from workbench.session.explained.rows import ExplainedRows
    from workbench.session.run import Run

    Scale = Literal["prediction", "raw"]
    Kind = Literal["partial", "accumulated"]

FIRST_ROWS, LEAST_ROWS = 1_000, 100
FIRST_PREDICTIONS = 30_000_000  # of those rows, at all places and for all classes
OF_EARLIER = 300  # rows that earlier rounds are averaged over
EARLIER = 4  # rounds before the shown one
MOST_NUMBERS = 60_000_000  # of the features of all rows


class EffectFound(NamedTuple):
    """What is known of one or two columns.

    Attributes
    ----------
    partial : PartialDependence or None
        Where it was asked for.
    accumulated : AccumulatedEffects or None
        Where it was asked for, of a column of numbers.
    levels : AccumulatedLevels or None
        The same of categories.
    grids : tuple of ColumnGrid
    earlier : tuple of (round, average)
        The mean after some rounds before, over fewer rows.
    joint : ndarray of int64, shape (places of one, places of two)
        Rows of the data at each, of two columns.
    own : ndarray of float64, shape (K, places), or (K, 0)
        The line of the row that was asked for.
    """

    partial: PartialDependence | None
    accumulated: AccumulatedEffects | None
    grids: tuple[ColumnGrid, ...]
    earlier: tuple[tuple[int, NDArray[np.float64]], ...]
    joint: NDArray[np.int64]
    own: NDArray[np.float64]
    levels: AccumulatedLevels | None = None


class EffectAsked(NamedTuple):
    """A run, how many of its rounds, and over which rows which columns are followed.

    Accumulated effects are those of the first column. `own` is a row of the run's dataset whose
    line is wanted too; −1 is none.
    """

    run: Run
    round: int
    rows: ExplainedRows
    columns: tuple[int, ...]
    scale: Scale = "prediction"
    kind: Kind = "partial"
    own: int = -1

    @property
    def most(self) -> int:
        """Rows that are looked at: the fewer, the more classes there are."""
        return self._first

    @property
    def _first(self) -> int:
        from workbench.explain.effects.grid import MOST_OF_TWO, MOST_PLACES

        places = MOST_PLACES if len(self.columns) == 1 else MOST_OF_TWO**2
        outputs = max(len(self.run.output_names), 1)
        return int(np.clip(FIRST_PREDICTIONS // (places * outputs), LEAST_ROWS, FIRST_ROWS))

    @property
    def sees_all(self) -> bool:
        """Whether there are no more rows than the first that are looked at."""
        return self.rows.total <= self._first

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return EFFECTS

    def answer(self, cancelled: Callable[[], bool]) -> EffectFound:
        """Work it out: it predicts every row at many places."""
        from workbench.explain.effects.partial import EffectRows, partial_dependence

        ensemble = self.run.ensemble(self.round)
        if ensemble is None:
            raise WorkbenchError(NO_TREES)
        taken = self.rows.take(self.most, cancelled)
        leave_if(cancelled)
        weight = taken.weight
        if weight is not None and not weight.any():
            if not taken.is_sample:
                raise WorkbenchError("Every one of these rows has weight 0, so they have no mean.")
            weight = None
        features = np.asfortranarray(taken.features)
        rows = EffectRows(features, np.arange(len(features)), weight, taken.offset, taken.total)
        values = [self._values(column, features) for column in self.columns]
        grids = self._grids(ensemble, values)
        response = self._response(ensemble)
        if self.kind == "accumulated":
            return self._accumulated(response, rows, grids, values[0], cancelled)
        partial = partial_dependence(response, rows, grids, cancelled=cancelled)
        joint = np.empty((0, 0), np.int64)
        if len(grids) > 1:
            one, two = (grid.cell_of(own) for grid, own in zip(grids, values, strict=True))
            inside = (one >= 0) & (two >= 0)
            places = one[inside] * len(grids[1]) + two[inside]
            size = len(grids[0]) * len(grids[1])
            counts = np.bincount(places, minlength=size).astype(np.int64)
            joint = counts.reshape(len(grids[0]), len(grids[1]))
        earlier = self._earlier(ensemble, rows, grids, cancelled) if len(grids) == 1 else ()
        return EffectFound(partial, None, grids, earlier, joint, self._own(response, grids))

    def _accumulated(
        self, response: Any, rows: EffectRows, grids: tuple[ColumnGrid, ...], values: NDArray[np.float32],
        cancelled: Callable[[], bool],
    ) -> EffectFound:  # fmt: skip
        from workbench.explain.effects.accumulated import accumulated_effects, edges_at_quantiles
        from workbench.explain.effects.accumulated_levels import accumulated_levels

        joint, own = np.empty((0, 0), np.int64), np.empty((1, 0))
        if not grids[0].is_category:
            edges = edges_at_quantiles(values[~np.isnan(values)])
            found = accumulated_effects(response, rows, self.columns[0], edges, cancelled)
            return EffectFound(None, found, grids, (), joint, own)
        categorical = [feature.is_categorical for feature in self.rows.schema.features]
        levels = accumulated_levels(response, rows, grids[0], categorical, cancelled)
        return EffectFound(None, None, grids, (), joint, own, levels)

    def _own(self, response: Any, grids: tuple[ColumnGrid, ...]) -> NDArray[np.float64]:
        """Return the line of one row."""
        from workbench.explain.effects.partial import EffectRows, partial_dependence

        data = self.run.dataset
        if data is None or self.own < 0 or len(grids) > 1:
            return np.empty((1, 0))
        offset = None if data.offset is None else data.offset[[self.own]]
        row = EffectRows(data.features, np.array([self.own]), None, offset)
        return partial_dependence(response, row, grids, 0).average

    def _values(self, column: int, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a column of all rows where they are encoded, else of those that were taken."""
        every = self.rows.values(column)
        return features[:, column] if every is None else every

    def _grids(self, ensemble: Ensemble, values: list[NDArray[np.float32]]) -> tuple[ColumnGrid, ...]:
        from workbench.explain.effects.grid import MOST_OF_TWO, MOST_PLACES, grid_of

        most = MOST_PLACES if len(self.columns) == 1 else MOST_OF_TWO
        features = self.rows.schema.features
        return tuple(
            grid_of(ensemble, column, own, is_category=features[column].is_categorical, most=most)
            for column, own in zip(self.columns, values, strict=True)
        )

    def _response(self, ensemble: Ensemble) -> Any:
        from workbench.explain.effects.response import TreesResponse
        from workbench.objectives.base import OBJECTIVES

        if self.scale == "raw":
            return TreesResponse(ensemble)
        own = self.run.own.objective
        objective = own or OBJECTIVES.get(ensemble.objective).with_params(self.run.params)
        return TreesResponse(ensemble, objective.transform)

    def _earlier(
        self, ensemble: Ensemble, rows: EffectRows, grids: tuple[ColumnGrid, ...],
        cancelled: Callable[[], bool],
    ) -> tuple[tuple[int, NDArray[np.float64]], ...]:  # fmt: skip
        """Return the mean after some earlier rounds, each twice as far as the one before."""
        from workbench.explain.effects.partial import partial_dependence

        some = rows.some(OF_EARLIER)
        numbers = sorted({self.round >> step for step in range(1, EARLIER + 1)} - {0, self.round})
        return tuple(
            (number, partial_dependence(
                self._response(ensemble.first_rounds(number)), some, grids, 0, cancelled).average)
            for number in numbers
        )  # fmt: skip


class WholeEffectAsked(EffectAsked):
    """The same of all rows; of a very large table of as many as memory is asked for."""

    @property
    def most(self) -> int:
        """Rows that are looked at."""
        return max(MOST_NUMBERS // max(len(self.rows.schema.features), 1), FIRST_ROWS)
