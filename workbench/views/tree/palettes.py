"""The colours of a run's trees: the chosen quantity and its limits, the same in every view."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.views.look.weight_limits import WeightLimits, settled
from workbench.views.tree.colouring import OTHER, Palette, colouring_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.session.run import Run

FIRST_ROUNDS = 100  # decide which features have colours of their own


def has_holdout(run: Run) -> bool:
    """Whether there are rows that a run was not grown on."""
    return run.dataset is not None and run.started is not None and len(run.dataset.valid_rows) > 0


def no_holdout(run: Run, round_: int) -> str:
    """Why the splits of a round have no gain on hold-out rows; "" where they have one."""
    if run.dataset is None:
        return "This model came from a file, without rows."
    if not has_holdout(run):
        return "No hold-out rows. Set a share under Data."
    return run.no_replay(round_)


class Ranked(NamedTuple):
    """What the features of a run gained in its first rounds, so many, and their places by that."""

    run: Run
    used: int
    gains: NDArray[np.float64]
    places: NDArray[np.int64]


class Palettes:
    """Makes palettes; gives the same one for as long as nothing changes."""

    def __init__(self) -> None:
        self.weights = WeightLimits()
        self._key: tuple[object, ...] = ()
        self._palette = Palette()
        self._ranked: Ranked | None = None

    def of(self, run: Run, colour: str, holdout: HoldOutGains | None = None) -> Palette:
        """Return the palette of a run's trees; `holdout` are the figures of the shown one."""
        scale, features = self.weights.scale(run), self._features(run)
        key = (colour, scale, run.unit, id(features), id(holdout))
        if key != self._key:
            self._key = key
            self._palette = Palette(colouring_of(colour, run.unit), scale, features, holdout)
        return self._palette

    def _features(self, run: Run) -> NDArray[np.int64]:
        """Places of the features among the colours: by their gain in the run's first rounds."""
        used = min(settled(len(run.rounds)), FIRST_ROUNDS)
        if self._ranked is None or self._ranked.run is not run or self._ranked.used > used:
            number = len(run.schema.features) if run.schema is not None else 0
            self._ranked = Ranked(run, 0, np.zeros(number), np.minimum(np.arange(number), OTHER))
        if self._ranked.used < used:
            gains = self._ranked.gains + _gains(run, self._ranked.used, used)
            places = np.empty(len(gains), np.int64)
            places[np.argsort(-gains, kind="stable")] = np.arange(len(gains))
            self._ranked = Ranked(run, used, gains, np.minimum(places, OTHER))
        return self._ranked.places


def _gains(run: Run, begin: int, end: int) -> NDArray[np.float64]:
    """What each feature gained in the trees of these rounds."""
    number = len(run.schema.features) if run.schema is not None else 0
    grown = [tree.nodes for finished in run.rounds[begin:end] for tree in finished.trees]
    if not grown:
        return np.zeros(number)
    feature, gain = (np.concatenate([nodes[name] for nodes in grown]) for name in ("feature", "gain"))
    is_split = feature >= 0
    gains = np.bincount(feature[is_split], np.nan_to_num(gain[is_split]), minlength=number)
    return gains.astype(np.float64)
