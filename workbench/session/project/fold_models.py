"""The models of folds as a project keeps them: each a head as in a model file, and its trees as bytes."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.model import Model
from workbench.formats.own.document import head_record, model_of
from workbench.formats.own.schema_record import schema_record
from workbench.session.project.tree_bytes import tree_of, tree_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree
    from workbench.validation.result import FoldRun

MOST_BYTES = 1 << 26  # of the trees of all folds of a run; the models of more are left out
FAST = 1
SCHEMA = "schema"  # that of the run, which stands in the project already


def are_kept(folds: Sequence[FoldRun]) -> bool:
    """Whether the models of these folds are known, and not too large."""
    known = [run.ensemble for run in folds if run.ensemble is not None]
    return len(known) == len(folds) and sum(_size(t) for e in known for t in e.trees) <= MOST_BYTES


def _size(tree: Tree) -> int:
    return int(tree.nodes.nbytes + tree.category_begin.nbytes + tree.category_codes.nbytes)


def fold_model_record(run: FoldRun, schema: DataSchema) -> list[Any]:
    """Return the model of a fold as JSON values."""
    assert run.ensemble is not None
    assert run.started is not None
    head = head_record(Model(run.ensemble, schema, run.started.params))
    told = [tree_record(tree) for tree in run.ensemble.trees]
    packed = zlib.compress(b"".join(data for _, data in told), FAST)
    return [
        {name: value for name, value in head.items() if name != SCHEMA},
        [record for record, _ in told],
        base64.b64encode(packed).decode("ascii"),
    ]


def ensemble_of_fold(record: Any, schema: DataSchema) -> Ensemble:
    """Read what `fold_model_record` wrote of a run with this schema."""
    head, records, packed = checks.sequence(record, "the model of a fold", 3)
    inflate = zlib.decompressobj()
    data = inflate.decompress(base64.b64decode(checks.text(packed, "trees"), validate=True), MOST_BYTES)
    if not inflate.eof:
        raise WorkbenchError("Damaged project: the trees of a fold are cut off or too large.")
    trees, left = [], memoryview(data)
    for one in checks.sequence(records, "the trees of a fold"):
        tree, size = tree_of(one, left, len(schema.features))
        trees.append(tree)
        left = left[size:]
    return model_of({**checks.mapping(head, "the model of a fold"), SCHEMA: schema_record(schema)},
                    tuple(trees)).ensemble
