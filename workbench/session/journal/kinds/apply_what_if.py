"""The trees of a run were scored again with other values, and kept as a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call
from workbench.session.journal.kinds.edit_params import checked


@ACTIONS.register
@dataclass(frozen=True)
class ApplyWhatIf(Action):
    """Run `run` is run `of` with these values, or was `retrained` with them."""

    run: int
    of: int
    values: dict[str, Any]
    told: str
    retrained: bool

    name: ClassVar[str] = "apply_what_if"

    def __post_init__(self) -> None:
        checked(self, "values")

    @property
    def words(self) -> str:
        """What was done."""
        return f"Run {self.run}: {self.told}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("retrain" if self.retrained else "rescore", (), self.values, on=self.of, result=self.run)
