"""The list of columns in the left dock: choose one, or change its role and type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QMargins, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QMenu, QSizePolicy, QWidget

from workbench.data.schema import ROLES
from workbench.data.table import KINDS
from workbench.views.data.columns import RIGHT, ROW, ColumnListModel, ColumnPlaces, ColumnRowDelegate
from workbench.views.data.role_and_kind import LOCKED, ROLE_HELP, ROLE_WORDS
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.session.session import Session

HEAD = 26
FEWEST_ROWS = 3


class ColumnList(QListView):
    """Tells which column, role and type the person chose."""

    column_chosen = Signal(str)
    role_chosen = Signal(str, str)
    kind_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._columns = ColumnListModel()
        self._rows = ColumnRowDelegate(self._columns)
        self._head = _Head(self)
        self._locked = False
        self._build()

    def _build(self) -> None:
        set_look(self, ground="panel")
        self.setModel(self._columns)
        self.setItemDelegate(self._rows)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(px(HEAD + FEWEST_ROWS * ROW))
        self.setViewportMargins(0, HEAD, 0, 0)
        self.setAccessibleName("Columns")

    def follow(self, session: Session, locked: bool) -> None:
        """Show the session's columns and the chosen one."""
        self._locked = locked
        self._columns.follow(session)
        self.setMaximumHeight(HEAD + max(FEWEST_ROWS, self._columns.rowCount()) * px(ROW) + 1)
        self._end_with_a_row()
        self.show_chosen(session.shown.selection.column)

    def show_chosen(self, name: str | None) -> None:
        """Select the row of a column without a signal, and scroll to it."""
        row = self._columns.row_of(name)
        if row != self.currentIndex().row():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self._columns.index(row), flag)

    def name_at(self, row: int) -> str:
        """Name of the column in a row."""
        return self._columns.columns[row].name

    def sizeHint(self) -> QSize:
        return QSize(264, self.maximumHeight())

    # --- the menu ---------------------------------------------------------------------------

    def menu_of(self, row: int) -> QMenu:
        """Return the menu of a column: its role, its type."""
        column, role = self._columns.columns[row], self._columns.role_of(row)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        if self._locked:
            menu.addAction(LOCKED).setEnabled(False)
        menu.addAction("Role").setEnabled(False)
        roles = QActionGroup(menu)
        for offered in ROLES:
            action = roles.addAction(ROLE_WORDS[offered])
            action.setCheckable(True)
            action.setChecked(offered == role)
            set_tip(action, ROLE_HELP[offered])
            action.triggered.connect(lambda _=False, r=offered: self.role_chosen.emit(column.name, r))
        menu.addActions(roles.actions())
        menu.addSeparator()
        menu.addAction("Type").setEnabled(False)
        kinds = QActionGroup(menu)
        for kind in KINDS:
            action = kinds.addAction(kind.capitalize())
            action.setCheckable(True)
            action.setChecked(kind == column.kind)
            action.triggered.connect(lambda _=False, k=kind: self.kind_chosen.emit(column.name, k))
        menu.addActions(kinds.actions())
        for group in (roles, kinds):
            group.setEnabled(not self._locked)
        return menu

    def _open_menu(self, row: int, place: QPoint) -> None:
        self.menu_of(row).popup(self.viewport().mapToGlobal(place))

    # --- what the person does ---------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            return
        self.column_chosen.emit(self.name_at(index.row()))
        rect = self.visualRect(index)
        if ColumnPlaces(rect).menu.contains(event.position().toPoint()):
            self._open_menu(index.row(), rect.bottomRight() - QPoint(36, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if self.currentIndex().isValid() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.column_chosen.emit(self.name_at(self.currentIndex().row()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self._open_menu(index.row(), event.pos() if by_mouse else self.visualRect(index).bottomLeft())

    def _end_with_a_row(self) -> None:
        """Leave the pixels free below the last row that is wholly seen, where more follow."""
        room, row = self.contentsRect().height() - HEAD, px(ROW)
        spare = room % row if self._columns.rowCount() * row > room else 0
        margins = QMargins(0, HEAD, 0, spare)
        if margins != self.viewportMargins():
            self.setViewportMargins(margins)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._end_with_a_row()
        self._head.setGeometry(QRect(0, 0, self.viewport().width(), HEAD))


class _Head(QWidget):
    """The words over the columns of the list."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(ui_font(NOTE))
        painter.setPen(theme().color("text3"))
        cells = ColumnPlaces(self.rect())
        painter.drawText(cells.name, Qt.AlignmentFlag.AlignVCenter, "Column")
        values = QRect(int(cells.spark.left()), 0, 60, self.height())
        painter.drawText(values, Qt.AlignmentFlag.AlignVCenter, "Values")
        painter.drawText(cells.missing, RIGHT, "Missing")
        painter.setPen(theme().color("line"))
        painter.drawLine(self.rect().bottomLeft(), self.rect().bottomRight())
