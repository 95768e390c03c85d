"""The inspector's tab "Rows", as a hand uses it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.reference.tables import train
from tests.views.made_forest import made_bench, made_dataset, made_table, show
from workbench.data.statistics import ColumnSummary
from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT, node_members
from workbench.explain.node_rows import node_rows
from workbench.explain.replay import Replay
from workbench.session.plan import Plan
from workbench.session.session import Session
from workbench.views.inspector.rows.view import RowsView
from workbench.views.table.view import TableView

LEFT = Qt.MouseButton.LeftButton
PARAMS = {"rounds": 4, "max_depth": 2, "subsample": 0.8, "min_child_weight": 0.0, "threads": 1}


@pytest.fixture(scope="module")
def trained():
    table = made_table()
    return table, made_dataset(table), train(made_dataset(table), objective="logistic", **PARAMS)


@pytest.fixture
def session(trained):
    table, dataset, (started, rounds, ended) = trained
    session = Session()
    roles = {c.name: "feature" for c in table.columns[:-1]} | {"disease": "target"}
    summaries = {c.name: ColumnSummary(c.name, c.kind, table.n_rows, 0, 5, np.ones(1, np.int64))
                 for c in table.columns}
    session.open_table(table, Plan(roles, "logistic"), summaries)
    run = session.new_run()
    run.params = started.params
    session.runs.dataset_ready(run, dataset)
    session.runs.apply(run, [started, *rounds, ended])
    return session


@pytest.fixture
def view(qtbot, session, jobs):
    made = RowsView(made_bench(session, jobs))
    made.titles = []
    made.title_changed.connect(made.titles.append)
    show(qtbot, made, (1200, 330))
    return made


def open_node(qtbot, view, session, node, round=3):
    session.shown.select(round=round)
    session.shown.select(node=node)
    qtbot.waitUntil(lambda: view.table.isVisible() and view._members.node == node, timeout=60_000)


def members_of(session, node, round=3):
    run = session.shown.run
    replay = Replay(run.dataset, run.started.ensemble, run.params, run.rounds)
    return node_members(node_rows(replay, round, 0, node))


def column(view, head):
    model = view.table.model()
    heads = [model.headerData(c, Qt.Orientation.Horizontal).rstrip(" ▲▼") for c in range(model.columnCount())]
    place = heads.index(head)
    return [model.index(line, place).data() for line in range(model.rowCount())]


def numbers(texts):
    return np.array([float(text.replace("−", "-").replace(",", "")) for text in texts])


def click_head(qtbot, view, head):
    header = view.table.horizontalHeader()
    place = [c.head for c in view.table.members.columns].index(head)
    x = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=header.rect().center().__class__(x, 10))


def test_rows_are_listed_with_their_figures_and_add_up(qtbot, view, session):
    open_node(qtbot, view, session, 1)

    members, dataset = members_of(session, 1), session.shown.run.dataset
    rows = dataset.table_rows[members.rows]
    assert column(view, "Row") == [str(row + 1) for row in rows]
    words = {DRAWN: "grew it", LEFT_OUT: "not drawn", HELD_OUT: "hold-out"}
    assert column(view, "Use") == [words[part] for part in members.parts]
    for head, values in (("g", members.gradients), ("h", members.hessians), ("Raw ŷ before", members.raw),
                         ("Adds η·w*", members.added)):
        np.testing.assert_allclose(numbers(column(view, head)), values, atol=5.1e-5)
    record = session.shown.tree.nodes[1]
    grew = np.array(column(view, "Use")) == "grew it"
    shown = numbers(column(view, "g"))[grew].sum()
    assert shown == pytest.approx(record["sum_gradient"], abs=1e-4 * grew.sum())
    assert view.sums.grew.text() == (
        f"{record['count']} grew it: Σg {record['sum_gradient']:.3f} = G, Σh {record['sum_hessian']:.3f} = H"
    ).replace("-", "−")
    assert view.titles[-1] == f"Rows {record['count']}"


def test_the_column_that_is_asked_comes_first(qtbot, view, session):
    tree = session.shown.run.trees(3)[0]
    open_node(qtbot, view, session, 0)

    asked = session.shown.run.schema.features[int(tree.nodes["feature"][0])].name
    assert [c.head for c in view.table.members.columns][2:4] == [asked, "disease"]
    left = set(column(view, "Row"))
    open_node(qtbot, view, session, 1)
    first = set(column(view, "Row"))
    open_node(qtbot, view, session, 2)
    assert first | set(column(view, "Row")) == left
    assert not first & set(column(view, "Row"))


def test_a_head_orders_and_orders_back(qtbot, view, session):
    open_node(qtbot, view, session, 0)

    click_head(qtbot, view, "g")
    up = numbers(column(view, "g"))
    assert up.tolist() == sorted(up)
    click_head(qtbot, view, "g")
    assert numbers(column(view, "g")).tolist() == sorted(up, reverse=True)
    click_head(qtbot, view, "age")  # row 5 has no age
    assert column(view, "age")[-1] == "missing"
    click_head(qtbot, view, "age")
    assert column(view, "age")[-1] == "missing"


def test_many_rows_are_ordered_by_a_job(qtbot, view, session, monkeypatch):
    monkeypatch.setattr("workbench.views.inspector.rows.view.ORDERED_HERE", 3)
    open_node(qtbot, view, session, 0)
    click_head(qtbot, view, "h")
    qtbot.waitUntil(lambda: column(view, "h") == sorted(column(view, "h")), timeout=60_000)


def test_only_hold_out_rows_may_be_listed(qtbot, view, session):
    open_node(qtbot, view, session, 0)
    parts = view.rows_tools.parts
    parts.setFocus()
    for _ in range(2):
        qtbot.keyClick(parts, Qt.Key.Key_Down)
    assert set(column(view, "Use")) == {"hold-out"}
    assert parts.currentText() == f"{len(session.shown.run.dataset.valid_rows)} hold-out rows"


def test_a_row_is_chosen_here_and_in_the_table(qtbot, view, session):
    open_node(qtbot, view, session, 0)
    table = view.table

    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, 1)).center())
    assert str(session.shown.selection.row + 1) == column(view, "Row")[2]
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert str(session.shown.selection.row + 1) == column(view, "Row")[3]

    last = int(column(view, "Row")[-1]) - 1
    session.shown.select(row=last)  # as the table does
    assert table.currentIndex().row() == table.model().rowCount() - 1
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())


def test_a_row_that_ends_elsewhere_is_said_not_to_be_here(qtbot, view, session):
    open_node(qtbot, view, session, 2)
    others = set(map(str, session.shown.run.dataset.table_rows + 1)) - set(column(view, "Row"))
    row = int(min(others, key=int)) - 1
    session.shown.select(row=row)

    assert not view.table.selectionModel().hasSelection()
    assert f"Row {row + 1} is not here." in view.sums.note.text()


def test_enter_goes_to_the_row_in_the_table(qtbot, view, session):
    open_node(qtbot, view, session, 0)
    session.shown.select(row=int(column(view, "Row")[0]) - 1)
    with qtbot.waitSignal(view.view_wanted) as wanted:
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert wanted.args == ["table"]


def test_what_is_listed_is_copied_with_all_digits(qtbot, view, session):
    open_node(qtbot, view, session, 1)
    view.export.copy_values()
    qtbot.waitUntil(lambda: "Raw ŷ before" in QGuiApplication.clipboard().text())

    head, first = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()[:2])
    members = members_of(session, 1)
    assert float(first[head.index("g")]) == members.gradients[0]
    assert np.float32(first[head.index("Raw ŷ before")]) == members.raw[0]


def test_without_a_node_it_says_what_to_do(qtbot, view, session):
    assert view.empty.text() == "Click a node of the tree to see its rows."
    assert view.titles[-1] == "Rows"
    assert not view.rows_tools.export.isEnabled()


def test_a_model_without_rows_says_so(qtbot, view, session):
    session.shown.run.dataset = None
    session.shown.select(node=0)
    assert view.empty.text() == "This model came from a file, without the rows it was trained on."


def test_why_a_run_cannot_be_replayed_is_said(qtbot, view, session, monkeypatch):
    monkeypatch.setattr("workbench.explain.replay.Replay.before", _fail)
    session.shown.select(node=0)
    qtbot.waitUntil(lambda: "no such objective" in view.empty.text(), timeout=60_000)


def _fail(*_):
    from workbench.errors import WorkbenchError

    raise WorkbenchError("There is no such objective.")


# --- the same rows in the table ------------------------------------------------------------------


@pytest.fixture
def table(qtbot, session, jobs):
    made = TableView(made_bench(session, jobs))
    made.said = []
    made.status_changed.connect(made.said.append)
    show(qtbot, made, (1000, 600))
    return made


def only_rows_of(qtbot, table, session, node):
    session.shown.select(round=3)
    session.shown.select(node=node)
    qtbot.mouseClick(table.node_filter, LEFT)
    qtbot.waitUntil(lambda: table.grid.table_model.is_choice, timeout=60_000)
    return session.shown.run.dataset.table_rows[members_of(session, node).rows]


def row_numbers(table):
    model = table.grid.table_model
    return [int(model.headerData(line, Qt.Orientation.Vertical)) for line in range(model.rowCount())]


def test_the_table_shows_only_the_rows_of_the_node(qtbot, table, session):
    assert not table.node_filter.isVisible()
    rows = only_rows_of(qtbot, table, session, 1)

    assert table.node_filter.text() == "Rows of node 1"
    assert row_numbers(table) == (rows + 1).tolist()
    ages = session.data.table.column("age").values[rows]
    place = table.grid.table_model.place("age")
    shown = [table.grid.table_model.index(line, place).data() for line in range(len(rows))]
    assert shown == ["missing" if np.isnan(age) else f"{age:g}" for age in ages]
    assert table.said[-1] == f"{len(rows)} rows of 60 shown: those that pass the selected node."

    session.shown.select(node=2)
    other = (session.shown.run.dataset.table_rows[members_of(session, 2).rows] + 1).tolist()
    qtbot.waitUntil(lambda: row_numbers(table) == other, timeout=60_000)
    qtbot.mouseClick(table.node_filter, LEFT)
    assert row_numbers(table) == list(range(1, 61))


def test_a_row_chosen_among_them_is_that_row(qtbot, table, session):
    rows = only_rows_of(qtbot, table, session, 1)
    grid = table.grid

    qtbot.mouseClick(grid.viewport(), LEFT, pos=grid.visualRect(grid.table_model.index(3, 0)).center())
    assert session.shown.selection.row == rows[3]
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert session.shown.selection.row == rows[4]
    qtbot.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    target = session.data.table.column("disease")
    wanted = target.categories[int(target.values[rows[4]])]
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == wanted)


def test_only_these_rows_are_searched(qtbot, table, session):
    rows = only_rows_of(qtbot, table, session, 2)
    qtbot.keyClicks(table.find_field, "reversable")
    qtbot.keyClick(table.find_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.shown.selection.row is not None)

    assert session.shown.selection.row in rows
    assert table.grid.currentIndex().data() == "reversable"


def test_without_a_node_all_rows_come_back(qtbot, table, session):
    only_rows_of(qtbot, table, session, 1)
    session.shown.select(node=None)

    assert row_numbers(table) == list(range(1, 61))
    assert not table.node_filter.isVisible()
    assert not table.node_filter.isChecked()
