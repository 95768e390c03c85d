"""What is to be trained: column roles, the objective and the hold-out split."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.data.schema import OF_ONE_COLUMN
from workbench.parameters.holdout import NEEDS_COLUMN

if TYPE_CHECKING:
    from workbench.data.schema import Role, SplitBy

WHAT = {"groups": "groups", "time": "time", "column": "parts"}


@dataclass(frozen=True)
class Plan:
    """Choices made about the table, before training.

    Attributes
    ----------
    roles : dict of str to Role
        By column name.
    objective : str
        Name in `objectives/`; follows from the target until it is chosen.
    target_guessed : bool
        Whether the target is still the program's guess.
    valid_fraction : float
        Share of the rows held out, 0 to 0.9.
    split_seed : int
    stratified : bool
        Same class shares in both parts.
    split_by : {"rows", "groups", "time", "column", "file"}
        How rows are held out; see `Split`.
    split_column : str or None
        The column of the groups or of the time, or the one that names the rows.
    split_file : str or None
        Path of the second file.
    split_took : bool
        Whether the column was a feature until it said how rows are held out.
    positive : str or None
        Label of the positive class of a two-class target; None takes the program's choice.
    """

    roles: dict[str, Role] = field(default_factory=dict)
    objective: str = "squared"
    target_guessed: bool = True
    valid_fraction: float = 0.25
    split_seed: int = 0
    stratified: bool = True
    positive: str | None = None
    split_by: SplitBy = "rows"
    split_column: str | None = None
    split_file: str | None = None
    split_took: bool = False

    @cached_property
    def target(self) -> str | None:
        """Name of the target column."""
        roles = list(self.roles.values())
        return list(self.roles)[roles.index("target")] if "target" in roles else None

    @cached_property
    def n_features(self) -> int:
        """Number of the feature columns."""
        return list(self.roles.values()).count("feature")

    @property
    def has_groups(self) -> bool:
        """Whether a column says to which query a row belongs."""
        return "group" in self.roles.values()

    @property
    def holds_out(self) -> bool:
        """Whether rows are held out."""
        return self.split_by in ("column", "file") or self.valid_fraction > 0

    @property
    def split_problem(self) -> str:
        """What has to be chosen before rows can be held out; "" where nothing has."""
        if self.split_by in NEEDS_COLUMN and self.split_column is None:
            return f"Choose the column of the {WHAT[self.split_by]}, under Hold-out."
        if self.split_by == "file" and self.split_file is None:
            return "Choose the file of the rows held out, under Hold-out."
        return ""

    def split_as(self, **values: Any) -> Plan:
        """Return a plan that holds rows out otherwise.

        A column that says how is no feature then; one that said so before is what it was.
        """
        plan = replace(self, **values)
        if (plan.split_column, plan.split_by) == (self.split_column, self.split_by):
            return plan
        roles, before, column = dict(plan.roles), self.split_column or "", plan.split_column or ""
        if self.split_took and roles.get(before) == "ignore":
            roles[before] = "feature"
        took = plan.split_by in NEEDS_COLUMN and roles.get(column) == "feature"
        if took:
            roles[column] = "ignore"
        return replace(plan, roles=roles, split_took=took)

    def with_role(self, column: str, role: Role) -> Plan:
        """Return a plan in which `column` has `role`; some roles are held by one column."""
        roles = dict(self.roles)
        if role in OF_ONE_COLUMN:
            roles = {name: "feature" if old == role else old for name, old in roles.items()}
        roles[column] = role
        return replace(self, roles=roles, split_took=self.split_took and column != self.split_column)
