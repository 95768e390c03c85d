"""A tree under other values: new gains beside the stored ones, rings where splits die, ghosts below them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_text import gain_text, weight_text
from workbench.session.what_if.question import words
from workbench.views.look.theme import theme
from workbench.views.tree.looks import Bar, FarLook, Looks, NodeLook

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.what_if.rescoring import RescoredTree, Values
    from workbench.session.session import Session
    from workbench.trees.tree import Tree
    from workbench.views.tree.node_facts import NodeFacts
    from workbench.views.tree.scene import TreeScene

GHOST_SIZE = 4.0


class WhatIfLooks(Looks):
    """Nothing moves: every node keeps its place, also one that is gone."""

    def __init__(self, tree: Tree, rescored: RescoredTree, values: Values) -> None:
        self._words, self._new = words(values).replace(" and ", ", "), rescored
        self._dies = ~tree.is_leaf & rescored.is_leaf
        self._gone = ~(rescored.is_split | rescored.is_leaf)
        self._tree = changed_tree(tree, rescored)
        self._facts: tuple[NodeFacts, NodeFacts] | None = None

    def leaf_boxes(self, tree: Tree) -> NDArray[np.bool_]:
        boxes: NDArray[np.bool_] = tree.is_leaf | self._dies
        return boxes

    def look(self, facts: NodeFacts, node: int) -> NodeLook:
        if self._gone[node]:
            return self._ghost(facts, node)
        if self._new.is_leaf[node]:
            return self._changed_leaf(facts, node)
        look = super().split(self._changed(facts), node)
        stored, new = float(facts.tree.nodes["gain"][node]), float(self._new.gain[node])
        bars = (Bar(facts.gain_share(new), "train"), Bar(facts.gain_share(stored), "text3", dashed=True))
        widest = max(gain_text(new), gain_text(facts.largest_gain), key=len)
        return replace(look, figure=gain_text(new), widest_figure=widest, bars=bars, warns=False)

    def far(self, facts: NodeFacts) -> FarLook:
        look = super().far(self._changed(facts))
        colors, sizes = look.colors.copy(), look.sizes.copy()
        colors[self._gone] = theme().color("line2").rgb()
        colors[self._dies] = theme().color("warning").rgb()
        sizes[self._gone] = GHOST_SIZE
        return FarLook(colors, sizes, look.is_round)

    def is_ghost_edge(self, node: int) -> bool:
        return bool(self._gone[node])

    def entries(self) -> list[tuple[str, str]]:
        entries = [("train", f"gain with {self._words}"), ("dashed text3", "gain as stored")]
        if self._dies.any():
            entries.append(("ring warning", "pruned: becomes a leaf"))
        if self._gone.any():
            entries.append(("dashed ctl", "ghost: gone with its parent"))
        return entries

    def _changed_leaf(self, facts: NodeFacts, node: int) -> NodeLook:
        look = super().leaf(self._changed(facts), node)
        if self._dies[node]:
            rows = facts.rows(node)
            told = (f"was a split, {rows}", f"was split, {rows}") if rows else ()
            notes = (*told, "was a split", "was split")
            return replace(look, notes=notes, ring="warning", hidden=facts.hidden_words(node))
        stored = float(facts.tree.nodes["weight"][node])
        return replace(look, notes=tuple(f"was {weight_text(stored, n, facts.unit)}" for n in (3, 1)))

    def _ghost(self, facts: NodeFacts, node: int) -> NodeLook:
        gone = "gone with parent"
        if not facts.tree.is_leaf[node]:
            return NodeLook(facts.test(node), notes=(gone,), is_ghost=True)
        weight = float(facts.tree.nodes["weight"][node])
        return NodeLook(weight=weight, unit=facts.unit, notes=(gone,), is_ghost=True)

    def _changed(self, facts: NodeFacts) -> NodeFacts:
        """The same of the changed tree."""
        if self._facts is None or self._facts[0] is not facts:
            self._facts = facts, replace(facts, tree=self._tree)
        return self._facts[1]


def asked_of(session: Session, scene: TreeScene) -> TreeScene:
    """Return the scene as its tree is with what is asked of the shown run; as stored where nothing is."""
    run = session.shown.run
    rescored = run.what_if.rescored if run is not None and run.what_if.is_on else None
    if rescored is None or scene.tree is not session.shown.tree:
        return replace(scene, looks=Looks()) if isinstance(scene.looks, WhatIfLooks) else scene
    own = rescored.tree(session.shown.place)
    return replace(scene, looks=WhatIfLooks(scene.tree, own, rescored.values))


def changed_tree(tree: Tree, rescored: RescoredTree) -> Tree:
    """Return the tree with its nodes in place, whose weights and gains are the new ones."""
    nodes = tree.nodes.copy()
    nodes["weight"] = rescored.weight
    nodes["gain"] = np.where(rescored.is_split, rescored.gain, 0.0)
    nodes["feature"] = np.where(rescored.is_split, nodes["feature"], -1)
    return replace(tree, nodes=nodes, grown_figures=None)
