"""One parameter on one line: symbol, name, slider, field, and a note where there is something to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from workbench.views.controls import parameter_words as words
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import leave_layouts
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_editors import ChoiceEditor, FieldEditor, make_editor
from workbench.views.controls.search_words import texts_of
from workbench.views.look.fonts import maths_font
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_marked_tip, set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from workbench.parameters.spec import Parameter
    from workbench.views.controls.slider import Slider

PADDING = 14  # of the dock: the row spans it from edge to edge, with the changed dot in the padding
HEIGHT, SYMBOL, NAME, TAIL = 28, 24, 90, 24
NARROW, SLIDER_HEIGHT = 290, 22  # in rows narrower than that the slider has a line of its own
GAP, MIDDLE, FIELD, LAST = 2, 3, 4, 5  # columns of the row after symbol and name
SYMBOL_SIZE = 16


class ParameterRow(QWidget):
    """Shows one parameter and offers what the person sets: `changed` carries its name and value.

    Put it into a layout without margins at the left and right; its paddings are inside. `choices`
    are the values of a choice whose declaration does not list them. One that is `folded` away is built
    when it is made visible.
    """

    changed = Signal(str, object)

    def __init__(
        self,
        declared: Parameter,
        choices: Sequence[str] = (),
        parent: QWidget | None = None,
        *,
        folded: bool = False,
    ) -> None:
        super().__init__(parent)
        self.declared = declared
        self._value: Any = declared.default
        self._home: Any = declared.default
        self._newest = 0.0
        self._reached: float | None = None
        self._locked = ""
        self._remark = ("", "accent")
        self._is_narrow = False
        self._choices = tuple(choices or declared.choices)
        self._is_built = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if not folded:
            self._build()

    def setVisible(self, visible: bool) -> None:
        """Show the row, which is built by then, or hide it."""
        if visible and not self._is_built:
            self._build()
        super().setVisible(visible)

    def _build(self) -> None:
        self._is_built = True
        self._name = self._build_name()
        self._editor = make_editor(self.declared, self._choices)
        self._editor.entered.connect(self._offer)
        self._editor.refused.connect(self._show_note)
        self._tail = self._build_tail()
        self._note = self._build_note()
        self._build_layout()
        if isinstance(self._editor, FieldEditor):
            self._editor.set_home(self._home, self._newest)
            if self._reached is not None:
                self._editor.reach(self._reached)
        self._show()

    @property
    def parts(self) -> list[QWidget]:
        """What takes the keys, in order; nothing before the row is built."""
        parts = (self._slider, self._editor, self._tail) if self._is_built else ()
        return [part for part in parts if part is not None]

    @property
    def value(self) -> Any:
        """The value shown."""
        return self._value

    @property
    def texts(self) -> tuple[str, ...]:
        """What finds the row: names, words and values on offer."""
        return (*texts_of(self.declared), *self._choices)

    @property
    def is_changed(self) -> bool:
        """Whether the value differs from the one it goes back to: the default, unless another was set."""
        return bool(self._value != self._home)

    @property
    def is_locked(self) -> bool:
        """Whether the value cannot be changed now."""
        return bool(self._locked)

    @property
    def is_remarked(self) -> bool:
        """Whether there is something to say of the value."""
        return bool(self._remark[0])

    @property
    def note(self) -> str:
        """The line below the row, "" where there is none."""
        return self._note.text() if self._is_built and not self._note.isHidden() else ""

    def set_value(self, value: Any) -> None:
        """Show a value; text that is being typed stays where the value is the same."""
        if value != self._value:
            self._value = value
            self._show()

    def set_home(self, value: Any, newest: float = 0.0) -> None:
        """Go back to this value, not the default; to None where there are several, `newest` the last."""
        if (value, newest) != (self._home, self._newest):
            self._home, self._newest = value, newest
            if self._is_built and isinstance(self._editor, FieldEditor):
                self._editor.set_home(value, newest)
            self._show()

    def reach(self, value: float | None) -> None:
        """Let the slider reach a value beyond its end; None leaves it as it is."""
        if value is not None and value != self._reached:
            self._reached = value
            if self._is_built and isinstance(self._editor, FieldEditor):
                self._editor.reach(value)

    def set_choices(self, choices: Sequence[str]) -> None:
        """Offer other values of a choice."""
        self._choices = tuple(choices)
        if self._is_built and isinstance(self._editor, ChoiceEditor):
            self._editor.set_choices(choices)
            self._editor.show_value(self._value)

    def set_locked(self, reason: str = "") -> None:
        """Lock the row and say why, or unlock it."""
        if reason != self._locked:
            self._locked = reason
            self._show_state()

    def set_note(self, text: str = "", tone: str = "accent") -> None:
        """Say something below the row, or nothing."""
        if (text, tone) != self._remark:
            self._remark = (text, tone)
            self._show_note()

    def _offer(self, value: Any) -> None:
        before, self._value = self._value, value
        self._show()
        if value != before:
            self.changed.emit(self.declared.name, value)

    # --- what it shows ----------------------------------------------------------------------

    def _show(self) -> None:
        if self._is_built:
            self._editor.show_value(self._value)
            self._show_state()

    def _show_state(self) -> None:
        if not self._is_built:
            return
        self._editor.setEnabled(not self._locked)
        self._editor.describe(self.declared.label,
                              words.description(self.declared, self._value, self._locked))
        set_look(self._name, tone="3" if self._locked else "1")
        self._show_tail()
        self._show_note()
        self.update()

    def _show_tail(self) -> None:
        home = words.value_text(self.declared, self._home)
        self._tail.setEnabled(not self._locked)
        self._tail.setVisible(self.is_locked or self.is_changed)
        set_tip(self._tail, self._locked or f"Back to {home}")
        self._tail.setAccessibleName(self._locked or f"Reset {self.declared.label}")
        self._show_mark()

    def _show_mark(self) -> None:
        self._tail.setIcon(icon("lock-simple" if self._locked else "arrow-counter-clockwise", "text2", 14))

    def _show_note(self) -> None:
        if not self._is_built:
            return
        text, tone = self._remark
        if self._locked:
            text, tone = self._locked, "3"
        if self._editor.is_wrong:
            text, tone = words.refusal(self.declared), "error"
        if self._note.property("tone") != tone:
            set_look(self._note, tone=tone)
        self._note.say(text)

    @property
    def _slider(self) -> Slider | None:
        return self._editor.slider if isinstance(self._editor, FieldEditor) else None

    def _place(self, *, narrow: bool) -> None:
        """Put the slider beside the name, or below, where it is as wide as the row."""
        if self._slider is None:
            return
        self._is_narrow = narrow
        self._name.setFixedHeight(px(HEIGHT))
        self._name.setMinimumWidth(0 if narrow else px(NAME))
        self._name.setMaximumWidth(px(NARROW if narrow else NAME))
        self._slider.setFixedHeight(px(SLIDER_HEIGHT if narrow else HEIGHT))
        for moved in (self._name, self._slider):
            leave_layouts(moved, self._grid)
        self._grid.addWidget(self._name, 0, 1, 1, MIDDLE if narrow else 1)
        if narrow:
            self._grid.addWidget(self._slider, 1, 1, 1, FIELD)
        else:
            self._grid.addWidget(self._slider, 0, MIDDLE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < px(NARROW)
        if self._is_built and narrow != self._is_narrow:
            self._place(narrow=narrow)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._is_built:
            self._show_mark()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_changed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("disabled" if self._locked else "accent"))
            painter.drawEllipse(QPointF(8.5, px(HEIGHT) / 2), 2.5, 2.5)

    # --- how it is made ---------------------------------------------------------------------

    def _build_name(self) -> ElidedLabel:
        label = ElidedLabel(self.declared.label, self)
        label.setFixedSize(px(NAME), px(HEIGHT))
        label.set_hint(words.tooltip(self.declared))
        if self.declared.kind == "flag":
            label.hide()  # the check box has it
        return label

    def _build_tail(self) -> QPushButton:
        button = QPushButton()
        set_look(button, flat=True, fit="bare")
        button.setFixedSize(px(TAIL), px(TAIL))
        keep = button.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        button.setSizePolicy(keep)
        button.clicked.connect(lambda: self._offer(self._home))
        return button

    def _build_note(self) -> NoteLabel:
        label = NoteLabel()
        label.setContentsMargins(PADDING + SYMBOL + 1, 0, PADDING, 4)
        return label

    def _build_symbol(self) -> Label:
        label = Label(self.declared.symbol)
        label.setFont(maths_font(SYMBOL_SIZE))
        label.setFixedSize(px(SYMBOL), px(HEIGHT))
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.setIndent(6)
        set_look(label, tone="2")
        return label

    def _build_layout(self) -> None:
        self._grid = QGridLayout()
        self._grid.setContentsMargins(PADDING, 0, PADDING + 20 - TAIL, 0)
        self._grid.setSpacing(0)
        self._grid.setColumnMinimumWidth(GAP, 3)
        self._grid.setColumnStretch(MIDDLE, 1)
        self._grid.addWidget(self._build_symbol(), 0, 0)
        if self._slider is not None:
            self._grid.addWidget(self._editor, 0, FIELD)
            self._place(narrow=False)
        elif self.declared.kind == "flag":
            self._grid.addWidget(self._editor, 0, 1, 1, FIELD)
        else:
            self._grid.addWidget(self._name, 0, 1)
            self._grid.addWidget(self._editor, 0, MIDDLE, 1, 2)
        self._grid.addWidget(self._tail, 0, LAST)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._grid)
        column.addWidget(self._note)
        set_marked_tip(self, words.tooltip(self.declared))
