"""A label that ends in "…" where there is no room, and then tells the whole in its tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.views.controls.label import Label
from workbench.views.tool_tip import set_tip


class ElidedLabel(Label):
    """One line of plain text; `set_hint` gives a tooltip that is shown in place of the whole text."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None,
        *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self._hint = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> str:
        """The text as it is painted."""
        words = one_line(self.text())
        return self.fontMetrics().elidedText(words, self._mode, self.contentsRect().width())

    def set_hint(self, hint: str) -> None:
        """Show `hint` as the tooltip."""
        self._hint = hint

    def minimumSizeHint(self) -> QSize:
        return QSize(min(24, self.sizeHint().width()), super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            cut = self.text() if self.shown != self.text() else ""
            set_tip(self, self._hint or cut)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.style().drawItemText(painter, self.contentsRect(), int(self.alignment()), self.palette(),
                                  self.isEnabled(), self.shown, self.foregroundRole())
