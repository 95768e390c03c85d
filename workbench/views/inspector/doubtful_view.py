"""The splits of a run that only fit noise, the most promising first; beside them the roads not taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHeaderView, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from workbench.explain.node_figures import test_of
from workbench.isolation import isolated
from workbench.number_text import count, counted, fixed
from workbench.session.no_trees import NO_TREES, no_trees
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.label import Label
from workbench.views.edits.roads_table import RoadsTable
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.inspector.why.question_delegate import WAY_ROLE, way_text
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index
from workbench.views.tree.palettes import has_holdout
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from workbench.explain.doubtful import RunDoubts
    from workbench.explain.node_figures import Way
    from workbench.session.run import Run

HEADS = ("Tree", "Split", "Gain", "Gain on hold-out rows", "Taken off their loss", "Hold-out rows")
TREE, SPLIT, GAIN, HELD_OUT, DELIVERED, ROWS = range(len(HEADS))
PADDING, WIDEST_TREE = 26, 220  # with the name of its class
WIDTHS = {TREE: 110, GAIN: 90, HELD_OUT: 160, DELIVERED: 150, ROWS: 110}
NO_ROWS = "No hold-out rows, so nothing tells which splits fit noise. Set a share under Data."
NO_TABLE = ("This model came from a file, without rows that could tell which splits fit noise. "
            "Open a table to train on.")
NONE_FOUND = "Every split gains something on the hold-out rows."
NONE_THERE = "Every split of this tree gains something on the hold-out rows."
PAGES = ("Splits that fit noise", "Roads not taken")
ASK_A_NODE = ("The rows of this run stay on the cluster. Choose a node of the tree: with it the workers "
              "add up what the splits of its tree are worth on the hold-out rows.")
WORKING = "Looking at the hold-out rows of every tree."


class DoubtModel(QAbstractTableModel):
    """A line a split."""

    def __init__(self) -> None:
        super().__init__()
        self._run: Run | None = None
        self.doubts: RunDoubts | None = None

    def show(self, run: Run | None, doubts: RunDoubts | None) -> None:
        """Show the splits of a run."""
        if (run, doubts) != (self._run, self.doubts):
            self.beginResetModel()
            self._run, self.doubts = run, doubts
            self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() or self.doubts is None else len(self.doubts.worst)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section == SPLIT else RIGHT
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if index.column() == SPLIT else RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self._text(index.row(), index.column()))
        return self._way(index.row()) if role == WAY_ROLE and index.column() == SPLIT else None

    def _way(self, line: int) -> Way:
        run = self._run
        if run is None or run.schema is None or self.doubts is None:
            return ()
        split = self.doubts.worst[line]
        return ((test_of(run.trees(split.round)[split.place], split.node, run.schema), ""),)

    def _text(self, line: int, column: int) -> str:
        run = self._run
        if run is None or run.schema is None or self.doubts is None:
            return ""
        split = self.doubts.worst[line]
        if column == TREE:
            names = run.tree_names(split.round)
            output = isolated(names[split.place]) if names else ""
            return ", ".join(filter(None, (count(split.round), output)))
        if column == SPLIT:
            return way_text(self._way(line))
        if column == ROWS:
            return count(split.rows)
        return fixed({GAIN: split.gain, HELD_OUT: split.holdout_gain, DELIVERED: split.delivered}[column])


@VIEWS.register
class DoubtfulView(LazyView):
    """Asks for the doubtful splits of the shown run, and lists the worst."""

    name, title, place, order = "doubtful", "Doubtful splits", "bottom", 40

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.model, self.words = DoubtModel(), Label(NO_TREES)
        self.roads = RoadsTable(bench.session, bench.edits)
        self.switch = {name: QPushButton(name) for name in PAGES}
        self.table = FigureTable(self.model, "Splits that only fit noise")
        header = self.table.horizontalHeader()
        for column in range(len(HEADS)):
            width = WIDTHS.get(column)
            stretch = QHeaderView.ResizeMode.Stretch if width is None else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(column, stretch)
            if width is not None:
                self.table.setColumnWidth(column, width)
        set_look(self, ground="data")
        set_look(self.words, tone="2")
        self.words.setContentsMargins(14, 8, 14, 8)
        listed = QWidget()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(listed)
        self._pages.addWidget(self.roads)
        self._build_switch()
        column_layout = QVBoxLayout(listed)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(0)
        column_layout.addWidget(self.words)
        column_layout.addWidget(self.table, 1)
        self.model.modelReset.connect(self._fit_trees)
        self.table.line_chosen.connect(self._choose)
        self.table.line_opened.connect(self._choose)
        self._follow_session()

    def _build_switch(self) -> None:
        group = QButtonGroup(self)
        for place, (name, button) in enumerate(self.switch.items()):
            set_look(button, flat=True, fit="tool")
            button.setCheckable(True)
            button.setAccessibleName(f"Show {name.lower()}")
            group.addButton(button, place)
        self.switch[PAGES[0]].setChecked(True)
        group.idClicked.connect(self._turn)

    def _turn(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        return tuple(self.switch.values())

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.rounds, events.state, events.selection):
            signal.connect(self.synchronize)
        trees = self._bench.explainer.whole_trees
        for inquiry in (trees.doubts, trees.holdout):
            inquiry.answered.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """List what is known of the shown run, where somebody sees it."""
        if not self.isVisible():
            return
        self.roads.synchronize()
        run = self._bench.session.shown.run
        doubts = self._doubts(run)
        self.model.show(run, doubts)
        self.words.setText(self._sentence(run, doubts))
        self.table.setVisible(self.model.rowCount() > 0)
        self.table.choose(self._chosen_line())

    def _doubts(self, run: Run | None) -> RunDoubts | None:
        """Return what is known of a run; where its rows are elsewhere, of the shown tree alone."""
        trees, shown = self._bench.explainer.whole_trees, self._bench.session.shown
        if run is None or not run.rounds:
            return None
        if run.dataset is None and run.there is not None:
            return trees.tree_doubts(run, shown.round, shown.selection.class_index)
        return trees.run_doubts(run) if has_holdout(run) else None

    def _fit_trees(self) -> None:
        """Let the names of the classes be told apart."""
        painted_in_own_event(self.table)
        texts = (self.model.index(line, TREE).data() for line in range(self.model.rowCount()))
        widest = max(map(QFontMetrics(ui_font(BODY)).horizontalAdvance, texts), default=0) + PADDING
        self.table.setColumnWidth(TREE, min(max(WIDTHS[TREE], widest), WIDEST_TREE))

    def _sentence(self, run: Run | None, doubts: RunDoubts | None) -> str:
        if run is None or not run.rounds or run.is_linear:
            return no_trees(run)
        if run.dataset is None:
            return _words_there(run, doubts) if run.there is not None else NO_TABLE
        if not has_holdout(run):
            return NO_ROWS
        if run.no_replay():
            return run.no_replay()
        if doubts is None:
            return WORKING
        found = sum(map(sum, doubts.counts))
        if not found:
            return NONE_FOUND
        listed = f", the {count(len(doubts.worst))} that promised most" if found > len(doubts.worst) else ""
        splits = f"{counted(found, 'split')} of {counted(doubts.rounds, 'round')}"
        return f"{splits} gain nothing or do harm on the hold-out rows{listed}."

    def _chosen_line(self) -> int | None:
        if self.model.doubts is None:
            return None
        session = self._bench.session
        here = (session.shown.round, session.shown.selection.class_index, session.shown.selection.node)
        places = [(split.round, split.place, split.node) for split in self.model.doubts.worst]
        return places.index(here) if here in places else None

    def _choose(self, line: int) -> None:
        if self.model.doubts is not None:
            split = self.model.doubts.worst[line]
            self._bench.session.shown.select(round=split.round, class_index=split.place, node=split.node)


def _words_there(run: Run, doubts: RunDoubts | None) -> str:
    """Return what is said of the shown tree of a run whose rows are elsewhere."""
    if run.started is None or not run.started.n_valid:
        return NO_ROWS
    if doubts is None:
        return ASK_A_NODE
    if not doubts.worst:
        return NONE_THERE
    return f"{counted(len(doubts.worst), 'split')} of this tree gain nothing or do harm on the hold-out rows."
