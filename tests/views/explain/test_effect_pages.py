"""The pages Effects, Factor tables, Rivals and Row of the tab Explain, as a hand uses them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import QPoint, Qt

from tests.made_trees import tree_of
from tests.views.made_forest import add_rounds, made_bench, made_session, show
from tests.views.made_runs import trained_study
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.explain.row_path import row_path
from workbench.number_text import signed
from workbench.session.explained.effects_asked import FIRST_ROWS, EffectAsked
from workbench.session.explained.factors_asked import FactorsAsked, WholeFactorsAsked
from workbench.session.explained.rivals_asked import RivalBook, RivalsAsked
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.views.explain.level_table import TableList
from workbench.views.explain.pages.base import NO_ROWS
from workbench.views.explain.plots.rival_matrix import HEAD
from workbench.views.explain.row_values import OTHER, value_of, value_text
from workbench.views.explain.view import ExplainTab

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page_of(qtbot, jobs):
    def make(session, name, size=(1016, 640)):
        session.explained.choose(page=name, rows="training")
        tab = ExplainTab(made_bench(session, jobs))
        show(qtbot, tab, size)
        return tab.page

    return make


def sigmoid(raw):
    return 1 / (1 + np.exp(-np.asarray(raw, np.float64)))


def naive_mean(session, round, column, value):
    run = session.shown.run
    rows = run.dataset.features[run.dataset.train_rows].copy()
    rows[:, column] = value
    return sigmoid(raw_predictions(run.ensemble(round), np.asfortranarray(rows), serial=True)).mean()


# --- Effects ----------------------------------------------------------------------------------


def test_effects_follow_column_and_ruler(qtbot, page_of):
    session = made_session(8)
    page = page_of(session, "effects")
    session.shown.select(column="age")
    for number in (8, 3):
        session.shown.select(round=number)
        qtbot.waitUntil(lambda number=number: page.plot.scene.label == f"round {number}")
        scene = page.plot.scene
        assert scene.has_missing
        for place, value in ((0, float(scene.edges[0])), (-1, np.nan)):
            assert scene.mean[place] == pytest.approx(naive_mean(session, number, 0, value), abs=1e-6)
        assert scene.lines.shape == (40, len(scene.mean))
    assert [words for words, _ in scene.earlier] == ["round 1"]
    assert page.column_box.currentText() == "age"
    assert page.figures()[0] == ("age", "prediction", "rows", "round 1")


def test_categories_are_named_and_a_choice_selects_the_column(qtbot, page_of):
    session = made_session(4)
    page = page_of(session, "effects")
    page.column_box.setCurrentText("thal")
    page.column_box.textActivated.emit("thal")
    assert session.shown.selection.column == "thal"
    qtbot.waitUntil(lambda: page.plot.scene.names == ("fixed", "normal", "reversable"))
    assert page.plot.scene.mean[1] == pytest.approx(naive_mean(session, 4, 1, 1.0), abs=1e-6)
    page._set(kind="accumulated")
    qtbot.waitUntil(lambda: page.plot.scene.zero)
    scene = page.plot.scene
    assert sorted(scene.names) == ["fixed", "normal", "reversable"]
    assert (scene.mean * scene.rows).sum() == pytest.approx(0, abs=1e-9)
    assert "next level" in page.plot.phrase
    assert page.figures()[0] == ("thal", "accumulated effect", "rows")
    assert [line[0] for line in page.figures()[1:]] == list(scene.names)
    session.shown.select(column="age")
    qtbot.waitUntil(lambda: page.plot.scene.is_straight)
    assert page.plot.scene.zero


def test_two_columns_are_a_map_with_gaps(qtbot, page_of):
    session = made_session(4)
    page = page_of(session, "effects")
    session.shown.select(column="age")
    page.choose_second("smoker")
    qtbot.waitUntil(lambda: page.map.scene.values.size > 0)
    scene = page.map.scene
    assert scene.up == ("no", "yes")
    assert scene.across[-1] == "missing"
    assert scene.rows.sum() == 40
    run = session.shown.run
    rows = run.dataset.features[run.dataset.train_rows].copy()
    assert scene.up_ticks == ((0.5, "no"), (1.5, "yes"))
    rows[:, 0], rows[:, 3] = scene.across_edges[0], 1
    said = sigmoid(raw_predictions(run.ensemble(4), np.asfortranarray(rows), serial=True)).mean()
    assert scene.values[0, 1] == pytest.approx(said, abs=1e-6)
    qtbot.mouseMove(page.map, page.map.plot_rect.center().toPoint())
    assert not page.map.grab().isNull()


def test_lines_begin_at_nothing_where_that_is_wanted(qtbot, page_of):
    page = page_of(made_session(4), "effects")
    qtbot.waitUntil(lambda: page.plot.scene.mean.size > 0)
    qtbot.mouseClick(page.centred_button, LEFT)
    assert page.plot.scene.mean[0] == 0
    assert (page.plot.scene.lines[:, 0] == 0).all()
    qtbot.mouseClick(page.rows_button, LEFT)
    assert not page.plot.scene.lines.size


def test_the_selected_row_has_its_own_line(qtbot, page_of):
    session = made_session(4)
    page = page_of(session, "effects")
    session.shown.select(column="age", row=12)
    qtbot.waitUntil(lambda: page.plot.scene.own_label == "row 13" and len(page.plot.scene.own) > 0)
    run, scene = session.shown.run, page.plot.scene
    place = int(np.flatnonzero(run.dataset.table_rows == 12)[0])
    row = run.dataset.features[[place]].copy()
    row[:, 0] = scene.edges[0]
    said = sigmoid(raw_predictions(run.ensemble(4), row, serial=True))[0]
    assert scene.own[0] == pytest.approx(said, abs=1e-6)


def test_rivals_grow_split_by_split(qtbot, page_of, monkeypatch):
    monkeypatch.setattr("workbench.session.explained.rivals_asked.TURN_SECONDS", 0.0)
    session = trained_study().session
    run = session.shown.run
    rounds = len(run.rounds)
    first = RivalsAsked(RivalBook(run), rounds, 0).answer(lambda: False)
    assert (first.trees, first.looks, first.is_whole) == (0, 1, False)
    assert first.under_way == (1, run.trees(1)[0].n_leaves - 1)
    page = page_of(session, "rivals")
    page._show(first, run)
    assert f"0 of {rounds} trees so far, 1 of {first.under_way[1]} splits of the first" in page.phrase.text()
    qtbot.waitUntil(lambda: page.found is not None and page.found.is_whole)
    monkeypatch.setattr("workbench.session.explained.rivals_asked.TURN_SECONDS", 60.0)
    whole = RivalsAsked(RivalBook(run), rounds, 0).answer(lambda: False)
    np.testing.assert_array_equal(page.found.sums.lost, whole.sums.lost)
    assert page.found.looks == whole.looks


@pytest.mark.parametrize("name", ["effects", "factors", "row", "rivals"])
def test_what_is_opened_while_a_run_trains_does_not_wait(qtbot, jobs, name):
    session = made_session(3, ended=False)
    tab = ExplainTab(made_bench(session, jobs))
    show(qtbot, tab, (1016, 640))
    page = tab.page
    desk = page._desk
    qtbot.waitUntil(lambda: page._found is not None)
    desk._rest.add(60.0)  # for hours
    session.explained.choose(page=name)
    page = tab.page
    shown = {"effects": lambda: page.plot.scene.label == "round 3",
             "factors": lambda: page.tables is not None,
             "row": lambda: page.found is not None, "rivals": lambda: page.found is not None}[name]
    qtbot.waitUntil(shown)
    add_rounds(session, 1)
    assert session.shown.round == 4
    assert shown(), "what was known stays while the rest lasts"
    session.explained.choose(rows="training")
    if name == "effects":
        qtbot.waitUntil(lambda: page.plot.scene.label == "round 4")


def test_a_page_that_is_left_gives_its_questions_up(qtbot, page_of, monkeypatch):
    session = made_session(4)
    page = page_of(session, "rivals")
    qtbot.waitUntil(lambda: page.found is not None)
    left = []
    monkeypatch.setattr(page._desk, "leave", lambda *kinds: left.extend(kinds))
    session.explained.choose(page="row")
    assert left == list(page.asks)


def changed_columns(session, **values):
    """Give columns of the run's rows one value each."""
    run = session.shown.run
    features = run.dataset.features.copy(order="F")
    for name, value in values.items():
        features[:, run.schema.names.index(name)] = value
    run.dataset = replace(run.dataset, features=features)


