"""The rows of a run as they lie on the workers, and what is known of them at home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.cluster.jobs_there import release

if TYPE_CHECKING:
    from workbench.cluster.tallies import TargetTally


@dataclass(frozen=True)
class RowsThere:
    """Rows of a run on the workers, and what is known of them at home.

    Attributes
    ----------
    train, valid : dict of str to list of Future
        By worker.
    of_train, of_valid : TargetTally
    has_weights : bool
    notes : tuple of str
        What a person should know of them.
    stay : bool
        Whether they stay there after the run, for others.
    """

    train: dict[str, list[Any]]
    valid: dict[str, list[Any]]
    of_train: TargetTally
    of_valid: TargetTally
    has_weights: bool = False
    notes: tuple[str, ...] = ()
    stay: bool = False

    @property
    def workers(self) -> list[str]:
        """Addresses of the workers that have rows to train on."""
        return list(self.train)

    def release(self) -> None:
        """Let go of them."""
        for some in (*self.train.values(), *self.valid.values()):
            release(some)
