"""A scan as it is drawn: a point a cut, with words; no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.node_figures import question, threshold_text
from workbench.explain.node_text import gain_text
from workbench.explain.reasons import LEFT, WHY_REFUSED
from workbench.formats.bytes.csv_text import tab_separated
from workbench.isolation import isolated
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.schema import Feature
    from workbench.explain.split_scan import ColumnScan
    from workbench.explain.spread import ColumnSpread
    from workbench.parameters.training import TrainingParams

MISSING_ALONE = "missing"
MOST_POINTS, STRETCHES = 1500, 600
EQUAL = 1e-6  # of a gain, within which two are the same


class MadeCut(NamedTuple):
    """The cut that a node makes: its place in the scan, the node's own threshold, what is forced of it."""

    place: int
    threshold: np.float32
    forced: str = ""


@dataclass(frozen=True, eq=False)
class ScanCurve:
    """The cuts of a column at a node, each with missing values on its better side.

    Attributes
    ----------
    feature : Feature
    x : ndarray of float64, shape (n,)
        Threshold; of categories 0, 1, … in the order they are drawn.
    gain : ndarray of float64, shape (n,)
    refused : ndarray of uint8, shape (n,)
    name : callable (int) -> str
        Of a cut: "0.65", "normal".
    low, high : float
        Ends of the horizontal axis.
    made : int
        The cut that was made; −1 where it is none of these.
    forced : str
        What is forced of that, in words; "" where it was sought.
    reasons : dict of int to str
        Words for the refusals.
    is_ordered : bool
        Whether cuts follow one another: between numbers, or between parted categories.
    n_cuts : int
        How many there are; of very many only those that can be told apart on a screen are kept.
    places : tuple of int
        Of each cut in the scan.
    missing_left : tuple of bool
        Whether a cut is drawn with missing values on the side of "yes".
    """

    feature: Feature
    x: NDArray[np.float64]
    gain: NDArray[np.float64]
    refused: NDArray[np.uint8]
    name: Callable[[int], str]
    low: float
    high: float
    made: int
    forced: str
    reasons: dict[int, str]
    is_ordered: bool
    n_cuts: int
    places: tuple[int, ...]
    missing_left: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.x)

    @property
    def is_numeric(self) -> bool:
        """Whether the cuts are thresholds."""
        return not self.feature.is_categorical

    @property
    def names(self) -> tuple[str, ...]:
        """Of all cuts, which takes a while."""
        return tuple(map(self.name, range(len(self))))

    @cached_property
    def best(self) -> int:
        """The cut that gains most of those that may be made; −1 where there is none."""
        usable = np.where(self.refused == 0, self.gain, -np.inf)
        return int(usable.argmax()) if len(usable) and usable.max() > -np.inf else -1

    def verb(self, rival: float) -> str:
        """What is said of the marked cut: it "wins" only where nothing gains more, nor a rival column."""
        if self.made < 0:
            return "is best"
        if self.forced:
            return self.forced
        own, most = float(self.gain[self.made]), max(float(self.gain[self.best]), rival)
        return "wins" if own >= most - EQUAL * abs(most) else "chosen"

    @cached_property
    def refused_ranges(self) -> list[tuple[float, float, str]]:
        """Where cuts are refused: from, to, and why; up to halfway to the neighbours that are not."""
        if not len(self):
            return []
        middles = (self.x[1:] + self.x[:-1]) / 2
        begins = np.concatenate([[self.low], middles])
        ends = np.concatenate([middles, [self.high]])
        found = []
        for reason, group in groupby(range(len(self)), key=lambda k: int(self.refused[k])):
            places = list(group)
            if reason:
                found.append((float(begins[places[0]]), float(ends[places[-1]]), self.reasons[reason]))
        return found

    def words(self, place: int) -> str:
        """One cut: "0.65: 2.459", or why it is refused."""
        text = f"{isolated(self.name(place))}: {gain_text(float(self.gain[place]))}"
        refusal = int(self.refused[place])
        return f"{text}, refused: {self.reasons[refusal]}" if refusal else text

    @property
    def summary(self) -> str:
        """The whole scan in one sentence."""
        cuts = counted(self.n_cuts, "cut")
        if self.best < 0:
            return f"{cuts} of {isolated(self.feature.name)}, none that may be made."
        return f"{cuts} of {isolated(self.feature.name)}; the best is {self.words(self.best)}."

    def values_text(self, *, neutralise: bool) -> str:
        """The cuts as tab-separated lines, with `neutralise` without formulas."""
        rows = [
            (name, repr(gain), self.reasons.get(int(reason), ""))
            for name, gain, reason in zip(self.names, self.gain.tolist(), self.refused, strict=True)
        ]
        return tab_separated([(self.feature.name, "gain", "refused"), *rows], neutralise=neutralise)


