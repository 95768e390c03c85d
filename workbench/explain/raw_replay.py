"""Raw predictions before any round of a run, from its trees; with checkpoints, so that neighbours are near.

    round     0 ....... 8 ....... 16 ...... 24 ....... t
    kept      base      raw       raw       raw        raw before the round asked for last

Whoever asks for an earlier round begins at the checkpoint before it; leaves are never taken away again, for
a float32 sum does not give back what was added. A round in which DART changed what others count is added
up from the base.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.prediction import add_linear, add_to_raw
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.trees.tree import Tree

BUDGET_BYTES = 96 * 2**20
AT_ONCE = 64  # trees that are added before it is asked whether to go on
SPACING = 8  # rounds between checkpoints, at first


class RawReplay:
    """Raw predictions of some rows as they stood before each round, bit for bit as in training.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
    offset : ndarray of float32, shape (n,), optional
    begun : Ensemble
        What the run began with.
    rounds : sequence of RoundFinished
        May grow meanwhile.
    budget_bytes : int
        Memory for checkpoints, beside one that is always kept.
    """

    def __init__(
        self,
        features: NDArray[np.float32],
        offset: NDArray[np.float32] | None,
        begun: Ensemble,
        rounds: Sequence[RoundFinished],
        budget_bytes: int = BUDGET_BYTES,
    ) -> None:
        self._features, self._offset = features, offset
        self._begun, self._rounds = begun, rounds
        size = 4 * begun.n_classes * max(len(features), 1)
        self._most = max(1, budget_bytes // size)
        self._spacing = SPACING
        self._kept: dict[int, NDArray[np.float32]] = {}
        self._last: tuple[int, NDArray[np.float32]] | None = None
        self._lock = threading.Lock()

    def after(self, done: int, cancelled: Callable[[], bool] | None = None) -> NDArray[np.float32]:
        """Return the raw predictions after the first `done` rounds of the run, shape (K, n); read-only.

        Raises
        ------
        Cancelled
            `cancelled`, asked between the rounds, said so; what was reached is kept.
        """
        raw = self._of_trees(done, cancelled)
        part = self._rounds[done - 1].linear if done else next(reversed(self._begun.linear), None)
        if part is None:
            return raw
        raw = raw.copy()
        add_linear(part, self._features, raw)
        raw.flags.writeable = False
        return raw

    def _of_trees(self, done: int, cancelled: Callable[[], bool] | None) -> NDArray[np.float32]:
        """Return base and leaves, without what a linear model weighs."""
        with self._lock:
            place, raw = self._nearest(done, cancelled)
            while place < done:
                leave_if(cancelled)
                stop = min(place - place % self._spacing + self._spacing, done)
                raw = raw.copy()
                add_to_raw(self._trees(place, stop), self._features, raw)
                raw.flags.writeable = False
                place = stop
                self._keep(place, raw)
            return self._averaged(raw, done) if self._begun.averages else raw

    def before(self, place: int, cancelled: Callable[[], bool] | None = None) -> NDArray[np.float32]:
        """Return the raw predictions at which round `place` of the run took its gradients, as `after`.

        That is all rounds before it, without those that DART left out.
        """
        dropout = self._rounds[place - 1].dropout
        if dropout is None:
            return self.after(place - 1, cancelled)
        return self._added_up(place - 1, cancelled, dropout.dropped)

    def _nearest(
        self, done: int, cancelled: Callable[[], bool] | None
    ) -> tuple[int, NDArray[np.float32]]:
        """Return the last checkpoint from which rounds up to `done` can be added; makes one if needed."""
        drops = (place for place in range(done, 0, -1) if self._rounds[place - 1].dropout is not None)
        first = next(drops, 0)
        known = [place for place in self._kept if first <= place <= done]
        if self._last is not None and max(known, default=first) <= self._last[0] <= done:
            return self._last
        if known:
            return max(known), self._kept[max(known)]
        raw = self._added_up(first, cancelled)
        self._keep(first, raw)
        return first, raw

    def _added_up(
        self, done: int, cancelled: Callable[[], bool] | None, left_out: NDArray[np.int32] | None = None
    ) -> NDArray[np.float32]:
        """Add up the model after `done` rounds from its base, without the rounds left out."""
        raw = np.repeat(self._begun.base_margin.astype(np.float32)[:, None], len(self._features), axis=1)
        if self._offset is not None:
            raw += self._offset
        ensemble = self._begun.with_rounds(self._rounds[:done])
        if ensemble.averages:  # whose sums are kept
            raw[:], ensemble = 0.0, replace(ensemble, averages=False)
        trees, weights = ensemble.counted(left_out)
        for first in range(0, len(trees), AT_ONCE):
            leave_if(cancelled)
            some = slice(first, first + AT_ONCE)
            add_to_raw(trees[some], self._features, raw, weights[some])
        raw.flags.writeable = False
        return raw

    def _averaged(self, sums: NDArray[np.float32], done: int) -> NDArray[np.float32]:
        """Return the mean of the trees after `done` rounds, whose sums these are."""
        raw = sums / np.float32(max(self._begun.rounds + done, 1)) + self._begun.base_margin[:, None]
        raw = raw.astype(np.float32) if self._offset is None else (raw + self._offset).astype(np.float32)
        raw.flags.writeable = False
        return raw

    def _trees(self, first: int, stop: int) -> tuple[Tree, ...]:
        return tuple(tree for place in range(first, stop) for tree in self._rounds[place].trees)

    def _keep(self, place: int, raw: NDArray[np.float32]) -> None:
        self._last = place, raw
        if place % self._spacing == 0:
            self._kept[place] = raw
        while len(self._kept) > self._most and len(self._kept) > 1:
            self._spacing *= 2
            self._kept = {p: r for p, r in self._kept.items() if p % self._spacing == 0}
