"""The figures of a run's rounds, as arrays that grow without being copied each round."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.events import RoundFinished

FIGURES = (
    "loss", "omega", "structure_score", "gain", "leaves", "depth", "promised", "delivered", "seconds",
)
FIGURES_OF = attrgetter(*FIGURES)


class History:
    """Columns by name: FIGURES of `RoundFinished`, "subsample" in force, "train:metric", "valid:metric".

    And those of its extras.
    """

    def __init__(self) -> None:
        self._length = 0
        self._columns: dict[str, NDArray[np.float64]] = {}

    def __len__(self) -> int:
        return self._length

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    def append(self, event: RoundFinished) -> None:
        """Add the figures of one round."""
        values = dict(zip(FIGURES, FIGURES_OF(event), strict=True))
        values["subsample"] = event.params.subsample
        values |= {f"train:{name}": value for name, value in event.train.items()}
        values |= {f"valid:{name}": value for name, value in event.valid.items()}
        values |= event.extras
        at = self._length
        for name, value in values.items():
            column = self._columns.get(name)
            if column is None or at >= len(column):
                column = self._lengthened(name)
            column[at] = value
        self._length += 1

    def column(self, name: str) -> NDArray[np.float64]:
        """Return the figures of rounds 1, 2, … under `name`; empty where there is no such column."""
        if name not in self._columns:
            return np.empty(0)
        return self._columns[name][: self._length]

    def _lengthened(self, name: str) -> NDArray[np.float64]:
        column = self._columns.get(name, np.empty(0))
        longer = np.full(max(256, 2 * self._length), np.nan)
        longer[: len(column)] = column
        self._columns[name] = longer
        return longer
