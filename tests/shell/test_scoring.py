"""A second table is looked at and scored in the window, by hand."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QMenu, QPushButton

from workbench.data import room
from workbench.data.samples import sample_file
from workbench.data.text.stream import text_stream
from workbench.session.run import RunState
from workbench.views.scoring.difference_list import DifferenceLine

LONG = 30_000


@pytest.fixture
def trained(window, qtbot):
    window.open_path(sample_file("heart_disease"))
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert not window.actions_by_name["score"].isEnabled()
    window.session.hyperparameters.change(rounds=6)
    qtbot.mouseClick(window.frame.transport.primary_button, Qt.MouseButton.LeftButton)
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run is not None and shown.run.state is RunState.ENDED, timeout=LONG)
    return window


@pytest.fixture
def patients(tmp_path):
    frame = pd.read_csv(sample_file("heart_disease")).rename(columns={"age": "AGE"}).drop(columns="rest_ecg")
    frame.loc[250:256, "thal"] = "unheard of"
    frame["note"] = "=1+1"
    frame.to_csv(tmp_path / "patients.csv", index=False)
    return tmp_path / "patients.csv"


def page_of(window, qtbot, monkeypatch, path):
    """Choose a table in the menu, and wait until all of it is looked through and the preview is there."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    menus = window.frame.top_bar.menu_bar.findChildren(QMenu)
    next(a for menu in menus for a in menu.actions() if a.text() == "Score a table…").trigger()
    page = window.frame.scoring
    qtbot.waitUntil(page.isVisible)
    qtbot.waitUntil(lambda: "looked through" in page.looked.text(), timeout=LONG)
    qtbot.waitUntil(lambda: bool(page.grid.table_model.columns), timeout=LONG)
    return page


def tick(page, qtbot, words):
    """Click a tick, and wait until the first rows follow."""
    box = next(b for b in page.findChildren(QCheckBox) if b.text() == words)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()


def shown(page):
    return [column.name for column in page.grid.table_model.columns]


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_table_is_scored_from_the_menu(trained, qtbot, patients, tmp_path, monkeypatch):
    trained.warmup.rare_ready.set()  # what explains is compiled here, not waited for with all other kernels
    page = page_of(trained, qtbot, monkeypatch, patients)
    assert page.title.text() == "Score patients.csv"
    assert page.looked.text() == "All 303 rows are looked through."
    assert page.differences.texts == [
        "Column 'age' is missing, and taken as missing in every row. The table has 'AGE'; rename it if that "
        "is meant.",
        "Column 'rest_ecg' is missing, and taken as missing in every row.",
        "Column 'thal': 7 rows have a new category ('unheard of'), for which every question is answered no.",
        "2 columns are not the model's and left alone: 'AGE', 'note'.",
    ]
    qtbot.waitUntil(lambda: sum(line.isVisible() for line in page.findChildren(DifferenceLine)) == 4)
    assert shown(page) == ["row", "prediction", "probability_no", "probability_yes"]
    for words in ("The table's own columns", "Raw predictions", "What each column adds"):
        tick(page, qtbot, words)
    tick(page, qtbot, "Make formulas harmless for spreadsheets")
    qtbot.waitUntil(lambda: "contribution_thal" in shown(page), timeout=LONG)
    output = tmp_path / "out.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(output), "CSV (*.csv)"))
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: trained.session.notices.current is not None, timeout=LONG)
    assert not page.isVisible()
    said = trained.frame.strip.text
    assert said.startswith("Scored patients.csv: 303 rows in out.csv. Log loss 0.")
    assert "on 303 rows with an answer. Column 'age' is missing" in said
    assert said.endswith("And 2 other differences.")
    rows, model = rows_of(output), trained.session.shown.run.kept().model
    known = pd.read_csv(patients).assign(age=np.nan, rest_ecg=None)
    raw = np.array([row["raw"] for row in rows], np.float32)
    assert np.array_equal(raw, model.predict_raw(known))
    parts = [k for k in rows[0] if k.startswith(("base", "contrib"))]
    total = sum(np.array([row[k] for row in rows], float) for k in parts)
    np.testing.assert_allclose(total, raw, atol=1e-6)
    assert {row["note"] for row in rows} == {"'=1+1"}
    preview = page.grid.table_model.columns[page.grid.table_model.place("raw")]
    assert np.array_equal(preview.values, raw[:200])


@pytest.mark.slow
def test_a_parquet_file_is_written_where_it_is_chosen(trained, qtbot, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    page = page_of(trained, qtbot, monkeypatch, sample_file("heart_disease"))
    assert "None: every column is there" in page.none.text()
    chosen = (str(tmp_path / "out"), "Parquet (*.parquet)")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: chosen)
    qtbot.keyClick(page.accept_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: trained.session.notices.current is not None, timeout=LONG)
    assert trained.session.notices.current.severity == "info"
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 303


@pytest.mark.slow
def test_escape_goes_back_and_no_file_asked_for_stays(trained, qtbot, patients, monkeypatch):
    page = page_of(trained, qtbot, monkeypatch, patients)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    assert page.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert trained.frame.ruler.isVisible()


