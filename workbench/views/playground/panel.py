"""The left dock page Draw: what to begin from, the brush, parameters that follow the hand, what is shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.isolation import isolated
from workbench.number_text import count
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME
from workbench.session.playground.drawing import blank
from workbench.session.playground.patterns import PATTERNS, SETTINGS, Pattern
from workbench.session.playground.playground import AVERAGED
from workbench.session.run_parts.gain_reach import gain_reach
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.flow import FlowLayout
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.parameter_row import PADDING, ParameterRow
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.playground.axis_columns import AxisColumns
from workbench.views.playground.class_swatch import ClassSwatch
from workbench.views.playground.pattern_tile import PatternTile
from workbench.workers.playground_desk import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.session.playground.drawing import Drawing

FOLLOWING = ("reg_lambda", "gamma", "learning_rate", "max_depth", "min_child_weight", "rounds")
FOLLOWS, TRAIN_ANEW = "retrains as you drag", f"above {count(MOST_ROWS)} rows press Train"
BRUSHES = (
    ("add", "Add", "plus-circle", "Click adds a point; press on one to move it"),
    ("move", "Move", "hand-grabbing", "Drag a point"),
    ("erase", "Erase", "eraser", "Drag over points"),
    ("noise", "Noise", "arrows-out", "Drag over points to scatter them"),
)
TICKED = (
    ("surface", "Surface of the prediction"), ("boundary", "Boundary at 0.5"),
    ("cuts", "Splits of the current tree"), ("sizes", "Point size: |g| before this tree"),
)
KINDS = {"one": "line", "two": "plane"}
OTHERS = ((AVERAGED, "averaged"), ("row", "selected row"))
BARS = (("residuals", "Residuals, −g"), ("gradients", "Gradients, g"), ("targets", "Newton's targets, −g/h"))


@VIEWS.register
class DrawPanel(LazyView):
    """What the person sets goes to the session; `drawing_wanted` asks for points in place of what is open."""

    name = "draw"
    title = "Draw"
    place = "left"
    order = 60

    drawing_wanted = Signal(object)

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._session = bench.session
        self._shown: tuple[Any, ...] = ()
        self._settings: dict[str, Any] = {p.name: p.default for p in SETTINGS}
        self.tiles = [PatternTile(pattern) for pattern in PATTERNS]
        self.settings = {p.name: ParameterRow(p) for p in SETTINGS}
        self.rows = {name: ParameterRow(BY_NAME[name]) for name in FOLLOWING}
        self.brushes: dict[str, QPushButton] = {}
        self.ticks = {name: QCheckBox(words) for name, words in TICKED}
        self.swatches = (ClassSwatch(0), ClassSwatch(1))
        self.across, self.up, self.others, self.bars = (QComboBox() for _ in range(4))
        self.empty = QPushButton("Empty sheet")
        self._replaces = Label()
        self._build()
        self._connect()
        self.synchronize()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, PADDING, 0, PADDING)
        column.setSpacing(0)
        self._begin = self._section(column, "Start from", self._build_tiles())
        for row in self.settings.values():
            column.addWidget(row)
        column.addSpacing(PADDING)
        self._brush_part = self._section(column, "Draw", self._build_brush())
        self._axes_part = self._section(column, "Columns", self._build_axes())
        self._follow_heading = Heading("Newton boosting", FOLLOWS)
        self._follow_heading.setContentsMargins(PADDING, 0, PADDING, 4)
        column.addWidget(self._follow_heading)
        for row in self.rows.values():
            column.addWidget(row)
        column.addSpacing(PADDING)
        self._tick_part = self._section(column, "Show", self._build_ticks())
        self._bar_part = self._section(column, "Bars", self._build_bars())
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(DockScroll(content))

    def _section(self, column: QVBoxLayout, title: str, content: QWidget) -> QWidget:
        """Add a heading with something below it."""
        part = QWidget()
        inner = QVBoxLayout(part)
        inner.setContentsMargins(PADDING, 0, PADDING, PADDING if title != "Start from" else 8)
        inner.setSpacing(8)
        inner.addWidget(Heading(title))
        inner.addWidget(content)
        column.addWidget(part)
        return part

    def _build_tiles(self) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(8)
        for kind in ("plane", "line"):
            own = [tile for tile in self.tiles if tile.pattern.kind == kind]
            for place, tile in enumerate(own):
                grid.addWidget(tile, place // 3 + (0 if kind == "plane" else 4), place % 3)
                tile.clicked.connect(partial(self._begin_with, tile.pattern))
        set_look(self.empty, fit="tool")
        set_tip(self.empty, "Begin with no points")
        self._replaces.setFont(ui_font(NOTE))
        self._replaces.setWordWrap(True)
        set_look(self._replaces, tone="3")
        grid.addWidget(self.empty, 9, 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self._replaces, 10, 0, 1, 3)
        return holder

    def _build_brush(self) -> QWidget:
        holder = QWidget()
        rows = QVBoxLayout(holder)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        tools, group = FlowLayout(spacing=6), QButtonGroup(self)
        for name, words, _, tip in BRUSHES:
            button = QPushButton(words)
            button.setCheckable(True)
            set_look(button, fit="tool")
            set_tip(button, tip)
            button.clicked.connect(partial(self._take_brush, name))
            group.addButton(button)
            self.brushes[name] = button
            tools.addWidget(button)
        rows.addLayout(tools)
        self._inks = QWidget()
        inks = QHBoxLayout(self._inks)
        inks.setContentsMargins(0, 0, 0, 0)
        inks.setSpacing(12)
        for swatch in self.swatches:
            swatch.clicked.connect(partial(self._take_ink, swatch.label))
            inks.addWidget(swatch)
        note = Label("X swaps")
        note.setFont(ui_font(NOTE))
        set_look(note, tone="3")
        inks.addStretch(1)
        inks.addWidget(note)
        rows.addWidget(self._inks)
        return holder

    def _build_axes(self) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        self._axis_words = []
        self._columns = AxisColumns()
        for box in (self.across, self.up):
            box.setModel(self._columns)
        named = (("Across", self.across), ("Up", self.up), ("Others", self.others))
        for place, (words, box) in enumerate(named):
            label = Label(words)
            set_look(label, tone="2")
            box.setAccessibleName(words)
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            grid.addWidget(label, place, 0)
            grid.addWidget(box, place, 1)
            self._axis_words.append(label)
        for name, words in OTHERS:
            self.others.addItem(words, name)
        return holder

    def _build_ticks(self) -> QWidget:
        holder = QWidget()
        rows = QVBoxLayout(holder)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        for name, box in self.ticks.items():
            box.toggled.connect(partial(self._session.playground.tick, name))
            rows.addWidget(box)
        return holder

    def _build_bars(self) -> QWidget:
        for name, words in BARS:
            self.bars.addItem(words, name)
        self.bars.setAccessibleName("Bars")
        return self.bars

    def _connect(self) -> None:
        for row in self.settings.values():
            row.changed.connect(self._set)
        for row in self.rows.values():
            row.changed.connect(self._follow)
        self.empty.clicked.connect(self._begin_empty)
        playground = self._session.playground
        for box, name in ((self.across, "x"), (self.up, "y"), (self.others, "others"), (self.bars, "bars")):
            box.activated.connect(
                lambda index, box=box, name=name: playground.choose(**{name: box.itemData(index)})
            )
        events = self._session.events
        for signal in (events.params, events.runs, events.state, events.table):
            signal.connect(self.synchronize)
        events.playground.connect(self._follow_view)
        self.restyle()

    def restyle(self) -> None:
        for name, _, picture, _ in BRUSHES:
            self.brushes[name].setIcon(icon(picture, pixels=14, gap=2))
        self.update()

    # --- showing ----------------------------------------------------------------------------

    @property
    def _kind(self) -> str:
        """Which kind of points the page shows."""
        return KINDS.get(self._session.playground.view.page, "plane")

    @property
    def _looked_at(self) -> tuple[Any, ...]:
        """What of the playground is shown here: not where points lie."""
        playground = self._session.playground
        points = playground.points
        kind = None if points is None else (points.kind, points.pattern)
        return playground.view, playground.drawing is None, kind

    def _follow_view(self) -> None:
        if self._looked_at != self._shown:
            self.synchronize()

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        self._shown = self._looked_at
        playground, params = self._session.playground, self._session.hyperparameters.wanted
        view, points, kind = playground.view, playground.points, self._kind
        is_drawn = points is not None and points.kind == kind
        for tile in self.tiles:
            tile.setVisible(tile.pattern.kind == kind)
            tile.setChecked(is_drawn and points is not None and points.pattern == tile.pattern.label.lower())
        self._show_replaced()
        for name, button in self.brushes.items():
            button.setChecked(name == view.brush)
        for swatch in self.swatches:
            swatch.setChecked(swatch.label == view.ink)
        self._brush_part.setVisible(is_drawn)
        self._inks.setVisible(kind == "plane")
        self._axes_part.setVisible(playground.drawing is None)
        self._tick_part.setVisible(kind == "plane")
        self._bar_part.setVisible(kind == "line")
        for name, box in self.ticks.items():
            with QSignalBlocker(box):
                box.setChecked(name in view.ticks)
        self.rows["gamma"].reach(gain_reach(self._bench.playground.run))
        for name, row in self.rows.items():
            row.set_home(row.declared.default_of(params.method))
            row.set_value(getattr(params, name))
            row.setVisible(row.declared.is_of(params.method))
        self._follow_heading.set_title(METHODS[params.method].label)
        desk = self._bench.playground
        note = TRAIN_ANEW if desk.is_too_large else FOLLOWS if desk.has_rows else ""
        self._follow_heading.set_note(note, "as you drag" if note == FOLLOWS else "")
        self._show_axes()

    def _show_replaced(self) -> None:
        """Say what a pattern would take the place of."""
        table = self._session.data.table
        is_other = table is not None and self._session.playground.drawing is None
        self._replaces.setVisible(is_other)
        if is_other and table is not None:
            self._replaces.setText(f"A pattern takes the place of {isolated(table.name)}.")

    def _show_axes(self) -> None:
        run, view = self._session.shown.run, self._session.playground.view
        schema = run.schema if run is not None else None
        with QSignalBlocker(self.across), QSignalBlocker(self.up):
            self._columns.follow(schema)
            self.across.setCurrentIndex(self._columns.line_of(view.x))
            self.up.setCurrentIndex(self._columns.line_of(view.y))
        with QSignalBlocker(self.others):
            self.others.setCurrentIndex(max(self.others.findData(view.others), 0))
        with QSignalBlocker(self.bars):
            self.bars.setCurrentIndex(max(self.bars.findData(view.bars), 0))
        self._axis_words[1].setVisible(self._kind == "plane")
        self.up.setVisible(self._kind == "plane")

    # --- the hand ---------------------------------------------------------------------------

    def _take_brush(self, name: str) -> None:
        self._session.playground.choose(brush=name)

    def _take_ink(self, ink: int) -> None:
        self._session.playground.choose(ink=ink)

    def _begin_with(self, pattern: Pattern) -> None:
        self._lay(pattern.draw(**self._settings))

    def _begin_empty(self) -> None:
        """Lay an empty sheet, on which the first few points shall make a split."""
        self._session.hyperparameters.let_few_rows_split()
        self._lay(blank(self._kind))

    def _set(self, name: str, value: Any) -> None:
        self._settings[name] = value
        points = self._session.playground.points
        pattern = next((tile.pattern for tile in self.tiles if tile.isChecked()), None)
        if points is not None and pattern is not None:
            self._lay(pattern.draw(**self._settings))

    def _lay(self, drawing: Drawing) -> None:
        """Lay points on the paper; of another kind, or in place of a table, as what is opened."""
        playground = self._session.playground
        if playground.drawing is None or playground.drawing.kind != drawing.kind:
            self.drawing_wanted.emit(drawing)
            self.synchronize()
            return
        playground.hold(drawing)
        self._bench.playground.retrain(f"Draw {drawing.pattern}" if drawing.pattern else "Clear the sheet")

    def _follow(self, name: str, value: Any) -> None:
        """Take a parameter over, and train with it at once."""
        self._session.hyperparameters.change(**{name: value})
        declared = BY_NAME[name]
        self._bench.playground.retrain(f"Train with {declared.symbol or declared.label} {_text(value)}")

    @property
    def texts(self) -> Sequence[str]:
        """The words on the tiles that are shown."""
        return [tile.pattern.label for tile in self.tiles if not tile.isHidden()]


def _text(value: Any) -> str:
    return count(value) if isinstance(value, int) else f"{value:g}"
