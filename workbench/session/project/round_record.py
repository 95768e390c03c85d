"""A round of a run as JSON and bytes, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.dropout import Dropout
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.impurity.structures import of_round
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.own.linear_record import columns_of_record, columns_record, part_of, part_record
from workbench.session.project.tree_bytes import tree_of, tree_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.parameters.training import TrainingParams

FIGURES = (
    "loss", "omega", "omega_leaves", "omega_weights", "structure_score", "gain", "promised", "delivered",
    "seconds",
)  # fmt: skip
COUNTS = ("leaves", "depth", "best_round")
MOST_TREES = 1_000_000
MOST_LEAVES = 2**31 - 1


def round_record(event: RoundFinished, before: TrainingParams) -> tuple[str, bytes]:
    """Return what is told of a round, and its trees; of its parameters those that `before` has otherwise."""
    trees = [tree_record(tree) for tree in event.trees]
    record: dict[str, Any] = {
        "figures": [getattr(event, name) for name in FIGURES],
        "counts": [getattr(event, name) for name in COUNTS],
        "train": event.train, "valid": event.valid, "trees": [record for record, _ in trees],
    }  # fmt: skip
    if event.params is not before and (changed := _changed(event.params, before)):
        record["params"] = changed
    if event.extras:
        record["extras"] = event.extras
    if event.dropout is not None:
        record["dropped"] = [event.dropout.dropped.tolist(), float(event.dropout.factor)]
    if event.linear is not None:
        record["linear"] = columns_record(event.linear.columns) | part_record(event.linear)
    return json.dumps(record, default=float), b"".join(data for _, data in trees)


def _changed(params: TrainingParams, before: TrainingParams) -> dict[str, Any]:
    known = before.to_dict()
    return {name: value for name, value in params.to_dict().items() if value != known[name]}


def round_of(
    number: int, text: str, data: bytes, before: TrainingParams, levels: Sequence[int], n_classes: int
) -> RoundFinished:
    """Read what `round_record` wrote.

    Parameters
    ----------
    number : int
        Of the round.
    text, data : str, bytes
    before : TrainingParams
        In force in the round before.
    levels : sequence of int
        Categories of each column; 0 where it holds numbers.
    n_classes : int
        Raw predictions a row.
    """
    record = checks.mapping(json.loads(text), "a round")
    left, trees = memoryview(data), []
    for one in checks.sequence(record["trees"], "trees"):
        tree, size = tree_of(one, left, len(levels))
        trees.append(tree)
        left = left[size:]
    if not trees or len(trees) > MOST_TREES or len(left):
        raise WorkbenchError("Damaged project: a round has other trees than it should.")
    figures, counts = record["figures"], record["counts"]
    if len(figures) != len(FIGURES) or len(counts) != len(COUNTS):
        raise WorkbenchError("Damaged project: a round has other figures than it should.")
    changed = checks.mapping(record.get("params", {}), "params")
    dropout = None
    if "dropped" in record:
        dropped, factor = record["dropped"]
        dropped = checks.integers(dropped, "dropped", low=1, high=max(number - 1, 1)).astype(np.int32)
        dropout = Dropout(number, dropped, np.float32(factor))
    linear = None
    if "linear" in record:
        weighed = checks.mapping(record["linear"], "linear")
        linear = part_of(weighed, columns_of_record(weighed, levels), n_classes)
    told: dict[str, Any] = {name: float(value) for name, value in zip(FIGURES, figures, strict=True)}
    for name, value in zip(COUNTS, counts, strict=True):
        told[name] = checks.integer(value, name, 0, number if name == "best_round" else MOST_LEAVES)
    leaves = {sum(t.n_leaves for t in counted) for counted in (of_round(trees, before), trees)}
    if told["leaves"] not in leaves or told["depth"] != max(t.depth for t in trees):
        raise WorkbenchError("Damaged project: a round has other leaves than its trees.")
    return RoundFinished(
        round=number, trees=tuple(trees), train=_metrics(record["train"]), valid=_metrics(record["valid"]),
        params=before.change(**changed) if changed else before, dropout=dropout,
        linear=linear, extras=_metrics(record.get("extras", {})), **told,
    )  # fmt: skip


def _metrics(record: Any) -> dict[str, float]:
    metrics = checks.mapping(record, "metrics")
    return {checks.text(name, "a metric"): float(value) for name, value in metrics.items()}