@pytest.mark.slow
def test_a_table_of_another_kind_is_refused_on_the_page(trained, qtbot, monkeypatch):
    path = str(sample_file("fuel_economy"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (path, ""))
    trained.actions_by_name["score"].trigger()
    page = trained.frame.scoring
    qtbot.waitUntil(page.problem.isVisible, timeout=LONG)
    assert page.problem.text().startswith("'fuel_economy.csv' has none of the model's 13 columns")
    assert not page.differences.isVisible()
    assert not page.accept_button.isEnabled()


def test_cancelling_leaves_no_file(trained, qtbot, tmp_path, monkeypatch):
    lines = sample_file("heart_disease").read_text().splitlines(keepends=True)
    path = tmp_path / "many.csv"
    path.write_text("".join([lines[0], *lines[1:] * 2000]))
    page = page_of(trained, qtbot, monkeypatch, path)
    folder = tmp_path / "out"
    folder.mkdir()
    chosen = (str(folder / "out.csv"), "CSV (*.csv)")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: chosen)
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    waiting = trained.frame.waiting
    qtbot.waitUntil(lambda: "rows so far" in waiting.text, timeout=LONG)
    cancel = next(b for b in waiting.findChildren(QPushButton) if b.text() == "Cancel")
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert not waiting.isVisible()
    qtbot.waitUntil(lambda: not list(folder.iterdir()), timeout=LONG)
    assert trained.session.notices.current is None


@pytest.mark.slow
def test_every_row_is_scored_of_a_table_that_was_opened_as_a_sample(trained, qtbot, patients, monkeypatch):
    from workbench.data.readers.options import ReadOptions

    monkeypatch.setattr(trained.documents.recent, "options_of", lambda _path: ReadOptions(sample_rows=10))
    page = page_of(trained, qtbot, monkeypatch, patients)
    assert page.looked.text() == "All 303 rows are looked through."


@pytest.mark.slow
def test_a_model_from_a_file_scores_too(trained, qtbot, patients, tmp_path, monkeypatch):
    trained.session.shown.run.kept().model.save(tmp_path / "m.json")
    raw = trained.session.shown.run.kept().model.predict_raw(pd.read_csv(sample_file("heart_disease")))
    with qtbot.waitSignal(trained.documents.opened_model, timeout=LONG):
        trained.open_path(tmp_path / "m.json")
    page = page_of(trained, qtbot, monkeypatch, sample_file("heart_disease"))
    assert page.model.text().startswith("With Run 1 of heart_disease.csv: 13 columns, 6 rounds.")
    tick(page, qtbot, "Raw predictions")
    qtbot.waitUntil(lambda: "raw" in shown(page), timeout=LONG)
    column = page.grid.table_model.columns[page.grid.table_model.place("raw")]
    assert np.array_equal(column.values, raw[:200])


@pytest.mark.slow
def test_every_control_has_a_name_and_can_be_reached_by_keyboard(trained, qtbot, patients, monkeypatch):
    page = page_of(trained, qtbot, monkeypatch, patients)
    for control in page.findChildren(QCheckBox) + page.findChildren(QPushButton):
        if control.isVisible():
            assert control.accessibleName() or control.text()
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.fixture
def much_packed(patients, monkeypatch):
    """A table of two rows many times over, which unpacks to more than is read unasked."""
    monkeypatch.setattr(room, "MUCH_TEXT", 1 << 20)
    monkeypatch.setattr(room, "TOLD_BY", 1 << 18)
    monkeypatch.setattr(room, "MOST_FOLD", 50)
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (1 << 14,))
    header, *rows = patients.read_text().splitlines(keepends=True)
    path = patients.with_name("many.csv.gz")
    path.write_bytes(gzip.compress((header + "".join(rows[:2]) * 30_000).encode()))
    return path


@pytest.mark.slow
def test_what_unpacks_beyond_proportion_is_scored_when_the_person_says_so(
    trained, qtbot, much_packed, tmp_path, monkeypatch
):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(much_packed), ""))
    trained.actions_by_name["score"].trigger()
    page = trained.frame.scoring
    qtbot.waitUntil(page.unpack_button.isVisible, timeout=LONG)
    qtbot.waitUntil(lambda: bool(page.grid.table_model.columns), timeout=LONG)
    assert "times as much" in page.problem.text()
    assert "--unpack-all" not in page.problem.text()
    assert not page.accept_button.isEnabled()
    qtbot.mouseClick(page.unpack_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.looked.text() == "All 60,000 rows are looked through.", timeout=LONG)
    assert page.accept_button.isEnabled()
    assert not page.unpack_button.isVisible()


@pytest.mark.slow
def test_scoring_asks_too_where_nothing_was_looked_through_yet(
    trained, qtbot, much_packed, tmp_path, monkeypatch
):
    output, page = tmp_path / "out.csv", trained.frame.scoring
    monkeypatch.setattr(page, "_look", lambda: None)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(much_packed), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(output), "CSV (*.csv)"))
    trained.actions_by_name["score"].trigger()
    qtbot.waitUntil(page.accept_button.isEnabled, timeout=LONG)
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    strip = trained.frame.strip
    words = "Read all of it"
    found = lambda: [b for b in strip.findChildren(QPushButton) if b.text() == words]  # noqa: E731
    qtbot.waitUntil(lambda: bool(found()), timeout=LONG)
    assert "times as much" in strip.text
    assert not output.exists()
    qtbot.mouseClick(found()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(output.exists, timeout=LONG)
    assert len(rows_of(output)) == 60_000
    qtbot.waitUntil(lambda: not found(), timeout=LONG)
