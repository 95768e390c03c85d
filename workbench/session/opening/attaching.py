"""A table and the model that was trained on it, put together again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.schema import OF_ONE_COLUMN, Split
from workbench.errors import WorkbenchError
from workbench.session.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema, Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.formats.model import Model
    from workbench.session.run import Run

MOST_HELD_OUT = 0.9


@dataclass(frozen=True)
class Attached:
    """A model's own table, read as the model knows it.

    Attributes
    ----------
    given : Table
        As it was read.
    table : Table
        With the kinds of columns that the model was trained with.
    plan : Plan
        As it was trained.
    run : Run
        The model, with its rows where they are the same again.
    """

    given: Table
    table: Table
    plan: Plan
    run: Run

    @cached_property
    def changed(self) -> dict[str, ColumnSummary]:
        """The columns that were given another kind, with their figures."""
        from workbench.data.statistics import column_summary

        pairs = zip(self.given.columns, self.table.columns, strict=True)
        return {column.name: column_summary(column) for given, column in pairs if column is not given}

    @property
    def words(self) -> str:
        """What is as it was."""
        known = f"{self.table.name} is the table that this model was trained on."
        if self.run.dataset is None:
            return f"{known} Target and roles are the model's; its rows were read otherwise then."
        return f"{known} Target, roles, hold-out, parameters and trees are as they were."


def attach(model: Model | None, table: Table, cancelled: Callable[[], bool]) -> Attached | None:
    """Return a model with its own table; None where it was trained on another.

    Encodes the rows, so call it on a worker thread.
    """
    if model is None or table.sha256 is None or table.sha256 != model.schema.sha256:
        return None
    given, table = table, _as_known(table, model.schema)
    plan = plan_of(model, table)
    if plan is None:
        return None
    from workbench.session.opening.imported import run_of

    run = run_of(model)
    run.dataset = _same_rows(model, table, plan, cancelled)
    return Attached(given, table, plan, run)


def plan_of(model: Model, table: Table) -> Plan | None:
    """Return the plan that a model was trained with; None for a table that lacks some of its columns."""
    from workbench.data.roles import guess_roles

    schema = model.schema
    given: dict[str, Role] = dict.fromkeys(schema.names, "feature")
    single = (schema.target, schema.weight, schema.group, schema.offset)
    held = zip(OF_ONE_COLUMN, single, strict=True)
    given |= {name: role for role, name in held if name is not None}
    split = schema.split or _split_of(model)
    if not {*given, *([] if split.column is None else [split.column])} <= set(table.names):
        return None
    roles: dict[str, Role] = {name: given.get(name, "ignore") for name in table.names}
    by = split.column or ""
    return Plan(
        roles=roles,
        objective=model.ensemble.objective,
        target_guessed=False,
        valid_fraction=min(split.valid_fraction, MOST_HELD_OUT),
        split_seed=split.seed,
        stratified=split.stratified,
        split_by=split.by,
        split_column=split.column,
        split_file=None if split.file is None else str(_beside(table, split.file)),
        split_took=roles.get(by) == "ignore" and guess_roles(table)[by] != "ignore",
        positive=_text(schema.class_labels[1]) if schema.task == "binary" else None,
    )


def _beside(table: Table, name: str) -> Path:
    """Return where a second file is looked for: in the folder of the table."""
    return Path(table.source).parent / Path(name).name if table.source else Path(name)


def _split_of(model: Model) -> Split:
    """Work out the share of rows held out, for a file that does not tell it."""
    n_train, n_valid = (int(model.provenance.get(name, 0)) for name in ("n_train", "n_valid"))
    return Split(round(n_valid / (n_train + n_valid), 2) if n_valid else 0.0)


def _as_known(table: Table, schema: DataSchema) -> Table:
    """Give columns the kinds that they had when the model was trained."""
    from workbench.data.values.column_types import change_kind

    kinds = {feature.name: feature.kind for feature in schema.features}
    columns = {column.name: column for column in table.columns}
    target = columns.get(schema.target)
    if target is not None and not target.is_categorical and _are_texts(schema):
        kinds[schema.target] = "category"
    for name, kind in kinds.items():
        column = columns.get(name)
        if column is None or column.kind == kind:
            continue
        try:
            changed, notes = change_kind(column, kind)
        except WorkbenchError:
            continue
        table = replace(table.with_column(changed), notes=(*table.notes, *notes))
    return table


def _are_texts(schema: DataSchema) -> bool:
    return any(isinstance(label, str) for label in schema.class_labels)


def _same_rows(
    model: Model, table: Table, plan: Plan, cancelled: Callable[[], bool]
) -> Dataset | None:
    """Encode the rows; None where they are not those that the model was trained on."""
    from workbench.session.growing import rows_of_plan

    try:
        dataset = rows_of_plan(table, plan, cancelled, model.schema.task)
    except WorkbenchError:
        return None
    made, known = dataset.schema, model.schema
    if (made.features, made.class_labels) != (known.features, known.class_labels):
        return None
    if made.split and known.split and made.split.file_sha256 != known.split.file_sha256:
        return None
    counts = {"n_train": len(dataset.train_rows), "n_valid": len(dataset.valid_rows)}
    return dataset if all(model.provenance.get(name) == count for name, count in counts.items()) else None


def _text(label: str | float | bool) -> str:
    from workbench.data.classes import label_text

    return label_text(label)
