from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QWidget

import workbench
from workbench.views.look.tool_tip import as_it_stands, in_lines
from workbench.views.look.window_title import set_window_title

PACKAGE = Path(workbench.__file__).parent
MARKED = re.compile(  # Qt or pyqtgraph may see markup in what is given to these
    r"\b(setHtml|insertHtml|setToolTip|setWhatsThis|setWindowTitle|QToolTip|RichText|AutoText|MarkdownText|QLabel|"
    r"QMessageBox|LabelItem|TextItem|QStaticText)\b"
)
ALLOWED = {
    ("label.py", "QLabel"), ("figure_label.py", "QLabel"), ("figure_label.py", "RichText"),
    ("help_sheet.py", "RichText"),
    ("tool_tip.py", "setToolTip"), ("tool_tip.py", "QToolTip"), ("window_title.py", "setWindowTitle"),
    ("lettering.py", "QStaticText"), ("projector.py", "QLabel"),  # whose size alone it looks at
}


@pytest.mark.parametrize("name", ['<img src="x.png"> < 5', "tree 3 › <b>age</b> < 5", "<br> a & b &lt;"])
def test_a_name_that_looks_like_html_is_shown_letter_by_letter(name):
    page = QTextDocument()
    page.setHtml(as_it_stands(name))
    assert page.toPlainText() == name
    assert "<img" not in page.toHtml()


def test_other_names_stay_as_they_are():
    assert as_it_stands("a < b & c") == "a < b & c"


def test_long_words_stand_in_lines_that_stay_on_the_screen():
    words = "first\n" + "word " * 4000
    lines = as_it_stands(words).splitlines()
    assert lines[0] == "first"
    assert len(lines) == 30
    assert max(map(len, lines)) <= 100
    assert lines[-1].endswith("…")
    assert in_lines("x" * 250) == "\n".join(["x" * 100, "x" * 100, "x" * 50])


def test_a_title_with_the_mark_of_changes_is_whole(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    set_window_title(window, "a[*]\nb.csv")
    assert window.windowTitle() == "a[*][*] b.csv"


def test_words_reach_the_screen_only_through_what_takes_no_markup():
    found = {
        (path.name, word)
        for path in [*(PACKAGE / "views").rglob("*.py"), *(PACKAGE / "shell").rglob("*.py")]
        for word in MARKED.findall(path.read_text("utf-8"))
    }
    assert found == ALLOWED