@pytest.mark.parametrize(("value", "words"), [(50.0, "is 50 in every row"), (np.nan, "is missing in every")])
def test_a_column_of_one_value_is_a_sentence(qtbot, page_of, value, words):
    session = made_session(4)
    changed_columns(session, age=value)
    session.shown.select(column="age")
    page = page_of(session, "effects")
    qtbot.waitUntil(lambda: words in page.plot.sentence)
    page._set(second="smoker")
    qtbot.waitUntil(lambda: words in page.plot.sentence)


def test_rows_without_weight_have_no_mean(qtbot, page_of):
    session = made_session(4)
    run = session.shown.run
    run.dataset = replace(run.dataset, weight=np.zeros(len(run.dataset.target)))
    page = page_of(session, "effects")
    qtbot.waitUntil(lambda: "weight 0" in page.plot.sentence)


def test_classes_are_chosen(qtbot, page_of):
    session = made_session(3, classes=("no", "yes", "maybe"))
    page = page_of(session, "effects")
    qtbot.waitUntil(lambda: page.plot.scene.mean.size > 0)
    first = page.plot.scene.mean
    assert page.class_box.isVisible()
    page.class_box.setCurrentIndex(2)
    page.class_box.activated.emit(2)
    assert session.shown.selection.class_index == 2
    assert "maybe" in page.plot.title
    assert not np.allclose(page.plot.scene.mean, first)