def scan_curve(
    scan: ColumnScan, spread: ColumnSpread, feature: Feature, params: TrainingParams,
    made: MadeCut | None,
) -> ScanCurve:
    """Return a scan as it is drawn; `made` is the cut that the node makes.

    Single categories stand by their gain; parted ones in the order in which they are parted.
    """
    gain, refused, is_left = _better_side(scan)
    places = np.flatnonzero(~np.isnan(gain))
    n_cuts = len(places)
    if not (scan.is_numeric or scan.groups.is_parted):
        places = places[np.argsort(-gain[places], kind="stable")]
    thresholds = scan.thresholds.copy() if scan.is_numeric else np.full(len(gain), np.float32(np.nan))
    at = -1 if made is None else made.place
    if made is not None:
        thresholds[at] = made.threshold  # a forced one stands anywhere between the same rows
    if scan.is_numeric:
        x = np.clip(thresholds[places].astype(np.float64), spread.low, spread.high)
        low, high = spread.low, spread.high
    else:
        x, low, high = np.arange(len(places), dtype=np.float64), -0.5, len(places) - 0.5
    if scan.is_numeric and len(places) > MOST_POINTS:
        kept = _thinned(x, gain[places], refused[places])
        kept |= places == at
        places, x = places[kept], x[kept]
    own, is_ordered = places.tolist(), scan.is_numeric or scan.groups.is_parted
    at = own.index(at) if at in own else -1
    reasons = {int(refusal): why.words(params) for refusal, why in WHY_REFUSED.items()}
    return ScanCurve(
        feature, x, gain[places], refused[places],
        lambda place: _name(scan, own[place], thresholds, feature), low, high, at,
        "" if made is None else made.forced, reasons, is_ordered, n_cuts, tuple(own),
        tuple(is_left[places].tolist()),
    )


def _thinned(
    x: NDArray[np.float64], gain: NDArray[np.float64], refused: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return which cuts to keep: of each narrow stretch that with the least and that with the most gain."""
    stretch = np.minimum((x - x.min()) / (np.ptp(x) or 1.0) * STRETCHES, STRETCHES - 1).astype(np.int64)
    order = np.lexsort((gain, stretch))
    edges = np.flatnonzero(np.diff(stretch[order]))
    kept = np.zeros(len(x), np.bool_)
    kept[order[np.concatenate([[0], edges + 1, edges, [len(x) - 1]])]] = True
    kept[np.where(refused == 0, gain, -np.inf).argmax()] = True
    return kept


def _better_side(scan: ColumnScan) -> tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.bool_]]:
    """Return gain and refusal of each cut with missing values on the side that gains more and is allowed.

    And whether that is the left one.
    """
    worth = np.where(np.isnan(scan.gain), -np.inf, np.where(scan.refused == 0, scan.gain, scan.gain - 1e300))
    side = np.where(worth[LEFT] > worth[1 - LEFT], LEFT, 1 - LEFT)
    every = np.arange(scan.gain.shape[1])
    return scan.gain[side, every], scan.refused[side, every], side == LEFT


def _name(scan: ColumnScan, place: int, thresholds: NDArray[np.float32], feature: Feature) -> str:
    if scan.is_numeric:
        present = scan.total.rows - scan.missing.rows
        if scan.left.rows[1 - LEFT, place] in (0, present):
            return MISSING_ALONE
        return threshold_text(thresholds[place], feature)
    if not scan.groups.is_parted:
        return question(feature, np.float32(np.nan), scan.codes(place)).value
    last = scan.groups.codes(np.array([scan.places[place]]))
    name = question(feature, np.float32(np.nan), last).value
    return f"… {name}" if place else name  # up to this one goes left
