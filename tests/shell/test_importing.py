"""A table that may be read in several ways is looked at first; a clear one is just opened."""

from __future__ import annotations

import zipfile

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QClipboard, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton

from workbench.data.samples import sample_file
from workbench.session.run import RunState

LONG = 30_000
DOUBTFUL = (
    "Größe;Preis;PLZ;seit;n\n1,5;1.234;01067;03/04/2020;12\n2,5;2.345;80331;05/06/2020;unbekannt\n"
    "3,25;3.400;10115;07/08/2021;4\n0,5;1.100;04109;01/02/2019;7\n"
)


@pytest.fixture
def doubtful(tmp_path):
    path = tmp_path / "kunden.csv"
    path.write_bytes(DOUBTFUL.encode("cp1252"))
    return path


def page_of(window, qtbot, path):
    """Open a file, and wait for the page that asks about it."""
    window.open_path(path)
    page = window.frame.importing
    qtbot.waitUntil(page.isVisible, timeout=LONG)
    qtbot.waitUntil(lambda: page.count.text() != "", timeout=LONG)
    return page


def row(page, option):
    return next(row for row in page.rows if row.option == option)


def choose(qtbot, combo, words):
    """Walk to an item with the keyboard, to what is guessed only where that is asked for."""
    found = [i for i in range(combo.count()) if words in combo.itemText(i)]
    wanted = [i for i in found if "guessed" not in combo.itemText(i)] or found
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(wanted[0]):
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentIndex() == wanted[0]


def shown(page):
    return {column.name: column for column in page.grid.table_model.columns}


@pytest.mark.slow
def test_a_clear_table_is_opened_without_a_question(window, qtbot):
    window.open_path(sample_file("heart_disease"))
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert not window.frame.importing.isVisible()


def test_what_is_doubtful_is_explained_changed_and_opened(window, qtbot, doubtful):
    page = page_of(window, qtbot, doubtful)
    assert page.title.text() == "How kunden.csv is read"
    assert page.doubts.text() == "5 things to look at. Everything else is clear."
    marked = [r.option for r in page.rows if r.is_doubtful and r.isVisible()]
    assert marked == ["encoding", "decimal", "dates", "missing", "kinds"]
    assert "'PLZ' has 01067" in row(page, "kinds").reason.text()
    assert row(page, "encoding").hasFocus() or row(page, "encoding").combo.hasFocus()
    choose(qtbot, row(page, "decimal").combo, "Comma")
    choose(qtbot, row(page, "dates").combo, "Day first")
    qtbot.keyClicks(row(page, "missing").field, "unbekannt")
    kinds = row(page, "kinds")
    choose(qtbot, kinds.names, "PLZ")
    choose(qtbot, kinds.kinds, "Category")
    qtbot.waitUntil(lambda: shown(page)["PLZ"].kind == "category", timeout=LONG)
    qtbot.waitUntil(lambda: shown(page)["n"].kind == "number", timeout=LONG)
    assert shown(page)["PLZ"].categories[0] == "01067"
    np.testing.assert_array_equal(shown(page)["Preis"].values, np.float32([1234, 2345, 3400, 1100]))
    choose(qtbot, row(page, "encoding").combo, "Windows-1252 (Western")
    qtbot.waitUntil(lambda: "Nothing is doubtful" in page.doubts.text(), timeout=LONG)
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    qtbot.waitUntil(lambda: not page.isVisible())
    table = window.session.data.table
    assert table.column("n").missing == 1
    assert [column.kind for column in table.columns] == ["number", "number", "category", "date", "number"]


