"""The round ruler: progress bar and scrubber in one, on the time axis that all plots share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractSlider, QLineEdit, QMenu, QSizePolicy, QWidget

from workbench.number_text import short
from workbench.parameters.training import BY_NAME
from workbench.session.run_parts.parameter_change import as_marked
from workbench.views.curves.ink import write
from workbench.views.look.focus_ring import BY_KEYBOARD
from workbench.views.look.fonts import AXIS, BODY, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.tool_tip import set_tip
from workbench.views.ruler.paint import RulerMarks, paint_focus, paint_ruler
from workbench.views.ruler.round_axis import LEFT, RIGHT, RoundAxis
from workbench.views.ruler.words import ruler_words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QMouseEvent, QPaintEvent, QWheelEvent

    from workbench.session.run import Run
    from workbench.session.run_parts.parameter_change import ParameterChange
    from workbench.views.base import Bench

HEIGHT = 56
FIELD = (16, 24, 46, 24)  # x, y, width, height
MOST_TOLD = 10  # branches, in words
GRASP = 8  # pixels beside the first and last round that still take the hand


class RoundRuler(QAbstractSlider):
    """A slider to assistive tools and the keyboard: its value is the shown round."""

    keeps_arrows = True

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._ring = False
        self._dragging = False
        self.branches: tuple[int, ...] = ()  # rounds after which runs leave the shown one, or it left another
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, 0)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFixedHeight(HEIGHT)
        self.setProperty("keeps_size", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Round")
        set_tip(self, "Drag to any round; End follows the newest")
        self.valueChanged.connect(self._select)
        self._build_field()
        self._follow_session()

    def _build_field(self) -> None:
        self.field = QLineEdit(self)
        self.field.setGeometry(*FIELD)
        self.field.setTextMargins(-4, 0, -4, 0)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName("Round shown")
        set_tip(self.field, "Type a round")
        self.field.editingFinished.connect(self._typed)

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.rounds, events.runs, events.state, events.selection, events.what_if):
            signal.connect(self.synchronize)
        events.params.connect(self._follow_params)
        self.synchronize()

    # --- showing ----------------------------------------------------------------------------

    @property
    def axis(self) -> RoundAxis:
        """Where the rounds stand."""
        return RoundAxis.over(self.width(), self._planned)

    @property
    def words(self) -> tuple[str, str]:
        """The two lines at the right."""
        first, second = ruler_words(self._run, self._planned)
        return (first, second) if self._kept() is None else (first, "hollow: as stored")

    def synchronize(self) -> None:
        """Follow the session."""
        shown = self._bench.session.shown.round
        newest = len(self._run.rounds) if self._run else 0
        with QSignalBlocker(self):
            self.setRange(min(newest, 1), newest)
            self.setValue(shown)
        if not (self.field.hasFocus() and self.field.isModified()):
            self._write(shown)
        self.field.setEnabled(newest > 0)
        self.branches = self._find_branches()
        left = f"branches at {', '.join(map(str, self.branches[:MOST_TOLD]))}" if self.branches else ""
        self._told = self._planned, self.words
        self.setAccessibleDescription(", ".join(filter(None, (*self._told[1], left))))
        self.update()

    def _follow_params(self) -> None:
        """Follow how many rounds are planned; a hand that drags another slider changes nothing here."""
        if (self._planned, self.words) != self._told:
            self.synchronize()

    @property
    def _run(self) -> Run | None:
        return self._bench.session.shown.run

    @property
    def _planned(self) -> int:
        wanted = self._bench.session.hyperparameters.wanted
        return max(1, self._run.planned_rounds if self._run else wanted.rounds)

    def marks(self) -> RulerMarks:
        """What stands on the ruler."""
        run = self._run
        if run is None:
            return RulerMarks(0, 0, 0, (), self.words)
        best = run.known_best if run.rounds and run.rounds[-1].valid else None
        return RulerMarks(
            newest=len(run.rounds), shown=self.value(), best=best[0] if best else 0,
            changes=tuple((number, ", ".join(map(_new_value, changes)))
                          for number, changes in as_marked(run.changes, self._planned)),
            words=self.words, branches=self.branches, kept=self._kept(),
        )

    def _find_branches(self) -> tuple[int, ...]:
        run = self._run
        if run is None:
            return ()
        points = [other.branch for other in self._bench.session.runs]
        leaving = {point.round for point in points if point is not None and point.run == run.number}
        return tuple(sorted(leaving | ({run.shared_rounds} - {0})))

    def _kept(self) -> NDArray[np.float64] | None:
        """The gain that is left of each round with what is asked; None where nothing is."""
        run = self._run
        rescored = run.what_if.rescored if run is not None and run.what_if.is_on else None
        sizes = [] if run is None else [len(event.trees) for event in run.rounds]
        if run is None or rescored is None or rescored.sums.n_trees != sum(sizes):
            return None
        kept = np.zeros(len(sizes))
        np.add.at(kept, np.repeat(np.arange(len(sizes)), sizes), rescored.totals.gain)
        return kept

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        write(painter, "Round", FIELD[0] + 1, 13, pixels=NOTE, token="text2")
        gains = self._run.history.column("gain") if self._run else np.empty(0)
        paint_ruler(painter, self.axis, gains, self.marks())
        if self._ring:
            paint_focus(painter, self.axis)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(LEFT + RIGHT) + 500, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(LEFT + RIGHT) + 100, HEIGHT)

    # --- the hand ---------------------------------------------------------------------------

    def _select(self, number: int) -> None:
        """Show a round; the newest one means to follow."""
        if self._run is not None and self._run.rounds:
            newest = len(self._run.rounds)
            self._bench.session.shown.select(round=None if number >= newest else max(number, 1))

    def _typed(self) -> None:
        text = self.field.text().replace(",", "").strip()
        if text.isdigit() and int(text) != self.value():
            self._select(int(text))
        self._write(self.value())

    def _write(self, number: int) -> None:
        """Write into the field, smaller where the number is long."""
        text = str(number)
        if text != self.field.text():
            self.field.setFont(ui_font(BODY if len(text) < 5 else AXIS, bold=True))
            self.field.setText(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x, axis = event.position().x(), self.axis
        within = axis.left - GRASP <= x <= axis.right + GRASP
        self._dragging = within and event.button() == Qt.MouseButton.LeftButton
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._select(self.axis.round_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        text = f"Continue from here{self._bench.session.with_objective}"
        action = menu.addAction(text, self._bench.controller.branch_on)
        action.setEnabled(bool(self.value()))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in BY_KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False
        self.update()


def _new_value(change: ParameterChange) -> str:
    """The mark of a change: "λ 4"."""
    declared = BY_NAME[change.name]
    is_number = isinstance(change.new, int | float) and not isinstance(change.new, bool)
    value = short(change.new) if is_number else declared.told(change.new)
    return f"{declared.symbol or declared.label} {value}"
