"""What is known of the effect of a column as it is drawn and told."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.node_figures import threshold_text
from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.views.explain.plots.effect_plot import EffectScene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.effects.grid import ColumnGrid
    from workbench.session.explained.effects_asked import EffectFound

ROWS_TOLD = {"training": "training rows", "holdout": "hold-out rows", "table": "rows"}
MISSING_TEXT, MISSING_SHARE = "missing", 0.08  # of the axis of numbers


def place_words(grid: ColumnGrid, schema: DataSchema) -> list[str]:
    """Return each place of a grid in words: a value, a category, missing."""
    feature = schema.features[grid.column]
    return [
        MISSING_TEXT if np.isnan(place)
        else category_word(feature.categories, int(place)) if grid.is_category
        else threshold_text(np.float32(place), feature)
        for place in grid.places
    ]  # fmt: skip


def category_word(labels: tuple[str, ...], code: int) -> str:
    """Return the name of a level; what the labels do not know is another one."""
    return labels[code] if code < len(labels) else "another category"


class MapAxis(NamedTuple):
    """An axis of a map: the edges of its cells, their words, and what is written where."""

    edges: NDArray[np.float64]
    words: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]


def map_axis(grid: ColumnGrid, schema: DataSchema) -> MapAxis:
    """Return the axis of a column, missing values in a cell of their own."""
    if grid.is_category:
        return category_axis(place_words(grid, schema))
    edges = grid.edges
    if len(edges) == grid.n_cells:
        edges = np.append(edges, edges[-1])
    feature = schema.features[grid.column]
    return number_axis(edges, [threshold_text(np.float32(e), feature) for e in edges], grid.has_missing)


def category_axis(words: Sequence[str]) -> MapAxis:
    """Return an axis of categories, each as wide as any other."""
    ticks = tuple((place + 0.5, text) for place, text in enumerate(words))
    return MapAxis(np.arange(len(words) + 1, dtype=np.float64), tuple(words), ticks)


def number_axis(edges: NDArray[np.float64], texts: Sequence[str], has_missing: bool) -> MapAxis:
    """Return an axis of numbers, with the texts of the edges."""
    words = [f"{low} to {high}" for low, high in pairwise(texts)]
    ticks = list(zip(edges.tolist(), texts, strict=True))
    if has_missing:
        end = float(edges[-1] + MISSING_SHARE * (edges[-1] - edges[0]))
        ticks.append(((float(edges[-1]) + end) / 2, MISSING_TEXT))
        edges, words = np.append(edges, end), [*words, MISSING_TEXT]
    return MapAxis(edges, tuple(words), tuple(ticks))


def partial_scene(
    found: EffectFound, schema: DataSchema, k: int, *, shows_rows: bool, is_centred: bool = False,
    row: int | None = None,
) -> EffectScene:  # fmt: skip
    """Return what is drawn of a partial dependence on one column.

    `is_centred` lets every line begin at 0; `row` is that of the table whose line is known.
    """
    known, grid = found.partial, found.grids[0]
    assert known is not None

    def placed(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values - values[..., :1] if is_centred and values.size else values

    names = tuple(place_words(grid, schema)[: grid.n_cells]) if grid.is_category else ()
    earlier = tuple((f"round {count(number)}", placed(average[k])) for number, average in found.earlier)
    return EffectScene(
        names, schema.features[grid.column].kind, grid.edges, placed(known.average[k]),
        placed(known.lines[k]) if shows_rows else np.empty((0, 0)), earlier, grid.rows, grid.density,
        has_missing=grid.has_missing, zero=is_centred,
        own=placed(found.own[k]) if found.own.size else np.empty(0),
        own_label="" if row is None else f"row {count(row + 1)}",
    )  # fmt: skip


def accumulated_scene(found: EffectFound, schema: DataSchema, k: int) -> EffectScene:
    """Return what is drawn of accumulated effects."""
    own, grid = found.accumulated, found.grids[0]
    feature = schema.features[grid.column]
    if found.levels is not None:
        names = tuple(category_word(feature.categories, code) for code in found.levels.codes.tolist())
        effects = found.levels.effects[k]
        return EffectScene(names, feature.kind, mean=effects, rows=found.levels.counts, zero=True)
    assert own is not None
    ends = [edges[[0, -1]].tolist() for edges in (own.edges, grid.edges) if len(edges)]
    is_same = len(ends) > 1 and ends[0] == ends[1]
    return EffectScene(
        (), feature.kind, own.edges, own.effects[k],
        density=grid.density if is_same else np.empty(0, np.int64), is_straight=True, zero=True,
    )  # fmt: skip


def constant_told(grid: ColumnGrid, schema: DataSchema, name: str) -> str:
    """Say why there is nothing to draw."""
    if not grid.n_cells:
        return f"{isolated(name)} is missing in every row, so nothing follows it."
    if len(grid.edges) > 1:
        return f"No tree parts these rows by {isolated(name)} so far, so nothing follows it."
    value = place_words(grid, schema)[0]
    return f"{isolated(name)} is {isolated(value)} in every row, so nothing follows it."


def told(found: EffectFound, rows: str) -> str:
    """Say over how many rows the mean is taken, and how finely."""
    moved = found.accumulated or found.levels
    own = found.partial or moved
    assert own is not None
    missing = 0 if moved is None else moved.missing
    rows_seen = own.rows + missing + (0 if found.levels is None else found.levels.rarer)
    of = "" if rows_seen >= own.of_rows else f" of {count(own.of_rows)}"
    words = f"{count(rows_seen)}{of} {ROWS_TOLD[rows]}"
    aside = f"; {counted(missing, 'row')} without a value left out" if missing else ""
    if found.levels is not None:
        aside += f"; {counted(found.levels.rarer, 'row')} of rarer levels too" if found.levels.rarer else ""
        order = "levels alike in the other columns side by side"
        return f"changes to the next level added up, {order}, over {words}{aside}"
    if found.accumulated is not None:
        edges = counted(len(found.accumulated.edges), "quantile")
        return f"changes between {edges} added up, over {words}{aside}"
    grid = found.grids[0]
    beyond = f"; {counted(sum(g.beyond for g in found.grids), 'row')} beyond the axis" if any(
        g.beyond for g in found.grids) else ""
    if len(found.grids) > 1:
        return f"mean over {words}; gold above the mean, violet below{beyond}"
    if grid.is_category:
        return f"mean over {words}{beyond}"
    fine = f"exact between {counted(max(grid.n_cells - 1, 0), 'threshold')}" if grid.is_exact else (
        f"at {counted(grid.n_cells, 'place')}")
    return f"mean over {words}, {fine}{beyond}"
