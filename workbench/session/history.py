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
LEAST = 256  # rounds for which there is room from the start


class History:
    """Columns by name: FIGURES of `RoundFinished`, "subsample" in force, "train:metric", "valid:metric".

    And those of its extras.
    """

    def __init__(self) -> None:
        self._length = 0
        self._kinds: tuple[tuple[str, ...], ...] = ()  # names of metrics and extras of the last round
        self._rows: dict[str, int] = {}  # by name of a column
        self._present: NDArray[np.int64] = np.empty(0, np.int64)  # the rows that a round has
        self._figures: NDArray[np.float64] = np.empty((0, LEAST))

    def __len__(self) -> int:
        return self._length

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._rows)

    def append(self, event: RoundFinished) -> None:
        """Add the figures of one round."""
        train, valid, extras = event.train, event.valid, event.extras
        kinds = tuple(train), tuple(valid), tuple(extras)
        if kinds != self._kinds or not self._length:
            self._take_kinds(kinds)
        if self._length == self._figures.shape[1]:
            self._resize(len(self._figures), 2 * self._length)
        self._figures[self._present, self._length] = (
            *FIGURES_OF(event), event.params.subsample, *train.values(), *valid.values(), *extras.values(),
        )
        self._length += 1

    def column(self, name: str) -> NDArray[np.float64]:
        """Return the figures of rounds 1, 2, … under `name`; empty where there is no such column."""
        if name not in self._rows:
            return np.empty(0)
        return self._figures[self._rows[name], : self._length]

    def _take_kinds(self, kinds: tuple[tuple[str, ...], ...]) -> None:
        """Make a column of each name that was not there before."""
        train, valid, extras = self._kinds = kinds
        named = [f"{part}:{name}" for part, names in (("train", train), ("valid", valid)) for name in names]
        rows = self._rows
        self._present = np.array([
            rows.setdefault(name, len(rows)) for name in (*FIGURES, "subsample", *named, *extras)
        ])
        self._resize(len(rows), self._figures.shape[1])

    def _resize(self, n_columns: int, n_rounds: int) -> None:
        figures = np.full((n_columns, n_rounds), np.nan)
        figures[: len(self._figures), : self._length] = self._figures[:, : self._length]
        self._figures = figures
