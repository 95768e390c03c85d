"""A table that stays where the workers read it: only a sample of it comes home."""

from __future__ import annotations

import threading
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

from workbench.cluster.encoded_parts import encode_part, first_notes, picked, survey_part, told
from workbench.cluster.jobs_there import finished, release, wait_for
from workbench.cluster.partitions import parts_of, read_partition
from workbench.cluster.placed_table import RowsThere
from workbench.cluster.tallies import TargetTally
from workbench.data.classes import ordered_labels
from workbench.data.dataset import column_of, feature_list
from workbench.data.readers.options import GUESS_ALL
from workbench.data.roles import guess_task, named_roles, target_of
from workbench.data.schema import DataSchema
from workbench.data.values.labels import natural_key
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.encoded_parts import Found, HoldOut
    from workbench.cluster.partitions import Partition
    from workbench.data.classes import Label
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import Feature, Role, Task
    from workbench.data.table import Table
    from workbench.parameters.training import TrainingParams

    Told = Callable[[int, int], object]

ROWS_OF_SAMPLE = 20_000
MOST_MISFITS = 3


class TableThere:
    """A table on a path or URL, known by its schema.

    Attributes
    ----------
    schema : DataSchema
    partitions : list of Partition
    roles : mapping of str to Role
        Of every column.
    train_weight : float
        Sum of the training rows' weights; NaN before they were encoded.
    """

    def __init__(
        self, schema: DataSchema, partitions: list[Partition], kinds: Sequence[Any], options: ReadOptions,
        hold_out: HoldOut, roles: Mapping[str, Role],
    ) -> None:  # fmt: skip
        self.schema, self.partitions, self.roles = schema, partitions, roles
        self._kinds, self._options, self._hold_out = tuple(kinds), options, hold_out
        self._placed: tuple[object, RowsThere] | None = None
        self.train_weight = nan
        self._lock = threading.Lock()

    def place(
        self, connection: Connection, params: TrainingParams, objective: str,
        cancelled: Callable[[], bool] | None, progress: Told | None = None,
    ) -> RowsThere:  # fmt: skip
        """Encode every partition on the worker that will train on it; what lies there already is taken."""
        asked = connection.client, connection.workers, objective, params.tweedie_variance_power
        with self._lock:
            known = self._placed
            if known is not None and known[0] == asked and not _is_lost(known[1]):
                return known[1]
            self._placed = None
            self._placed = asked, self._encoded(connection, params, objective, cancelled, progress)
            self.train_weight = self._placed[1].of_train.weight
            return self._placed[1]

    def release(self) -> None:
        """Let go of what lies on the workers."""
        placed, self._placed = self._placed, None
        if placed is not None:
            placed[1].release()

    def _encoded(
        self, connection: Connection, params: TrainingParams, objective: str,
        cancelled: Callable[[], bool] | None, progress: Told | None,
    ) -> RowsThere:  # fmt: skip
        client, workers = connection.client, connection.workers
        owners = balanced(self.partitions, workers)
        encoded = [
            client.submit(
                encode_part, one, self.schema, self._kinds, self._options, params, objective, self._hold_out,
                workers=[owner], pure=False, retries=0,
            )
            for one, owner in zip(self.partitions, owners, strict=True)
        ]
        facts = [
            client.submit(told, part, workers=[owner], pure=False)
            for part, owner in zip(encoded, owners, strict=True)
        ]
        known = finished(connection, facts, sorted(set(owners)), cancelled, progress)
        refuse_misfits([misfit for _, _, misfit, _ in known])
        train: dict[str, list[Any]] = {}
        valid: dict[str, list[Any]] = {}
        for part, owner, (of_train, *_) in zip(encoded, owners, known, strict=True):
            if of_train.rows:
                train.setdefault(owner, []).append(_picked(client, part, "train", owner))
        for part, owner, (_, of_valid, *_) in zip(encoded, owners, known, strict=True):
            if of_valid.rows and train:
                place = owner if owner in train else next(iter(train))
                valid.setdefault(place, []).append(_picked(client, part, "valid", place))
        placed = [part for parts in (*train.values(), *valid.values()) for part in parts]
        wait_for(connection, placed, list(train), cancelled)
        release(encoded)
        of_train, of_valid = (TargetTally.together(fact[place] for fact in known) for place in (0, 1))
        notes = first_notes([note for *_, notes in known for note in notes])
        has_weights = self.schema.weight is not None
        return RowsThere(train, valid, of_train, of_valid, has_weights, notes, stay=True)

    def told_alone(self, feature: int) -> float:
        """Return that it is not known what a column tells alone."""
        return nan


def _is_lost(rows: RowsThere) -> bool:
    """Whether a worker no longer has what was put there."""
    parts = [part for some in (*rows.train.values(), *rows.valid.values()) for part in some]
    return any(part.status != "finished" for part in parts)


def _picked(client: Any, part: Any, name: str, owner: str) -> Any:
    return client.submit(picked, part, name, workers=[owner], pure=False)


