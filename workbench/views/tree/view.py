"""The tree of the shown round in the centre: canvas, search, arrangement, depth, export."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.explain.find_nodes import find_nodes
from workbench.explain.node_figures import missing_columns
from workbench.kernels.cache import kernels_ready
from workbench.number_text import counted
from workbench.session.no_trees import FIRST_TREE, NO_TREES, no_trees
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.edits.actions import shown_place
from workbench.views.look.style import set_look
from workbench.views.pace import LATE_MS, Pace
from workbench.views.tree.arrangement import ARRANGEMENTS
from workbench.views.tree.canvas import KEYS, TreeCanvas
from workbench.views.tree.emphasis import Emphasis, emphasis_of
from workbench.views.tree.export import TreeExport
from workbench.views.tree.loader import SceneLoader, Wish
from workbench.views.tree.menu import NodeMenu
from workbench.views.tree.palettes import Palettes, has_holdout
from workbench.views.tree.tools import TreeTools
from workbench.views.tree.trail import Trail, TrailPlace
from workbench.views.tree.what_if_looks import asked_of
from workbench.views.tree.what_if_strip import WhatIfStrip
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.explain.node_targets import NodeTargets
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree
    from workbench.views.tree.scene import TreeScene

FAILED = "This tree could not be laid out. Choose another round, or this one again."
FIRST_TIME = "Kernels for large trees are still being compiled, once after installing."


@VIEWS.register
class TreeView(LazyView):
    """Shows the session's tree; picks nodes, turns rounds."""

    name, title, place, order = "tree", "Tree", "centre", 30

    status_changed = Signal(str)

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._pace = Pace(bench.session, self.synchronize, self)
        self._palettes, self._trail = Palettes(), Trail()
        self._loader = SceneLoader(self._show_scene, self._show_failure)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._missing: NDArray[np.bool_] | None = None
        self._facts_of: Dataset | None = None
        self._fitted_runs: list[Run] = []  # those that the camera was fitted to once
        self._folds: tuple[Tree | None, frozenset[int]] = (None, frozenset())
        self._held: int | None = 0  # the node that was folded last; None after another limit of depth
        self._matches: frozenset[int] = frozenset()
        self.canvas, self.tree_tools, self.menu = TreeCanvas(), TreeTools(), NodeMenu(self, bench.edits)
        self.strip = WhatIfStrip()
        self.export = TreeExport(bench.jobs, self, self._shown, self.status_changed.emit, self._fail)
        set_look(self, ground="data")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self.canvas, 1)
        self._connect()
        self._follow_session()

    def _connect(self) -> None:
        canvas, tools = self.canvas, self.tree_tools
        self._late.timeout.connect(self._tell_wait)
        canvas.picked.connect(self._pick)
        canvas.pointed.connect(self._point)
        canvas.turned.connect(self._turn)
        canvas.folded.connect(self.fold)
        canvas.jumped.connect(self._leave)
        canvas.retraced.connect(self._retrace)
        canvas.menu_wanted.connect(self._open_menu)
        tools.class_chosen.connect(lambda index: self._select(class_index=index))
        tools.arrangement_chosen.connect(lambda name: self._display(arrangement=name))
        tools.depth_chosen.connect(lambda depth: self._display(depth=depth))
        tools.fitted.connect(canvas.fit)
        tools.search.textChanged.connect(self._search)
        tools.search.wanted.connect(self._go_to)
        tools.search.left.connect(lambda: canvas.setFocus(Qt.FocusReason.OtherFocusReason))
        self.export.fill(tools.export_menu)
        self._connect_menu()
        QShortcut(QKeySequence.StandardKey.Find, self, tools.search.setFocus)

    def _connect_menu(self) -> None:
        menu, canvas = self.menu, self.canvas
        menu.zoom_to.triggered.connect(lambda: canvas.zoom_to(canvas.marks.selected or 0))
        menu.fold.triggered.connect(lambda: self.fold(canvas.marks.selected or 0))
        menu.unfold_all.triggered.connect(lambda: self._fold_to(frozenset(), 0))
        menu.back.triggered.connect(lambda: self._retrace(-1))
        menu.forward.triggered.connect(lambda: self._retrace(1))
        menu.fit.triggered.connect(canvas.fit)
        menu.zoom_in.triggered.connect(lambda: canvas.zoom(1.25))
        menu.zoom_out.triggered.connect(lambda: canvas.zoom(0.8))
        menu.earlier.triggered.connect(lambda: self._turn(-1))
        menu.later.triggered.connect(lambda: self._turn(1))

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.selection, events.display, events.what_if):
            signal.connect(self.synchronize)
        events.runs.connect(self._trail.forget)
        events.pointed.connect(self._show_marks)
        for inquiry in (self._bench.explainer.whole_trees.holdout, self._bench.explainer.whole_trees.targets):
            inquiry.answered.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return self.tree_tools.widgets

    def restyle(self) -> None:
        self.tree_tools.restyle()
        self.canvas.rescale()
        self.canvas.update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the tree of the selected round and class, where somebody sees it."""
        if not self.isVisible():
            return
        session = self._bench.session
        tree, run = session.shown.tree, session.shown.run
        self.tree_tools.synchronize(session)
        if tree is None or run is None or run.schema is None:
            self._loader.drop()
            self.canvas.show_scene(None, Emphasis())
            self.canvas.say(no_trees(run))
            self.strip.hide()
            self.status_changed.emit("")
            return
        self._find_missing(run)
        if self._folds[0] is not tree:
            self._folds, self._held = (tree, frozenset()), 0
        display, folded = session.shown.display, self._folds[1]
        arrangement = ARRANGEMENTS[display.arrangement]
        wish = Wish(tree, arrangement, display.depth, folded, session.shown.round, run.unit)
        palette = self._palettes.of(run, display.colour, self._holdout(run, session))
        self._loader.load(self._bench.jobs, wish, self.canvas.scene, run.schema, palette, self._missing,
                          hurries=session.shown.follows(run))
        self._await()

    def _await(self) -> None:
        """Say nothing of a tree that is on its way, and after a while that it is."""
        awaited = self._loader.awaited is not None and self.canvas.scene is None
        if awaited and self.canvas.words in (NO_TREES, FIRST_TREE):
            self.canvas.say("")
            self._late.start()
        elif awaited and not self._late.isActive():
            self._tell_wait()

    def _tell_wait(self) -> None:
        tree = self._loader.awaited
        if tree is not None and self.canvas.scene is None:
            why = "" if kernels_ready(rare=True) else f" {FIRST_TIME}"
            self.canvas.say(f"Laying out {counted(tree.n_nodes, 'node')}.{why}")

    def _holdout(self, run: Run, session: Session) -> HoldOutGains | None:
        """What the splits of the shown tree are worth on the hold-out rows, once somebody knows."""
        if not (has_holdout(run) or run.there is not None):
            return None
        shown = session.shown
        return self._bench.explainer.whole_trees.holdout_gains(run, shown.round, shown.place_in_round)

    def _targets(self, session: Session) -> NodeTargets | None:
        """What the target is in the nodes of the shown tree, once somebody knows."""
        shown = session.shown
        if shown.run is None or not shown.run.has_rows:
            return None
        whole_trees = self._bench.explainer.whole_trees
        return whole_trees.node_targets(shown.run, shown.round, shown.place_in_round)

    def _show_scene(self, scene: TreeScene, round: int) -> None:
        session, before = self._bench.session, self.canvas.scene
        scene = asked_of(session, scene)
        if scene.tree is session.shown.tree:
            scene = scene.with_targets(self._targets(session))
        self.strip.show_session(session)
        if before is None or before.tree is not scene.tree:
            self._find(scene)
        anew = self._is_first_show(session)
        name = f"Tree {round}"
        painted_in_own_event(self.canvas)
        self.canvas.show_scene(scene, self._marks(scene), name, anew=anew, hold=self._held)
        self._tell()

    def _show_failure(self, text: str) -> None:
        """Show no other tree in place of one that could not be laid out."""
        self.canvas.show_scene(None, Emphasis())
        self.canvas.say(FAILED)
        self._fail(text)

    def _is_first_show(self, session: Session) -> bool:
        """Whether no tree of the session's run was shown before; runs that are gone are forgotten."""
        run, seen = session.shown.run, {id(run) for run in self._fitted_runs}
        self._fitted_runs = [kept for kept in session.runs if id(kept) in seen or kept is run]
        return id(run) not in seen

    def _marks(self, scene: TreeScene) -> Emphasis:
        return emphasis_of(self._bench.session, scene.tree, self._matches)

    def _show_marks(self) -> None:
        if self.canvas.scene is not None:
            self.canvas.show_marks(self._marks(self.canvas.scene))

    def _tell(self) -> None:
        """Say in the status line what is selected."""
        node, subject = self.canvas.marks.selected, self.canvas.accessibleName()
        words = subject if node is None else f"Node {node} of {subject.lower()}"
        self.status_changed.emit(f"{words}. {KEYS}")

    def _find_missing(self, run: Run) -> None:
        """Find in a job which columns have missing values, once for each dataset."""
        if run.dataset is self._facts_of:
            return
        self._facts_of, self._missing, dataset = run.dataset, None, run.dataset
        if dataset is not None:
            done = partial(self._take_missing, dataset)
            self._bench.jobs.start(lambda _job: missing_columns(dataset), done=done, failed=self._fail)

    def _take_missing(self, dataset: Dataset, missing: NDArray[np.bool_]) -> None:
        if dataset is self._facts_of:
            self._missing = missing
            self.synchronize()

    def _fail(self, text: str) -> None:
        self._bench.session.notices.say(text, "error")

    # --- searching and folding --------------------------------------------------------------

    def _search(self) -> None:
        if self.canvas.scene is not None:
            self._find(self.canvas.scene)
            self._show_marks()

    def _find(self, scene: TreeScene) -> None:
        search = self.tree_tools.search
        found = find_nodes(scene.tree, scene.facts.schema, search.text())
        self._matches = frozenset(found.tolist())
        search.show_found(found)

    def _go_to(self, node: int) -> None:
        """Select a node that was found, unfold what hides it, and bring it into the window."""
        scene = self.canvas.scene
        if scene is None:
            return
        if not scene.places.is_shown(node):
            self._fold_to(self._folds[1] - scene.places.path(node) - {0}, 0)
            scene = self.canvas.scene or scene
            if not scene.places.is_shown(node):
                self._display(depth=None)
        self._pick(node)
        self.canvas.reveal(node)

    def fold(self, node: int) -> None:
        """Draw nothing below a split, or everything again."""
        scene = self.canvas.scene
        if scene is None or scene.tree.is_leaf[node] or self._current_session() is None:
            return
        folded = self._folds[1] - {node} if node in self._folds[1] else self._folds[1] | {node}
        self._fold_to(folded, node)

    def _fold_to(self, folded: frozenset[int], held: int) -> None:
        self._folds, self._held = (self._folds[0], folded), held
        self.synchronize()

    # --- where one has been -----------------------------------------------------------------

    def _here(self) -> TrailPlace | None:
        session = self._current_session()
        if session is None:
            return None
        chosen = session.shown.selection
        return TrailPlace(chosen.round, chosen.class_index, chosen.node, self.canvas.camera)

    def _leave(self) -> None:
        """Remember where one is, before going elsewhere."""
        here = self._here()
        if here is not None:
            self._trail.leave(here)

    def _retrace(self, step: int) -> None:
        """Go back to where one was, or forward again."""
        here = self._here()
        place = None
        if here is not None:
            place = self._trail.back(here) if step < 0 else self._trail.forward(here)
        if place is not None:
            shown = self._bench.session.shown
            shown.select(round=place.round, class_index=place.class_index, node=place.node)
            if place.camera.arrangement is self.canvas.camera.arrangement:
                self.canvas.motion.go_back_to(place.camera)

    # --- what a person does -----------------------------------------------------------------

    def _shown(self) -> tuple[TreeScene | None, str]:
        return self.canvas.scene, self.canvas.accessibleName()

    def _current_session(self) -> Session | None:
        """The session, where the canvas shows its tree and no older one."""
        if self.canvas.scene is None:
            return None
        session = self._bench.session
        return session if self.canvas.scene.tree is session.shown.tree else None

    def _pick(self, node: int | None) -> None:
        """Select a node; while a run trains, hold on to its round."""
        session = self._current_session()
        if session is not None:
            if node != session.shown.selection.node and session.shown.selection.node is not None:
                self._leave()
            live = session.shown.run is not None and session.shown.run.is_live and node is not None
            self._select(node=node, **({"round": session.shown.round} if live else {}))

    def _point(self, node: int | None) -> None:
        session = self._current_session()
        if session is not None:
            session.shown.point_at(node)

    def _turn(self, rounds: int) -> None:
        session = self._bench.session
        if session.shown.run is not None and session.shown.run.rounds:
            wanted = min(max(session.shown.round + rounds, 1), len(session.shown.run.rounds))
            self._select(round=wanted)

    def _select(self, **values: int | None) -> None:
        self._bench.session.shown.point_at(None)
        self._bench.session.shown.select(**values)

    def _display(self, **values: str | int | None) -> None:
        self._held = None
        self._bench.session.shown.display_trees(**values)

    def _open_menu(self, point: QPoint) -> None:
        scene, node = self.canvas.scene, self.canvas.marks.selected
        if scene is not None:
            session = self._current_session()
            self.menu.offer(scene, node, None if session is None else shown_place(session, node))
            self.menu.popup(point)

    def save_picture(self, path: Path) -> None:
        """Write the whole tree; the file's ending says how."""
        self.export.save(path)
