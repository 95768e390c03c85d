"""The classes of the target with their marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.isolation import isolated
from workbench.views.data.class_marks import paint_class_mark
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.views.data.target import TargetClasses

LINE, MARK, GAP, LONGEST = 20, 14, 16, 130


class ClassLegend(QWidget):
    """One entry a class in as many lines as they need; of two, the positive one comes first."""

    def __init__(self) -> None:
        super().__init__()
        self._classes: TargetClasses | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(LINE))

    @property
    def _font(self) -> QFont:
        return ui_font(NOTE)

    def show_classes(self, classes: TargetClasses | None) -> None:
        """Show other classes; none hides the legend."""
        self._classes = classes
        self.setVisible(classes is not None)
        if classes is not None:
            labels = ", ".join(map(isolated, classes.labels))
            self.setAccessibleName(f"Classes of {isolated(classes.column)}: {labels}")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        n_classes = len(self._classes.labels) if self._classes else 0
        for index, text, x, y in self._entries():
            paint_class_mark(painter, QPointF(x + 4.5, y + LINE / 2), index, n_classes)
            painter.setPen(theme().color("text2"))
            painter.drawText(QRectF(x + MARK, y, LONGEST, LINE), Qt.AlignmentFlag.AlignVCenter, text)

    def _fit(self) -> None:
        lines = {y for _, _, _, y in self._entries()}
        self.setFixedHeight(LINE * max(1, len(lines)))
        self.update()

    def _entries(self) -> Iterator[tuple[int, str, int, int]]:
        """Yield class, text and place of each entry."""
        if self._classes is None:
            return
        metrics, x, y = QFontMetrics(self._font), 0, 0
        labels = self._classes.labels
        for nth, index in enumerate((1, 0) if len(labels) == 2 else range(len(labels))):
            text = isolated(one_line(labels[index]))
            whole = one_line(f"{isolated(self._classes.column)} {text}")
            if not nth and metrics.horizontalAdvance(whole) <= LONGEST:
                text = whole
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, LONGEST)
            width = MARK + metrics.horizontalAdvance(text)
            if x and x + width > self.width():
                x, y = 0, y + LINE
            yield index, text, x, y
            x += width + GAP
