"""The left dock's list of trees, and the facts of the shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QVBoxLayout,
    QWidget,
)

from workbench.views.base import VIEWS, Bench, View
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import Heading
from workbench.views.numbers import count, figure
from workbench.views.style import set_look
from workbench.views.tree.list import TreeDelegate, TreeListHeader, TreeListModel
from workbench.views.tree.pace import Pace
from workbench.views.tree.ramp import WeightRamp
from workbench.views.tree.scale import WeightScale
from workbench.views.tree.scene import gain_text

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from workbench.session.run import Run
    from workbench.trees.tree import Tree

PADDING = 14
EMPTY = "No trees yet. Choose the target, then Train."
FACTS = (  # name, tone
    ("Leaves, depth", ""), ("Gain, all splits", ""), ("Structure score", "score"),
    ("Ω of this tree", "omega"), ("Change of loss, promised", ""), ("Change of loss, delivered", ""),
)


@VIEWS.register
class TreesPanel(View):
    """Facts, the colours of leaves, and all trees to choose from."""

    name, title, place, order = "trees", "Trees", "left", 30

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._pace = Pace(self.synchronize, self)
        self._scale = WeightScale()
        self.heading, self.list_heading = Heading("Tree"), Heading("All trees")
        self.values = [QLabel() for _ in FACTS]
        self.ramp = WeightRamp()
        self.sort_button = CaretButton("sort: round", flat=True)
        self.model = TreeListModel(self)
        self.list = QListView()
        self.delegate = TreeDelegate(self.model, self.list)
        self.empty = QLabel(EMPTY)
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(2)
        self._facts = QWidget()
        inner = QVBoxLayout(self._facts)
        inner.setContentsMargins(PADDING, 0, PADDING, 0)
        inner.setSpacing(6)
        inner.addWidget(self.heading)
        inner.addLayout(self._build_facts())
        inner.addSpacing(6)
        inner.addWidget(Heading("Leaf weight w*"))
        inner.addWidget(self.ramp)
        inner.addSpacing(4)
        inner.addLayout(self._build_list_head())
        inner.addSpacing(-4)
        inner.addWidget(TreeListHeader())
        column.addWidget(self._facts)
        column.addWidget(self._build_list(), 1)
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(PADDING, 4, PADDING, 0)
        set_look(self.empty, tone="2")
        column.addWidget(self.empty)
        column.addStretch(0)

    def _build_facts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for row, ((words, tone), value) in enumerate(zip(FACTS, self.values, strict=True)):
            label = ElidedLabel(words)
            set_look(label, tone="2")
            if tone:
                set_look(value, tone=tone)
            value.setAccessibleName(words)
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)
        return grid

    def _build_list_head(self) -> QHBoxLayout:
        self.sort_button.setToolTip("Order by round, or by gain")
        self.sort_button.clicked.connect(self._toggle_sort)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.list_heading, 1)
        row.addWidget(self.sort_button)
        return row

    def _build_list(self) -> QListView:
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName("All trees")
        set_look(self.list, ground="panel")
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self.list.selectionModel().currentChanged.connect(self._follow_keys)
        return self.list

    def bind(self, bench: Bench) -> None:
        self._bench = bench
        events = bench.session.events
        for signal in (events.runs, events.state, events.selection):
            signal.connect(self.synchronize)
        events.rounds.connect(self._rounds_added)
        self.synchronize()

    def restyle(self) -> None:
        self.delegate.forget_shapes()
        self.update()

    def _rounds_added(self) -> None:
        if self._bench is not None:
            self._pace.follow(self._bench.session)

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the facts of the shown tree and mark it in the list, where somebody sees it."""
        if self._bench is None or not self.isVisible():
            return
        session = self._bench.session
        run, tree = session.run, session.shown_tree
        for part in (self._facts, self.list):
            part.setVisible(tree is not None)
        self.empty.setVisible(tree is None)
        if run is None or tree is None:
            self.model.show_run(None, 0)
            return
        self._show_facts(run, tree, session.shown_round)
        self._show_list(run, tree, session.shown_round)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronize()

    def _show_facts(self, run: Run, tree: Tree, round_: int) -> None:
        labels = run.schema.class_labels if run.schema is not None else ()
        self.heading.set_title(f"Tree {round_}")
        names = run.output_names
        self.heading.set_note(f"{'class ' * bool(labels)}{names[tree.class_index]}" if names else "")
        event = run.rounds[round_ - 1]
        texts = (
            f"{count(tree.n_leaves)}, {tree.depth}", gain_text(tree.total_gain),
            gain_text(tree.structure_score), figure(tree.omega, 2 if tree.omega < 0.1 else 4),
            figure(event.promised), figure(event.delivered),
        )
        for value, text in zip(self.values, texts, strict=True):
            value.setText(text)
        ends = ("", "")
        if len(labels) == 2:
            ends = (str(labels[0]), str(labels[1]))
        self.ramp.show_limit(self._scale.limit(run), ends)

    def _show_list(self, run: Run, tree: Tree, round_: int) -> None:
        self.model.weight_limit = self._scale.limit(run)
        at_end = self.list.verticalScrollBar().value() == self.list.verticalScrollBar().maximum()
        self.model.show_run(run, tree.class_index)
        self.list_heading.set_title(f"All {count(len(run.rounds))} trees")
        row = self.model.row_of(round_)
        if row != self.list.currentIndex().row():
            with QSignalBlocker(self.list.selectionModel()):
                self.list.setCurrentIndex(self.model.index(row))
            if at_end or not run.is_live:
                self._bring_into_view(row)
            self.list.viewport().update()

    def _bring_into_view(self, row: int) -> None:
        """Scroll to a row that is out of sight; its neighbours come with it."""
        index, hint = self.model.index(row), QAbstractItemView.ScrollHint.PositionAtCenter
        if not self.list.viewport().rect().contains(self.list.visualRect(index)):
            self.list.scrollTo(index, hint)

    # --- what a person does -----------------------------------------------------------------

    def _choose(self, index: QModelIndex | QPersistentModelIndex) -> None:
        if self._bench is not None and index.isValid():
            self._bench.session.select(round=self.model.round_at(index.row()))

    def _follow_keys(self, index: QModelIndex) -> None:
        if self.list.hasFocus():
            self._choose(index)

    def _toggle_sort(self) -> None:
        self.model.sort_by_gain(not self.model.by_gain)
        self.sort_button.setText("sort: gain" if self.model.by_gain else "sort: round")
        self.synchronize()
