"""What the workers make of their partitions: what stands in some columns, and encoded rows; called there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.cluster.measures import tally_of
from workbench.cluster.partitions import read_partition
from workbench.cluster.tallies import TargetTally
from workbench.data.classes import class_counts, class_index, class_labels
from workbench.data.encoding import encode
from workbench.data.row_hash import held_by_hash
from workbench.data.values.weights import training_weight
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.cluster.partitions import Partition
    from workbench.data.classes import Label
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import DataSchema
    from workbench.data.table import Kind, Table
    from workbench.parameters.training import TrainingParams

HoldOut = tuple[float, int]  # share of the rows, seed
Part = dict[str, "NDArray[Any]"]
MOST_NOTES = 3


@dataclass(frozen=True)
class Found:
    """What stands in a partition: its rows, the labels of columns, the classes of the target; or a misfit."""

    rows: int = 0
    categories: dict[str, tuple[str, ...]] | None = None
    labels: tuple[Label, ...] = ()
    counts: tuple[int, ...] = ()
    misfit: str = ""


@dataclass(frozen=True)
class EncodedPart:
    """The rows of a partition, as they are trained on and held out."""

    train: Part
    valid: Part
    of_train: TargetTally
    of_valid: TargetTally
    misfit: str = ""
    notes: tuple[str, ...] = ()


def survey_part(
    partition: Partition, columns: Sequence[str], target: str, kinds: Sequence[tuple[str, Kind]],
    options: ReadOptions, *, has_classes: bool,
) -> Found:  # fmt: skip
    """Tell which categories and classes a partition has."""
    try:
        table = read_partition(partition, columns, kinds, options)
        wanted = [table.column(name) for name in columns if name != target]
        categories = {column.name: _present(column) for column in wanted if column.is_categorical}
        column = table.column(target)
        if not has_classes:
            return Found(table.n_rows, categories)
        return Found(table.n_rows, categories, tuple(class_labels(column)), tuple(class_counts(column)))
    except WorkbenchError as error:
        return Found(misfit=str(error))


def encode_part(
    partition: Partition, schema: DataSchema, kinds: Sequence[tuple[str, Kind]], options: ReadOptions,
    params: TrainingParams, objective: str, hold_out: HoldOut,
) -> EncodedPart:  # fmt: skip
    """Encode a partition by the schema, as a table at home is, and hold rows out by their hash."""
    try:
        return _encoded(partition, schema, kinds, options, params, objective, hold_out)
    except WorkbenchError as error:
        words = str(error) if partition.name in str(error) else f"{partition.name}: {error}"
        return EncodedPart({}, {}, TargetTally(), TargetTally(), words)


def _encoded(
    partition: Partition, schema: DataSchema, kinds: Sequence[tuple[str, Kind]], options: ReadOptions,
    params: TrainingParams, objective: str, hold_out: HoldOut,
) -> EncodedPart:  # fmt: skip
    columns = [*schema.names, schema.target, *([schema.weight] if schema.weight else [])]
    table = read_partition(partition, columns, kinds, options)
    target = target_of_part(table, schema)
    rows = np.flatnonzero(~np.isnan(target))
    features, target = encode(schema, table)[rows], target[rows]
    weight = None
    if schema.weight:
        values = table.column(schema.weight).values[rows].astype(np.float64)
        weight = training_weight(values, rows, schema.weight)
    held = held_by_hash(features, target, *hold_out)
    classes = len(schema.class_labels)
    parts, tallies = [], []
    for chosen in (~held, held):
        part = {"data": np.ascontiguousarray(features[chosen]), "label": target[chosen].astype(np.float32)}
        own = None if weight is None else weight[chosen]
        if own is not None:
            part["weight"] = own.astype(np.float32)
        parts.append(part)
        tallies.append(tally_of(target[chosen], own, classes, params, objective))
    return EncodedPart(
        parts[0], parts[1], tallies[0], tallies[1], notes=cell_notes(partition, table, columns)
    )


def cell_notes(partition: Partition, table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """Return what is said of cells of some columns that do not fit and were set missing."""
    return tuple(
        f"{partition.name}: {note.text}" for note in table.notes
        if note.severity == "warning" and note.count and note.column in columns
    )


def target_of_part(table: Table, schema: DataSchema) -> NDArray[np.float64]:
    """Return the target of each row; classes by their place among those of the whole table."""
    column = table.column(schema.target)
    if schema.class_labels:
        return class_index(column, schema.class_labels)
    return np.asarray(column.values, np.float64)


def picked(part: EncodedPart, name: str) -> Part:
    """Return the rows that train, or those held out."""
    found: Part = getattr(part, name)
    return found


def told(part: EncodedPart) -> tuple[TargetTally, TargetTally, str, tuple[str, ...]]:
    """Return what is known of the rows without them."""
    return part.of_train, part.of_valid, part.misfit, part.notes


def first_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return the first of what was said of partitions, and how much more there is."""
    if len(notes) <= MOST_NOTES:
        return tuple(notes)
    return (*notes[:MOST_NOTES], f"And {len(notes) - MOST_NOTES} more like this in other partitions.")


def _present(column: Any) -> tuple[str, ...]:
    codes = np.unique(column.values[~np.isnan(column.values)]).astype(np.int64)
    return tuple(column.categories[code] for code in codes.tolist())
