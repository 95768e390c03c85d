"""F1 shows keys and words; a sample is trained slowly enough to be watched."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from workbench.session.run import RunState
from workbench.shell.glossary import symbols

LONG = 30_000


def test_f1_shows_keys_and_words_beside_the_window(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    sheet = window.help_sheet
    qtbot.waitUntil(sheet.isVisible)
    assert not sheet.isModal()
    said = [label.text() for label in sheet.findChildren(QLabel)]
    assert {"Space", "→", "F6", "λ, γ, η", "w*", "G, H", "Ω", "φ"} <= set(said)
    assert any(words.startswith("Leaf weight: −G/(H+λ)") for words in said)
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_the_words_are_those_of_the_glossary():
    found = {word.term: word for word in symbols()}
    assert found["Ω"].meaning.startswith("γT + ½λ Σ (η·w*)²")
    assert found["raw prediction, prediction"].symbol == "ŷ"
    assert all(word.symbol and word.meaning for word in found.values())
    assert not any("`" in text for word in found.values() for text in word)


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
