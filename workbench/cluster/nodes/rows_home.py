"""The first rows of a node that lies on a cluster, as they are listed at home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.data.dataset import Dataset
from workbench.data.table import Column, Table
from workbench.explain.node_members import DRAWN, HELD_OUT, Listed, NodeMembers, PartSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.cluster.nodes.details import ListedThere
    from workbench.cluster.nodes.piece import PlaceThere
    from workbench.cluster.nodes.tally import NodeTally
    from workbench.data.schema import DataSchema

NOBODY = PartSums(0, 0.0, 0.0, 0.0)


def members_of(
    schema: DataSchema, round: int, place: PlaceThere, tally: NodeTally, rows: ListedThere
) -> NodeMembers:
    """Return some rows of a node side by side, with what all rows add up to."""
    sums = [NOBODY if part is None else part.sums for part in (tally.train, tally.valid)]
    n = len(rows.target)
    places = np.arange(n)
    weight = None if np.isnan(rows.weight).any() or not n else rows.weight
    dataset = Dataset(
        schema, np.asfortranarray(rows.features), rows.target, weight, places[~rows.is_held_out],
        places[rows.is_held_out], places,
    )  # fmt: skip
    return NodeMembers(
        place.tree, round, place.node, places,
        np.where(rows.is_held_out, HELD_OUT, DRAWN).astype(np.uint8), rows.raw, rows.gradients, rows.hessians,
        rows.added, weight, (sums[0], NOBODY, sums[1]), Listed(dataset, _table(schema, rows)),
    )  # fmt: skip


def _table(schema: DataSchema, rows: ListedThere) -> Table:
    """Return encoded rows as a table again: without the columns that are no features."""
    columns = [
        Column(
            feature.name,
            feature.kind,
            _codes(rows.features[:, place], len(feature.categories)),
            feature.categories,
            writing=feature.writing,
        )
        if feature.is_categorical
        else Column(feature.name, feature.kind, rows.features[:, place], writing=feature.writing)
        for place, feature in enumerate(schema.features)
    ]
    target = rows.target.astype(np.float32)
    labels = tuple(map(label_text, schema.class_labels))
    columns.append(Column(schema.target, "category" if labels else "number", target, labels))
    return Table(f"rows of {schema.source}", tuple(columns))


def _codes(values: NDArray[np.float32], n: int) -> NDArray[np.float32]:
    """Return codes, with NaN for those of no known category."""
    return np.where(values < n, values, np.float32(np.nan))
