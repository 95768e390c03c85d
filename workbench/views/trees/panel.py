"""The left dock's list of trees, and the facts of the shown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.explain.node_text import class_words, gain_text
from workbench.isolation import isolated
from workbench.number_text import count, counted, figure
from workbench.session.no_trees import NO_TREES, no_trees
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.edits.actions import EditActions, NodePlace
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import Pace
from workbench.views.tree.colouring import COLOURINGS, OTHER, colouring_of
from workbench.views.tree.palettes import Palettes, has_holdout, no_holdout
from workbench.views.trees.list import ORDERS, TreeDelegate, TreeListHeader, TreeListModel
from workbench.views.trees.player import Player
from workbench.views.trees.ramp import ColourRamp
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.tree.colouring import Palette

PADDING = 14
FACTS = (  # name, tone
    ("Leaves, depth", ""), ("Gain, all splits", ""), ("Structure score", "score"),
    ("Ω of this tree", "omega"), ("Loss change, promised", ""), ("Loss change, delivered", ""),
)
SECOND_ORDER = slice(2, 5)  # of the facts: those that only Newton boosting and step functions have
DELIVERED_BY_ROUND = "Loss change of the round"


@VIEWS.register
class TreesPanel(LazyView):
    """Facts, the colours of leaves, and all trees to choose from."""

    name, title, place, order = "trees", "Trees", "left", 30

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._pace = Pace(bench.session, self.synchronize, self)
        self._palettes, self.player = Palettes(), Player(self)
        self.heading, self.list_heading = Heading("Tree"), Heading("All trees")
        self.labels = [ElidedLabel(words) for words, _ in FACTS]
        self.values = [Label() for _ in FACTS]
        self.colours, self.ramp = QComboBox(), ColourRamp()
        self.sort_button = CaretButton("sort: round", flat=True)
        self.play_button = QPushButton("Play")
        self.model = TreeListModel(self)
        self.list = QListView()
        self.delegate = TreeDelegate(self.model, self.list)
        self.empty = Label(NO_TREES)
        self._shapes = InTurns(self._draw_shapes, self, self)
        self._build()
        self._follow_session()

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
        inner.addWidget(Heading("Colour nodes by"))
        inner.addWidget(self._build_colours())
        inner.addWidget(self.ramp)
        inner.addSpacing(4)
        inner.addLayout(self._build_list_head())
        inner.addSpacing(-4)
        self.header = TreeListHeader(self.model)
        inner.addWidget(self.header)
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
        rows = zip(FACTS, self.labels, self.values, strict=True)
        for row, ((words, tone), label, value) in enumerate(rows):
            set_look(label, tone="2")
            if tone:
                set_look(value, tone=tone)
            value.setAccessibleName(words)
            grid.addWidget(label, row, 0)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)
        return grid

    def _build_colours(self) -> QComboBox:
        for name, colouring in COLOURINGS.items():
            self.colours.addItem(colouring.label, name)
        self.colours.setAccessibleName("Colour nodes by")
        self.colours.activated.connect(self._choose_colour)
        return self.colours

    def _build_list_head(self) -> QHBoxLayout:
        set_tip(self.sort_button, "Order the trees by")
        self.sort_button.setAccessibleName("Order of the trees")
        menu = QMenu(self.sort_button)
        for order in ORDERS:
            menu.addAction(order.capitalize()).setData(order)
        menu.triggered.connect(lambda action: self._sort_by(action.data()))
        self.sort_button.setMenu(menu)
        set_look(self.play_button, flat=True, fit="tool")
        set_tip(self.play_button, "Show one round after the other")
        self.play_button.setAccessibleName("Play the rounds")
        self.play_button.clicked.connect(self._play)
        self.player.changed.connect(lambda plays: self.play_button.setText("Stop" if plays else "Play"))
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self.list_heading, 1)
        row.addWidget(self.play_button)
        row.addWidget(self.sort_button)
        return row

    def _build_list(self) -> QListView:
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName("All trees")
        self.menu = QMenu(self.list)
        self.branch = self.menu.addAction("", self._bench.controller.branch_on)
        self.edits = EditActions(self._bench.edits, self.menu)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        set_look(self.list, ground="panel")
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self.list.selectionModel().currentChanged.connect(self._follow_keys)
        return self.list

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.selection, events.display):
            signal.connect(self.synchronize)
        self._bench.explainer.whole_trees.doubts.answered.connect(self._show_doubts)
        self.synchronize()

    def restyle(self) -> None:
        self.delegate.forget_shapes()
        self.update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the facts of the shown tree and mark it in the list, where somebody sees it."""
        if not self.isVisible():
            return
        session = self._bench.session
        run, tree = session.shown.run, session.shown.tree
        for part in (self._facts, self.list):
            part.setVisible(tree is not None)
        self.empty.setVisible(tree is None)
        self.empty.setText(no_trees(run))
        if run is None or tree is None:
            self.model.show_run(None, 0)
            return
        self._shapes.start_soon()
        self._show_facts(run, tree, session.shown.round)
        self._show_list(run, tree, session.shown.round)

    def _show_facts(self, run: Run, tree: Tree, round_: int) -> None:
        labels = run.schema.class_labels if run.schema is not None else ()
        self.heading.set_title(f"Tree {round_}")
        names = run.output_names
        event = run.rounds[round_ - 1]
        notes = [f"{'class ' * bool(labels)}{isolated(names[tree.class_index])}"] if names else []
        if event.dropout is not None:
            notes.append(f"{count(len(event.dropout.dropped))} left out")
        self.heading.set_note(", ".join(notes))
        texts = (
            f"{count(tree.n_leaves)}, {tree.depth}", gain_text(tree.total_gain),
            gain_text(tree.structure_score), figure(tree.omega, 2 if tree.omega < 0.1 else 4),
            figure(tree.figures.promised), figure(event.delivered),
        )
        for value, text in zip(self.values, texts, strict=True):
            value.setText(text)
        for part in (*self.labels[SECOND_ORDER], *self.values[SECOND_ORDER]):
            part.setVisible(run.is_second_order)
        delivered = DELIVERED_BY_ROUND if len(event.trees) > 1 else FACTS[-1][0]
        self.labels[-1].setText(delivered)
        self.values[-1].setAccessibleName(delivered)
        self._show_colours(run, tree, round_)

    def _show_colours(self, run: Run, tree: Tree, round_: int) -> None:
        """Show the chosen quantity with its limits."""
        labels = run.schema.class_labels if run.schema is not None else ()
        ends = (class_words(str(labels[0])), class_words(str(labels[1]))) if len(labels) == 2 else ("", "")
        palette = self._palette(run)
        self.colours.setItemText(self.colours.findData("weight"), colouring_of("weight", run.unit).label)
        self.colours.setCurrentIndex(self.colours.findData(palette.colouring.name))
        choices = self.colours.model()
        if isinstance(choices, QStandardItemModel):
            problem = no_holdout(run, round_)
            item = choices.item(self.colours.findData("holdout"))
            item.setEnabled(not problem)
            set_tip(item, problem)
            set_tip(self.colours, problem and f"{COLOURINGS['holdout'].label}: {problem}")
        if palette.colouring.ramp == "category" and run.schema is not None:
            ranked = palette.features.argsort(kind="stable")
            own = [place for place in ranked if palette.features[place] < OTHER]
            names = [run.schema.features[place].name for place in own]
            self.ramp.show_features(palette.colouring, names, len(palette.features) - len(own))
        else:
            self.ramp.show_scale(palette.colouring, palette.scale(tree), ends)

    def _palette(self, run: Run) -> Palette:
        colour = self._bench.session.shown.display.colour
        return self._palettes.of(run, colour)

    def _show_list(self, run: Run, tree: Tree, round_: int) -> None:
        self.model.palette = self._palette(run)
        at_end = self.list.verticalScrollBar().value() == self.list.verticalScrollBar().maximum()
        self.model.show_doubts(self._doubts(run))
        self.model.show_run(run, tree.class_index)
        self.list_heading.set_title(counted(len(run.rounds), "tree"))
        row = self.model.row_of(round_)
        if row != self.list.currentIndex().row():
            with QSignalBlocker(self.list.selectionModel()):
                self.list.setCurrentIndex(self.model.index(row))
            if at_end or not run.is_live:
                self._bring_into_view(row)
            self.list.viewport().update()

    def _draw_shapes(self) -> Iterator[None]:
        """Draw those of the rows that are seen."""
        viewport = self.list.viewport()
        first, last = (self.list.indexAt(QPoint(0, y)).row() for y in (0, viewport.height() - 1))
        end = last + 1 if last >= 0 else self.model.rowCount()
        yield from self.delegate.draw_ahead(range(max(first, 0), end), self.list.currentIndex().row())

    def _doubts(self, run: Run) -> tuple[tuple[int, ...], ...]:
        """Splits that only fit noise, by round and place, as far as it is known."""
        if not has_holdout(run):
            return ()
        doubts = self._bench.explainer.whole_trees.run_doubts(run)
        return doubts.counts if doubts is not None else ()

    def _show_doubts(self) -> None:
        self.synchronize()
        self.header.update()
        self.list.viewport().update()

    def _bring_into_view(self, row: int) -> None:
        """Scroll to a row that is out of sight; its neighbours come with it."""
        index, hint = self.model.index(row), QAbstractItemView.ScrollHint.PositionAtCenter
        if not self.list.viewport().rect().contains(self.list.visualRect(index)):
            self.list.scrollTo(index, hint)

    # --- what a person does -----------------------------------------------------------------

    def _choose(self, index: QModelIndex | QPersistentModelIndex) -> None:
        if index.isValid():
            self._bench.session.shown.select(round=self.model.round_at(index.row()))

    def _open_menu(self, point: QPoint) -> None:
        """Offer what can be done to the whole tree of a row."""
        index, run = self.list.indexAt(point), self._bench.session.shown.run
        if not index.isValid():
            index = self.list.currentIndex()
        tree = self.model.tree_at(index.row()) if index.isValid() else None
        if run is None or tree is None:
            return
        round_ = self.model.round_at(index.row())
        self._choose(index)
        place = next(k for k, other in enumerate(run.trees(round_)) if other is tree)
        self.edits.offer(NodePlace(run, round_, place, None))
        self.branch.setText(f"Continue from here{self._bench.session.with_objective}")
        self.menu.popup(self.list.viewport().mapToGlobal(point))

    def _follow_keys(self, index: QModelIndex) -> None:
        if self.list.hasFocus():
            self._choose(index)

    def _sort_by(self, order: str) -> None:
        self.model.sort_by(order)
        self.sort_button.setText(f"sort: {order}")
        self.header.update()
        self.synchronize()

    def _choose_colour(self, index: int) -> None:
        self._bench.session.shown.display_trees(colour=self.colours.itemData(index))

    def _play(self) -> None:
        self.player.toggle(self._bench.session)
