"""Keys and words, in a window of their own that can stay open beside a run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.shell.glossary import Word, symbols
from workbench.views.controls.label import Label
from workbench.views.look.fonts import BODY, FORMULA, maths_font, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.window_title import set_window_title

SIZE = (860, 560)
KEYS_WIDTH = 340
KEYS = (
    ("Space", "train, pause or resume"),
    ("→", "step one round"),
    ("", "Both do so wherever the focus is, but in a text field. In the tree, the table, plots, the round "
         "ruler, and on a slider or tab that was reached by Tab, the arrows move."),
    ("Enter", "press the button, check box or list that has the focus"),
    ("Ctrl+O", "open a table or a model"),
    ("Ctrl+S", "export the model"),
    ("Ctrl+Z", "take a parameter back"),
    ("F6", "next panel"),
    ("", "In the tree"),
    ("Arrows", "walk from node to node"),
    ("Enter", "zoom to the node"),
    ("F", "show the whole tree"),
    ("C", "fold or unfold"),
    ("Ctrl+F", "find"),
    ("Alt+←", "go back"),
    ("[ and ]", "the round before, the round after"),
)  # fmt: skip


class HelpSheet(QDialog):
    """Two columns: keys with what they do, symbols with what they mean."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_window_title(self, "Keys and words")
        self.setModal(False)
        self.resize(*SIZE)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        keys = _column("Keys", _grid([(_words(key, bold=True), _words(does)) for key, does in KEYS]))
        keys.setFixedWidth(KEYS_WIDTH)
        row.addWidget(keys)
        row.addWidget(_column("Words", _grid([(_symbol(word), _meaning(word)) for word in symbols()])), 1)


def _column(title: str, content: QWidget) -> QScrollArea:
    heading = _words(title, bold=True)
    inner = QWidget()
    set_look(inner, ground="data")
    column = QVBoxLayout(inner)
    column.setContentsMargins(16, 14, 16, 14)
    column.setSpacing(10)
    column.addWidget(heading)
    column.addWidget(content)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidget(inner)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(title)
    return area


def _grid(rows: list[tuple[Label, Label]]) -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for line, (left, right) in enumerate(rows):
        right.setWordWrap(True)
        if left.text():
            grid.addWidget(left, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(right, line, 1)
        else:
            set_look(right, tone="2")
            grid.addWidget(right, line, 0, 1, 2)
    return holder


def _words(text: str, *, bold: bool = False) -> Label:
    label = Label(text)
    label.setFont(ui_font(BODY, bold=bold))
    return label


def _symbol(word: Word) -> Label:
    label = Label(word.symbol)
    label.setFont(maths_font(FORMULA))
    return label


def _meaning(word: Word) -> Label:
    return _words(f"{word.term[:1].upper()}{word.term[1:]}: {word.meaning}")
