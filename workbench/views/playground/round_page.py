"""What the pages with a picture of a round have in common: the run, its columns, the side column, words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.explain.plane.picture_asked import PictureAsked
from workbench.number_text import counted, figure
from workbench.session.run import RunState
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.paged.page import TabPage
from workbench.views.playground.first_split import FirstSplitPlot, gain_curve
from workbench.views.playground.side_column import NARROW_WIDTH, WIDTH, SideColumn
from workbench.views.playground.told_line import ToldLine, ToldWords
from workbench.views.turns.held import is_held, painted_in_own_event

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter, QResizeEvent

    from workbench.data.dataset import Dataset
    from workbench.explain.plane.round_picture import RoundPicture
    from workbench.explain.split_scan import ColumnScan
    from workbench.session.playground.drawing import Drawing
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.base import Bench
    from workbench.views.playground.hand_plot import HandPlot

LINE = 18  # pixels of a line that explains
ROOM = 0.05  # round the rows of a table, as a share of their span
LATE_SECONDS = 0.25  # that the side column may be behind the plot, while a hand moves on and on
WIDE = 900  # pixels of a page from which the side column has its full width
NO_SPLITS = "A linear model has no splits. Its weights are under Training."
NO_TABLE = "Open a table and train on it, or choose a pattern under Draw."
UNSPLIT = "Tree {} has no split: no cut gained enough, or left each side enough hessian and rows."
NOT_TRAINED = "Train a run to see what it says of two columns, or choose a pattern under Draw."


class RoundPage(TabPage):
    """A page that follows the run, its rounds and the hand."""

    n_columns = 2
    scan_beside = True  # whether the scan of the first split stands in the side column

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._session, self._desk = bench.session, bench.playground
        self._picture: RoundPicture | None = None
        self._scans: tuple[ColumnScan, ...] | None = None  # that are shown
        self._beside: tuple[Run, int, int, Tree | None] | None = None  # what the side column shows
        self._beside_since = 0.0
        self._limits: dict[int, tuple[float, float]] = {}
        self._limits_of: Dataset | None = None
        self._held = -1  # the point in hand
        self._does = ""  # what the hand does to it
        self.stretches: dict[QWidget, int] = {}
        self.plots: tuple[HandPlot | FirstSplitPlot, ...] = ()  # from above
        self.side = SideColumn(with_scan=self.scan_beside)
        self._scroll = DockScroll(self.side)
        set_look(self._scroll, ground="panel")
        self.told, self.explained = ToldLine(), Label()

    def _build(self, *plots: QWidget) -> None:
        self.explained.setWordWrap(True)
        self.explained.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.explained.setFont(ui_font(NOTE))
        self.explained.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        set_look(self.explained, tone="2")
        words = QVBoxLayout()
        words.setContentsMargins(16, 6, 16, 10)
        words.setSpacing(2)
        words.addWidget(self.told)
        words.addWidget(self.explained)
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        above = QVBoxLayout()
        above.setContentsMargins(8, 8, 16, 6)
        above.setSpacing(2)
        for plot in plots:
            above.addWidget(plot, self.stretches.get(plot, 0))
        left.addLayout(above, 1)
        left.addWidget(rule())
        left.addLayout(words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, 1)
        row.addWidget(rule(vertical=True))
        row.addWidget(self._scroll)

    @property
    def is_wide(self) -> bool:
        """Whether words have room in the line."""
        return self.width() >= px(WIDE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.explained.setFixedHeight(px(LINE) * (2 if self.is_wide else 3))
        width = px(WIDTH) if self.is_wide else NARROW_WIDTH
        self.side.setFixedWidth(width)
        self._scroll.setFixedWidth(width)

    # --- what is looked at ------------------------------------------------------------------

    @property
    def points(self) -> Drawing | None:
        """The points as the hand left them; None for a table, and for points of another page."""
        points = self._session.playground.points
        return points if points is not None and points.is_line == (self.n_columns == 1) else None

    @property
    def run(self) -> Run | None:
        """The run whose picture is shown: with rows and trees, and of the points that are drawn."""
        run = self._desk.run
        if run is None or run.dataset is None or run.started is None or run.state is RunState.PREPARING:
            return None
        drawing = self._session.playground.drawing
        if drawing is None:
            return None if self._desk.problem else run  # a sentence does not stand over another model
        if self.points is None:
            return None
        is_settled = self._session.playground.draft is None and self._desk.sketch is None
        table, schema = self._session.data.table, run.dataset.schema
        is_stale = is_settled and table is not None and schema.sha256 != table.sha256
        return None if is_stale or len(schema.features) != self.n_columns else run

    def numeric_columns(self, run: Run) -> list[int]:
        """The columns that can be an axis, those that trees ask about, or that weigh, first in front."""
        assert run.dataset is not None
        features = run.dataset.schema.features
        usable = [place for place, feature in enumerate(features) if not feature.is_categorical]
        asked: dict[int, None] = {}
        for event in run.rounds[:20]:
            for tree in event.trees:
                asked |= dict.fromkeys(tree.nodes["feature"].tolist())
        first = run.rounds[:2][-1].linear if run.is_linear and run.rounds else None  # whatever λ comes to
        if first is not None:
            usable.sort(key=lambda place: -first.importance[place])
        return list(dict.fromkeys([*filter(set(usable).__contains__, asked), *usable]))

    def columns(self, run: Run) -> tuple[int, ...]:
        """The columns of the axes, fewer than wanted where there are no more."""
        assert run.dataset is not None
        if self.points is not None:
            return tuple(range(self.n_columns))
        names, usable = run.dataset.schema.names, self.numeric_columns(run)
        view = self._session.playground.view
        chosen = [names.index(name) for name in (view.x, view.y)[: self.n_columns] if name in names]
        others = [place for place in usable if place not in chosen]
        return tuple([*chosen, *others][: self.n_columns])

    def limits(self, run: Run, column: int) -> tuple[float, float]:
        """The ends of an axis: those of the paper, or of the column's values with some room."""
        if self.points is not None:
            ends = self.points.limits
            return (ends[0], ends[1]) if column == 0 else (ends[2], ends[3])
        assert run.dataset is not None
        if run.dataset is not self._limits_of:
            self._limits, self._limits_of = {}, run.dataset
        if column not in self._limits:
            values = run.dataset.features[:, column]
            values = values[np.isfinite(values)]
            low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
            room = ROOM * ((high - low) or 1.0)
            self._limits[column] = low - room, high + room
        return self._limits[column]

    def asked(self, run: Run) -> PictureAsked | None:
        """What of the run's round is looked at; None where it has too few columns."""
        columns = self.columns(run)
        if len(columns) < self.n_columns:
            return None
        trees = run.trees(self._desk.round) if self._desk.round else ()
        place = min(self._session.shown.selection.class_index, max(len(trees) - 1, 0))
        limits = tuple(self.limits(run, column) for column in columns)
        return PictureAsked(self._desk.round, place, columns, limits, self._fixed_row(run))

    def _fixed_row(self, run: Run) -> int | None:
        """The row of the dataset at which the other columns stand."""
        row = self._session.shown.selection.row
        if self.points is not None or self._session.playground.view.others != "row" or row is None:
            return None
        assert run.dataset is not None
        found = np.flatnonzero(run.dataset.table_rows == row)
        return int(found[0]) if len(found) else None

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        run = self.run
        asked = self.asked(run) if run is not None else None
        if run is None or asked is None:
            self._picture = self._scans = self._beside = None
            self.side.show_tree(None, 0, None)
            self.side.show_scan((), None, None)
            self.show_nothing(self._nothing(run))
            return
        picture = self._desk.picture(run, asked)
        if picture is not None:
            self._picture = picture
        elif self._picture is not None and self._picture.asked.columns != asked.columns:
            self._picture = None
        tree = run.trees(asked.round)[asked.place] if asked.round and not run.is_linear else None
        beside, now = (run, len(run.rounds), asked.round, tree), time.monotonic()
        is_late = not self._desk.is_behind or now >= self._beside_since + LATE_SECONDS
        has_another = beside != self._beside and is_late
        scans = self._desk.scan(run, asked)
        has_scans = scans is not None and scans is not self._scans
        side, changed = self.side, list[QWidget](self.plots[1:])
        changed += [side.tree, side.loss] * has_another + [side.split] * has_scans
        if changed:  # all at once they would stop the hand
            painted_in_own_event(*changed)
            self._desk.let_paint(lambda: not any(map(is_held, changed)))
        if has_another:
            self._beside, self._beside_since = beside, now
            side.show_tree(run, asked.round, tree)
        if has_scans:
            self._scans = scans
            names = run.dataset.schema.names  # type: ignore[union-attr]
            pairs = zip(asked.columns, scans or (), strict=False)
            side.show_scan([gain_curve(names[c], scan) for c, scan in pairs], tree, run)
        self.show_round(run, asked)

    def show_nothing(self, sentence: str) -> None:
        """Show points, if any, and what to do."""
        raise NotImplementedError

    def show_round(self, run: Run, asked: PictureAsked) -> None:
        """Show the picture that is known, maybe one of a moment ago."""
        raise NotImplementedError

    def _nothing(self, run: Run | None) -> str:
        """Why there is no picture, and what to do."""
        if self._session.playground.drawing is not None and self.points is not None:
            clash = self._session.clash
            return self._desk.problem or (clash.text if clash is not None else "")
        if self._desk.problem:
            return self._desk.problem
        if self._session.data.table is None:
            return NO_TABLE
        return NOT_TRAINED if run is None else ""

    def others_words(self, run: Run) -> str:
        """Where the other columns stand, or what a hand can do."""
        if self.points is not None:
            grown, total = grown_word(run), len(run.rounds)
            if total == 1:
                return "Drag a point."
            if total and self._desk.round == total:
                return f"Drag a point, or press ← for the {grown} before."
            return f"Drag a point, or press → for the next {grown}."
        if run.dataset is None or run.dataset.features.shape[1] <= self.n_columns:
            return ""
        row = self._fixed_row(run)
        if row is None:
            return "The other columns are averaged over rows."
        return f"The other columns are as in row {run.dataset.table_rows[row] + 1}."

    def unsplit_words(self, run: Run, round: int) -> str:
        """Why a round has no split; "" where it has one."""
        if run.is_linear or any(tree.n_leaves > 1 for tree in run.trees(round)):
            return ""
        return run.notes[-1] if run.notes else UNSPLIT.format(round)

    def grown_words(self, run: Run, asked: PictureAsked) -> list[ToldWords]:
        """The leaves of the shown tree, or the λ of a linear model."""
        linear = run.rounds[asked.round - 1].linear
        if linear is not None:
            return [ToldWords("λ"), ToldWords(figure(linear.reg_lambda), "text1", True)]
        leaves = counted(run.trees(asked.round)[asked.place].n_leaves, "leaf", "leaves")
        return [ToldWords(f"Tree {asked.round}:"), ToldWords(leaves, "text1", True)]

    def loss_words(self, run: Run, round: int) -> list[ToldWords]:
        """The loss after a round, and what it was."""
        values = run.history.column(f"train:{run.watched}")
        if not round or round > len(values) or run.started is None:
            return []
        before = run.started.initial_train.get(run.watched) if round == 1 else float(values[round - 2])
        name = run.facts.metric(run.watched).short
        name = name[:1].upper() + name[1:]
        was = [] if before is None else [ToldWords(f", was {figure(before)}")]
        return [ToldWords(name), ToldWords(figure(float(values[round - 1])), "train", True), *was]

    # --- export -----------------------------------------------------------------------------

    @property
    def picture_size(self) -> QSize:
        return QSize(max(plot.width() for plot in self.plots), sum(plot.height() for plot in self.plots))

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        for plot in self.plots:
            painter.save()
            plot.paint(painter)
            painter.restore()
            painter.translate(0, plot.height())

    def figures(self) -> list[tuple[Any, ...]]:
        run, picture = self.run, self._picture
        if run is None or run.schema is None or picture is None:
            return []
        placed, names = picture.points, [run.schema.names[column] for column in picture.asked.columns]
        k = picture.asked.place if run.output_names else 0
        labels = run.schema.class_labels
        truth = [labels[int(value)] for value in placed.target] if labels else placed.target.tolist()
        columns = [*placed.places.T.tolist(), truth]
        columns += [values[k].tolist() for values in (placed.before, placed.gradients, placed.hessians)]
        return [(*names, run.schema.target, "before", "g", "h"), *zip(*columns, strict=True)]

    # --- the hand ---------------------------------------------------------------------------

    def follow_hand(self, plot: HandPlot) -> None:
        """Let points be drawn, moved, erased and scattered in a plot."""
        plot.pressed.connect(self._press)
        plot.dragged.connect(self._drag)
        plot.swept.connect(self._sweep)
        plot.released.connect(self._release)
        plot.stepped.connect(self._desk.step)
        plot.pointed.connect(self.tell)

    def tell(self, point: int) -> None:
        """Tell what is known of a point that is pointed at."""
        raise NotImplementedError

    def take_in_hand(self, drawing: Drawing, told: str) -> None:
        """Let points be in hand, and train on them."""
        self._session.playground.hold(drawing)
        self._desk.retrain(told)

    def _press(self, x: float, y: float, point: int, is_right: bool) -> None:
        points, view = self.points, self._session.playground.view
        if points is None:
            self._select(point)
            return
        self._desk.hold(True)
        if view.brush == "move" or (point >= 0 and not is_right):
            self._held, self._does = point, "Move points"
            return
        label = 1 - view.ink if is_right else view.ink
        drawing = points.added(x, y, label)
        self._held, self._does = len(drawing) - 1, "Add points"
        self.take_in_hand(drawing, self._does)

    def _select(self, point: int) -> None:
        run, picture = self.run, self._picture
        if point >= 0 and run is not None and run.dataset is not None and picture is not None:
            row = int(run.dataset.table_rows[picture.points.rows[point]])
            self._session.shown.select(row=row)

    def _drag(self, x: float, y: float) -> None:
        if self.points is not None and 0 <= self._held < len(self.points):
            self.take_in_hand(self.points.moved(self._held, x, y), self._does)

    def _sweep(self, x: float, y: float, across: float, up: float) -> None:
        points = self.points
        if points is None:
            return
        self._desk.hold(True)
        far = ((points.x - x) / across) ** 2 + ((points.y - y) / up) ** 2
        hit = np.flatnonzero(far <= 1)
        if not len(hit):
            return
        if self._session.playground.view.brush == "noise":
            self.take_in_hand(points.scattered(hit, across, up), "Scatter points")
        else:
            self.take_in_hand(points.without(hit), "Erase points")

    def _release(self) -> None:
        self._held = -1
        self._desk.hold(False)


def grown_word(run: Run) -> str:
    """What a round grows: a tree, or nothing but the round of a linear model."""
    return "round" if run.is_linear else "tree"
