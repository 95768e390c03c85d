"""What is to be trained: column roles, the objective and the hold-out split."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.data.schema import OF_ONE_COLUMN

if TYPE_CHECKING:
    from workbench.data.schema import Role


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

    def with_role(self, column: str, role: Role) -> Plan:
        """Return a plan in which `column` has `role`; some roles are held by one column."""
        roles = dict(self.roles)
        if role in OF_ONE_COLUMN:
            roles = {name: "feature" if old == role else old for name, old in roles.items()}
        roles[column] = role
        return replace(self, roles=roles)
