"""Factor tables as they are drawn: an effect over its levels, a pair as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_figures import threshold_text
from workbench.views.explain.plots.effect_map import MapScene
from workbench.views.explain.plots.effect_plot import EffectScene
from workbench.views.explain.plots.effect_scenes import MapAxis, category_axis, number_axis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.factors.cells import FactorCells
    from workbench.explain.factors.tables import EffectTable
    from workbench.formats.factors.factor_tables import FactorTables

BESIDE = 0.1  # of the span between the thresholds, for what lies beyond them


def edges_of(cells: FactorCells) -> NDArray[np.float64]:
    """Return the edges of the cells of numbers, the outermost at a little distance."""
    inner = cells.thresholds.astype(np.float64)
    if not len(inner):
        return np.array([0.0, 1.0])
    aside = BESIDE * float(inner[-1] - inner[0]) or max(abs(float(inner[0])), 1.0) * BESIDE
    return np.concatenate([[inner[0] - aside], inner, [inner[-1] + aside]])


def shown_cells(cells: FactorCells, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells that are drawn: missing and unknown ones where there are such rows."""
    shown = np.ones(len(cells), np.bool_)
    shown[cells.missing] = rows[cells.missing] > 0
    if cells.is_category:
        shown[cells.n_categories] = rows[cells.n_categories] > 0
    return np.flatnonzero(shown)


def main_scene(tables: FactorTables, table: EffectTable, k: int) -> EffectScene:
    """Return the effect of one column over its levels."""
    cells, levels = table.cells[0], tables.levels(table)[0]
    shown = shown_cells(cells, table.rows)
    has_missing = bool(len(shown)) and shown[-1] == cells.missing
    inner = shown[: len(shown) - has_missing]
    names = tuple(levels[place].words for place in inner.tolist()) if cells.is_category else ()
    return EffectScene(
        names, tables.schema.features[cells.column].kind, np.empty(0) if names else edges_of(cells),
        table.values[k][shown], rows=table.rows[shown], has_missing=has_missing, zero=True,
    )  # fmt: skip


def pair_scene(tables: FactorTables, table: EffectTable, k: int) -> MapScene:
    """Return what two columns add together."""
    levels, axes, shown = tables.levels(table), [], []
    for axis, (cells, own) in enumerate(zip(table.cells, levels, strict=True)):
        places = shown_cells(cells, table.rows.sum(axis=1 - axis))
        shown.append(places)
        axes.append(_axis_of(cells, [own[place].words for place in places.tolist()], tables, places))
    one, two = (tables.schema.names[column] for column in table.columns)
    across, up = axes
    at = np.ix_(*shown)
    return MapScene(
        (one, two), across.words, up.words, across.edges, up.edges, table.values[k][at], table.rows[at],
        0.0, across.ticks, up.ticks,
    )  # fmt: skip


def _axis_of(
    cells: FactorCells, words: list[str], tables: FactorTables, places: NDArray[np.int64]
) -> MapAxis:
    if cells.is_category:
        return category_axis(words)
    feature, edges = tables.schema.features[cells.column], edges_of(cells)
    texts = [threshold_text(np.float32(edge), feature) for edge in edges]
    known = number_axis(edges, texts, bool(places[-1] == cells.missing))
    inner = known.ticks[1 : len(edges) - 1] + known.ticks[len(edges) :]  # the outermost stand for no number
    return known._replace(words=tuple(words), ticks=inner)
