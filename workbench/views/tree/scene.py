"""A tree ready to be painted: its places, and what each node says and how strongly it is coloured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from workbench.explain.node_figures import answer, fair_share, knows_rows, path_to, row_share, test_of
from workbench.trees.layout import lay_out
from workbench.views.numbers import count, figure, fixed, percent, signed
from workbench.views.tree.camera import Camera, Detail

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.node_figures import Test
    from workbench.trees.layout import Layout
    from workbench.trees.tree import Tree

BOXES = {Detail.NEAR: (152.0, 126.0, 50.0, 50.0), Detail.MIDDLE: (96.0, 64.0, 28.0, 24.0)}
FAR_SIZE = 10.0


@dataclass(frozen=True, eq=False)
class TreeScene:
    """One tree, its layout, and what the words and colours of its nodes come from.

    Attributes
    ----------
    weight_limit : float
        |w*| at the ends of the weight ramp.
    missing : ndarray of bool, or None
        Which features have missing values; None while nobody knows.
    """

    tree: Tree
    layout: Layout
    schema: DataSchema
    weight_limit: float
    missing: NDArray[np.bool_] | None = None
    _tests: dict[int, Test] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: Tree, schema: DataSchema, limit: float, missing: NDArray[np.bool_] | None) -> TreeScene:
        """Lay out a tree; for large ones in a job."""
        return cls(tree, lay_out(tree), schema, limit, missing)

    def test(self, node: int) -> Test:
        """The question of a split."""
        if node not in self._tests:
            self._tests[node] = test_of(self.tree, node, self.schema)
        return self._tests[node]

    def share(self, node: int) -> float:
        """Share of the tree's rows that reach a node."""
        return row_share(self.tree, node)

    def rows(self, node: int) -> str:
        """How many rows reach a node, "" where a file does not say."""
        return rows_text(int(self.tree.nodes["count"][node])) if knows_rows(self.tree) else ""

    def weight_share(self, node: int) -> float:
        """A leaf's weight as a share of the ramp's limit."""
        return fair_share(float(self.tree.nodes["weight"][node]), self.weight_limit)

    def gain_share(self, node: int) -> float:
        """A split's gain as a share of the largest of the tree, 0 to 1."""
        share = fair_share(float(self.tree.nodes["gain"][node]), self.largest_gain)
        return min(max(share, 0.0), 1.0)

    @property
    def largest_gain(self) -> float:
        """The largest gain of the tree's splits; 0 for a leaf alone."""
        gains = self.tree.nodes["gain"]
        return float(np.nanmax(gains)) if np.isfinite(gains).any() else 0.0

    def missing_goes(self, node: int) -> bool:
        """Whether missing values take the edge to this node, and the column has some."""
        parent = int(self.tree.nodes["parent"][node])
        if parent < 0 or self.missing is None or not self.missing[self.tree.nodes["feature"][parent]]:
            return False
        return bool(self.tree.nodes["default_left"][parent]) == (answer(self.tree, node) == "yes")

    def edge_words(self, node: int) -> str:
        """What stands beside the edge to a node: "yes", "no", with "?" where missing values go."""
        return answer(self.tree, node) + (" ?" if self.missing_goes(node) else "")

    def sentence(self, node: int) -> str:
        """The node in words, for those who hear the tree."""
        nodes = self.tree.nodes
        if self.tree.is_leaf[node]:
            said = f"leaf, weight {weight_text(nodes['weight'][node])}"
        else:
            said = f"{self.test(node).text}, gain {gain_text(nodes['gain'][node])}"
        said = ", ".join(part for part in (said, self.rows(node), share_text(self.share(node))) if part)
        if not node:
            return f"root, {said}"
        return f"{answer(self.tree, node)} of {self.test(int(nodes['parent'][node])).text}: {said}"

    def rect(self, node: int, camera: Camera) -> QRectF:
        """The box of a node in pixels."""
        x, y = camera.at(float(self.layout.x[node]), float(self.layout.y[node]))
        width, height = self.size(bool(self.tree.is_leaf[node]), camera)
        return QRectF(x - width / 2, y, width, height)

    def size(self, leaf: bool, camera: Camera) -> tuple[float, float]:
        """Width and height of a box; narrower than nominal where the neighbours are near."""
        if camera.detail is Detail.FAR:
            return FAR_SIZE, FAR_SIZE
        split_width, leaf_width, split_height, leaf_height = (
            side * camera.scale for side in BOXES[camera.detail])
        near = camera.detail is Detail.NEAR
        leaf_width = min(leaf_width, camera.slot - (12 if near else 6))
        if not near:  # levels may be near each other where there is much room across
            split_width = max(split_width, min(camera.slot * 1.1, BOXES[Detail.NEAR][0]))
        split_width = min(split_width, 2 * camera.slot - 8, 3 * camera.slot - leaf_width - 8)
        return (leaf_width, leaf_height) if leaf else (split_width, split_height)

    def bounds(self, camera: Camera) -> QRectF:
        """The room of the whole tree in pixels."""
        left, top = camera.at(self.layout.left, 0)
        right, bottom = camera.at(self.layout.right, self.layout.depth)
        width, height = self.size(True, camera)
        return QRectF(QPointF(left - width / 2, top), QPointF(right + width / 2, bottom + height))

    def node_at(self, point: QPointF, camera: Camera) -> int | None:
        """The node under a point: the nearest of those whose box, or a target of 24 px, holds it."""
        x = camera.x + self.layout.x * camera.slot
        y = camera.y + self.layout.y * camera.pitch
        sizes = np.array([self.size(False, camera), self.size(True, camera)])[self.tree.is_leaf.astype(int)]
        across = np.abs(x - point.x())
        down = np.abs(y + sizes[:, 1] / 2 - point.y())
        reach = np.maximum(sizes / 2, 12.0)
        hits = np.flatnonzero((across <= reach[:, 0]) & (down <= reach[:, 1]))
        return int(hits[(across[hits] + down[hits]).argmin()]) if len(hits) else None

    def path(self, node: int | None) -> frozenset[int]:
        """The nodes below the root on the way to `node`: each names its edge."""
        return frozenset(path_to(self.tree, node)[1:]) if node is not None else frozenset()


def rows_text(rows: int) -> str:
    """So many rows: "1 row", "1,030 rows"."""
    return f"{count(rows)} row" + ("" if rows == 1 else "s")


def share_text(share: float) -> str:
    """A share of the rows: "23 %", "0.2 %", "<0.1 %"."""
    return "<0.1 %" if 0 < share < 0.0005 else percent(share, 0 if share >= 0.01 else 1)


def gain_text(gain: float) -> str:
    """A gain in a node: three decimals, fewer for large ones."""
    return fixed(gain) if abs(gain) < 1000 else figure(gain, 5)


def weight_text(weight: float, decimals: int = 3) -> str:
    """A leaf's weight with its sign."""
    if abs(weight) < 1000:
        return signed(weight, decimals)
    return ("+" if weight > 0 else "") + figure(weight, 5)
