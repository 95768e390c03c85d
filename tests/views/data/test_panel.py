from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from workbench.data.dataset import build_dataset
from workbench.data.statistics import column_summary
from workbench.data.table import Column, Table, TableNote
from workbench.resources import sample_path
from workbench.session.opening.open_file import first_plan, open_file
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.shell.words import sentence
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.data.panel import DataPanel

LEFT, TIP = Qt.MouseButton.LeftButton, Qt.ItemDataRole.ToolTipRole


@pytest.fixture
def session():
    return Session()


@pytest.fixture
def panel(qtbot, bench):
    made = DataPanel(bench)
    qtbot.addWidget(made)
    made.resize(304, 760)
    made.show()
    return made


def show(bench, table):
    summaries = {column.name: column_summary(column) for column in table.columns}
    bench.session.open_table(table, first_plan(table), summaries)


@pytest.fixture
def hearts(qtbot, bench, panel):
    opened = open_file(sample_path("heart_disease.csv"), lambda *_: None, lambda: False)
    bench.session.open_table(opened.table, opened.plan, opened.summaries)
    qtbot.waitUntil(lambda: counted(panel) == ("227 training", "76 validation"))
    return panel


def counted(panel):
    return panel.hold_out.train_label.text(), panel.hold_out.valid_label.text()


def row_of(panel, name):
    return next(i for i, column in enumerate(panel.columns.model().columns) if column.name == name)


def centre_of(panel, name):
    return panel.columns.visualRect(panel.columns.model().index(row_of(panel, name))).center()


def choose(panel, name, words):
    """Take an entry of a column's menu."""
    menu = panel.columns.menu_of(row_of(panel, name))
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.deleteLater()


def pick(combo, text):
    """Choose an entry as a hand does: open, walk to it, Enter."""
    index = combo.findText(text)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def test_says_what_the_table_is_and_what_is_predicted(hearts):
    assert hearts.file_label.text() == "heart_disease.csv"
    assert hearts.size_label.text() == "303 rows, 14 columns, 6 cells missing"
    assert hearts.columns.name_at(0) == "disease"
    assert hearts.choice.target.said == "disease guessed, two values"
    assert hearts.choice.objective.currentText() == "logistic"
    assert hearts.choice.positive.said == "positive yes"
    assert not hearts.choice.problem.isVisible()


def test_a_click_and_the_arrows_choose_a_column(qtbot, bench, hearts):
    qtbot.mouseClick(hearts.columns.viewport(), LEFT, pos=centre_of(hearts, "thal"))
    assert bench.session.shown.selection.column == "thal"
    qtbot.keyClick(hearts.columns, Qt.Key.Key_Up)
    assert bench.session.shown.selection.column == "major_vessels"
    bench.session.shown.select(column="age")
    assert hearts.columns.currentIndex().data() == "age"


def test_the_dots_open_a_menu_with_role_and_type(qtbot, hearts):
    viewport, spot = hearts.columns.viewport(), centre_of(hearts, "age")
    qtbot.mouseClick(viewport, LEFT, pos=QPoint(viewport.width() - 20, spot.y()))
    menu = hearts.columns.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    checked = [action.text() for action in menu.actions() if action.isChecked()]
    assert checked == ["Feature", "Number"]
    menu.close()


def test_an_ignored_column_is_no_feature(bench, hearts):
    choose(hearts, "age", "Ignore")
    assert bench.session.data.plan.roles["age"] == "ignore"
    assert "ignore" in hearts.columns.model().index(row_of(hearts, "age")).data(Qt.ItemDataRole.ToolTipRole)


def test_the_objective_follows_a_new_target(qtbot, bench, hearts):
    pick(hearts.choice.target, "cholesterol")
    assert bench.session.data.plan.target == "cholesterol"
    assert bench.session.data.plan.objective == "squared"
    assert hearts.choice.target.said == "cholesterol 152 values"
    assert hearts.columns.name_at(0) == "cholesterol"
    qtbot.waitUntil(lambda: not hearts.choice.positive.isVisible())
    assert not hearts.hold_out.stratified.isEnabled()
    choose(hearts, "thal", "Target")
    assert bench.session.data.plan.objective == "softmax"
    qtbot.waitUntil(hearts.hold_out.stratified.isEnabled)


def test_the_positive_class_can_be_turned(qtbot, bench, hearts):
    pick(hearts.choice.positive, "no")
    assert bench.session.data.plan.positive == "no"
    qtbot.waitUntil(lambda: hearts.choice.positive.said == "positive no")


