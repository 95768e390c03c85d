"""What differs in two runs, line by line, and nothing that is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.number_text import count, figure, signed
from workbench.session.comparison.differences import differences
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel
from workbench.views.runs.strokes import token_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.session.comparison.verdict import Verdict
    from workbench.session.run import Run
    from workbench.views.rows_model import Index

ROW, HEAD, MARGIN, SWATCH = 24, 30, 16, 10
FIRST_RIGHT = 0.61  # of the width: where figures of the first run end
MOST_METRICS = 3


class PairLine(NamedTuple):
    """A label, and what it is in both."""

    label: str
    first: str
    second: str


def lines_of(first: Run, second: Run, at: int = 0, verdict: Verdict | None = None) -> list[PairLine]:
    """Return what differs: where they branched, parameters, then figures: of the best round, or at one.

    `verdict` says whether their best figures differ by more than chance.
    """
    runs = (first, second)
    lines = [PairLine("Branched from", *(_origin(run) for run in runs))]
    lines += [PairLine(*found) for found in differences(first, second, at)]
    rounds = [min(at, len(run.rounds)) if at else run.best_round for run in runs]
    numbers = (count(round) if round else "–" for round in rounds)
    lines.append(PairLine("Round" if at else "Best round", *numbers))
    for name in _shared_metrics(first, second)[:MOST_METRICS]:
        figures = (_at(run, name, round) for run, round in zip(runs, rounds, strict=True))
        lines.append(PairLine(first.facts.metric(name).label, *figures))
        if verdict is not None and not at and name == first.watched:
            lines.append(_judged(verdict))
    lines.append(PairLine("Leaves", *(_leaves(run, at) for run in runs)))
    return [line for line in lines if line.first != line.second]


def _judged(verdict: Verdict) -> PairLine:
    if not verdict.better:
        return PairLine(f"Within the noise, {verdict.width}", "", signed(verdict.difference, 4))
    words = ("better", "") if verdict.better == 1 else ("", "better")
    return PairLine(f"Beyond the noise, {verdict.width}", *words)


def _origin(run: Run) -> str:
    return f"Run {run.branch.run} at {count(run.branch.round)}" if run.branch is not None else ""


def _leaves(run: Run, at: int) -> str:
    return "–" if run.is_linear else count(run.history.column("leaves")[: at or None].sum())


def _shared_metrics(first: Run, second: Run) -> list[str]:
    both = [set(run.started.metrics) if run.started else set() for run in (first, second)]
    watched = first.watched
    names = list(first.started.metrics) if first.started else []
    return sorted((name for name in names if name in both[1]), key=lambda name: name != watched)


def _at(run: Run, metric: str, round: int) -> str:
    if not round:
        return "–"
    event = run.rounds[round - 1]
    return figure((event.valid or event.train).get(metric, float("nan")))


class PairModel(RowsModel):
    """The lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[PairLine] = []

    def show(self, lines: list[PairLine]) -> None:
        """Show these lines."""
        self.lines = lines
        if len(lines) == self.rowCount():
            self.tell_changed()
        else:
            self.show_rows(len(lines))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        label, first, second = self.lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{label}: {first or 'nothing'}, {second or 'nothing'}"
        return as_it_stands(f"{label}\n{first}\n{second}") if role == Qt.ItemDataRole.ToolTipRole else None


class PairDelegate(QStyledItemDelegate):
    """Paints a line: the label at the left, both values right-aligned."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: Any = index.model()
        label, first, second = model.lines[index.row()]
        rect = QRectF(option.rect)
        middle, right, y = value_ends(rect)
        painter.save()
        room = (right - middle) - 10
        line = QRectF(rect.left() + MARGIN, rect.bottom(), rect.width() - 2 * MARGIN, 1)
        painter.fillRect(line, theme().color("line"))
        taken = max(min(width(first, BODY), room), 0)
        write(painter, label, rect.left() + MARGIN, y, pixels=BODY, token="text2",
              most=middle - taken - rect.left() - MARGIN - 8)
        for text, end in ((first, middle), (second, right)):
            write(painter, text, end, y, pixels=BODY, token="text1", align="right", most=room)
        painter.restore()


def value_ends(rect: QRectF) -> tuple[float, float, float]:
    """Where the values of both runs end, and the middle of the row."""
    return rect.left() + rect.width() * FIRST_RIGHT, rect.right() - MARGIN, rect.center().y()


class PairHead(QWidget):
    """The names of both runs over their values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[Run, Run] | None = None
        self.setFixedHeight(px(HEAD))

    def show_runs(self, first: Run, second: Run) -> None:
        """Show other names."""
        self._runs = first, second
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._runs is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        middle, right, y = value_ends(rect)
        write(painter, "What differs", rect.left() + MARGIN, y, pixels=NOTE, token="text2")
        left = rect.left() + MARGIN + width("What differs", NOTE) + 16
        for run, end, start in ((self._runs[0], middle, left), (self._runs[1], right, middle + 12)):
            paint_name(painter, run, end, y, end - start)
        painter.end()


def paint_name(painter: QPainter, run: Run, right: float, y: float, room: float) -> None:
    """Write the name of a run that ends at `right`, with its colour before it."""
    taken = write(painter, run.name, right, y, pixels=NOTE, token="text2", align="right",
                  most=max(room - SWATCH - 6, 0))
    painter.fillRect(QRectF(right - taken - SWATCH - 6, y - SWATCH / 2, SWATCH, SWATCH),
                     theme().color(token_of(run)))
