"""Opening is undone by opening what was open before, so that no two tables are held."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions


class Way(NamedTuple):
    """The file by which something is opened again: a project, a kept sitting, a table or a model."""

    name: str
    path: Path
    options: ReadOptions | None = None


class WaysBack:
    """What was open before, and what was open when that was undone."""

    def __init__(self) -> None:
        self._before: list[Way] = []
        self._after: list[Way] = []
        self._taken: list[Way] | None = None  # of which the last is being opened

    @property
    def back(self) -> Way | None:
        """What was open before."""
        return self._before[-1] if self._before else None

    @property
    def forth(self) -> Way | None:
        """What was open when opening was undone."""
        return self._after[-1] if self._after else None

    def take(self, *, back: bool) -> Way:
        """Return the way that is gone now."""
        self._taken = self._before if back else self._after
        return self._taken[-1]

    def forget_taken(self) -> None:
        """It was not gone after all."""
        self._taken = None

    def leave(self, way: Way | None) -> None:
        """Something else is open now; `way` leads back, None where nothing does."""
        taken, self._taken = self._taken, None
        if taken is None:
            self._after.clear()
        else:
            taken.pop()
        if way is not None:
            (self._after if taken is self._before else self._before).append(way)
