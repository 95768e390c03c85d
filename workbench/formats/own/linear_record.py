"""The weights of a linear model as JSON values, by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.linear.columns import LinearColumns, column_begins
from workbench.linear.part import LinearPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble


def linear_record(ensemble: Ensemble) -> dict[str, Any]:
    """Return the entry of a model's head; nothing for a model of trees.

    All rounds of a run have the same columns: numbers stand for themselves, a category for a column each.
    """
    if not ensemble.is_linear:
        return {}
    columns = columns_record(ensemble.linear[0].columns)
    return {"linear": {**columns, "rounds": [part_record(part) for part in ensemble.linear]}}


def linear_of(
    head: dict[str, Any], schema: DataSchema, n_classes: int, rounds: int
) -> tuple[LinearPart, ...]:
    """Read what `linear_record` wrote, of a model with so many rounds."""
    if "linear" not in head:
        return ()
    record = checks.mapping(head["linear"], "linear")
    columns = columns_of_record(record, levels_of(schema))
    parts = checks.sequence(record["rounds"], "linear.rounds")
    if len(parts) != rounds or not rounds:
        raise WorkbenchError("Damaged model file: it has weights of columns for another number of rounds.")
    return tuple(part_of(part, columns, n_classes) for part in parts)


def levels_of(schema: DataSchema) -> tuple[int, ...]:
    """Return the number of categories of each feature; 0 where it holds numbers."""
    return tuple(len(f.categories) if f.is_categorical else 0 for f in schema.features)


def columns_record(columns: LinearColumns) -> dict[str, Any]:
    """Return what the columns are standardised by."""
    return {"centres": columns.centres.tolist(), "scales": columns.scales.tolist()}


def columns_of_record(record: dict[str, Any], levels: Sequence[int]) -> LinearColumns:
    """Read what `columns_record` wrote, of features with so many categories."""
    count = int(column_begins(levels)[-1])
    centres = _finite(record["centres"], "centres", count)
    scales = _finite(record["scales"], "scales", count)
    if not (scales > 0).all():
        raise WorkbenchError("Damaged model file: scales must be above 0.")
    return LinearColumns(tuple(levels), centres, scales)


def part_record(part: LinearPart) -> dict[str, Any]:
    """Return the weights of one round, of the standardised columns."""
    return {
        "reg_lambda": float(part.reg_lambda), "l1_ratio": float(part.l1_ratio),
        "intercepts": part.intercepts.tolist(), "coefficients": part.coefficients.tolist(),
    }  # fmt: skip


def part_of(record: Any, columns: LinearColumns, n_classes: int) -> LinearPart:
    """Read what `part_record` wrote."""
    record = checks.mapping(record, "a round of linear")
    penalty = _finite([record["reg_lambda"], record["l1_ratio"]], "a penalty", 2)
    rows = checks.sequence(record["coefficients"], "coefficients", n_classes)
    found = [_finite(row, "coefficients", columns.n_columns) for row in rows]
    coefficients = np.array(found).reshape(n_classes, columns.n_columns)
    coefficients.flags.writeable = False
    if penalty[0] < 0 or not 0 <= penalty[1] <= 1:
        raise WorkbenchError("Damaged model file: a penalty of the weights cannot be.")
    intercepts = _finite(record["intercepts"], "intercepts", n_classes)
    return LinearPart(columns, coefficients, intercepts, float(penalty[0]), float(penalty[1]))


def _finite(values: Any, where: str, length: int) -> NDArray[np.float64]:
    numbers = checks.finite(checks.reals(values, where, length), where)
    numbers.flags.writeable = False
    return numbers
