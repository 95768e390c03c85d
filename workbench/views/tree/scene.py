"""A tree ready to be painted: what its nodes say, where they stand, and how they look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.drawing.layout import ALL_LEVELS, lay_out
from workbench.views.look.theme import theme
from workbench.views.tree.arrangement import TOP_DOWN, Arrangement
from workbench.views.tree.looks import Looks
from workbench.views.tree.node_facts import NodeFacts
from workbench.views.tree.node_places import NodePlaces

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.drawing.layout import Layout
    from workbench.explain.node_targets import NodeTargets
    from workbench.trees.tree import Tree
    from workbench.views.tree.colouring import Palette
    from workbench.views.tree.looks import FarLook, NodeLook


@dataclass(frozen=True, eq=False)
class TreeScene:
    """One tree, its layout, and how its nodes look.

    Attributes
    ----------
    facts : NodeFacts
        What the nodes say.
    arrangement : Arrangement
        The layout's.
    folded : frozenset of int
        Splits below which a person wants nothing drawn.
    looks : Looks
        How nodes look: as stored, or changed.
    """

    facts: NodeFacts
    arrangement: Arrangement = TOP_DOWN
    folded: frozenset[int] = frozenset()
    looks: Looks = field(default_factory=Looks)
    _looks: dict[str, dict[int, NodeLook]] = field(default_factory=dict, init=False)
    _far_looks: dict[str, FarLook] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls, tree: Tree, schema: DataSchema, palette: Palette, missing: NDArray[np.bool_] | None = None,
        arrangement: Arrangement = TOP_DOWN, depth: int | None = None, folded: Set[int] = frozenset(),
        unit: str = "",
    ) -> TreeScene:
        """Lay out a tree and colour it; large ones in a job."""
        layout = lay_out(tree, folded=folded, depth=ALL_LEVELS if depth is None else depth,
                         gaps=arrangement.gaps, cells=arrangement.is_cells)
        facts = NodeFacts(tree, layout, schema, palette, missing, unit=unit)
        return cls(facts, arrangement, frozenset(folded))

    def with_colours(self, palette: Palette, missing: NDArray[np.bool_] | None) -> TreeScene:
        """The same tree in other colours."""
        if palette is self.palette and missing is self.missing:
            return self
        return replace(self, facts=replace(self.facts, palette=palette, missing=missing))

    def with_targets(self, targets: NodeTargets | None) -> TreeScene:
        """The same tree, which also tells what the target is in its nodes."""
        if targets is self.facts.targets:
            return self
        return replace(self, facts=replace(self.facts, targets=targets))

    @property
    def tree(self) -> Tree:
        """The tree that is painted."""
        return self.facts.tree

    @property
    def layout(self) -> Layout:
        """Where its nodes stand, in widths of a leaf and levels."""
        return self.facts.layout

    @property
    def palette(self) -> Palette:
        """The colours of its nodes."""
        return self.facts.palette

    @property
    def missing(self) -> NDArray[np.bool_] | None:
        """Which features have missing values."""
        return self.facts.missing

    @cached_property
    def places(self) -> NodePlaces:
        """Where its nodes stand in a window."""
        return NodePlaces(self.tree, self.layout, self.arrangement, self.looks.leaf_boxes(self.tree))

    def look(self, node: int) -> NodeLook:
        """What a node shows in the present theme; kept, for each frame asks for it again."""
        return self.looks_of([node])[0]

    def looks_of(self, nodes: Sequence[int]) -> list[NodeLook]:
        """The same of many nodes."""
        kept = self._looks.setdefault(theme().name, {})
        for node in nodes:
            if node not in kept:
                kept[node] = self.looks.look(self.facts, node)
        return [kept[node] for node in nodes]

    @property
    def far_look(self) -> FarLook:
        """All nodes as marks in the present theme."""
        name = theme().name
        if name not in self._far_looks:
            self._far_looks[name] = self.looks.far(self.facts)
        return self._far_looks[name]
