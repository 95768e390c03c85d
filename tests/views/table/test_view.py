from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QListView, QVBoxLayout, QWidget

from workbench.data.reading import read_table
from workbench.data.statistics import column_summary
from workbench.data.table import Column, Table
from workbench.data.text.stream import text_stream
from workbench.data.values.column_types import convert
from workbench.resources import sample_path
from workbench.session.opening.open_file import first_plan, open_file
from workbench.session.session import Session
from workbench.views.data.axis_text import axis_texts, date_ticks
from workbench.views.data.breakdown import break_down
from workbench.views.data.target import read_classes
from workbench.views.look.theme import LIGHT
from workbench.views.table.cells import cell_text, find_cell
from workbench.views.table.header import VALIDATION
from workbench.views.table.view import TableView

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session():
    return Session()


@pytest.fixture
def view(qtbot, bench):
    window, made = QWidget(), TableView(bench)
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    for part in (*made.tools(), made):
        column.addWidget(part)
    window.resize(1136, 800)
    with qtbot.waitActive(window):
        window.show()
    yield made  # noqa: PT022 (the window lives as long as the test)


@pytest.fixture
def hearts(qtbot, bench, view):
    opened = open_file(sample_path("heart_disease.csv"), lambda *_: None, lambda: False)
    bench.session.open_table(opened.table, opened.plan, opened.summaries)
    qtbot.waitUntil(lambda: view.grid.highlights.classes is not None)
    return view


def headings(view):
    model = view.grid.model()
    return [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]


def click_cell(qtbot, view, row, name):
    index = view.grid.table_model.index(row, view.grid.table_model.place(name))
    qtbot.mouseClick(view.grid.viewport(), LEFT, pos=view.grid.visualRect(index).center())


def look_at(view, row, name):
    """Return the colours of a cell on screen."""
    index = view.grid.table_model.index(row, view.grid.table_model.place(name))
    picture = view.grid.viewport().grab(view.grid.visualRect(index)).toImage()
    places = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return {QColor(picture.pixel(*place)).name() for place in places}


def test_target_first_with_its_classes_in_colour(hearts):
    assert hearts.grid.table_model.columns[0].name == "disease"
    assert hearts.grid.table_model.index(1, 0).data() == "yes"
    assert LIGHT.weight(0.75).name() in look_at(hearts, 1, "disease")
    assert LIGHT.weight(-0.75).name() in look_at(hearts, 0, "disease")


def test_missing_cells_say_so_on_the_warning_ground(bench, hearts):
    thal = bench.session.data.table.column("thal")
    row = int(np.flatnonzero(np.isnan(thal.values))[0])
    bench.session.shown.select(row=row, column="thal")
    assert cell_text(thal, row) == "missing"
    assert LIGHT.tokens["warning_ground"].lower() in look_at(hearts, row, "thal")


