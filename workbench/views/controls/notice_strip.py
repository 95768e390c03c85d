"""A sentence in the window, with what can be done about it, in place of a message box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import empty_layout
from workbench.views.look.icons import icon, icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

_LOOKS = {  # severity: (ground, tone of the words, icon, its token)
    "info": ("tint", "1", "info", "accent"),
    "warning": ("warning", "warning", "warning", "warning"),
    "error": ("error", "error", "warning", "error"),
}


HEIGHT, MOST_LINES = 36, 3


class NoticeStrip(QWidget):
    """36 px for a line, more for up to three; `closed` is emitted when the person puts it away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._severity = "info"
        self._icon = Label()
        self._sentence = ElidedLabel(lines=MOST_LINES)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(8)
        self._close = self._build_close()
        self.setFixedHeight(px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(self._sentence, 1)
        row.addLayout(self._actions)
        row.addWidget(self._close)
        self._restyle()  # the style sheet looks at it once, and tells of another palette in the midst of that
        self.hide()

    @property
    def text(self) -> str:
        """The sentence."""
        return self._sentence.text()

    def show_notice(
        self, text: str, severity: str = "info", actions: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        """Show a sentence; each action is a word and what it does."""
        self._severity = severity
        self._sentence.setText(text)
        self.setAccessibleName(text)
        self._clear_actions()
        for word, call in actions:
            button = QPushButton(word)
            set_look(button, fit="tool")
            button.clicked.connect(lambda _=False, call=call: call())
            self._actions.addWidget(button)
        self._restyle()
        self.show()
        self._fit()

    def say(self, text: str) -> None:
        """Show another sentence; the buttons stay, so that none is lost under a finger."""
        self._sentence.setText(text)
        self.setAccessibleName(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many lines as the sentence needs at this width."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Take as many lines as the sentence needs beside its buttons, laid out once they are shown."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
        more = len(self._sentence.lines) - 1
        self._sentence.setFixedHeight((more + 1) * self._sentence.fontMetrics().lineSpacing())
        self.setFixedHeight(px(HEIGHT) + more * self._sentence.fontMetrics().lineSpacing())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _build_close(self) -> QPushButton:
        button = QPushButton()
        set_look(button, flat=True, fit="bare")
        button.setFixedSize(px(28), px(28))
        button.setIconSize(QSize(14, 14))
        set_tip(button, "Close this message")
        button.setAccessibleName("Close this message")
        button.clicked.connect(self._put_away)
        return button

    def _put_away(self) -> None:
        self.hide()
        self.closed.emit()

    def _clear_actions(self) -> None:
        empty_layout(self._actions)

    def _restyle(self) -> None:
        ground, tone, name, token = _LOOKS[self._severity]
        if self.property("ground") != ground:
            set_look(self, ground=ground)
        if self._sentence.property("tone") != tone:
            set_look(self._sentence, tone=tone)
        self._icon.setPixmap(icon_pixmap(name, token, 16))
        self._close.setIcon(icon("x", "text2", 14))
