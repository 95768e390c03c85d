"""The tree of the shown round in the centre: canvas, class, round, zoom, export."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QVBoxLayout, QWidget

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import missing_columns
from workbench.views.base import VIEWS, Bench, View
from workbench.views.style import set_look
from workbench.views.tree.canvas import KEYS, TreeCanvas
from workbench.views.tree.marks import Marks, marks_of
from workbench.views.tree.pace import Pace
from workbench.views.tree.scale import WeightScale
from workbench.views.tree.scene import TreeScene
from workbench.views.tree.text import tree_text
from workbench.views.tree.tools import TreeTools

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QShowEvent

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree
    from workbench.workers.jobs import Job

LARGE_TREE = 500  # nodes from which a tree is laid out in a job


@VIEWS.register
class TreeView(View):
    """Shows the session's tree; picks nodes, turns rounds."""

    name, title, place, order = "tree", "Tree", "centre", 30

    status_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._pace = Pace(self.synchronize, self)
        self._scale = WeightScale()
        self._missing: NDArray[np.bool_] | None = None
        self._facts_of: Dataset | None = None
        self._fitted_runs: list[Run] = []  # those that the camera was fitted to once
        self._coming: Tree | None = None  # laid out in a job
        self._job: Job | None = None
        self.canvas, self.tree_tools = TreeCanvas(), TreeTools()
        set_look(self, ground="data")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)
        self._connect()

    def _connect(self) -> None:
        self.canvas.picked.connect(self._pick)
        self.canvas.pointed.connect(self._point)
        self.canvas.turned.connect(self._turn)
        tools = self.tree_tools
        tools.turned.connect(self._turn)
        tools.class_chosen.connect(lambda index: self._select(class_index=index))
        tools.fitted.connect(self.canvas.fit)
        tools.zoomed.connect(self.canvas.zoom)
        tools.save_wanted.connect(self._ask_where)
        tools.copy_wanted.connect(self._copy_text)

    def bind(self, bench: Bench) -> None:
        self._bench = bench
        events = bench.session.events
        for signal in (events.runs, events.state, events.selection):
            signal.connect(self.synchronize)
        events.rounds.connect(self._rounds_added)
        events.pointed.connect(self._show_marks)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return self.tree_tools.widgets

    def restyle(self) -> None:
        self.tree_tools.restyle()
        self.canvas.update()

    def _rounds_added(self) -> None:
        if self._bench is not None:
            self._pace.follow(self._bench.session)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the tree of the selected round and class, where somebody sees it."""
        if self._bench is None or not self.isVisible():
            return
        session = self._bench.session
        tree, run = session.shown_tree, session.run
        self.tree_tools.synchronize(session)
        if tree is None or run is None or run.schema is None:
            self._drop_job()
            self.canvas.show_scene(None, Marks())
            return
        self._find_missing(run)
        self._show_tree(tree, run, run.schema)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronize()

    def _show_tree(self, tree: Tree, run: Run, schema: DataSchema) -> None:
        limit, scene = self._scale.limit(run), self.canvas.scene
        if scene is not None and scene.tree is tree:
            self._drop_job()
            self._show_scene(replace(scene, weight_limit=limit, missing=self._missing))
            return
        make = partial(TreeScene.of, tree, schema, limit, self._missing)
        if tree.n_nodes <= LARGE_TREE:
            self._drop_job()
            self._show_scene(make())
        elif tree is not self._coming and self._bench is not None:
            self._drop_job()
            self._coming = tree
            start = self._bench.jobs.start
            self._job = start(lambda _job: make(), done=self._show_laid_out, failed=self._fail)

    def _show_laid_out(self, scene: TreeScene) -> None:
        self._coming = self._job = None
        self._show_scene(scene)

    def _show_scene(self, scene: TreeScene) -> None:
        if self._bench is not None:
            session = self._bench.session
            marks, name = marks_of(session, scene.tree), f"Tree {session.shown_round}"
            self.canvas.show_scene(scene, marks, name, anew=self._is_first_show(session))
            self._tell()

    def _is_first_show(self, session: Session) -> bool:
        """Whether no tree of the session's run was shown before; runs that are gone are forgotten."""
        run, seen = session.run, {id(run) for run in self._fitted_runs}
        self._fitted_runs = [kept for kept in session.runs if id(kept) in seen or kept is run]
        return id(run) not in seen

    def _show_marks(self) -> None:
        if self.canvas.scene is not None and self._bench is not None:
            self.canvas.show_marks(marks_of(self._bench.session, self.canvas.scene.tree))

    def _tell(self) -> None:
        """Say in the status line what is selected."""
        node, subject = self.canvas.marks.selected, self.canvas.accessibleName()
        words = subject if node is None else f"Node {node} of {subject.lower()}"
        self.status_changed.emit(f"{words}. {KEYS}")

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._coming = self._job = None

    def _find_missing(self, run: Run) -> None:
        """Find in a job which columns have missing values, once for each dataset."""
        if run.dataset is self._facts_of or self._bench is None:
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
        self._drop_job()
        if self._bench is not None:
            self._bench.session.notify(text, "error")

    # --- what a person does -----------------------------------------------------------------

    def _current_session(self) -> Session | None:
        """The session, where the canvas shows its tree and no older one."""
        if self._bench is None or self.canvas.scene is None:
            return None
        session = self._bench.session
        return session if self.canvas.scene.tree is session.shown_tree else None

    def _pick(self, node: int | None) -> None:
        """Select a node; while a run trains, hold on to its round."""
        session = self._current_session()
        if session is not None:
            live = session.run is not None and session.run.is_live and node is not None
            self._select(node=node, **({"round": session.shown_round} if live else {}))

    def _point(self, node: int | None) -> None:
        session = self._current_session()
        if session is not None:
            session.point_at(node)

    def _turn(self, rounds: int) -> None:
        session = self._bench.session if self._bench is not None else None
        if session is not None and session.run is not None and session.run.rounds:
            wanted = min(max(session.shown_round + rounds, 1), len(session.run.rounds))
            self._select(round=wanted)

    def _select(self, **values: int | None) -> None:
        if self._bench is not None:
            self._bench.session.point_at(None)
            self._bench.session.select(**values)

    def save_picture(self, path: Path) -> None:
        """Write the whole tree as PNG or SVG."""
        try:
            self.canvas.save_picture(path)
        except (OSError, WorkbenchError) as error:
            self._fail(str(error))

    def _ask_where(self, ending: str) -> None:
        kinds = {"png": "PNG picture (*.png)", "svg": "SVG drawing (*.svg)"}[ending]
        name = self.canvas.accessibleName().lower().replace(" ", "-")
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the tree", f"{name}.{ending}", kinds)
        if chosen:
            self.save_picture(Path(chosen).with_suffix(f".{ending}"))

    def _copy_text(self) -> None:
        scene = self.canvas.scene
        if scene is not None:
            text = tree_text(scene.tree, scene.schema, self.canvas.accessibleName())
            QApplication.clipboard().setText(text)
