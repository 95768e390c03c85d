"""One choice about a file a row: what is guessed or chosen, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.data.combo import WordCombo
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.guess import Guess
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.table import Kind

GUESSED = "guessed"
TITLE_WIDTH = 96
SHOWN = 24  # characters of a line of the file
KIND_WORDS: dict[Kind, str] = {
    "number": "Number", "category": "Category", "boolean": "Boolean", "date": "Date",
}  # fmt: skip
AT_TIMES = ("units", "dates", "merged")  # asked about only where there are some
BY_ITSELF = "As it looks"


class OptionRow(QWidget):
    """A title, a control beside it, the reason below; ⚠ where it is doubtful."""

    changed = Signal()

    def __init__(self, option: str, title: str) -> None:
        super().__init__()
        self.option = option
        self.reason = NoteLabel()
        self._title = title
        self._mark = Label()
        self.is_doubtful = False
        self.applies = True  # to the kind of file that is looked at

    def _build(self, *controls: QWidget) -> None:
        name = Label(self._title)
        name.setFixedWidth(px(TITLE_WIDTH))
        name.setFont(ui_font(NOTE, bold=True))
        set_look(name, tone="2")
        line = QHBoxLayout()
        line.setSpacing(8)
        self.setFocusProxy(controls[0])
        line.addWidget(name)
        for place, control in enumerate(controls, start=2):
            line.addWidget(control, 0 if isinstance(control, QCheckBox) else place)
        below = QHBoxLayout()
        below.setContentsMargins(TITLE_WIDTH + 8, 0, 0, 0)
        below.setSpacing(6)
        below.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self.reason, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(line)
        column.addLayout(below)
        set_look(self.reason, tone="3")
        self._mark.hide()

    def forget(self) -> None:
        """Know nothing of a file."""
        self.applies, self.is_doubtful = True, False
        self.reason.say("")
        self.restyle()
        self.hide()

    def show_preview(self, preview: Preview) -> None:
        """Say what was guessed; hidden where the kind of file leaves nothing to choose."""
        guesses = [guess for guess in preview.guesses if guess.option == self.option]
        doubtful = [guess for guess in guesses if guess.doubtful]
        self.applies = self._is_for(preview)
        self.setVisible(self.applies)
        self.is_doubtful = bool(doubtful)
        self.reason.say("\n".join(guess.reason for guess in doubtful or guesses[:1]))
        self.restyle()
        self._take(guesses, preview)

    def _is_for(self, preview: Preview) -> bool:
        return self.option in preview.uses | {"kinds"}

    def restyle(self) -> None:
        """Take over the colours of the theme."""
        self._mark.setVisible(self.is_doubtful)
        self._mark.setPixmap(icon_pixmap("warning", "warning", 14))
        tone = "warning" if self.is_doubtful else "3"
        if self.reason.property("tone") != tone:
            set_look(self.reason, tone=tone)

    def _take(self, guesses: Sequence[Guess], preview: Preview) -> None:
        raise NotImplementedError

    def show_options(self, options: ReadOptions) -> None:
        """Show what is settled already."""
        raise NotImplementedError

    @property
    def settled(self) -> dict[str, Any]:
        """What the person chose, by option; None leaves it a guess."""
        raise NotImplementedError


class ChoiceRow(OptionRow):
    """One of a few values; the first item is the guess."""

    def __init__(
        self, option: str, title: str, choices: Sequence[tuple[str, Any]], unknown: str = ""
    ) -> None:
        super().__init__(option, title)
        self._usual = tuple(choices)
        self._choices = list(choices)
        self._unknown = unknown
        self.combo = WordCombo(title)
        self.combo.activated.connect(self.changed)
        self._build(self.combo)
        self._offer(GUESSED)

    def forget(self) -> None:
        super().forget()
        self._choices = list(self._usual)
        self._offer(GUESSED)

    def show_options(self, options: ReadOptions) -> None:
        value = getattr(options, self.option)
        if value is not None and all(known != value for _, known in self._choices):
            self.offer([*self._choices, (str(value), value)])  # a sheet or a line of a file not yet looked at
        self._set_value(value)

    def _set_value(self, value: Any) -> None:
        place = next((i for i, (_, known) in enumerate(self._choices) if known == value), -1)
        self.combo.setCurrentIndex(place + 1)

    def offer(self, choices: Sequence[tuple[str, Any]]) -> None:
        """Offer other values, and keep the chosen one."""
        value = self.value
        self._choices = list(choices)
        self._offer(self.combo.itemText(0))
        self._set_value(value)

    @property
    def settled(self) -> dict[str, Any]:
        return {self.option: self.value}

    @property
    def value(self) -> Any:
        """What is chosen; None for the guess."""
        place = self.combo.currentIndex() - 1
        return None if place < 0 else self._choices[place][1]

    def _is_for(self, preview: Preview) -> bool:
        if self.option == "part":
            return len(preview.parts) > 1
        is_asked = self.option not in AT_TIMES or preview.guess(self.option) is not None
        return super()._is_for(preview) and is_asked

    def _take(self, guesses: Sequence[Guess], preview: Preview) -> None:
        if self.option == "part":
            self.offer([(part, part) for part in preview.parts])
        if self.option == "first_line":
            self.offer([(f"Line {n}  {text[:SHOWN]}", n) for n, text in enumerate(preview.lines, start=1)])
        if self.value is None:
            values = {guess.value for guess in guesses}
            known = [text.split(" (")[0] for text, value in self._choices if values == {value}]
            words = known[0] if known else self._unknown
            self.combo.setItemText(0, f"{words} ({GUESSED})" if words else GUESSED)

    def _offer(self, first: str) -> None:
        self.combo.clear()
        self.combo.addItems([first, *(text for text, _ in self._choices)])


class MissingRow(OptionRow):
    """Codes, with commas between them, beside the usual ones or in their place."""

    def __init__(self) -> None:
        super().__init__("missing", "Missing")
        self.field = QLineEdit()
        self.only = QCheckBox("only these")
        set_tip(self.only, "NA, null, ? and the like are no codes")
        self.only.clicked.connect(lambda _checked: self.changed.emit())
        self.field.setPlaceholderText("besides NA, null, ? …")
        self.field.setAccessibleName("Codes that stand for missing, with commas between them")
        self.field.textEdited.connect(lambda _text: self.changed.emit())
        self._build(self.field, self.only)

    def show_options(self, options: ReadOptions) -> None:
        self.field.setText(", ".join(options.missing or ()))
        self.only.setChecked(options.usual_missing is False)

    @property
    def settled(self) -> dict[str, Any]:
        codes = tuple(code.strip() for code in self.field.text().split(",") if code.strip())
        return {"missing": codes or None, "usual_missing": False if self.only.isChecked() else None}

    def _take(self, guesses: Sequence[Guess], preview: Preview) -> None:
        """Keep what is typed."""


class KindRow(OptionRow):
    """The kind in which a column is read."""

    def __init__(self) -> None:
        super().__init__("kinds", "Type of")
        self.chosen: dict[str, Kind] = {}
        self.names = WordCombo("Column whose type is chosen")
        self.kinds = WordCombo("Type of the column", [BY_ITSELF, *KIND_WORDS.values()])
        self.names.activated.connect(self._show_kind)
        self.kinds.activated.connect(self._choose)
        self._build(self.names, self.kinds)
        self._found: dict[str, Kind] = {}

    def forget(self) -> None:
        super().forget()
        self._found = {}
        self.names.clear()

    def show_options(self, options: ReadOptions) -> None:
        self.chosen = dict(options.kinds)
        self._show_kind()

    @property
    def settled(self) -> dict[str, Any]:
        return {"kinds": tuple(self.chosen.items())}

    def choose_column(self, name: str) -> None:
        """Show the kind of a column."""
        self.names.setCurrentIndex(max(self.names.findText(name), 0))
        self._show_kind()

    def _take(self, guesses: Sequence[Guess], preview: Preview) -> None:
        self._found = {column.name: column.kind for column in preview.table.columns}
        self.chosen = {name: kind for name, kind in self.chosen.items() if name in self._found}
        doubted = next((guess.column for guess in guesses if guess.doubtful), None)
        self.names.show_items(list(self._found), self.names.currentText() or doubted or "")
        if self.names.currentIndex() < 0:
            self.names.setCurrentIndex(0)
        self._show_kind()

    def _show_kind(self) -> None:
        name = self.names.currentText()
        found = self._found.get(name)
        self.kinds.setItemText(0, f"{KIND_WORDS[found]} ({GUESSED})" if found else BY_ITSELF)
        place = list(KIND_WORDS).index(self.chosen[name]) + 1 if name in self.chosen else 0
        self.kinds.setCurrentIndex(place)

    def _choose(self) -> None:
        name, place = self.names.currentText(), self.kinds.currentIndex() - 1
        self.chosen.pop(name, None)
        if place >= 0:
            self.chosen[name] = list(KIND_WORDS)[place]
        self.changed.emit()
