"""A table as Parquet, exactly: what a reader would have to guess stands in the metadata."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from workbench.data.table import KINDS, Column, Severity, Table, TableNote
from workbench.data.values.cell_rules import DateOrder, DecimalSign
from workbench.data.values.writing import Writing
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.session.project.damage import damage_said
from workbench.session.project.json_text import python_number

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = b"workbench"


def table_bytes(table: Table) -> bytes:
    """Return a table as a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    arrays, fields, columns = [], [], []
    for place, column in enumerate(table.columns):
        told = {"name": column.name, "kind": column.kind, "categories": list(column.categories),
                "collapsed": column.collapsed, "writing": list(_writing(column.writing)),
                "texts": list(column.texts), "exact": column.exact is not None}  # fmt: skip
        columns.append(told)
        arrays.append(pa.array(np.asarray(column.values)))
        fields.append(pa.field(f"{place}", pa.float32()))
        if column.exact is not None:
            arrays.append(pa.array(np.asarray(column.exact)))
            fields.append(pa.field(f"{place} exact", pa.float64()))
    notes = [[note.text, note.column, int(note.count), note.severity] for note in table.notes]
    head = {"name": table.name, "source": table.source, "sha256": table.sha256, "columns": columns,
            "notes": notes, "settled": [[name, _listed(value)] for name, value in table.settled]}  # fmt: skip
    schema = pa.schema(fields, {KEY: json.dumps(head, default=python_number).encode()})
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), sink, compression="zstd")
    return sink.getvalue()


def table_from(data: bytes) -> Table:
    """Read what `table_bytes` wrote; raise WorkbenchError where it cannot have been."""
    import pyarrow as pa
    from pyarrow import parquet

    with damage_said("The table in the project"):
        try:
            read = parquet.read_table(pa.BufferReader(data))
        except (pa.ArrowException, OSError) as error:
            raise WorkbenchError("Damaged project: it is cut off or garbled.") from error
        head = checks.mapping(json.loads((read.schema.metadata or {})[KEY]), "the table's head")
        columns = tuple(
            _column(read, place, checks.mapping(told, "a column"))
            for place, told in enumerate(checks.sequence(head["columns"], "columns"))
        )
        checks.each_once([column.name for column in columns], "columns")
        return Table(
            checks.text(head["name"], "name"), columns, tuple(_note(note) for note in head["notes"]),
            _text_or_none(head["source"]), _text_or_none(head["sha256"]),
            tuple((checks.text(name, "settled"), _tupled(value)) for name, value in head["settled"]),
        )


def _column(read: Any, place: int, told: Mapping[str, Any]) -> Column:
    values = _numbers(read, f"{place}", np.float32)
    categories = tuple(checks.text(label, "a category") for label in told["categories"])
    kind, writing = told["kind"], told["writing"]
    known = values[~np.isnan(values)]
    is_code = not known.size or (known.min() >= 0 and known.max() < len(categories) and not (known % 1).any())
    if kind not in KINDS or (kind in ("category", "boolean") and not is_code):
        raise WorkbenchError("Damaged project: a column has values that it cannot have.")
    order, decimal, unit = writing
    if order not in ("", *get_args(DateOrder)) or decimal not in ("", *get_args(DecimalSign)):
        raise WorkbenchError("Damaged project: a column is written as none can be.")
    return Column(
        checks.text(told["name"], "a column's name"), kind, values, categories,
        checks.integer(told["collapsed"], "collapsed", 0, 2**62),
        _numbers(read, f"{place} exact", np.float64) if told["exact"] is True else None,
        Writing(order, decimal, checks.text(unit, "a unit")),
        tuple(checks.text(text, "a cell") for text in told["texts"]),
    )


def _numbers(read: Any, name: str, dtype: Any) -> Any:
    array = read.column(name).combine_chunks().to_numpy(zero_copy_only=False)
    if array.dtype != dtype or len(array) != read.num_rows:
        raise WorkbenchError("Damaged project: a column holds no numbers.")
    array.flags.writeable = False
    return array


def _writing(writing: Writing) -> tuple[str, str, str]:
    return writing.order, writing.decimal, writing.unit


def _note(record: Any) -> TableNote:
    text, column, count, severity = record
    if severity not in get_args(Severity):
        raise WorkbenchError("Damaged project: a note is none.")
    count = checks.integer(count, "a note's count", 0, 2**62)
    return TableNote(checks.text(text, "a note"), _text_or_none(column), count, severity)


def _text_or_none(value: Any) -> str | None:
    return None if value is None else checks.text(value, "a name")


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
