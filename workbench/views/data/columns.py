"""The columns of the table as a list: model and painted rows, fast with thousands of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.errors import one_line
from workbench.isolation import isolated
from workbench.number_text import count, percent
from workbench.views.data.role_and_kind import KIND_ICONS, ROLE_WORDS
from workbench.views.data.sparks import paint_summary
from workbench.views.elision import elided_name
from workbench.views.look.fonts import AXIS, BODY, NOTE, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.schema import Role
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Table
    from workbench.session.session import Session
    from workbench.views.rows_model import Index

ROW = 28
LEAST_SPARK = 16  # pixels of a distribution beside a long name
QUIET = {"weight": "weight", "group": "group", "offset": "offset", "ignore": "ignored"}
NARROW = 284  # pixels under which the name keeps its room and the rest gives way
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ColumnListModel(RowsModel):
    """Columns with their roles and distributions, the target first."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self._shown: tuple[Table | None, str | None] = (None, None)
        self.roles: Mapping[str, Role] = {}
        self.summaries: Mapping[str, ColumnSummary] = {}

    def follow(self, session: Session) -> None:
        """Show the session's columns; the model is reset only where their order or types change."""
        table, plan = session.data.table, session.data.plan
        known = self.roles is plan.roles and self.summaries is session.data.summaries
        self.roles, self.summaries = plan.roles, session.data.summaries
        if self._shown[0] is not table or self._shown[1] != plan.target:
            self._shown = (table, plan.target)
            self.columns = table.columns_from(plan.target) if table else ()
            self.show_rows(len(self.columns))
        elif not known:
            self.tell_changed()

    def role_of(self, row: int) -> Role:
        """Role of the column in a row of the list."""
        return self.roles.get(self.columns[row].name, "feature")

    def row_of(self, name: str | None) -> int:
        """Row of the column called `name`, −1 where there is none."""
        table, target = self._shown
        if table is None or name not in table.places:
            return -1
        place, first = table.places[name], 0 if target is None else table.places.get(target, 0)
        return 0 if place == first else place + (place < first)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(self._words(index.row()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._words(index.row())
        return None

    def _words(self, row: int) -> str:
        column, summary = self.columns[row], self.summaries.get(self.columns[row].name)
        words = f"{isolated(column.name)}: {column.kind}, {ROLE_WORDS[self.role_of(row)].lower()}"
        if summary is not None:
            words += f", {count(summary.distinct)} values, {missing_text(summary)} missing"
        return words


def missing_text(summary: ColumnSummary) -> str:
    """Share of missing cells: "0", "1.3 %", "<0.1 %"."""
    if not summary.missing:
        return "0"
    share = summary.missing_share
    return "<0.1 %" if share < 0.001 else percent(share, 1 if share < 0.995 else 0)


class ColumnPlaces:
    """Where the parts of a row stand; the name takes what is left."""

    def __init__(self, rect: QRect) -> None:
        right, narrow = rect.right(), rect.width() < px(NARROW)
        spark = right - px(120 if narrow else 144)
        self.icon = QPoint(rect.left() + (10 if narrow else 14), rect.center().y() - 7)
        self.spark = QRectF(spark, rect.center().y() - 8, 36 if narrow else 52, 16)
        self.missing = QRect(right - px(85), rect.top(), px(54 if narrow else 48), rect.height())
        self.menu = QRect(right - 30 if narrow else right - 35, rect.top(), 30, rect.height())
        name = rect.left() + (31 if narrow else 37)
        self.name = QRect(name, rect.top(), spark - 7 - name, rect.height())

    def make_room(self, wanted: int) -> None:
        """Let the distribution give way to a name of so many pixels, down to its least width."""
        more = max(0, min(wanted - self.name.width(), int(self.spark.width()) - LEAST_SPARK))
        self.name.setWidth(self.name.width() + more)
        self.spark.setLeft(self.spark.left() + more)


def _name_font(role: Role, chosen: bool) -> QFont:
    return ui_font(BODY, bold=chosen or role == "target")


def _tag_width(role: Role) -> int:
    quiet = QUIET.get(role, "")
    return QFontMetrics(ui_font(AXIS)).horizontalAdvance(quiet) + 6 if quiet else 0


def _name_width(name: str, role: Role, chosen: bool) -> int:
    """Pixels of a name and what is said of its role."""
    return QFontMetrics(_name_font(role, chosen)).horizontalAdvance(one_line(name)) + _tag_width(role) + 1


class ColumnRowDelegate(QStyledItemDelegate):
    """Type icon, name, distribution, missing share, and a menu or the target's mark."""

    def __init__(self, model: ColumnListModel) -> None:
        super().__init__()
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, cells = option.rect, ColumnPlaces(option.rect)
        column, role = self._model.columns[index.row()], self._model.role_of(index.row())
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        muted = role == "ignore"
        cells.make_room(_name_width(column.name, role, chosen))
        self._paint_ground(painter, option, chosen)
        kind = icon_pixmap(KIND_ICONS[column.kind], "disabled" if muted else "text2", 15)
        painter.drawPixmap(cells.icon, kind)
        self._paint_name(painter, cells.name, column.name, role, chosen)
        summary = self._model.summaries.get(column.name)
        bars = "accent" if role == "target" else "line2" if muted else "ctl"
        paint_summary(painter, cells.spark, summary, theme().color(bars))
        if summary is not None:
            self._paint_missing(painter, cells.missing, summary, muted)
        mark, token = ("target", "accent") if role == "target" else ("dots-three", "text3")
        centre = QPoint(cells.menu.center().x() - 7, rect.center().y() - 7)
        painter.drawPixmap(centre, icon_pixmap(mark, token, 16))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, chosen: bool) -> None:
        rect = option.rect
        if chosen:
            painter.fillRect(rect, theme().color("tint"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme().color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme().color("hover"))
        painter.setPen(theme().color("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if option.state & QStyle.StateFlag.State_HasFocus and (
            option.state & QStyle.StateFlag.State_KeyboardFocusChange
        ):
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))

    def _paint_name(self, painter: QPainter, rect: QRect, name: str, role: Role, chosen: bool) -> None:
        quiet, tag_font, font = QUIET.get(role, ""), ui_font(AXIS), _name_font(role, chosen)
        tag_width = _tag_width(role)
        metrics = QFontMetrics(font)
        shown = elided_name(one_line(name), metrics, rect.width() - tag_width)
        painter.setFont(font)
        painter.setPen(theme().color("text3" if role == "ignore" else "text1"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)
        if quiet:
            painter.setFont(tag_font)
            painter.setPen(theme().color("text3"))
            tag = rect.adjusted(metrics.horizontalAdvance(shown) + 6, 1, 0, 0)
            painter.drawText(tag, Qt.AlignmentFlag.AlignVCenter, quiet)

    def _paint_missing(self, painter: QPainter, rect: QRect, summary: ColumnSummary, muted: bool) -> None:
        painter.setFont(ui_font(NOTE))
        painter.setPen(theme().color("warning" if summary.missing and not muted else "text3"))
        painter.drawText(rect, RIGHT, missing_text(summary))
