"""What a partition's columns hold, in figures that add up over partitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.cluster.encoded_parts import cell_notes
from workbench.cluster.nodes.sketch import ColumnSketch, merged
from workbench.cluster.partitions import read_partition
from workbench.data.statistics import ColumnSummary
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.cluster.partitions import Partition
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Column, Kind

BINS = 24
MOST_LABELS = 20_000  # of a column that come home
LEAST_HASHES = 1024  # by which distinct values are counted where there are more
HASHES = 2.0**64


class NumberDigest(NamedTuple):
    """A column of numbers or dates.

    Attributes
    ----------
    sketch : ColumnSketch
    hashes : ndarray of uint64
        The least hashes of its distinct values, ascending.
    total, squares : float
        Of the values, and of their squares.
    is_whole : bool
        Whether all of them are whole.
    is_sketched : bool
        Whether the sketch lacks some values.
    """

    sketch: ColumnSketch
    hashes: NDArray[np.uint64]
    total: float
    squares: float
    is_whole: bool
    is_sketched: bool


@dataclass(frozen=True)
class ColumnDigest:
    """A column: rows, those without a value, and its labels with their rows, or figures of its numbers.

    `lacks_labels` where it has more labels than are told.
    """

    kind: Kind
    rows: int
    missing: int
    labels: Mapping[str, int]
    numbers: NumberDigest | None
    lacks_labels: bool = False


@dataclass(frozen=True)
class PartDigest:
    """The columns of a partition by name, or why they cannot be told; and what is said of its cells."""

    columns: Mapping[str, ColumnDigest]
    misfit: str = ""
    notes: tuple[str, ...] = ()


def digest_part(partition: Partition, kinds: Sequence[tuple[str, Kind]], options: ReadOptions) -> PartDigest:
    """Digest a partition; called on a worker."""
    try:
        table = read_partition(partition, None, kinds, options)
    except WorkbenchError as error:
        return PartDigest({}, str(error))
    columns = {column.name: digest_column(column) for column in table.columns}
    return PartDigest(columns, notes=cell_notes(partition, table, table.names))


def digest_column(column: Column) -> ColumnDigest:
    """Digest a column of some rows."""
    values, n = column.values, len(column.values)
    present = values[~np.isnan(values)]
    if not column.is_categorical:
        return ColumnDigest(column.kind, n, n - len(present), {}, _of_numbers(present))
    counts = np.bincount(present.astype(np.int64), minlength=len(column.categories))
    codes = np.argsort(-counts, kind="stable")[:MOST_LABELS]
    labels = {column.categories[code]: int(counts[code]) for code in codes.tolist() if counts[code]}
    return ColumnDigest(
        column.kind, n, n - len(present), labels, None, int(np.count_nonzero(counts)) > len(labels)
    )


def _of_numbers(present: NDArray[np.float32]) -> NumberDigest:
    distinct, counts = np.unique(present, return_counts=True)
    sketch = ColumnSketch(distinct, counts.astype(np.float64))
    exact = present.astype(np.float64)
    return NumberDigest(
        sketch.thinned(), np.sort(_hashed(distinct))[:LEAST_HASHES], float(exact.sum()),
        float(np.square(exact).sum()), bool((distinct == np.floor(distinct)).all()),
        len(sketch.thinned().values) < len(distinct),
    )  # fmt: skip


def _hashed(values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return a hash of each value, evenly over all 64 bits."""
    x = (values + np.float32(0)).view(np.uint32).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))


def together(digests: Sequence[ColumnDigest]) -> ColumnDigest:
    """Return the digest of the rows of all."""
    labels: dict[str, int] = {}
    for digest in digests:
        for label, n in digest.labels.items():
            labels[label] = labels.get(label, 0) + n
    parts = [digest.numbers for digest in digests if digest.numbers is not None]
    numbers = None
    if parts:
        sketch = merged([part.sketch for part in parts])
        values = np.unique(np.concatenate([part.sketch.values for part in parts]))
        is_sketched = len(values) > len(sketch.values) or any(part.is_sketched for part in parts)
        numbers = NumberDigest(
            sketch, np.unique(np.concatenate([part.hashes for part in parts]))[:LEAST_HASHES],
            sum(part.total for part in parts), sum(part.squares for part in parts),
            all(part.is_whole for part in parts), is_sketched,
        )  # fmt: skip
    return replace(
        digests[0], rows=sum(digest.rows for digest in digests),
        missing=sum(digest.missing for digest in digests), labels=labels, numbers=numbers,
        lacks_labels=any(digest.lacks_labels for digest in digests),
    )  # fmt: skip


def summary_of(name: str, digest: ColumnDigest) -> ColumnSummary:
    """Return the figures of a column as they are shown; of very many values the spread is a close one."""
    known, numbers = digest.rows - digest.missing, digest.numbers
    if numbers is None:
        shown = sorted(digest.labels, key=lambda label: -digest.labels[label])[:BINS]
        counts = np.array([digest.labels[label] for label in shown], np.int64)
        return ColumnSummary(
            name, digest.kind, digest.rows, digest.missing, len(digest.labels), counts, None, tuple(shown),
            known - int(counts.sum()),
        )  # fmt: skip
    if not known:
        return ColumnSummary(
            name, digest.kind, digest.rows, digest.missing, 0, np.zeros(0, np.int64), np.zeros(1)
        )
    sketch, mean = numbers.sketch, numbers.total / known
    low, high = float(sketch.values[0]), float(sketch.values[-1])
    edges = _edges(low, high, is_whole=numbers.is_whole)
    counts = np.histogram(sketch.values.astype(np.float64), edges, weights=sketch.counts)[0]
    upto = np.cumsum(sketch.counts)
    middle = sketch.values[np.searchsorted(upto, (known / 2, known / 2 + 0.5)).clip(max=len(upto) - 1)]
    return ColumnSummary(
        name, digest.kind, digest.rows, digest.missing, _distinct(numbers),
        np.rint(counts).astype(np.int64), edges, minimum=low, maximum=high, mean=mean,
        std=float(np.sqrt(max(numbers.squares / known - mean * mean, 0.0))),
        median=float(np.mean(middle, dtype=np.float64)),
    )  # fmt: skip


def _distinct(numbers: NumberDigest) -> int:
    """Return how many distinct values there are; of many an estimate, within a few percent."""
    if not numbers.is_sketched:
        return len(numbers.sketch.values)
    if len(numbers.hashes) < LEAST_HASHES:
        return len(numbers.hashes)
    return round((LEAST_HASHES - 1) * HASHES / float(numbers.hashes[-1]))


def _edges(low: float, high: float, *, is_whole: bool) -> NDArray[np.float64]:
    """Return edges of equal bins, a bin for each whole number of a small range."""
    if is_whole and high - low < BINS:
        return np.arange(low, high + 2) - 0.5
    if low == high:
        half = max(0.5, float(np.spacing(abs(low))))
        return np.array([low - half, high + half])
    return np.linspace(low, high, BINS + 1)