@pytest.mark.slow
def test_a_choice_that_does_not_work_says_so_and_shows_the_line(window, qtbot, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\nx;1,2,3\ny;4\n")
    window.actions_by_name["open_with"].setEnabled(True)
    window.pages.look_at(path)
    page = window.frame.importing
    qtbot.waitUntil(lambda: "2 columns" in page.count.text(), timeout=LONG)
    choose(qtbot, row(page, "separator").combo, "Comma")
    qtbot.waitUntil(lambda: "Line 2 has 3 fields where 1" in page.problem.text(), timeout=LONG)
    assert page.problem.text().endswith(": x;1,2,3")
    assert page.problem.isVisible()
    assert not page.accept_button.isEnabled()
    choose(qtbot, row(page, "separator").combo, "guessed")
    qtbot.waitUntil(lambda: not page.problem.isVisible(), timeout=LONG)
    assert page.accept_button.isEnabled()


@pytest.mark.slow
def test_escape_leaves_everything_as_it_was(window, qtbot, doubtful):
    page = page_of(window, qtbot, doubtful)
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.frame.on_welcome
    assert window.session.data.table is None


@pytest.mark.slow
def test_a_run_goes_on_while_a_file_is_looked_at(window, qtbot, doubtful):
    window.open_path(sample_file("heart_disease"))
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    window.session.hyperparameters.change(rounds=400)
    window.runs.primary()
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 2, timeout=LONG)
    page = page_of(window, qtbot, doubtful)
    rounds = len(window.session.shown.run.rounds)
    ended = lambda: window.session.shown.run.state is RunState.ENDED  # noqa: E731
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > rounds or ended(), timeout=LONG)
    qtbot.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
    assert window.frame.ruler.isVisible()
    assert window.session.data.table.name == "heart_disease.csv"


