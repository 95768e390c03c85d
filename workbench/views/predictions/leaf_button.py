"""A leaf that selected rows share, as a row of a list: pressed, it opens in its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from workbench.number_text import count, counted, figure, percent
from workbench.views.controls.list_button import ListButton, write
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from workbench.explain.predictions.shared_leaves import LeafShare

HEIGHT, MARGIN, LINE, LIFT = 46, 14, 19, 44


class LeafButton(ListButton):
    """How many of the rows end there, how many of all, and the way to it."""

    def __init__(self) -> None:
        super().__init__(HEIGHT, "Leaf")
        self.leaf: LeafShare | None = None

    def show_leaf(self, leaf: LeafShare) -> None:
        """Show a leaf."""
        self.leaf = leaf
        shares = f"{percent(leaf.share)} of them, {percent(leaf.share_of_all)} of all"
        rows = f"{counted(leaf.rows, 'row')}, {shares}"
        way = "\n".join(leaf.path)
        self.setAccessibleName(f"Leaf {leaf.node} of tree {leaf.round}: {rows}")
        set_tip(self, f"Open leaf {count(leaf.node)} of tree {count(leaf.round)}: {rows}\n{way}")
        self.update()

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        leaf = self.leaf
        if leaf is None:
            return
        inner = rect.adjusted(MARGIN, 4, -MARGIN, -3)
        first = QRectF(inner.left(), inner.top(), inner.width(), LINE)
        second = first.translated(0, LINE)
        of_output = f" of {leaf.output}" if leaf.output else ""
        where = f"{count(leaf.rows)} in tree {count(leaf.round)}{of_output}, leaf {count(leaf.node)}"
        write(painter, first.adjusted(0, 0, -px(LIFT), 0), where, bold=True)
        write(painter, first, f"× {figure(leaf.lift, 2)}", "accent", right=True)
        write(painter, second, " › ".join(reversed(leaf.path)), "text3", NOTE)
        bar = QRectF(rect.left(), rect.top() + 6, 3, rect.height() - 12)
        painter.fillRect(bar, theme().gain_mark(leaf.share))
