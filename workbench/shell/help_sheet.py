"""Keys and words, in a window of their own that can stay open beside a run."""

from __future__ import annotations

import html
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.parameters.training import PARAMETERS
from workbench.shell.actions import ACTIONS
from workbench.shell.glossary import Word, symbols
from workbench.views.controls.label import Label
from workbench.views.look.fonts import BODY, FORMULA, maths_font, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.window_title import set_window_title

SIZE = (860, 560)
KEYS_WIDTH = 340
ARROWS = ("the tree, the table, the list of runs, the curves, the plot of a split's scan, the points of the "
          "playground and the round ruler")  # fmt: skip
ARROWS_BY_KEYBOARD = "a slider and tabs"
RUN_KEYS = (
    ("Space", "train, pause or resume"),
    ("→", "step one round; in the playground go to the next tree, and back by ←, when the run has ended"),
    ("", f"Both do so wherever the focus is, but in a text field. The arrows move in {ARROWS}, and in "
         f"{ARROWS_BY_KEYBOARD} that were reached by Tab."),
    ("Enter", "press the button, check box or list that has the focus; in a field, take what is typed"),
)  # fmt: skip
KEYS_OF_VIEWS = (
    ("", "In the tree"),
    ("Arrows", "walk from node to node"),
    ("Home", "go to the root"),
    ("Enter", "zoom to the node"),
    ("Esc", "show the whole tree again, then select no node"),
    ("F", "show the whole tree"),
    ("+ and −", "zoom"),
    ("C", "fold or unfold"),
    ("Ctrl+F", "find"),
    ("Alt+← →", "go back, go forward"),
    ("[ and ]", "the round before, the round after"),
    ("", "In the table"),
    ("Arrows", "go from cell to cell"),
    ("Ctrl+Space", "show the column"),
    ("Ctrl+C", "copy the cells"),
    ("Ctrl+F", "find"),
    ("", "In the curves and the round ruler"),
    ("← and →", "the round before, the round after"),
    ("PgUp, PgDn", "ten rounds on, ten rounds back"),
    ("Home, End", "the first round, the newest"),
    ("", "On a slider or in its field"),
    ("Arrows", "a step up or down; with Shift a small one, with Ctrl a large one"),
    ("Esc", "put back what was in the field"),
)  # fmt: skip
SHOWN_AS = {"Return": "Enter", "Right": "→", "PgDown": "PgDn"}
SUBSCRIPT = re.compile(r"_(\w)")


def keys() -> list[tuple[str, str]]:
    """Keys with what they do: those of the run, of every action that has one, and of views."""
    actions = [(_shown(spec.shortcut), spec.tip or spec.text) for spec in ACTIONS if spec.shortcut]
    return [*RUN_KEYS, *((key, does[:1].lower() + does[1:]) for key, does in actions), *KEYS_OF_VIEWS]


def words() -> list[Word]:
    """What symbols mean: those of the glossary, and of parameters that it does not explain."""
    known = symbols()
    named = {name for word in known for name in word.code.split(", ")}
    others = (p for p in PARAMETERS if p.symbol and p.name not in named)
    return [*known, *(Word(p.symbol, p.label, p.help) for p in others)]


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
        left = _column("Keys", _grid([(_words(key, bold=True), _words(does)) for key, does in keys()]))
        left.setFixedWidth(px(KEYS_WIDTH))
        row.addWidget(left)
        row.addWidget(_column("Words", _grid([(_symbol(word), _meaning(word)) for word in words()])), 1)


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
    label = _words(f"{word.term[:1].upper()}{word.term[1:]}: {word.meaning}")
    if SUBSCRIPT.search(word.meaning):
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setText(SUBSCRIPT.sub(r"<sub>\1</sub>", html.escape(label.text())))
    return label


def _shown(shortcut: str) -> str:
    """A shortcut as keyboards call it: "Ctrl+Enter"."""
    return "+".join(SHOWN_AS.get(key, key) for key in shortcut.split("+"))