@pytest.mark.slow
def test_the_menu_opens_with_options(window, qtbot, monkeypatch):
    path = str(sample_file("penguins"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (path, ""))
    menus = window.frame.top_bar.menu_bar.findChildren(QMenu)
    action = next(a for menu in menus for a in menu.actions() if a.text() == "Open with options…")
    action.trigger()
    page = window.frame.importing
    qtbot.waitUntil(lambda: "344 rows" in page.count.text(), timeout=LONG)
    assert row(page, "separator").combo.currentText() == "Comma  , (guessed)"
    assert "345 of 345 lines have 8 fields" in row(page, "separator").reason.text()


@pytest.mark.slow
def test_a_table_of_an_archive_is_chosen(window, qtbot, tmp_path):
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x,y\n1,2\n3,4\n")
        archive.writestr("b.csv", "z,w\n5,6\n7,8\n")
    page = page_of(window, qtbot, path)
    assert list(shown(page)) == ["x", "y"]
    choose(qtbot, row(page, "part").combo, "b.csv")
    qtbot.waitUntil(lambda: list(shown(page)) == ["z", "w"], timeout=LONG)
    qtbot.keyClick(page.accept_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.names == ("z", "w")
    window.pages.look_at(path)  # where another can be chosen
    qtbot.waitUntil(lambda: "all 2 rows" in page.count.text(), timeout=LONG)
    assert row(page, "part").combo.currentText() == "b.csv"
    assert list(shown(page)) == ["z", "w"]


@pytest.mark.slow
def test_what_is_shown_of_an_archive_is_opened(window, qtbot, tmp_path):
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("README.txt", "What is in train.csv, and in test.csv\n" * 20)
        archive.writestr("test.csv", "z,w\n5,6\n")
        archive.writestr("train.csv", "x,y\n1,2\n3,4\n")
    page = page_of(window, qtbot, tmp_path / "more.zip")
    assert list(shown(page)) == ["x", "y"]
    qtbot.keyClick(page.accept_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.names == ("x", "y")


def paste(window, qtbot, text):
    QApplication.clipboard().setText(text)
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.slow
def test_cells_of_a_spreadsheet_are_pasted(window, qtbot):
    paste(window, qtbot, "size\tcolour\n1\tred\n2.5\tblue\n4\tred\n")
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    table = window.session.data.table
    assert table.names == ("size", "colour")
    assert table.name.startswith("pasted ")
    assert window.documents.recent.entries()[0].name == table.name  # it can be opened again


@pytest.mark.slow
def test_a_clipboard_without_a_table_is_told(window, qtbot):
    paste(window, qtbot, "  ")
    assert "The clipboard holds no table" in window.frame.strip.text
    paste(window, qtbot, "hello")
    qtbot.waitUntil(lambda: "has a header but no rows" in window.frame.strip.text, timeout=LONG)


@pytest.mark.slow
def test_a_clipboard_that_holds_nothing_at_all_is_told(window, qtbot, monkeypatch):
    monkeypatch.setattr(QClipboard, "mimeData", lambda *_args: None)
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "The clipboard holds no table" in window.frame.strip.text


@pytest.mark.slow
def test_text_is_still_pasted_into_a_field(window, qtbot, doubtful):
    page = page_of(window, qtbot, doubtful)
    field = row(page, "missing").field
    QApplication.clipboard().setText("none")
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "none"
    assert window.session.data.table is None


@pytest.mark.slow
def test_a_folder_is_dropped_as_one_table(window, qtbot, tmp_path):
    folder = tmp_path / "months"
    folder.mkdir()
    for month in (1, 2):
        (folder / f"{month}.csv").write_text("x,y\n" + "".join(f"{n},{n * month}\n" for n in range(20)))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, button, keys))
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert (window.session.data.table.n_rows, window.session.data.table.names) == (40, ("x", "y", "file"))
    assert window.documents.recent.entries()[0].name == "months"


@pytest.mark.slow
def test_the_menu_opens_a_folder_and_says_which_file_differs(window, qtbot, tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "b.csv").write_text("x,z\n1,2\n")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(tmp_path))
    window.actions_by_name["open_folder"].trigger()
    qtbot.waitUntil(lambda: "'b.csv' has no column 'y'" in window.frame.strip.text, timeout=LONG)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_so_may_be_read_differently(window, qtbot, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("x,y\n1,2\n3,4,5\n")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.frame.strip.text.endswith(": 3,4,5"), timeout=LONG)
    button = next(b for b in window.frame.strip.findChildren(QPushButton) if "differently" in b.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    page = window.frame.importing
    qtbot.waitUntil(page.problem.isVisible, timeout=LONG)
    assert page.problem.text().endswith(": 3,4,5")
    choose(qtbot, row(page, "separator").combo, "Tilde")
    qtbot.waitUntil(lambda: not page.problem.isVisible(), timeout=LONG)
    assert list(shown(page)) == ["x,y"]


@pytest.mark.slow
def test_nothing_else_can_be_made_of_an_empty_file(window, qtbot, tmp_path):
    strip = window.frame.strip

    def offers():
        return [b for b in strip.findChildren(QPushButton) if "differently" in b.text() and b.isVisible()]

    (tmp_path / "log.csv").write_text("x,y\n1,2\n3,4,5\n")
    window.open_path(tmp_path / "log.csv")
    qtbot.waitUntil(lambda: strip.text.endswith(": 3,4,5") and len(offers()) == 1, timeout=LONG)
    (tmp_path / "none.csv").write_bytes(b"")
    window.open_path(tmp_path / "none.csv")
    said = "'none.csv' is empty. Choose a file with a table in it."
    qtbot.waitUntil(lambda: strip.text == said and strip.isVisible(), timeout=LONG)
    qtbot.waitUntil(lambda: not offers(), timeout=LONG)
    assert strip.text == said


def test_nothing_of_the_last_file_is_shown_for_the_next(window, qtbot, doubtful):
    page = page_of(window, qtbot, doubtful)
    choose(qtbot, row(page, "separator").combo, "Semicolon")
    window.pages.look_at(sample_file("penguins"))
    assert not page.grid.table_model.columns
    assert not page.accept_button.isEnabled()
    assert not any(r.isVisible() for r in page.rows)
    qtbot.waitUntil(lambda: "344 rows" in page.count.text(), timeout=LONG)
    assert page.options.chosen == ()
    assert page.accept_button.isEnabled()


@pytest.mark.slow
def test_no_guess_about_the_last_file_is_shown_for_one_that_cannot_be_read(window, qtbot, doubtful, tmp_path):
    page = page_of(window, qtbot, doubtful)
    assert row(page, "encoding").combo.currentText().startswith("Windows-1252")
    (tmp_path / "bad.csv").write_text('a,b\n1,2\n"3,4\n')
    window.pages.look_at(tmp_path / "bad.csv")
    qtbot.waitUntil(page.problem.isVisible, timeout=LONG)
    asked = [r for r in page.rows if r.isVisible() and r.option != "missing"]
    assert {r.combo.currentText() for r in asked} == {"guessed"}
    assert not page.grid.isVisible()


@pytest.mark.slow
def test_what_was_settled_is_asked_once(window, qtbot, doubtful):
    page = page_of(window, qtbot, doubtful)
    choose(qtbot, row(page, "decimal").combo, "Comma")
    qtbot.waitUntil(lambda: shown(page)["Preis"].values[0] == 1234, timeout=LONG)
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    first = window.session.data.table
    doubtful.write_bytes(doubtful.read_bytes() + b"\n")  # else it is shown as it is
    window.open_path(doubtful)
    qtbot.waitUntil(lambda: window.session.data.table is not first, timeout=LONG)
    assert window.session.data.table.column("Preis").values[0] == 1234
    window.pages.look_at(doubtful)  # where it can be changed again
    qtbot.waitUntil(lambda: "5 columns" in page.count.text(), timeout=LONG)
    assert row(page, "decimal").combo.currentText().startswith("Comma")


@pytest.mark.slow
def test_titles_and_totals_are_left_out_and_can_be_had(window, qtbot, tmp_path):
    path = tmp_path / "report.csv"
    rows = "".join(f"{region},{n},{n * 3.5}\n" for n, region in enumerate(["north", "south"] * 8))
    path.write_text(f"Sales of 2020\n\nregion,n,amount\n{rows}Total,120,420\n")
    page = page_of(window, qtbot, path)
    assert "'Sales of 2020'" in row(page, "first_line").reason.text()
    assert "Total,120,420" in row(page, "footer").reason.text()
    assert "all 16 rows" in page.count.text()
    choose(qtbot, row(page, "footer").combo, "Are rows")
    qtbot.waitUntil(lambda: "all 17 rows" in page.count.text(), timeout=LONG)
    choose(qtbot, row(page, "first_line").combo, "Line 4  north,0,0.0")
    qtbot.waitUntil(lambda: "column 1" in shown(page), timeout=LONG)
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.n_rows == 17


@pytest.mark.slow
def test_a_name_over_lines_takes_one_line_in_lists_and_is_chosen_as_it_is(window, qtbot, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"net\nincome",when\n' + "".join(f"0{n},0{n}/02/2020\n" for n in range(1, 9)))
    page = page_of(window, qtbot, path)
    kinds = row(page, "kinds")
    heights = {kinds.names.view().sizeHintForRow(place) for place in range(kinds.names.count())}
    assert len(heights) == 1
    assert "'net income' has 01" in kinds.reason.text()

    choose(qtbot, kinds.names, "net\nincome")
    choose(qtbot, kinds.kinds, "Category")
    qtbot.waitUntil(lambda: shown(page)["net\nincome"].kind == "category", timeout=LONG)


@pytest.mark.slow
def test_merged_cells_are_asked_about_and_filled(window, qtbot, tmp_path):
    book = openpyxl.Workbook()
    for cells in (["region", "n", "y"], *(["" if i % 4 else f"r{i}", i, i * 2] for i in range(12))):
        book.active.append(cells)
    for first in (2, 6, 10):
        book.active.merge_cells(f"A{first}:A{first + 3}")
    book.save(tmp_path / "t.xlsx")
    page = page_of(window, qtbot, tmp_path / "t.xlsx")
    assert "9 cells are read as missing" in row(page, "merged").reason.text()
    choose(qtbot, row(page, "merged").combo, "Filled in each row")
    qtbot.waitUntil(lambda: shown(page)["region"].missing == 0, timeout=LONG)
    assert not row(page, "merged").is_doubtful
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.column("region").missing == 0
    assert any("9 cells are filled" in note.text for note in window.session.data.table.notes)
