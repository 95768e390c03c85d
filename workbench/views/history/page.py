"""The left page History: the journal's lines, the present one marked; a click goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QVBoxLayout

from workbench.number_text import counted
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.curves.ink import write
from workbench.views.look.fonts import BODY
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from workbench.session.session import Session
    from workbench.views.rows_model import Index

ROW, MARGIN, TEXT_LEFT, ACCENT_BAR, LOCK = 28, 14, 34, 3, 14
NOTHING = "Nothing was done yet. Open a table: each step has a line here then, and a click goes back to it."
HELD = "held by the run"
HELD_TIP = "The run that trains holds this. Stop it to go back."


class LinesModel(RowsModel):
    """The lines of the journal, the newest last."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def refresh(self) -> None:
        """Show the lines that there are now."""
        if len(self._session.journal.lines) != self.rowCount():
            self.show_rows(len(self._session.journal.lines))
        else:
            self.tell_changed()

    def is_undone(self, row: int) -> bool:
        """Whether a line was taken back."""
        return row >= self._session.journal.position

    def is_held(self, row: int) -> bool:
        """Whether a run that trains holds a line."""
        return self._session.state.is_held(self._session.journal.lines[row])

    def words(self, row: int) -> str:
        """What a line says."""
        return self._session.journal.lines[row].action.words

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = ", taken back" if self.is_undone(row) else f", {HELD}" if self.is_held(row) else ""
            now = ", now" if row == self._session.journal.position - 1 else ""
            return f"{self.words(row)}{state}{now}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(f"{self.words(row)}\n{HELD_TIP}" if self.is_held(row) else self.words(row))
        return None


class LineDelegate(QStyledItemDelegate):
    """Paints a line: a dot on a thread, hollow where it was taken back."""

    def __init__(self, session: Session, model: LinesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._model = session, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, row = QRectF(option.rect), index.row()
        present, undone = row == self._session.journal.position - 1, self._model.is_undone(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if present:
            painter.fillRect(rect, theme().color("tint"))
            bar = QRectF(rect.left(), rect.top(), ACCENT_BAR, rect.height())
            painter.fillRect(bar, theme().color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme().color("hover"))
        is_last = row == self._model.rowCount() - 1
        _paint_thread(painter, rect, undone=undone, present=present, is_last=is_last)
        right = rect.right() - MARGIN
        if self._model.is_held(row):
            held = icon_pixmap("lock-simple", "text3", LOCK)
            painter.drawPixmap(QPointF(right - LOCK, rect.center().y() - LOCK / 2), held)
            right -= LOCK + 10
        token = "disabled" if undone else "text1"
        left = rect.left() + TEXT_LEFT
        write(painter, self._model.words(row), left, rect.center().y(), pixels=BODY, token=token,
              bold=present, most=right - left)
        painter.restore()


def _paint_thread(painter: QPainter, rect: QRectF, *, undone: bool, present: bool, is_last: bool) -> None:
    x, y = rect.left() + MARGIN + 6, rect.center().y()
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLine(round(x), round(rect.top()), round(x), round(y if is_last else rect.bottom() + 1))
    painter.setPen(QPen(theme().color("line2" if undone else "accent" if present else "ctl"), 1.5))
    painter.setBrush(theme().color("panel" if undone else "accent" if present else "ctl"))
    radius = 4 if present else 3
    painter.drawEllipse(QRectF(x - radius, y - radius, 2 * radius, 2 * radius))


@VIEWS.register
class HistoryPage(LazyView):
    """A click takes back, or does again, all that lies between."""

    name, title, place, order = "history", "History", "left", 60

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.model = LinesModel(bench.session)
        self.list, self.heading, self.empty = QListView(), Heading("History"), Label(NOTHING)
        self._build()
        events = bench.session.events
        for signal in (events.journal, events.state, events.runs):
            signal.connect(self.synchronize)
        self.synchronize()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(6)
        self.heading.setContentsMargins(MARGIN, 0, MARGIN, 0)
        column.addWidget(self.heading)
        self.list.setModel(self.model)
        self.list.setItemDelegate(LineDelegate(self._bench.session, self.model, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName("What was done")
        set_look(self.list, ground="panel")
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        column.addWidget(self.list, 1)
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(MARGIN, 4, MARGIN, 0)
        set_look(self.empty, tone="2")
        column.addWidget(self.empty)
        column.addStretch(0)

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        journal = self._bench.session.journal
        at_end = self.list.verticalScrollBar().value() == self.list.verticalScrollBar().maximum()
        self.model.refresh()
        self.list.setVisible(bool(journal.lines))
        self.empty.setVisible(not journal.lines)
        undone = len(journal.lines) - journal.position
        self.heading.set_note(f"{counted(undone, 'line')} taken back" if undone else "")
        if at_end:
            self.list.scrollToBottom()
        self.list.viewport().update()

    def _go(self, index: Index) -> None:
        """Go to a line; where a run holds what lies between, as far as that can be."""
        journal, wanted = self._bench.session.journal, index.row() + 1
        if wanted != journal.position:
            before = journal.position
            journal.go_to(wanted)
            if journal.position == before:
                self._bench.session.notices.say(HELD_TIP, "warning", "training")