def test_header_and_rows_select(qtbot, bench, hearts):
    header = hearts.grid.header
    place = hearts.grid.table_model.place("rest_bp")
    spot = QPoint(header.sectionViewportPosition(place) + 20, 20)
    qtbot.mouseClick(header.viewport(), LEFT, pos=spot)
    assert bench.session.shown.selection.column == "rest_bp"
    assert bench.session.shown.selection.row is None
    click_cell(qtbot, hearts, 4, "age")
    assert (bench.session.shown.selection.row, bench.session.shown.selection.column) == (4, "rest_bp")
    qtbot.keyClick(hearts.grid, Qt.Key.Key_Down)
    assert bench.session.shown.selection.row == 5
    qtbot.keyClick(hearts.grid, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert bench.session.shown.selection.column == "age"


def test_follows_a_row_chosen_elsewhere_and_leaves_the_focus(qtbot, bench, hearts):
    hearts.find_field.setFocus()
    said = []
    hearts.status_changed.connect(said.append)
    bench.session.shown.select(row=200)
    first, last = hearts.grid.shown_rows()
    assert first <= 200 <= last
    assert said[-1] == f"Rows {first + 1} to {last + 1} of 303 shown."
    assert not hearts.grid.hasFocus()
    assert LIGHT.tokens["tint"].lower() in look_at(hearts, 200, "age")


def test_finds_the_next_cell_with_a_text(qtbot, bench, hearts):
    qtbot.keyClicks(hearts.find_field, "downsl")
    qtbot.keyClick(hearts.find_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.session.shown.selection.row == 0)
    qtbot.keyClick(hearts.find_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.session.shown.selection.row == 3)
    assert hearts.grid.currentIndex().data() == "downsloping"
    hearts.find_field.setText("no such thing")
    said = []
    hearts.status_changed.connect(said.append)
    qtbot.keyClick(hearts.find_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said != [])
    assert said == ["No cell of the columns shown contains “no such thing”."]
    assert hearts.find_field.property("wrong") == "true"


def test_columns_can_be_hidden_and_come_back(qtbot, hearts):
    assert hearts.columns_button.text() == "Columns: 14 of 14"
    qtbot.mouseClick(hearts.columns_button, LEFT)
    popup = QApplication.activePopupWidget()
    listed = popup.findChild(QListView)
    listed.setCurrentIndex(listed.model().index(1, 0))
    qtbot.keyClick(listed, Qt.Key.Key_Space)
    assert hearts.columns_button.text() == "Columns: 13 of 14"
    assert "age" not in headings(hearts)
    qtbot.keyClick(listed, Qt.Key.Key_Space)
    assert headings(hearts)[:2] == ["disease", "age"]
    popup.close()


def test_selected_cells_are_copied_as_tsv(qtbot, hearts):
    click_cell(qtbot, hearts, 0, "disease")
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(hearts.grid, key, Qt.KeyboardModifier.ShiftModifier)
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(hearts.grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() != "")
    assert QGuiApplication.clipboard().text() == "no\t63\nyes\t67"


def test_detail_tells_the_column(qtbot, bench, hearts):
    bench.session.shown.select(column="max_heart_rate")
    qtbot.waitUntil(lambda: ("Median", "153") in hearts.detail.facts)
    assert hearts.detail.facts == (
        ("Range", "71 to 202"), ("Median", "153"), ("Mean, std", "149.6, 22.9"), ("Distinct", "91"),
        ("Missing", "0"),
    )
    assert hearts.detail.group_heading.findChild(QLabel).text() == "Share of yes, eight equal groups"


def test_detail_gives_way_when_narrow(qtbot, hearts):
    assert hearts.detail.width() == 260
    hearts.window().resize(1560, 900)
    qtbot.waitUntil(lambda: hearts.detail.width() == 300)
    hearts.window().resize(760, 600)
    qtbot.waitUntil(lambda: not hearts.detail.isVisible())


def test_detail_changes_the_role(bench, hearts):
    bench.session.shown.select(column="age")
    combo = hearts.detail.role_combo
    combo.activated.emit(combo.findText("ignore"))
    assert bench.session.data.plan.roles["age"] == "ignore"


def test_rows_of_a_run_are_marked(bench, hearts):
    from workbench.data.dataset import build_dataset

    session = bench.session
    run = session.new_run()
    dataset = build_dataset(session.data.table, session.data.plan.roles)
    session.runs.dataset_ready(run, dataset)
    held = int(dataset.table_rows[dataset.valid_rows][0])
    assert hearts.grid.rows.part(held) == VALIDATION


def test_a_million_rows_are_only_looked_at_where_shown(qtbot, bench, view):
    values = np.arange(1_000_000, dtype=np.float32)
    flag = Column("y", "boolean", values % 2, ("no", "yes"))
    table = Table("long.csv", (Column("x", "number", values), flag))
    bench.session.open_table(table, first_plan(table), {c.name: column_summary(c) for c in table.columns})
    bench.session.shown.select(row=999_999)
    assert view.grid.shown_rows()[1] == 999_999
    assert view.grid.table_model.index(999_999, 1).data() == "999999"


def test_cells_are_written_as_in_the_file():
    numbers = Column("x", "number", np.array([0.1, -2, 2015, 1e20, -0.0, np.nan], np.float32))
    assert [cell_text(numbers, i) for i in range(6)] == ["0.1", "−2", "2015", "1e+20", "0", "missing"]
    days = Column("d", "date", np.array([0, 15340], np.float32))
    assert [cell_text(days, i) for i in range(2)] == ["1970-01-01", "2012-01-01"]


def test_find_walks_on_from_the_start_and_round_the_end():
    words = Column("w", "category", np.array([0, 1, 0, 2], np.float32), ("ab", "cd", "AX"))
    number = Column("n", "number", np.array([10, -1.5, 2, 3], np.float32))
    columns = [words, number]
    never = lambda: False  # noqa: E731
    assert find_cell(columns, "a", (0, 0), never) == (2, 0)
    assert find_cell(columns, "a", (3, 0), never) == (0, 0)
    assert find_cell(columns, "-1.5", (1, 1), never) == (1, 1)
    assert find_cell(columns, "zz", (0, -1), never) is None


def test_breakdown_counts_every_row_once():
    rng = np.random.default_rng(1)
    x = Column("x", "number", rng.normal(size=500).astype(np.float32))
    y = Column("y", "boolean", (x.values > 0).astype(np.float32), ("no", "yes"))
    table = Table("t", (x, y))
    shown = break_down(x, y, read_classes(y, first_plan(table)))
    assert shown.histogram.counts.sum() == 500
    assert shown.groups.sizes.sum() == 500
    assert len(shown.groups.means) == 8
    assert shown.groups.means[0] == 0
    assert shown.groups.means[-1] == 1


@pytest.mark.parametrize("size", [1.5, 2.0**24, 2.0**53, -(2.0**63), 3e38])
def test_breakdown_has_bins_for_numbers_of_any_size(size):
    near = np.float32(size)
    for values in ([near], [near, near], [near, np.nextafter(near, np.float32(0))]):
        shown = break_down(Column("x", "number", np.array(values, np.float32)), None, None)
        assert shown.histogram.counts.sum() == len(values)
        assert (np.diff(shown.histogram.edges) > 0).all()


def test_date_ticks_are_starts_of_years():
    assert [text for _, text in date_ticks(15340, 15340 + 1460, 4)] == ["2012", "2013", "2014", "2015"]


def test_values_of_four_digits_are_written_as_years_are():
    assert axis_texts([1880, 1900]) == [(1880, "1880"), (1900, "1900")]
    assert [text for _, text in axis_texts([0, 1500])] == ["0", "1,500"]


def test_the_table_shows_what_stands_in_the_file(monkeypatch, tmp_path):
    dates = [f"20{i:02d}-01-01 {i:02d}:00:00" for i in range(1, 20)]
    whole = [str(16877217 + i) for i in range(19)]
    decimals = ["0.1", "-2.7", "1234567.891"] * 6 + ["0.3"]
    rows = "\n".join(map(",".join, zip(dates, whole, decimals, strict=True)))

    path = tmp_path / "exact.csv"
    path.write_text(f"when,id,x\n{rows}\n")
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (64,))  # many blocks

    read = read_table(path)

    assert [cell_text(read.column("when"), row) for row in range(19)] == dates
    assert [cell_text(read.column("id"), row) for row in range(19)] == whole
    assert [cell_text(read.column("x"), row) for row in range(2)] == ["0.1", "−2.7"]
    assert read.column("x").exact is None
    assert read.column("id").values.dtype == np.float32
    assert find_cell([read.column("id")], "16877219", (0, 0), lambda: False) == (2, 0)
    assert convert(read.column("id"), "category").categories == tuple(whole)
    assert convert(read.column("when"), "category").categories == tuple(dates)


class FirstPicture(QObject):
    """Asks once, when something is first painted."""

    def __init__(self, painted, question):
        super().__init__()
        self._question = question
        self.answer = None
        painted.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and self.answer is None:
            self.answer = self._question()
        return False


def test_the_first_picture_of_a_table_does_not_wait_for_work_about_it(qtbot, bench, view):
    opened = open_file(sample_path("heart_disease.csv"), lambda *_: None, lambda: False)
    first = FirstPicture(view.grid.viewport(), lambda: bench.jobs.is_idle)
    bench.session.open_table(opened.table, opened.plan, opened.summaries)
    qtbot.waitUntil(lambda: view.grid.highlights.classes is not None)
    assert first.answer is True


def test_marks_of_classes_stay_until_another_objective_has_its_own(qtbot, hearts, bench):
    highlights, data = hearts.grid.highlights, bench.session.data
    before = highlights.classes
    data.set_objective("squared")
    assert highlights.classes is before
    qtbot.waitUntil(lambda: highlights.classes is None)
    data.set_objective("logistic")
    qtbot.waitUntil(lambda: highlights.classes is not None)
    data.set_target("age", "squared")
    assert highlights.classes is None, "another target's"
