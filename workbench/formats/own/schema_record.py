"""The data schema as a JSON object, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from workbench.data.readers.options import ReadOptions
from workbench.data.schema import SPLITS_BY, DataSchema, Feature, Fractions, Split, Task
from workbench.data.table import KINDS, Severity, TableNote
from workbench.data.values.cell_rules import DateOrder, DecimalSign
from workbench.data.values.writing import Writing
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_COUNT = 2**62


def schema_record(schema: DataSchema) -> dict[str, Any]:
    """Return the schema as JSON values."""
    return {
        "features": list(map(_feature_record, schema.features)),
        "target": schema.target,
        "task": schema.task,
        "class_labels": list(schema.class_labels),
        "weight": schema.weight,
        **({"offset": schema.offset} if schema.offset is not None else {}),
        "source": schema.source,
        "sha256": schema.sha256,
        "rows": schema.rows,
        "journal": [
            {"text": n.text, "column": n.column, "count": int(n.count), "severity": n.severity}
            for n in schema.journal
        ],
        **({"group": schema.group} if schema.group is not None else {}),
        **({"split": _split_record(schema.split)} if schema.split is not None else {}),
        **({"blanks_underscored": True} if schema.blanks_underscored else {}),
        **({"target_is_date": True} if schema.target_is_date else {}),
        **({"settled": {name: _as_json(value) for name, value in schema.settled}} if schema.settled else {}),
    }


def schema_of(record: Any) -> DataSchema:
    """Read what `schema_record` wrote."""
    record = checks.mapping(record, "schema")
    return DataSchema(
        features=tuple(_feature(f) for f in checks.sequence(record["features"], "schema.features")),
        target=checks.text(record["target"], "schema.target"),
        task=_member(record["task"], get_args(Task), "schema.task"),
        class_labels=_class_labels(record["class_labels"]),
        weight=_text_or_none(record["weight"], "schema.weight"),
        offset=_text_or_none(record.get("offset"), "schema.offset"),
        source=_text_or_none(record["source"], "schema.source"),
        sha256=_text_or_none(record["sha256"], "schema.sha256"),
        rows=checks.integer(record["rows"], "schema.rows", 0, LARGEST_COUNT),
        journal=tuple(_note(n) for n in checks.sequence(record["journal"], "schema.journal")),
        blanks_underscored=record.get("blanks_underscored") is True,
        target_is_date=record.get("target_is_date") is True,
        settled=_settled(checks.mapping(record.get("settled", {}), "schema.settled")),
        group=_text_or_none(record.get("group"), "schema.group"),
        split=None if record.get("split") is None else _split(record["split"]),
    )


def _split_record(split: Split) -> dict[str, Any]:
    record = {"valid_fraction": split.valid_fraction, "seed": split.seed, "stratified": split.stratified}
    by = {"by": split.by, "column": split.column, "seen_order": split.seen_order, "file": split.file,
          "file_sha256": split.file_sha256}  # fmt: skip
    return record | {name: value for name, value in by.items() if value not in (None, False, "rows")}


def _split(record: Any) -> Split:
    record = checks.mapping(record, "schema.split")
    share = float(checks.reals([record["valid_fraction"]], "schema.split.valid_fraction")[0])
    if not 0 <= share < 1:
        raise WorkbenchError("Damaged model file: schema.split.valid_fraction must be 0 or more and below 1.")
    return Split(
        valid_fraction=share,
        seed=checks.integer(record["seed"], "schema.split.seed", 0, LARGEST_COUNT),
        stratified=record["stratified"] is True,
        by=_member(record.get("by", "rows"), SPLITS_BY, "schema.split.by"),
        column=_text_or_none(record.get("column"), "schema.split.column"),
        seen_order=record.get("seen_order") is True,
        file=_text_or_none(record.get("file"), "schema.split.file"),
        file_sha256=_text_or_none(record.get("file_sha256"), "schema.split.file_sha256"),
    )


def _feature_record(feature: Feature) -> dict[str, Any]:
    record = {"name": feature.name, "kind": feature.kind, "categories": list(feature.categories)}
    writing = feature.writing
    shown = {"order": writing.order, "decimal": writing.decimal, "unit": writing.unit}
    more = {"whole_days": feature.whole_days, **shown, "fractions": feature.fractions}
    return record | {name: value for name, value in more.items() if value}


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _settled(record: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    chosen = {name: record[name] for name in ("decimal", "dates") if name in record}
    if "missing" in record:
        codes = checks.sequence(record["missing"], "schema.settled.missing")
        chosen["missing"] = tuple(checks.text(code, "a missing code") for code in codes)
    if record.get("usual_missing") is False:
        chosen["usual_missing"] = False
    return ReadOptions(**chosen).of_cells


def _feature(record: Any) -> Feature:
    record = checks.mapping(record, "a feature")
    categories = checks.sequence(record["categories"], "a feature's categories")
    return Feature(
        name=checks.text(record["name"], "a feature's name"),
        kind=_member(record["kind"], KINDS, "a feature's kind"),
        categories=tuple(checks.text(c, "a category") for c in categories),
        whole_days=record.get("whole_days") is True,
        fractions=_member(record.get("fractions", ""), get_args(Fractions), "a feature's fractions"),
        writing=Writing(
            order=_member(record.get("order", ""), ("", *get_args(DateOrder)), "a feature's order of dates"),
            decimal=_member(record.get("decimal", ""), ("", *get_args(DecimalSign)), "a decimal sign"),
            unit=checks.text(record.get("unit", ""), "a feature's unit"),
        ),
    )


def _note(record: Any) -> TableNote:
    record = checks.mapping(record, "an entry of the journal")
    return TableNote(
        text=checks.text(record["text"], "journal.text"),
        column=_text_or_none(record["column"], "journal.column"),
        count=checks.integer(record["count"], "journal.count", 0, LARGEST_COUNT),
        severity=_member(record["severity"], get_args(Severity), "journal.severity"),
    )


def _class_labels(value: Any) -> tuple[str | int | float | bool, ...]:
    labels = checks.sequence(value, "schema.class_labels")
    if not {type(label) for label in labels} <= {str, int, float, bool}:
        raise WorkbenchError("Damaged model file: a class label must be text, a number or a truth value.")
    return tuple(labels)


def _member(value: Any, allowed: tuple[Any, ...], where: str) -> Any:
    if not isinstance(value, str) or value not in allowed:
        raise WorkbenchError(f"Damaged model file: {where} must be one of {', '.join(allowed)}.")
    return value


def _text_or_none(value: Any, where: str) -> str | None:
    return None if value is None else checks.text(value, where)
