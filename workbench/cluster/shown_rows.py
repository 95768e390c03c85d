"""The rows of a distant table that are shown at home, in the form in which the workers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.cluster.encoded_parts import target_of_part
from workbench.data.dataset import Dataset
from workbench.data.encoding import encode
from workbench.data.row_hash import held_by_hash

if TYPE_CHECKING:
    from workbench.cluster.encoded_parts import HoldOut
    from workbench.data.schema import DataSchema
    from workbench.data.table import Table


def shown_rows(table: Table, schema: DataSchema, hold_out: HoldOut) -> Dataset:
    """Return the rows of a table that have a target, as they are encoded, trained on and held out there."""
    target = target_of_part(table, schema)
    rows = np.flatnonzero(~np.isnan(target))
    features, target = encode(schema, table)[rows], target[rows]
    held = held_by_hash(features, target, *hold_out)
    return Dataset(
        schema, np.asfortranarray(features), target, None, np.flatnonzero(~held), np.flatnonzero(held), rows,
        table.n_rows - len(rows),
    )
