"""From a wish to a scene: small trees at once, large ones laid out in a job; stale ones are dropped.

While a run hurries by, what is being laid out is finished and shown, and the newest tree is next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

from workbench.views.tree.camera import Camera
from workbench.views.tree.far.far import MANY
from workbench.views.tree.far.image import FarImage
from workbench.views.tree.scene import TreeScene

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree
    from workbench.views.tree.arrangement import Arrangement
    from workbench.views.tree.colouring import Palette
    from workbench.workers.jobs import Job, Jobs


@dataclass(frozen=True)
class Wish:
    """Which tree, and how it is to be laid out; the round, and what its weights count, are for the words."""

    tree: Tree
    arrangement: Arrangement
    depth: int | None
    folded: frozenset[int]
    round: int = field(default=0, compare=False)
    unit: str = field(default="", compare=False)

    def is_met_by(self, scene: TreeScene | None, depth: int | None) -> bool:
        """Whether a scene that was laid out to `depth` is what is wanted."""
        return scene is not None and depth == self.depth and (
            scene.tree, scene.arrangement, scene.folded) == (self.tree, self.arrangement, self.folded)


class SceneLoader:
    """Holds the newest wish; calls `show` with its scene."""

    def __init__(self, show: Callable[[TreeScene, int], None], fail: Callable[[str], None]) -> None:
        self._show, self._fail = show, fail
        self._wish: Wish | None = None
        self._job: Job | None = None
        self._next: Callable[[], None] | None = None  # begins what was wished while a job was under way
        self._depth: int | None = None  # of the scene that was shown last
        self._colours: tuple[Palette, NDArray[np.bool_] | None] | None = None  # that were wished last

    @property
    def awaited(self) -> Tree | None:
        """The tree that is being laid out in a job."""
        return self._wish.tree if self._wish is not None else None

    def load(
        self, jobs: Jobs, wish: Wish, shown: TreeScene | None, schema: DataSchema, palette: Palette,
        missing: NDArray[np.bool_] | None, *, hurries: bool = False,
    ) -> None:
        """Show what is wished: the scene that is `shown` in other colours, or another.

        With `hurries` it is one of many that come by themselves: what is under way is finished first.
        """
        self._colours = palette, missing
        if shown is not None and wish.is_met_by(shown, self._depth):
            self.drop()
            self._show(shown.with_colours(palette, missing), wish.round)
        elif wish.tree.n_nodes <= MANY:
            self.drop()
            self._take(wish, _make(wish, schema, palette, missing))
        elif wish != self._wish:
            begin = partial(self._begin, jobs, wish, lambda _job: _make(wish, schema, palette, missing))
            if hurries and self._job is not None:
                self._next = begin
            else:
                begin()
        else:
            self._next = None

    def _begin(self, jobs: Jobs, wish: Wish, work: Callable[[Job], TreeScene]) -> None:
        self.drop()
        self._wish = wish
        self._job = jobs.start(work, done=lambda scene: self._take(wish, scene), failed=self._give_up)

    def drop(self) -> None:
        """Want nothing any more."""
        if self._job is not None:
            self._job.cancel()
        self._job = self._wish = self._next = None

    def _take(self, wish: Wish, scene: TreeScene) -> None:
        self._job = self._wish = None
        self._depth = wish.depth
        begin, self._next = self._next, None
        if begin is None and self._colours is not None:
            scene = scene.with_colours(*self._colours)  # others may have been wished while it was laid out
        self._show(scene, wish.round)
        if begin is not None and self._wish is None:
            begin()

    def _give_up(self, text: str) -> None:
        self.drop()
        self._fail(text)


def _make(
    wish: Wish, schema: DataSchema, palette: Palette, missing: NDArray[np.bool_] | None
) -> TreeScene:
    return prepared(TreeScene.of(
        wish.tree, schema, palette, missing, wish.arrangement, wish.depth, wish.folded, wish.unit))


def prepared(scene: TreeScene) -> TreeScene:
    """Return the scene with all that takes a moment for a large tree already made."""
    layout = scene.layout
    layout.nodes_within(layout.left, layout.right, 0, layout.depth)
    layout.edges_within(layout.left, layout.right, 0, layout.depth)
    if scene.tree.n_nodes > MANY:
        FarImage().paint(scene, Camera(arrangement=scene.arrangement), QSize(8, 8), 1.0)
    return scene
