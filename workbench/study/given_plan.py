"""What a study is told of its plan; what it is not told is guessed from the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.schema import ROLES, SPLITS_BY
from workbench.errors import WorkbenchError
from workbench.session.opening.open_file import first_plan, guess_objective
from workbench.session.plan import Plan
from workbench.study.plain_value import plain_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.schema import Role, SplitBy
    from workbench.data.table import Table


def given_plan(
    table: Table, *, target: str | None = None, objective: str | None = None,
    roles: Mapping[str, Any] | None = None, positive: str | None = None, valid_fraction: float = 0.25,
    split_seed: int = 0, stratified: bool = True, split_by: SplitBy = "rows",
    split_column: str | None = None, split_file: str | None = None,
) -> Plan:  # fmt: skip
    """Return the plan of a table; what is said of it is as `Study` takes it."""
    guessed = first_plan(table)
    given: dict[str, Any] = dict(guessed.roles)
    if roles is not None:
        named = {table.column(name).name: known_role(role) for name, role in roles.items()}
        given = dict.fromkeys(table.names, "feature") | named
    if split_column is not None:
        table.column(split_column)
    plan = Plan(
        given, guessed.objective, target is None, plain_value(valid_fraction),
        plain_value(split_seed), bool(stratified),
    )
    plan = plan if target is None else plan.with_role(target, "target")
    held = plan.split_as(split_by=known_split(split_by), split_column=split_column, split_file=split_file)
    plan = held if roles is None else replace(held, roles=plan.roles, split_took=False)
    if plan.target is None:
        return plan
    return replace(plan, objective=objective or guess_objective(table.column(plan.target)), positive=positive)


def known_role(name: str) -> Role:
    """Return a role by its name; WorkbenchError where there is none."""
    found = next((known for known in ROLES if known == name), None)
    if found is None:
        raise WorkbenchError(f"A column is one of {', '.join(ROLES)}, not {name!r}.")
    return found


def known_split(by: str) -> SplitBy:
    """Return by what rows are held out; WorkbenchError where it is nothing of that."""
    found = next((known for known in SPLITS_BY if known == by), None)
    if found is None:
        raise WorkbenchError(f"Rows are held out by one of {', '.join(SPLITS_BY)}, not by {by!r}.")
    return found
