"""The pages "All rounds" and "Leaves" of the tab "Path of a row"."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QStyleOptionViewItem

from tests.reference import naive_tree
from tests.reference.naive_dart import added_up, counts_after
from tests.views.made_forest import add_rounds, made_bench, made_session, show
from workbench.ensembles.dropout import Dropout
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.explain.row_path import matrix_row
from workbench.views.inspector.path.steps import PathSteps
from workbench.views.inspector.path.view import RowPathView
from workbench.views.inspector.path.words import truth
from workbench.views.ruler.round_axis import RoundAxis

LEFT = Qt.MouseButton.LeftButton
ROUNDS = 40


@pytest.fixture
def session():
    return made_session(ROUNDS)


@pytest.fixture
def path(qtbot, session, jobs):
    return open_path(qtbot, session, jobs)


def open_path(qtbot, session, jobs, size=(1100, 320)):
    made = RowPathView(made_bench(session, jobs))
    show(qtbot, made, size)
    return made


def turn_to(qtbot, path, page):
    qtbot.mouseClick(path.path_tools.pages[page], LEFT)
    wanted = {"rounds": path.growth, "leaves": path.leaves}[page]
    qtbot.waitUntil(wanted.isVisible, timeout=60_000)


def figures(path):
    return {cell.label: cell.figure for cell in path.growth.figures.cells}


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


def naive(session, row, k=0):
    """Leaf, w* and raw prediction of a table row after each round, one tree at a time."""
    dataset = session.shown.run.dataset
    features = dataset.features[matrix_row(dataset, row)]
    raw = np.float32(session.shown.run.started.ensemble.base_margin[k])
    for event in session.shown.run.rounds:
        tree = event.trees[k]
        leaf = naive_tree.leaf_of(tree, features)
        raw = np.float32(raw + tree.nodes["leaf_value"][leaf])
        yield leaf, float(tree.nodes["weight"][leaf]), float(raw)


def x_of(path, round):
    return QPoint(round_pixel(path, round), path.growth.board.height() // 2)


def round_pixel(path, number):
    run = path._bench.session.shown.run
    return int(RoundAxis.over(path.growth.board.width(), run.planned_rounds).x(number))


def test_the_curve_is_the_sum_of_base_and_leaves(qtbot, path, session):
    session.shown.select(row=12)
    turn_to(qtbot, path, "rounds")

    content = path.growth.board.panes[0].content
    raw = [after for _, _, after in naive(session, 12)]
    np.testing.assert_allclose(content.lines[-1].values, raw, rtol=0, atol=0)
    assert content.phrase.startswith("of row 13, a training row")
    leaf, weight, last = list(naive(session, 12))[-1]
    shown = figures(path)
    assert shown["Now"] == f"Round {ROUNDS}"
    assert shown["Its leaf"] == f"Node {leaf}"
    assert number(shown["Leaf weight w*"]) == pytest.approx(weight, abs=5e-5)
    assert number(shown["Raw prediction ŷ"]) == pytest.approx(last, abs=5e-5)
    assert shown["Chance of yes"] == f"{100 / (1 + np.exp(-last)):.1f} %"


def test_shown_digits_add_up_in_every_round(qtbot, path, session):
    session.shown.select(row=20)
    turn_to(qtbot, path, "rounds")
    for chosen in range(1, ROUNDS):
        session.shown.select(round=chosen)
        cells = {cell.label: cell for cell in path.growth.figures.cells}
        before = number(cells["Raw prediction ŷ"].note.removeprefix("from "))
        after = number(cells["Raw prediction ŷ"].figure)
        assert before + number(cells["Adds η·w*"].figure) == pytest.approx(after, abs=1e-10)


def test_rounds_that_dart_left_out_count_less_from_then_on(qtbot, path, session):
    run = session.shown.run
    rounds = list(run.rounds)
    for place, dropped in ((20, [3, 7, 11]), (30, [7, 21])):
        dropout = Dropout(place, np.array(dropped, np.int32), np.float32(0.5))
        run.rounds[place - 1] = replace(rounds[place - 1], dropout=dropout)
    session.shown.select(row=12)
    turn_to(qtbot, path, "rounds")
    raw = path.growth.board.panes[0].content.lines[-1].values
    features = run.dataset.features[[matrix_row(run.dataset, 12)]]
    trees = [event.trees for event in run.rounds]
    for last in (1, 19, 20, 29, 30, ROUNDS):
        dropouts = [r.dropout for r in run.rounds[:last] if r.dropout is not None]
        counts = counts_after(dropouts, last)
        assert raw[last - 1] == added_up([-0.25], trees[:last], counts, features)[0, 0]
    session.shown.select(round=30)
    cells = {cell.label: cell for cell in path.growth.figures.cells}
    counts = counts_after([run.rounds[19].dropout, run.rounds[29].dropout], 30)
    before = added_up([-0.25], trees[:30], counts, features, left_out=[30])[0, 0]
    assert number(cells["Raw prediction ŷ"].note.removeprefix("from ")) == pytest.approx(before, abs=5e-5)
    turn_to(qtbot, path, "leaves")
    qtbot.mouseClick(path.path_tools.pages["tree"], LEFT)
    qtbot.waitUntil(lambda: "Trees 1 to 29 as they count now" in path.sums.text, timeout=60_000)
    facts = dict(line.split(": ") for line in path.sums.text.splitlines())
    names = ("Base", "Trees 1 to 29 as they count now", "Tree 30, this leaf")
    parts = [number(facts[name]) for name in names]
    assert sum(parts) == pytest.approx(number(facts["Raw prediction ŷ"]), abs=1e-9)
    assert parts[1] == pytest.approx(before + 0.25, abs=5e-5)


def test_the_cursor_reads_a_round_and_a_click_chooses_its_tree(qtbot, path, session):
    session.shown.select(row=12)
    turn_to(qtbot, path, "rounds")
    board = path.growth.board

    qtbot.mouseMove(board.viewport(), x_of(path, 9))
    qtbot.mouseMove(board.viewport(), x_of(path, 10))
    assert figures(path)["Cursor"] == "Round 10"
    assert figures(path)["Its leaf"] == f"Node {list(naive(session, 12))[9][0]}"
    assert session.shown.selection.round is None

    qtbot.mouseClick(board.viewport(), LEFT, pos=x_of(path, 10))
    qtbot.waitUntil(lambda: session.shown.selection.round == 10)
    assert session.shown.tree is session.shown.run.trees(10)[0]


def test_a_hold_out_row_has_the_colour_of_the_hold_out(qtbot, path, session):
    dataset = session.shown.run.dataset
    session.shown.select(row=int(dataset.table_rows[dataset.valid_rows[0]]))
    turn_to(qtbot, path, "rounds")

    assert path.growth.board.panes[0].content.lines[-1].token == "validation"
    assert "hold-out row" in path.growth.board.panes[0].content.phrase


def test_of_several_classes_the_chosen_one_is_strong(qtbot, jobs):
    session = made_session(6, classes=("a", "b", "c"))
    path = open_path(qtbot, session, jobs)
    session.shown.select(row=3, class_index=1)
    turn_to(qtbot, path, "rounds")

    lines = {line.name: line for line in path.growth.board.panes[0].content.lines}
    assert lines["b"].width > lines["a"].width == lines["c"].width
    for k, name in enumerate("abc"):
        np.testing.assert_array_equal(lines[name].values, [after for _, _, after in naive(session, 3, k)])
    assert "Chance of b" in figures(path)


def test_every_tree_has_its_leaf_in_the_list(qtbot, path, session):
    session.shown.select(row=33)
    turn_to(qtbot, path, "leaves")

    model = path.leaves.model()
    assert model.rowCount() == ROUNDS
    for line, (leaf, weight, after) in enumerate(naive(session, 33)):
        texts = [model.index(line, column).data() for column in range(model.columnCount())]
        assert texts[:2] == [str(line + 1), str(leaf)]
        assert number(texts[3]) == pytest.approx(weight, abs=5e-5)
        assert number(texts[5]) == pytest.approx(after, abs=5e-5)
    assert model.index(0, 2).data().startswith("age < 50 › ")


def test_a_line_of_the_list_chooses_the_round_and_follows_it(qtbot, path, session):
    session.shown.select(row=33, round=1)
    turn_to(qtbot, path, "leaves")
    table = path.leaves

    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, 2)).center())
    assert session.shown.selection.round == 3
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert session.shown.selection.round == 4

    session.shown.select(round=30)
    assert table.currentIndex().row() == 29
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())


def test_the_leaves_are_copied(qtbot, path, session):
    session.shown.select(row=33)
    turn_to(qtbot, path, "leaves")
    path.export.copy_values()
    qtbot.waitUntil(lambda: "raw_prediction" in QGuiApplication.clipboard().text())

    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "round\tleaf\tway\tweight\tadds\traw_prediction"
    leaf, weight, after = next(naive(session, 33))
    cells = lines[1].split("\t")
    assert (int(cells[1]), float(cells[3])) == (leaf, weight)
    assert np.float32(cells[5]) == np.float32(after)


def test_the_leaves_are_saved(qtbot, path, session, tmp_path):
    session.shown.select(row=33)
    turn_to(qtbot, path, "leaves")
    path.export.save_csv(tmp_path / "row.csv")
    qtbot.waitUntil((tmp_path / "row.csv").exists)
    qtbot.waitUntil(lambda: len((tmp_path / "row.csv").read_text("utf-8").splitlines()) == ROUNDS + 1)


def test_while_training_new_rounds_are_added_and_a_chosen_round_stays(qtbot, jobs):
    session = made_session(5, ended=False)
    path = open_path(qtbot, session, jobs)
    session.shown.select(row=12, round=2)
    turn_to(qtbot, path, "rounds")
    assert figures(path)["Selected"] == "Round 2"

    add_rounds(session, 4)
    qtbot.waitUntil(lambda: len(path.growth.board.panes[0].content.lines[-1].values) == 9)
    assert figures(path)["Selected"] == "Round 2"
    session.shown.select(round=None)
    assert figures(path)["Now"] == "Round 9"
    session.runs.apply(session.shown.run, [TrainingEnded(EndReason.FINISHED, 9, 9, 1.0)])


def test_while_training_is_ahead_questions_and_sums_are_of_one_tree(qtbot, jobs, monkeypatch):
    session = made_session(4, ended=False)
    path = open_path(qtbot, session, jobs)
    session.shown.select(row=12)
    qtbot.waitUntil(lambda: "Tree 4, this leaf" in path.sums.text, timeout=60_000)
    monkeypatch.setattr(path._bench.explainer.growths, "ask", lambda *_, **__: None)  # the answers lag behind
    add_rounds(session, 3)
    path.synchronize()
    assert session.shown.round == 7
    facts = dict(line.split(": ") for line in path.sums.text.splitlines())
    last = path.steps.rowCount() - 1
    leaf, _, _ = list(naive(session, 12))[3]
    assert path.steps.item(last, 0).data(Qt.ItemDataRole.UserRole) == leaf
    adds = number(path.steps.item(last, 2).text())
    assert number(facts["Tree 4, this leaf"]) == pytest.approx(adds, abs=1e-4)
    first = path.steps.visualItemRect(path.steps.item(0, 0)).center()
    qtbot.mouseClick(path.steps.viewport(), LEFT, pos=first)
    assert (session.shown.round, session.shown.selection.node) == (4, 0)
    session.runs.apply(session.shown.run, [TrainingEnded(EndReason.FINISHED, 7, 7, 1.0)])


def test_a_forest_counts_all_its_leaves_of_a_round(qtbot, jobs):
    session = made_session(3)
    run = session.shown.run
    begun = replace(run.started.ensemble, n_parallel=2)
    run.started = replace(run.started, ensemble=begun)
    run.rounds[:] = [replace(event, trees=event.trees * 2) for event in run.rounds]
    path = open_path(qtbot, session, jobs)
    session.shown.select(row=12)
    turn_to(qtbot, path, "leaves")

    assert path.leaves.model().rowCount() == 6
    turn_to(qtbot, path, "rounds")
    assert figures(path)["Leaves of 2 trees"].count(",") == 1


def test_another_row_is_another_curve(qtbot, path, session):
    session.shown.select(row=12)
    turn_to(qtbot, path, "rounds")
    qtbot.mouseClick(path.chooser.next, LEFT)
    qtbot.waitUntil(lambda: "of row 14," in path.growth.board.panes[0].content.phrase)

    np.testing.assert_array_equal(
        path.growth.board.panes[0].content.lines[-1].values, [after for _, _, after in naive(session, 13)])


def test_a_model_without_rows_says_so(qtbot, jobs, session):
    session.shown.run.dataset = session.shown.run.plan = None
    path = open_path(qtbot, session, jobs)
    qtbot.mouseClick(path.path_tools.pages["rounds"], LEFT)

    assert path.empty.text() == "This model came from a file, without the rows it was trained on."
    assert not path.path_tools.export.isEnabled()


def test_without_a_row_it_says_what_to_do(qtbot, path):
    qtbot.mouseClick(path.path_tools.pages["leaves"], LEFT)
    assert path.empty.text().startswith("Type a row's number")


def painted(table, row, column):
    """The words of a cell as they are painted."""
    option = QStyleOptionViewItem()
    table.initViewItemOption(option)
    index = table.model().index(row, column)
    option.rect = table.visualRect(index)
    table.itemDelegateForIndex(index).initStyleOption(option, index)
    room = option.rect.width() - 6
    return QFontMetricsF(option.font).elidedText(option.text, Qt.TextElideMode.ElideRight, room)


def test_long_names_lose_letters_and_thresholds_stay(qtbot, jobs):
    session = made_session(3)
    run = session.shown.run
    long = replace(run.schema.features[0], name="the_average_age_of_everybody_in_the_household_at_that_time")
    run.dataset = replace(
        run.dataset, schema=replace(run.schema, features=(long, *run.schema.features[1:])))
    path = open_path(qtbot, session, jobs, (720, 320))
    session.shown.select(row=12, round=1)
    qtbot.waitUntil(lambda: path.steps.rowCount() > 0 and "Tree 1" in path.sums.text, timeout=60_000)
    question = painted(path.steps, 0, 0)
    assert question.startswith("the_")
    assert "…" in question
    assert question.endswith("_time < 50")
    assert path.steps.item(0, 0).toolTip() == f"{long.name} < 50"
    turn_to(qtbot, path, "leaves")
    way = painted(path.leaves, 0, 2)
    assert way.startswith("the_")
    assert "…" in way
    assert " < 50 › " in way


@pytest.mark.parametrize(("target", "written"), [(1.0, "1"), (8645.0, "8,645"), (79.99, "79.9900")])
def test_whole_targets_are_written_without_decimals(target, written):
    dataset = SimpleNamespace(
        schema=SimpleNamespace(class_labels=(), target="bikers"), target=np.array([target]),
        valid_rows=np.array([0]),
    )
    assert truth(dataset, 0) == f"bikers = {written}, hold-out row"


@pytest.mark.parametrize(("averages", "words"), [(True, "goes into the mean"), (False, "adds η·w*")])
def test_what_a_leaf_does_follows_from_how_trees_are_put_together(qtbot, averages, words):
    steps = PathSteps()
    qtbot.addWidget(steps)
    steps.show_steps([], 0, 0.5, averages=averages)
    assert words in steps.item(0, 0).text()
