"""How a run was grown: stretches of rounds, each grown in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from workbench.ensembles.events import TrainingEnded
    from workbench.parameters.training import TrainingParams


Cluster = str | dict[str, Any]  # as a script says it: "local", the address of a scheduler, or all about it


class Stretch(NamedTuple):
    """Rounds that were grown in one go: with what it began, after how many rounds, and how it ended.

    `cluster` is where; None: this machine.
    """

    params: TrainingParams
    first: int
    last: int
    ended: TrainingEnded | None
    cluster: Cluster | None = None


class Stretches(Sequence[Stretch]):
    """Grown one after another; what follows those that count was taken back, and can be taken up again.

    Attributes
    ----------
    n_counted : int
        How many count.
    """

    def __init__(self, stretches: Iterable[Stretch] = ()) -> None:
        self._all = list(stretches)
        self.n_counted = len(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, place: Any) -> Any:
        return self._all[place]

    def __iter__(self) -> Iterator[Stretch]:
        return iter(self._all)

    @property
    def counted(self) -> Sequence[Stretch]:
        """Those that were not taken back."""
        return self._all[: self.n_counted]

    def begin(self, params: TrainingParams, n_rounds: int, cluster: Cluster | None = None) -> None:
        """Begin one after so many rounds, in place of those that were taken back."""
        self._all[self.n_counted :] = [Stretch(params, n_rounds, 0, None, cluster)]
        self.n_counted = len(self._all)

    def end(self, n_rounds: int, ended: TrainingEnded | None) -> None:
        """End the last one where the run has so many rounds."""
        self._all[-1] = self._all[-1]._replace(last=n_rounds, ended=ended)