def test_first_some_rows_are_seen_then_all(made_many):
    asked, run = made_many
    some = asked.answer(lambda: False)
    assert (some.partial.rows, some.partial.of_rows) == (FIRST_ROWS, asked.rows.total)
    assert some.grids[0].rows.sum() == asked.rows.total  # where the data is, all rows tell
    assert run is asked.run


def test_a_sample_without_weight_is_weighed_evenly_for_others_may_have_some(made_many):
    asked, run = made_many
    n = 11 * FIRST_ROWS  # more than factor tables begin with
    data, rows = run.dataset, np.arange(n)
    run.dataset = replace(
        data, features=np.asfortranarray(np.tile(data.features, (4, 1))[:n]), target=np.zeros(n),
        table_rows=rows, train_rows=rows, weight=np.zeros(n),
    )
    shown = replace(asked.rows, dataset=run.dataset)
    some = FactorsAsked(run, 2, shown).answer(lambda: False).found
    assert 0 < some.rows < some.of_rows
    assert {table.exposure.sum() for table in some.tables} == {some.rows}
    with pytest.raises(WorkbenchError, match="weight 0"):
        WholeFactorsAsked(run, 2, shown).answer(lambda: False)


@pytest.fixture
def made_many():
    session = made_session(2)
    run = session.shown.run
    data, n = run.dataset, 3 * FIRST_ROWS
    run.dataset = replace(
        data, features=np.asfortranarray(np.tile(data.features, (n // len(data.features) + 1, 1))[:n]),
        target=np.zeros(n), table_rows=np.arange(n), train_rows=np.arange(n), valid_rows=np.arange(0),
    )
    session.explained.choose(rows="training")
    return EffectAsked(run, 2, session.explained.subject.rows, (0,)), run


# --- Factor tables ----------------------------------------------------------------------------


def test_tables_add_up_and_are_chosen_by_a_click(qtbot, page_of, tmp_path):
    session = made_session(4)
    page = page_of(session, "factors")
    qtbot.waitUntil(lambda: page.tables is not None)
    run = session.shown.run
    features = run.dataset.features[run.dataset.train_rows]
    raw = raw_predictions(run.ensemble(4), features, serial=True)
    names = [page.tables.name(table) for table in page.list_model.tables]
    assert page.list.isVisible()
    found = page.tables.found
    if found.is_exact:
        np.testing.assert_allclose(found.raw(features)[0], raw, atol=1e-5)
    line = next(place for place, name in enumerate(names) if "×" in name)
    rect = page.list.visualRect(page.list_model.index(line, 0))
    qtbot.mouseClick(page.list.viewport(), LEFT, pos=rect.center())
    assert page.map.isVisible()
    assert page.map.title == names[line]
    assert page.levels.levels.rowCount() == page.list_model.tables[line].rows.size
    page.save_excel(tmp_path / "f.xlsx")
    book = openpyxl.load_workbook(tmp_path / "f.xlsx", read_only=True)
    assert book.sheetnames[0] == "Model"
    book.close()
    assert page.figures()[0] == page.tables.head


def test_tables_follow_the_ruler_and_a_single_leaf_is_a_sentence(qtbot, page_of):
    session = made_session(4)
    page = page_of(session, "factors")
    qtbot.waitUntil(lambda: page.tables is not None)
    four = page.tables
    session.shown.select(round=1)
    qtbot.waitUntil(lambda: page.tables is not None and page.tables is not four)
    assert page.told.text().startswith(("Exact", "Nearest"))


# --- Rivals -----------------------------------------------------------------------------------


def test_rivals_of_trees_that_do_not_fit_the_rows_say_something(qtbot, page_of):
    session = made_session(3)
    page = page_of(session, "rivals")
    qtbot.waitUntil(lambda: page.found is not None and page.found.trees == page.found.of_trees)
    assert page.found.of_trees == 3
    assert page.matrix.scene.names or page.matrix.sentence
    if page.matrix.scene.names:
        qtbot.mouseClick(page.matrix, LEFT, pos=QPoint(20, HEAD + 6))
        assert session.shown.selection.column == page.matrix.scene.names[0]
        assert page.leave_button.isVisible()
        assert page.told.text()


# --- Row --------------------------------------------------------------------------------------


def test_another_value_moves_prediction_contributions_and_path(qtbot, page_of):
    session = made_session(6)
    page = page_of(session, "row")
    qtbot.waitUntil(lambda: page.found is not None)
    run, values = session.shown.run, page.values.values
    row = int(run.dataset.table_rows[run.dataset.train_rows[0]])
    assert page.chooser.field.text() == str(row + 1)
    line = values.order.tolist().index(1)
    index = values.index(line, OTHER)
    wanted = "fixed" if values.data(index) != "fixed" else "normal"
    qtbot.mouseClick(page.values.viewport(), LEFT, pos=page.values.visualRect(index).center())
    assert values.setData(index, wanted)
    other = values.other.copy()
    expected = sigmoid(raw_predictions(run.ensemble(6), other[None], serial=True))[0]
    qtbot.waitUntil(lambda: page.found.predictions[1, 0] == pytest.approx(expected, abs=1e-6))
    found = page.found
    sums = found.contributions.sum(axis=2)[:, 0] + found.base[0]
    np.testing.assert_allclose(sums, found.raw[:, 0], atol=1e-5)
    assert page.own_path.text().startswith("Tree 6:")
    assert page.other_path.text()
    assert values.changed.tolist() == [False, True, False, False]
    qtbot.mouseClick(page.back_button, LEFT)
    assert not values.changed.any()


def test_the_way_is_that_through_the_shown_tree_of_several(qtbot, page_of):
    session = made_session(3)
    run = session.shown.run
    own, first = run.rounds[2].trees[0], run.rounds[0].trees[0]
    run.rounds[2] = replace(run.rounds[2], trees=(first, own))
    session.shown.select(class_index=1)
    page = page_of(session, "row")
    qtbot.waitUntil(lambda: page.own_path.text().startswith("Tree 2 of round 3:"))
    leaf = row_path(own, page.values.values.own).leaf
    assert page.own_path.text().endswith(f"adds {signed(float(own.nodes['leaf_value'][leaf]), 4)}")


@pytest.mark.parametrize("name", ["importance", "waterfall", "row"])
def test_trees_of_one_leaf_leave_no_empty_axis(qtbot, page_of, name):
    session = made_session(1)
    run = session.shown.run
    leaf = tree_of(None, np.array([0.5]), np.array([1.0]), np.zeros((1, 4), np.float32))
    run.rounds[0] = replace(run.rounds[0], trees=(leaf,))
    page = page_of(session, name)
    if name == "row":
        qtbot.waitUntil(lambda: page.found is not None)
        assert not len(page.bars.order)
        assert "weighed by H" in page.bars.phrase
    else:
        qtbot.waitUntil(lambda: page._found is not None)
        assert not page.board.isVisible()


def test_another_row_forgets_what_was_typed(qtbot, page_of):
    session = made_session(3)
    page = page_of(session, "row")
    qtbot.waitUntil(lambda: page.found is not None)
    values = page.values.values
    assert values.setData(values.index(values.order.tolist().index(0), OTHER), "71")
    session.shown.select(row=12)
    assert not page.values.values.changed.any()
    session.shown.select(row=7)  # without a target
    assert "has no value for" in page.bars.sentence


def test_what_is_typed_is_read_as_the_column_writes_it():
    session = made_session(1)
    age, thal, visit, _ = session.shown.run.schema.features
    for text, feature in (("54.5", age), ("normal", thal), ("2021-03-05", visit), ("missing", age)):
        assert value_text(float(value_of(text, feature)), feature) == text
    for text, feature in (("many", age), ("nowhere", thal), ("yesterday", visit), ("1e999", age)):
        with pytest.raises(WorkbenchError):
            value_of(text, feature)


# --- all --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["effects", "factors", "row"])
def test_a_model_without_rows_says_so(qtbot, page_of, name):
    session = made_session(2)
    session.shown.run.dataset = None
    session.data.table = None
    page = page_of(session, name)
    told = page.bars if name == "row" else page.plot
    qtbot.waitUntil(lambda: told.sentence == NO_ROWS)


@pytest.mark.parametrize("name", ["effects", "factors", "row", "rivals"])
def test_a_model_of_a_file_is_explained_by_the_open_table(qtbot, page_of, name):
    session = made_session(2)
    session.shown.run.dataset = None
    page = page_of(session, name)
    if name == "rivals":
        qtbot.waitUntil(lambda: "without the rows" in page.matrix.sentence)
        return
    found = {"effects": lambda: page.plot.scene.mean.size, "factors": lambda: page.tables is not None,
             "row": lambda: page.found is not None}[name]
    qtbot.waitUntil(lambda: bool(found()))


def test_a_table_that_lacks_a_column_is_said(qtbot, page_of):
    session = made_session(2)
    session.shown.run.dataset = None
    table = session.data.table
    session.data.table = replace(table, columns=table.columns[1:])
    for name in ("row", "effects", "factors"):
        page = page_of(session, name)
        told = page.bars if name == "row" else page.plot
        qtbot.waitUntil(lambda told=told: "age" in told.sentence)


@pytest.mark.parametrize("name", ["effects", "factors", "row", "rivals"])
def test_pages_follow_a_run_that_trains_and_can_be_saved(qtbot, page_of, name, tmp_path):
    session = made_session(2, ended=False)
    page = page_of(session, name)
    assert session.shown.run.state is RunState.RUNNING
    add_rounds(session, 2)
    found = {"effects": lambda: page.plot.scene.mean.size, "factors": lambda: page.tables is not None,
             "row": lambda: page.found is not None, "rivals": lambda: page.found is not None}[name]
    qtbot.waitUntil(lambda: bool(found()))
    tab = page.parent().parent()
    tab.save_csv(tmp_path / "f.csv")
    tab.save_picture(tmp_path / "f.png")
    assert (tmp_path / "f.csv").stat().st_size > 10
    assert (tmp_path / "f.png").stat().st_size > 500


@pytest.mark.parametrize("name", ["effects", "factors", "row", "rivals"])
def test_many_classes_are_a_picture(qtbot, page_of, name):
    session = made_session(1, classes=tuple(f"class {k}" for k in range(200)))
    page = page_of(session, name)
    session.shown.select(class_index=150)
    there = {"effects": lambda: page.plot.scene.mean.size and "class 150" in page.plot.title,
             "factors": lambda: page.tables is not None and page.class_box.currentIndex() == 150,
             "row": lambda: page.found is not None and page.found.raw.shape == (2, 200),
             "rivals": lambda: page.found is not None}[name]
    qtbot.waitUntil(lambda: bool(there()))


def test_nothing_is_told_of_an_empty_sitting(page_of):
    for name in ("effects", "factors", "row", "rivals"):
        page = page_of(Session(), name)
        assert not page.grab().isNull()


def test_what_is_left_of_rounding_is_no_spread():
    made = [SimpleNamespace(spread=np.array([size])) for size in (0.825, 1.2e-6, 4.87e-11, 0.0)]
    tables = TableList()
    tables.show(SimpleNamespace(ordered=lambda _k: made, name=lambda _table: "age"), 0)
    assert [tables.data(tables.index(line, 1)) for line in range(4)] == ["0.825", "1.20e−6", "0", "0"]
