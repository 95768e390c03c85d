"""What can be done by hand to a tree and its node, as the entries of a menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QMenu

from workbench.errors import one_line
from workbench.isolation import isolated
from workbench.session.editing import no_editing
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.explain.edits.base import Edit
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree
    from workbench.workers.edit_desk import EditDesk

MOST_COLUMNS = 25  # that are offered to be forbidden
WIDEST_NAME = 260  # pixels
LARGE = 20_000  # nodes; below one of so many only the node's own column is offered


class NodePlace(NamedTuple):
    """A tree of a run, and a node of it where one is meant."""

    run: Run
    round: int
    place: int
    node: int | None

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.run.trees(self.round)[self.place]


class EditActions(QObject):
    """Puts its entries into a menu, and asks the desk for the receipt of the one that is chosen."""

    def __init__(self, desk: EditDesk, menu: QMenu) -> None:
        super().__init__(menu)
        self._desk = desk
        self._at: NodePlace | None = None
        self.why, self.prune = QAction(self), QAction("Prune: make a leaf of it", self)
        self.weight, self.drop = QAction("Set weight…", self), QAction("Drop this tree", self)
        self.forbid = QMenu("Forbid a column below here", menu)
        self.why.setEnabled(False)
        self.prune.triggered.connect(self._prune)
        self.weight.triggered.connect(self._weigh)
        self.drop.triggered.connect(self._drop)
        menu.addAction(self.why)
        menu.addAction(self.prune)
        menu.addAction(self.weight)
        menu.addMenu(self.forbid)
        menu.addAction(self.drop)

    def offer(self, at: NodePlace | None) -> None:
        """Offer what can be done there; where nothing can, say why."""
        self._at = at
        problem = no_editing(at.run, at.round) if at is not None else "Click a node of the tree first."
        is_leaf = at is not None and at.node is not None and bool(at.tree.is_leaf[at.node])
        is_split = at is not None and at.node is not None and not is_leaf
        self.why.setText(problem)
        self.why.setVisible(bool(problem))
        self.prune.setVisible(is_split)
        self.weight.setVisible(is_leaf)
        self.forbid.menuAction().setVisible(is_split)
        self.drop.setVisible(at is not None)
        if at is not None:
            self.drop.setText(f"Drop tree {at.round}{_whose(at)}")
        for action in (self.prune, self.weight, self.forbid.menuAction(), self.drop):
            action.setEnabled(not problem)
        if is_split and not problem:
            self._offer_columns()

    def _offer_columns(self) -> None:
        at = self._at
        self.forbid.clear()
        if at is None or at.node is None or at.run.schema is None:
            return
        for column in _columns_below(at.tree, at.node)[:MOST_COLUMNS]:
            name = at.run.schema.names[column]
            action = self.forbid.addAction(menu_words(name), partial(self._forbid, name))
            set_tip(action, name)

    def _prune(self) -> None:
        from workbench.explain.edits.prune import Prune

        at = self._at
        if at is not None and at.node is not None:
            self._ask(Prune(at.round, at.place, at.node))

    def _weigh(self) -> None:
        from workbench.explain.edits.set_weight import SetWeight

        at = self._at
        if at is not None and at.node is not None:
            self._ask(SetWeight(at.round, at.place, at.node, float(at.tree.nodes["weight"][at.node])))

    def _forbid(self, column: str) -> None:
        from workbench.explain.edits.forbid_column import ForbidColumn

        at = self._at
        if at is not None and at.node is not None:
            self._ask(ForbidColumn(at.round, at.place, at.node, column))

    def _drop(self) -> None:
        from workbench.explain.edits.drop_tree import DropTree

        if self._at is not None:
            self._ask(DropTree(self._at.round, self._at.place))

    def _ask(self, edit: Edit) -> None:
        if self._at is not None:
            self._desk.ask(self._at.run, edit)


def shown_place(session: Session, node: int | None) -> NodePlace | None:
    """Return a node of the shown tree as a place for edits; None while there is no tree."""
    shown = session.shown
    if shown.run is None or shown.tree is None:
        return None
    return NodePlace(shown.run, shown.round, shown.place_in_round, node)


def menu_words(name: str) -> str:
    """Return a name for an entry of a menu: short enough, and without keys of its own."""
    shown = QFontMetrics(ui_font(BODY)).elidedText(name, Qt.TextElideMode.ElideMiddle, WIDEST_NAME)
    return isolated(one_line(shown)).replace("&", "&&")


def _whose(at: NodePlace) -> str:
    names = at.run.output_names
    output = names[at.tree.class_index] if names else ""
    if output.isdigit():  # "tree 3 of 7" would be taken for a count
        output = f"class {output}"
    return f" of {menu_words(output)}" if output else ""


def _columns_below(tree: Tree, node: int) -> list[int]:
    """Return the columns that are asked about from a node on: its own first."""
    from workbench.explain.edits.layout import part_of

    own = int(tree.nodes["feature"][node])
    if tree.n_nodes > LARGE:
        return [own]
    found = np.unique(part_of(tree, node).nodes["feature"]).tolist()
    return [own, *(column for column in found if column not in (own, -1))]
