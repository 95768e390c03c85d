"""Where somebody has been: back to the node and the view before, and forward again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.views.tree.camera import Camera

LONGEST = 100


@dataclass(frozen=True)
class TrailPlace:
    """A tree, a node of it, and how it was looked at."""

    round: int | None
    class_index: int
    node: int | None
    camera: Camera


class Trail:
    """Places behind and ahead, the nearest last."""

    def __init__(self) -> None:
        self._behind: list[TrailPlace] = []
        self._ahead: list[TrailPlace] = []

    def leave(self, place: TrailPlace) -> None:
        """Remember a place that is left for a new one."""
        if not self._behind or self._behind[-1] != place:
            self._behind = [*self._behind[1 - LONGEST :], place]
        self._ahead = []

    def back(self, now: TrailPlace) -> TrailPlace | None:
        """Return the place before, None where there is none."""
        return self._step(self._behind, self._ahead, now)

    def forward(self, now: TrailPlace) -> TrailPlace | None:
        """Return the place that was left by going back."""
        return self._step(self._ahead, self._behind, now)

    def forget(self) -> None:
        """The places are those of another run."""
        self._behind, self._ahead = [], []

    @staticmethod
    def _step(source: list[TrailPlace], other: list[TrailPlace], now: TrailPlace) -> TrailPlace | None:
        if not source:
            return None
        other.append(now)
        return source.pop()
