"""How a model's prediction follows columns, for a script: partial dependence and accumulated effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.effects.accumulated import accumulated_effects
from workbench.explain.effects.accumulated_levels import accumulated_levels
from workbench.explain.effects.grid import MOST_OF_TWO, MOST_PLACES, ColumnGrid, given_grid, grid_of
from workbench.explain.effects.partial import EffectRows, partial_dependence
from workbench.explain.effects.response import TreesResponse
from workbench.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, Feature
    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.model_like import ModelLike


class ColumnEffect(NamedTuple):
    """What the prediction is over the places of one column or two.

    Attributes
    ----------
    places : tuple of list
        Of each column: numbers, days since 1970-01-01, or categories; None is missing.
    average : ndarray of float64
        The mean over the rows: shape (places,), or (places of one, places of two); of several outputs with
        an axis of theirs before.
    lines : ndarray of float64, or None
        Of single rows, shape (n, places), where they were asked for.
    rows : ndarray of int64, shape (places,), or None
        Rows of `X` at each place of one column, where the places are the model's own.
    """

    places: tuple[list[Any], ...]
    average: NDArray[np.float64]
    lines: NDArray[np.float64] | None = None
    rows: NDArray[np.int64] | None = None


def response_of(model: ModelLike, ensemble: Ensemble, *, raw: bool) -> TreesResponse:
    """Return what is followed: the prediction, or what is before the link."""
    return TreesResponse(ensemble, None if raw else model.transform)


def places_of_columns(schema: DataSchema, columns: Any) -> tuple[int, ...]:
    """Return the places of columns by their names or places, one or two."""
    given = (columns,) if isinstance(columns, (str, int, np.integer)) else tuple(columns)
    if len(given) not in (1, 2):
        raise WorkbenchError(f"Give one column or two, not {len(given)}.")
    found = []
    for column in given:
        if isinstance(column, str):
            if column not in schema.names:
                raise WorkbenchError(f"The model has no column {isolated(column)}.")
            found.append(schema.names.index(column))
        elif 0 <= int(column) < len(schema.names):
            found.append(int(column))
        else:
            raise WorkbenchError(f"The model has {len(schema.names)} columns; there is no column {column}.")
    return tuple(found)


def effect_of(
    model: ModelLike, ensemble: Ensemble, columns: Any, rows: EffectRows, places: Any, *, raw: bool,
    lines: bool,
) -> ColumnEffect:  # fmt: skip
    """See `Model.partial_dependence`."""
    schema = model.schema
    found = places_of_columns(schema, columns)
    grids = [
        _grid(ensemble, schema.features[column], column, rows, places, alone=len(found) == 1)
        for column in found
    ]
    most = len(rows) if lines else 0
    known = partial_dependence(response_of(model, ensemble, raw=raw), rows, grids, most)
    is_one = len(known.average) == 1
    own = (known.lines[0] if is_one else known.lines) if lines and len(grids) == 1 else None
    return ColumnEffect(
        tuple(_told(grid, schema.features[grid.column]) for grid in grids),
        known.average[0] if is_one else known.average, own,
        grids[0].rows if len(grids) == 1 and places is None else None,
    )  # fmt: skip


def accumulated_of(
    model: ModelLike, ensemble: Ensemble, column: Any, rows: EffectRows, *, raw: bool
) -> ColumnEffect:
    """See `Model.accumulated_effects`."""
    place, *others = places_of_columns(model.schema, column)
    if others:
        raise WorkbenchError("Accumulated effects are those of one column.")
    features, response = model.schema.features, response_of(model, ensemble, raw=raw)
    if not features[place].is_categorical:
        found = accumulated_effects(response, rows, place)
        is_one = len(found.effects) == 1
        return ColumnEffect((found.edges.tolist(),), found.effects[0] if is_one else found.effects)
    grid = _grid(ensemble, features[place], place, rows, None, alone=True)
    levels = accumulated_levels(response, rows, grid, [feature.is_categorical for feature in features])
    names = [features[place].categories[code] for code in levels.codes.tolist()]
    effects = levels.effects[0] if len(levels.effects) == 1 else levels.effects
    return ColumnEffect((names,), effects, rows=levels.counts)


def _grid(
    ensemble: Ensemble, feature: Feature, column: int, rows: EffectRows, places: Any, *, alone: bool
) -> ColumnGrid:
    if places is None:
        values, most = rows.features[:, column], MOST_PLACES if alone else MOST_OF_TWO
        return grid_of(ensemble, column, values, is_category=feature.is_categorical, most=most)
    if not alone:
        raise WorkbenchError("Places can be given for one column.")
    return given_grid(column, _encoded(feature, places), is_category=feature.is_categorical)


def _encoded(feature: Feature, places: Sequence[Any]) -> NDArray[np.float32]:
    """Return places as the matrix has them."""
    if not feature.is_categorical:
        return np.array([np.nan if place is None else place for place in places], np.float32)
    codes = {label: code for code, label in enumerate(feature.categories)}
    unknown = [place for place in places if place is not None and place not in codes]
    if unknown:
        raise WorkbenchError(f"{isolated(feature.name)} has no category {isolated(str(unknown[0]))}.")
    return np.array([np.nan if place is None else codes[place] for place in places], np.float32)


def _told(grid: ColumnGrid, feature: Feature) -> list[Any]:
    known = grid.places.tolist()
    if grid.is_category:
        return [None if place != place else feature.categories[int(place)] for place in known]
    return [None if place != place else place for place in known]
