"""The typed field of a parameter: free text in, a value or a refusal out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.errors import WorkbenchError
from workbench.views.controls import parameter_words as words
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QWheelEvent

    from workbench.parameters.spec import Parameter

WIDTH = 54
TAKEN_BACK = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class ParameterField(QLineEdit):
    """Keeps wrong text and outlines it; arrows and wheel step it while it has the focus."""

    entered = Signal(object)  # a value that is allowed
    refused = Signal()  # text that is none
    stepped = Signal(int, Qt.KeyboardModifier)

    def __init__(self, declared: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._declared = declared
        self._value: Any = declared.default
        self._home: Any = declared.default
        set_look(self, fit="row")
        if declared.is_list:
            self.setFixedHeight(px(24))
        else:
            self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setFixedSize(self._room(), 24)
        self.editingFinished.connect(self._read)

    def show_value(self, value: Any) -> None:
        """Show a value; wrong text goes."""
        self._value = value
        self.setText(words.value_text(self._declared, value))
        if self._declared.is_list:  # longer than the field, often
            self.setCursorPosition(0)
            set_tip(self, self.text())
        self._look(changed=value != self._home, wrong=False)

    def set_home(self, value: Any) -> None:
        """Show other values than this one as changed."""
        self._home = value
        if not self.is_wrong:
            self._look(changed=self._value != value)

    @property
    def is_wrong(self) -> bool:
        """Whether the text is no value."""
        return self.property("wrong") == "true"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key], event.modifiers())
        elif key == Qt.Key.Key_Escape and self.isModified():
            self.show_value(self._value)
            self.entered.emit(self._value)
        elif any(map(event.matches, TAKEN_BACK)) and not self.isModified():
            event.ignore()  # so that the window takes the parameter back
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y()
        if not self.hasFocus() or not notches:
            event.ignore()
            return
        self.stepped.emit(1 if notches > 0 else -1, event.modifiers())
        event.accept()

    def _read(self) -> None:
        if not self.isModified():
            return
        try:
            value = words.parse(self._declared, self.text())
        except WorkbenchError:
            self._look(changed=False, wrong=True)
            self.refused.emit()
            return
        self.show_value(value)
        self.entered.emit(value)

    def _look(self, **properties: bool) -> None:
        if any(self.property(name) != str(value).lower() for name, value in properties.items()):
            set_look(self, **properties)

    def _room(self) -> int:
        """Width for the longest of the slider's ends and the default, measured once."""
        shown = [self._declared.default, *(self._declared.slider or ())]
        metrics = QFontMetrics(ui_font(BODY, bold=True))
        widest = max(metrics.horizontalAdvance(words.value_text(self._declared, value)) for value in shown)
        return max(WIDTH, widest + 15)