def test_the_hold_out_counts_its_rows(qtbot, bench, hearts):
    field = hearts.hold_out.rows["valid_fraction"].findChild(ParameterField)
    field.selectAll()
    qtbot.keyClicks(field, "0.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert bench.session.data.plan.valid_fraction == 0.5
    qtbot.waitUntil(lambda: counted(hearts) == ("151 training", "152 validation"))
    qtbot.mouseClick(hearts.hold_out.stratified, LEFT, pos=QPoint(8, 12))
    assert not bench.session.data.plan.stratified


def test_rows_are_held_out_by_a_column_or_a_second_file(qtbot, bench, hearts, monkeypatch, tmp_path):
    held, plan = hearts.hold_out, bench.session.data
    assert not held.column.isVisible()
    pick(held.by, "Whole groups of a column")
    assert held.column.said == "choose a column"
    qtbot.waitUntil(lambda: "Choose the column of the groups" in bench.session.data.problem)
    pick(held.column, "chest_pain")
    assert (plan.plan.split_by, plan.plan.split_column) == ("groups", "chest_pain")
    assert plan.plan.roles["chest_pain"] == "ignore"
    qtbot.waitUntil(lambda: counted(hearts) == ("230 training", "73 validation"))
    assert not held.stratified.isVisible()
    pick(held.by, "The latest rows")
    pick(held.column, "age")
    assert not held.rows["split_seed"].isVisible()
    qtbot.waitUntil(lambda: bench.session.data.problem == "" and counted(hearts)[1] == "79 validation")
    pick(held.by, "A second file")
    assert not held.rows["valid_fraction"].isVisible()
    lines = sample_path("heart_disease.csv").read_text().splitlines()
    second = tmp_path / "later.csv"
    second.write_text("\n".join(lines[:41]) + "\n")
    monkeypatch.setattr(
        "workbench.views.data.holdout.QFileDialog.getOpenFileName", lambda *_: (str(second), "")
    )
    qtbot.mouseClick(held.file_button, LEFT)
    assert held.file_button.text() == "later.csv"
    qtbot.waitUntil(lambda: counted(hearts) == ("303 training", "40 validation"))


def test_plan_is_locked_while_a_run_is_live(qtbot, bench, hearts):
    run = bench.session.new_run()
    share = hearts.hold_out.rows["valid_fraction"]
    qtbot.waitUntil(lambda: share.note == "The hold-out stays fixed during a run.")
    assert not hearts.choice.target.isEnabled()
    assert not hearts.hold_out.stratified.isEnabled()
    run.state = RunState.ENDED
    bench.session.events.state.emit()
    qtbot.waitUntil(lambda: share.note == "")
    assert hearts.choice.target.isEnabled()


def test_a_type_that_does_not_fit_is_refused_in_words(qtbot, bench, hearts):
    choose(hearts, "chest_pain", "Number")
    qtbot.waitUntil(lambda: bench.session.notices.current is not None)
    assert bench.session.notices.current.severity == "error"
    assert "asymptomatic" in bench.session.notices.current.text
    assert bench.session.data.table.column("chest_pain").kind == "category"


def test_a_target_made_a_category_gets_another_objective(qtbot, bench, hearts):
    pick(hearts.choice.target, "major_vessels")
    choose(hearts, "major_vessels", "Category")
    qtbot.waitUntil(lambda: bench.session.data.table.column("major_vessels").kind == "category")
    assert bench.session.data.plan.objective == "softmax"


def test_what_cannot_be_trained_is_said(qtbot, bench, panel):
    x = np.arange(40, dtype=np.float32)
    constant = Column("y", "number", np.full(40, 5, np.float32))
    show(bench, Table("c.csv", (Column("a", "number", x), Column("b", "number", x % 7), constant)))
    bench.session.data.set_role("y", "target")
    qtbot.waitUntil(panel.choice.problem.isVisible)
    assert "'y' is 5 in every row" in panel.choice.problem.text()
    assert sentence(bench.session) == ("Cannot train yet: see Data.", "")

    bench.session.data.set_role("a", "target")
    bench.session.data.set_role("y", "ignore")
    qtbot.waitUntil(lambda: not bench.session.data.problem)
    assert sentence(bench.session) == ("Ready to train on 1 feature.", "")


def test_an_offset_is_a_role_that_one_column_has(qtbot, bench, hearts):
    session = bench.session
    choose(hearts, "age", "Offset")
    choose(hearts, "cholesterol", "Offset")
    assert session.data.plan.roles["age"] == "feature"
    assert "offset" in hearts.columns.model().index(row_of(hearts, "cholesterol")).data(TIP)
    data = build_dataset(session.data.table, session.data.plan.roles, "binary")
    assert data.schema.offset == "cholesterol"
    assert "cholesterol" not in data.schema.names
    assert np.array_equal(data.offset, session.data.table.column("cholesterol").values[data.table_rows])
    assert not session.data.problem


@pytest.mark.parametrize(
    ("objective", "role", "words"),
    [("softmax", "offset", "'softmax' and an offset clash"), ("lambdarank", "weight", "the role of a group"),
     ("squared", "offset", "")],
)  # fmt: skip
def test_an_objective_asks_for_its_columns(qtbot, bench, panel, objective, role, words):
    x = np.arange(40, dtype=np.float32)
    show(bench, Table("c.csv", tuple(Column(n, "number", x % k) for n, k in (("a", 40), ("b", 7), ("y", 3)))))
    bench.session.data.set_role("y", "target")
    bench.session.data.set_role("b", role)
    bench.session.data.set_objective(objective)
    qtbot.waitUntil(lambda: words in bench.session.data.problem and panel.hold_out.train_label.text() != "")
    assert words in panel.choice.problem.text()


def test_that_a_split_cuts_queries_is_said(qtbot, bench, panel):
    x = np.arange(40, dtype=np.float32)
    show(bench, Table("c.csv", tuple(Column(n, "number", x % k) for n, k in (("a", 40), ("b", 7), ("y", 3)))))
    bench.session.data.set_role("y", "target")
    bench.session.data.set_role("b", "group")
    bench.session.data.hold_out(split_by="time", split_column="a")
    note = panel.hold_out.note
    qtbot.waitUntil(lambda: note.text() == "7 of 7 queries stand in both parts; at random all stay whole.")
    assert note.isVisible()
    bench.session.data.hold_out(split_by="rows", split_column=None)
    qtbot.waitUntil(note.isHidden)


def test_text_is_no_offset(qtbot, bench, hearts):
    choose(hearts, "thal", "Offset")
    qtbot.waitUntil(lambda: "'thal' has text where offsets are needed" in hearts.choice.problem.text())


def test_notes_on_reading_open(qtbot, bench, panel):
    x = np.arange(40, dtype=np.float32)
    notes = (
        TableNote("Column 'a': 3 cells missing.", "a", 3),
        TableNote("Column 'b' mixes.", "b", 1, "warning"),
    )
    show(bench, Table("n.csv", (Column("a", "number", x), Column("b", "number", x)), notes))
    assert panel.notes.button.text() == "2 notes on reading"
    assert not panel.notes.isVisible()
    qtbot.mouseClick(panel.notes.button, LEFT)
    assert panel.notes.isVisible()
    assert panel.notes.item(0).text() == "Column 'b' mixes."


def test_thousands_of_columns_stay_one_widget(bench, panel):
    x = np.arange(20, dtype=np.float32)
    columns = tuple(Column(f"column {i}", "number", x) for i in range(5000))
    show(bench, Table("wide.csv", columns))
    assert panel.columns.model().rowCount() == 5000
    assert panel.columns.height() < 700
    assert len(panel.columns.findChildren(QMenu)) == 0


def test_the_list_of_columns_ends_with_a_whole_row_where_it_is_cut(qtbot, hearts):
    columns, last = hearts.columns, hearts.columns.model().rowCount() - 1
    seen = columns.viewport()
    for height in (560, 570, 580):
        hearts.resize(304, height)
        qtbot.waitUntil(lambda: hearts.hold_out.geometry().bottom() <= hearts.height())
        columns.scrollToTop()
        assert columns.verticalScrollBar().maximum() > 0
        under = columns.indexAt(QPoint(5, seen.height() - 1))
        assert columns.visualRect(under).bottom() == seen.height() - 1
        columns.scrollToBottom()
        assert columns.visualRect(columns.model().index(last)).bottom() == seen.height() - 1


def test_without_a_table_one_sentence_says_what_to_do(panel):
    assert panel.empty_label.isVisible()
    assert "Ctrl+O" in panel.empty_label.text()


def test_with_a_group_the_counts_are_those_of_the_run(qtbot, bench, hearts):
    choose(hearts, "chest_pain", "Group")
    plan = bench.session.data.plan
    made = build_dataset(bench.session.data.table, plan.roles, plan.objective, seed=plan.split_seed)
    expected = f"{len(made.train_rows)} training", f"{len(made.valid_rows)} validation"
    qtbot.waitUntil(lambda: counted(hearts) == expected)
    assert not hearts.hold_out.stratified.isEnabled()
    assert "not with a group" in hearts.hold_out.stratified.text()


def test_in_a_high_window_its_parts_stay_together(qtbot, hearts):
    hearts.resize(304, 1200)
    qtbot.waitUntil(lambda: hearts.columns.height() > 300)
    size, columns, below = hearts.size_label, hearts.columns, hearts.choice

    def top(widget):
        return widget.mapTo(hearts, QPoint(0, 0)).y()

    assert top(size) - top(hearts.file_label) < 40
    assert top(columns) - (top(size) + size.height()) < 12
    assert top(below) - (top(columns) + columns.height()) < 20
