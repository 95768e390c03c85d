"""F1 shows keys and words; a sample is trained slowly enough to be watched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

import workbench
from workbench.parameters.training import PARAMETERS
from workbench.session.run import RunState
from workbench.shell.actions import ACTIONS
from workbench.shell.glossary import symbols
from workbench.shell.help_sheet import keys

LONG = 30_000


def test_f1_shows_keys_and_words_beside_the_window(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    sheet = window.help_sheet
    qtbot.waitUntil(sheet.isVisible)
    assert not sheet.isModal()
    said = [label.text() for label in sheet.findChildren(QLabel)]
    assert {"Space", "→", "F6", "λ", "α", "γ", "η", "w*", "G, H", "Ω", "φ"} <= set(said)
    assert any(words.startswith("Leaf weight: −G/(H+λ)") for words in said)
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_every_shortcut_and_every_symbol_is_told(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    said = [label.text() for label in window.help_sheet.findChildren(QLabel)]
    for shown, name in (("→", "Right"), ("Enter", "Return"), ("PgDn", "PgDown")):
        said = [words.replace(shown, name) for words in said]
    assert {spec.shortcut for spec in ACTIONS if spec.shortcut} <= set(said)
    assert [p.name for p in PARAMETERS if p.symbol and p.symbol not in said] == []
    assert any(words.startswith("L1 regularisation: ") for words in said)
    assert not any("_" in words for words in said)
    gain = next(label for label in window.help_sheet.findChildren(QLabel) if "Split gain: " in label.text())
    assert "G<sub>L</sub>²/(H<sub>L</sub>+λ)" in gain.text()
    assert gain.textFormat() == Qt.TextFormat.RichText


WALKING = {  # by the file of what keeps → for itself: how the sheet calls it
    "curves/board.py": "the curves", "tree/canvas.py": "the tree", "why/scan_plot.py": "a split's scan",
    "ruler/round_ruler.py": "the round ruler", "table/grid.py": "the table",
    "controls/slider.py": "a slider", "shell/tabbed.py": "tabs", "runs/run_list.py": "the list of runs",
    "playground/hand_plot.py": "the points of the playground",
}  # fmt: skip


def test_whatever_keeps_the_arrows_is_told():
    places = [path.as_posix() for path in Path(workbench.__path__[0]).rglob("*.py")
              if re.search(r"\bkeeps_arrows\b.* = ", path.read_text("utf-8"))]  # fmt: skip
    assert sorted("/".join(place.split("/")[-2:]) for place in places) == sorted(WALKING)
    sentence = next(does for key, does in keys() if not key)
    assert [name for name in WALKING.values() if name not in sentence] == []


def test_the_words_are_those_of_the_glossary():
    found = {word.term: word for word in symbols()}
    assert found["Ω"].meaning.startswith("γT + ½λ Σ (η·w*)²")
    assert found["raw prediction, prediction"].symbol == "ŷ"
    assert all(word.symbol and word.meaning for word in found.values())
    assert not any("`" in text for word in found.values() for text in word)


@pytest.mark.slow
def test_the_sample_that_is_watched_takes_its_time_and_the_defaults(window, qtbot):
    window.session.hyperparameters.change(reg_lambda=14.0, rounds=7)
    buttons = window.frame.welcome.findChildren(QPushButton)
    tour = next(button for button in buttons if button.text().endswith("being trained"))
    qtbot.mouseClick(tour, Qt.MouseButton.LeftButton)
    shown = window.session.shown
    qtbot.waitUntil(lambda: bool(shown.run and len(shown.run.rounds) > 1), timeout=LONG)
    run = window.session.shown.run
    assert (run.params.reg_lambda, run.planned_rounds) == (1.0, 100)
    assert run.state is RunState.RUNNING
    assert len(run.rounds) < 60
    assert float(window.frame.ruler.words[1].split()[0]) < 10  # rounds a second
    qtbot.keyClick(window.frame.centre.bar, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: run.state is RunState.PAUSED, timeout=LONG)
    assert len(run.rounds) < 100
