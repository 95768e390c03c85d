"""Refits of a run, from which its noise floor is known.

A run is trained again with other seeds on another draw of the split. Where rows are drawn by chance, all of
them are divided anew, with as many held out. Where they are not (the latest rows, rows that a column names, a
second file), the rows held out are drawn again with replacement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.split_columns import rows_by_column
from workbench.data.splits import hold_out, hold_out_groups
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.validation.cross_validation import rows_to_fold
from workbench.validation.noise_floor import REFITS, Refit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.data.table import Column
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams

def refits(
    dataset: Dataset,
    params: TrainingParams,
    rounds: int,
    column: Column | None = None,
    *,
    first: int = 0,
    wanted: int = REFITS,
    control: RunControl | None = None,
    own: OwnParts = NOTHING_OWN,
) -> Iterator[Refit]:
    """Train again and again; the number of a refit settles its seed and its rows.

    Parameters
    ----------
    rounds : int
        Of each refit; none stops early.
    column : Column, optional
        Of the groups, where whole groups of a column are held out.
    first : int
        Refits that there are already.
    """
    again = params.change(rounds=rounds, early_stopping_rounds=None)
    for number in range(first, wanted):
        part = redrawn(dataset, number, column)
        valid: dict[str, list[float]] = {}
        seeded = again.change(seed=(params.seed + 1 + number) % 2**31)
        for event in make_trainer(part, seeded, control, own=own).rounds():
            if isinstance(event, RoundFinished):
                for name, value in event.valid.items():
                    valid.setdefault(name, []).append(float(value))
        if control is not None and control.stopped:
            return
        yield Refit(number, {name: np.array(values) for name, values in valid.items()})


def redrawn(dataset: Dataset, number: int, column: Column | None = None) -> Dataset:
    """Return the rows divided anew by chance; the same number divides them in the same way."""
    split, held = dataset.schema.split, len(dataset.valid_rows)
    rows, seed = rows_to_fold(dataset), 1_000_003 * (number + 1)
    fraction = held / max(len(rows), 1)
    if split is not None and split.by == "groups" and column is not None:
        parts = rows_by_column(column, dataset.table_rows[rows], replace(split, seed=seed))
    elif split is None or split.by == "rows":
        classes = dataset.target[rows] if dataset.schema.class_labels else len(rows)
        if dataset.groups is not None:
            parts = hold_out_groups(dataset.groups[rows].astype(np.float64), fraction, seed)
        else:
            parts = hold_out(classes, fraction, seed, split is None or split.stratified)
    else:
        drawn = np.random.Generator(np.random.PCG64(seed)).choice(dataset.valid_rows, held)
        return replace(dataset, valid_rows=np.sort(drawn))
    return replace(dataset, train_rows=rows[parts[0]], valid_rows=rows[parts[1]])