def balanced(partitions: Sequence[Partition], workers: Sequence[str]) -> list[str]:
    """Return the worker of each partition: the largest first, each to who has least."""
    loads = dict.fromkeys(workers, 0)
    owners = [""] * len(partitions)
    for place in sorted(range(len(partitions)), key=lambda place: (-partitions[place].size, place)):
        owner = min(loads, key=lambda worker: loads[worker])
        owners[place] = owner
        loads[owner] += max(partitions[place].size, 1)
    return owners


def sample_of(
    connection: Connection, path: str, options: ReadOptions = GUESS_ALL
) -> tuple[list[Partition], Table]:
    """Return the partitions of a path, and first rows, from which kinds and missing codes follow."""
    partitions = parts_of(connection, path)
    first = partitions[0]
    if first.end >= 0:
        first = replace(first, end=min(first.end, first.begin + ROWS_OF_SAMPLE))
    (table,) = finished(connection, [connection.client.submit(_sampled, first, options, pure=False)])
    return partitions, replace(table, name=path.rstrip("/").rpartition("/")[2] or path, source=path)


def _sampled(partition: Partition, options: ReadOptions) -> Table:
    table = read_partition(partition, options=options)
    if table.n_rows <= ROWS_OF_SAMPLE:
        return table
    cut = slice(ROWS_OF_SAMPLE)
    columns = (
        replace(
            column, values=column.values[cut].copy(), texts=column.texts[cut],
            exact=None if column.exact is None else column.exact[cut].copy(),
        )
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def table_there(
    connection: Connection, path: str, named: Mapping[str, Role], task: Task | None, *,
    guesses: bool = True, valid_fraction: float = 0.0, seed: int = 0, positive: str | None = None,
    options: ReadOptions = GUESS_ALL, cancelled: Callable[[], bool] | None = None,
    progress: Told | None = None,
) -> TableThere:  # fmt: skip
    """Look over a table on the workers: rows, categories, classes.

    Parameters
    ----------
    path : str
        A Parquet file or folder, or a folder of CSV, as fsspec opens it on the workers.
    named : mapping of column name to Role
        Those that are settled, the target among them.
    guesses : bool
        Whether the others are guessed from the sample; else they are features.
    task : Task or None
        As the objective has it; None follows the target.
    progress : callable (done, total), optional
        Told the partitions that were looked over.
    """
    partitions, sample = sample_of(connection, path, options)
    for name in named:
        sample.column(name)
    roles = named_roles(sample, named)
    if not guesses:
        roles = {name: named.get(name, "feature") for name in sample.names}
    target = sample.column(target_of(roles))
    task = task or guess_task(target)
    features = feature_list(sample, roles)
    kinds = [(feature.name, feature.kind) for feature in features]
    kinds += [(target.name, target.kind)] if target.is_categorical and task != "regression" else []
    looked = [feature.name for feature in features if feature.is_categorical] + [target.name]
    found = finished(
        connection,
        [
            connection.client.submit(
                survey_part, one, looked, target.name, kinds, options, has_classes=task != "regression",
                pure=False,
            )
            for one in partitions
        ],
        (), cancelled, progress,
    )  # fmt: skip
    refuse_misfits([part.misfit for part in found])
    schema = DataSchema(
        features=tuple(_with_categories(feature, found) for feature in features),
        target=target.name, task=task, class_labels=_classes(found, task, positive, target.name),
        weight=column_of(roles, "weight"), group=column_of(roles, "group"), offset=column_of(roles, "offset"),
        source=sample.name, rows=sum(part.rows for part in found), journal=sample.notes,
        settled=options.of_cells,
    )  # fmt: skip
    return TableThere(schema, partitions, kinds, options, (valid_fraction, seed), roles)


def refuse_misfits(misfits: Sequence[str]) -> None:
    """Raise WorkbenchError that names the first partitions whose rows do not fit."""
    wrong = [misfit for misfit in misfits if misfit]
    if wrong:
        more = f" And {len(wrong) - MOST_MISFITS} more partitions." if len(wrong) > MOST_MISFITS else ""
        raise WorkbenchError(f"Rows do not fit: {' '.join(wrong[:MOST_MISFITS])}{more}")


def _with_categories(feature: Feature, found: Sequence[Found]) -> Feature:
    """Return a feature with the categories of all partitions, in the order that a table at home has them."""
    if not feature.is_categorical:
        return feature
    labels = {label for part in found for label in (part.categories or {}).get(feature.name, ())}
    return replace(feature, categories=tuple(sorted(labels, key=natural_key)))


def _classes(
    found: Sequence[Found], task: Task, positive: str | None, name: str
) -> tuple[Label, ...]:
    """Return the classes of the target over all partitions."""
    if task == "regression":
        return ()
    counts: dict[Label, int] = {}
    for part in found:
        for label, count in zip(part.labels, part.counts, strict=True):
            counts[label] = counts.get(label, 0) + count
    is_text = any(isinstance(label, str) for label in counts)
    labels = sorted(counts, key=(lambda label: natural_key(str(label))) if is_text else None)
    return ordered_labels(labels, task, positive, name, [counts[label] for label in labels])
