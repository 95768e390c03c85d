"""Edits of trees with a hand: from menus, scan and candidates to a receipt, a branch and roads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from tests.reference.tables import random_dataset
from tests.views.made_forest import show
from workbench.app import build_bench
from workbench.data.table import Column, Table
from workbench.explain.edits.editor import Editor
from workbench.explain.edits.move_threshold import MoveThreshold
from workbench.explain.edits.prune import Prune
from workbench.explain.edits.roads import roads_not_taken
from workbench.explain.edits.set_weight import SetWeight
from workbench.explain.edits.take_split import TakeSplit
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.validation.noise_floor import NoiseFloor, Refit
from workbench.views.edits.receipt_view import EMPTY, ReceiptView
from workbench.views.edits.words import pair_texts, verdict
from workbench.views.inspector.doubtful_view import DoubtfulView
from workbench.views.inspector.figure_table import PADDING
from workbench.views.inspector.node.inspector import NodeInspector
from workbench.views.inspector.why.candidates_model import TEST
from workbench.views.look.text_width import ruler
from workbench.views.tree.view import TreeView
from workbench.views.trees.panel import TreesPanel
from workbench.workers.training_controller import TrainingController

LEFT = Qt.MouseButton.LeftButton
LONG = 60_000
PARAMS = {"rounds": 6, "max_depth": 2, "threads": 1}
FIRST = 2  # the round whose tree is edited


@pytest.fixture(scope="module")
def table():
    data = random_dataset("binary", n=380)
    columns = [
        Column(f.name, f.kind, data.features[:, k], f.categories) for k, f in enumerate(data.schema.features)
    ]
    return Table("made", (*columns, Column("y", "category", data.target.astype(np.float32), ("no", "yes"))))


@pytest.fixture
def session(table):
    made = Session()
    roles = {column.name: "feature" for column in table.columns[:-1]} | {"y": "target"}
    made.open_table(table, Plan(roles, "logistic"), {})
    made.hyperparameters.change(**PARAMS)
    return made


@pytest.fixture
def bench(qtbot, session, jobs):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    session.shown.select(round=FIRST, node=0)
    yield build_bench(session, controller, jobs)
    controller.shutdown()


@pytest.fixture
def receipt(qtbot, bench):
    made = ReceiptView(bench)
    show(qtbot, made, (1016, 260))
    return made


def editor(bench, session):
    run = session.shown.run
    return Editor(bench.explainer.replays.of(run), run.own)


def asked(qtbot, bench):
    """Wait for the receipt."""
    assert bench.edits.draft is not None
    qtbot.waitUntil(lambda: not bench.edits.is_busy, timeout=LONG)
    assert bench.edits.is_answered, bench.edits.problem
    return bench.edits.receipt


def entry(menu, words):
    found = [action for action in menu.actions() if action.text().startswith(words)]
    assert found, [action.text() for action in menu.actions()]
    return found[0]


def context_menu(widget, place):
    """Open a context menu as the mouse does, and return it."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def are_whole(table):
    """Whether every figure of a table has room."""
    measure, model = ruler(table.pixels), table.model()
    columns = [k for k in range(1, model.columnCount()) if not table.isColumnHidden(k)]
    cells = [(model.index(line, k).data(), table.columnWidth(k)) for line in range(model.rowCount())
             for k in columns]
    return all(measure.horizontalAdvance(text) <= width - 2 * PADDING for text, width in cells)


def click(qtbot, widget):
    qtbot.mouseClick(widget, LEFT)


def test_without_an_edit_the_tab_says_what_to_do(receipt):
    assert receipt.empty.isVisible()
    assert receipt.empty.text() == EMPTY


def test_pruning_from_the_tree_is_kept_grown_on_and_undone(qtbot, bench, session, receipt):
    view, run = TreeView(bench), session.shown.run
    show(qtbot, view)
    qtbot.waitUntil(lambda: view.canvas.scene is not None, timeout=LONG)
    places = view.canvas.scene.places
    menu = context_menu(view.canvas, places.rect(1, view.canvas.camera).center().toPoint())
    assert session.shown.selection.node == 1
    assert not entry(menu, "Set weight").isVisible()
    entry(menu, "Prune").trigger()
    menu.close()
    known = asked(qtbot, bench)
    expected = editor(bench, session).receipt(Prune(FIRST, 0, 1))
    assert known.objective == expected.objective
    lines = receipt.figures.model().lines
    assert lines[0] == ("Objective", *pair_texts(*expected.objective),
                        verdict(*expected.objective, higher_is_better=False))
    assert receipt.words.text() == "Run 1: prune node 1 of tree 2"
    assert str(expected.train_rows) in receipt.rows.text()
    assert "No noise floor yet" in receipt.rows.text()
    refits = [Refit(n, {"logloss": np.full(6, 0.5 + 0.1 * n)}) for n in range(8)]
    session.validation.put({}, {run.number: NoiseFloor(6, 8, refits)})
    assert "noise floor" not in receipt.rows.text()
    assert any(line[4].startswith("within noise ± ") for line in receipt.figures.model().lines)

    assert are_whole(receipt.figures)
    assert are_whole(receipt.moves)
    row = run.dataset.table_rows[known.moves[2].row]
    cell = receipt.moves.visualRect(receipt.moves.model().index(2, 0)).center()
    qtbot.mouseClick(receipt.moves.viewport(), LEFT, pos=cell)
    assert session.shown.selection.row == row

    qtbot.keyClicks(receipt.reason, "too fine")
    click(qtbot, receipt.keep_button)
    qtbot.waitUntil(lambda: bench.edits.made is not None, timeout=LONG)
    made = bench.edits.made
    assert session.shown.run is made
    assert len(made.rounds) == FIRST
    assert made.edits[-1]["reason"] == "too fine"
    assert made.rounds[-1].trees[0].n_nodes == known.tree.n_nodes
    assert not receipt.keep_button.isVisible()
    assert "Kept as Run 2" in receipt.message.text()

    click(qtbot, receipt.grow_button)
    qtbot.waitUntil(lambda: made.state is RunState.ENDED and len(made.rounds) == 6, timeout=LONG)
    receipt.synchronize()
    name, old, new = receipt.figures.model().lines[0][:3]
    assert name == "Hold-out at 6"
    assert (old, new) == pair_texts(run.rounds[-1].valid["logloss"], made.rounds[-1].valid["logloss"])[:2]
    assert not receipt.grow_button.isEnabled()

    session.journal.undo()
    session.journal.undo()
    assert made not in session.runs
    assert bench.edits.made is None
    assert receipt.keep_button.isVisible()
    click(qtbot, receipt.discard_button)
    assert receipt.empty.isVisible()


def test_keep_and_grow_on_in_one_click(qtbot, bench, session, receipt):
    run = session.shown.run
    bench.edits.ask(run, Prune(FIRST, 0, 0))
    asked(qtbot, bench)
    click(qtbot, receipt.grow_button)
    qtbot.waitUntil(lambda: bench.edits.made is not None, timeout=LONG)
    made = bench.edits.made
    qtbot.waitUntil(lambda: made.state is RunState.ENDED and len(made.rounds) == 6, timeout=LONG)
    assert made.rounds[FIRST - 1].trees[0].n_nodes == 1
    bench.edits.ask(run, Prune(len(run.rounds), 0, 0))
    asked(qtbot, bench)
    assert not receipt.grow_button.isEnabled()
    assert "last one" in receipt.message.text()


def test_the_weight_of_a_leaf_is_typed_and_dragged(qtbot, bench, session, receipt):
    inspector, tree = NodeInspector(bench), session.shown.tree
    show(qtbot, inspector, (1140, 330))
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    assert not inspector.weight.isVisible()
    session.shown.select(node=leaf)
    field = inspector.weight.value.field
    field.selectAll()
    qtbot.keyClicks(field, "-0.25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    known, expected = asked(qtbot, bench), editor(bench, session).receipt(SetWeight(FIRST, 0, leaf, -0.25))
    assert known.price == expected.price
    assert inspector.weight.words.text() == receipt.price.text()
    assert known.edit.weight == -0.25

    slider, y = receipt.value.slider, receipt.value.slider.height() // 2
    qtbot.mousePress(slider, LEFT, pos=QPoint(12, y))
    qtbot.mouseMove(slider, QPoint(slider.width() - 12, y))
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(slider.width() - 12, y))
    dragged = asked(qtbot, bench).edit.weight
    assert dragged > 0
    assert dragged == slider.current

    receipt.value.field.selectAll()
    qtbot.keyClicks(receipt.value.field, "heavy")
    qtbot.keyClick(receipt.value.field, Qt.Key.Key_Return)
    assert "Type a number" in receipt.message.text()
    assert bench.edits.draft.edit.weight == dragged


@pytest.fixture
def why(qtbot, bench, session):
    inspector = NodeInspector(bench)
    show(qtbot, inspector, (1140, 330))
    made = inspector.why

    def is_shown():
        found = bench.explainer.nodes.known(made._subject)
        assert found is not None
        assert made.table.model().rowCount() == len(found.ranking.ranked)
        assert made.scan.plot.curve is not None

    qtbot.waitUntil(is_shown, timeout=LONG)
    made.kept = inspector
    return made


def test_another_candidate_is_taken_instead(qtbot, bench, session, why):
    assert not why.take_button.isEnabled()  # the winner is chosen
    cell = why.table.visualRect(why.table.model().index(1, TEST)).center()
    qtbot.mouseClick(why.table.viewport(), LEFT, pos=cell)
    click(qtbot, why.take_button)
    found = bench.explainer.nodes.known(why._subject).ranking.ranked[1]
    known = asked(qtbot, bench)
    assert known.edit == TakeSplit.of_candidate(FIRST, 0, 0, found, session.shown.run.schema)
    assert int(known.tree.nodes["feature"][0]) == found.feature

    menu = context_menu(why.table.viewport(), why.table.visualRect(why.table.model().index(0, TEST)).center())
    assert not entry(menu, "Take this instead").isEnabled() or why.table.currentIndex().row() == 1
    menu.close()


def test_a_threshold_is_dragged_in_the_scan_and_a_cut_made_elsewhere(qtbot, bench, session, why):
    plot = why.scan.plot
    if not plot.curve.is_numeric:
        node = int(np.flatnonzero(~np.isnan(session.shown.tree.nodes["threshold"]))[0])
        session.shown.select(node=node)
        qtbot.waitUntil(lambda: plot.curve.is_numeric and plot._handle is not None, timeout=LONG)
    node, made = session.shown.selection.node, plot.curve.made
    other = made + 12 if made + 12 < len(plot.curve) else made - 12
    start, end = (plot._points(plot.curve)[place].x() for place in (made, other))
    y = int(plot.plot_rect.center().y())
    qtbot.mousePress(plot, LEFT, pos=QPoint(round(start), y))
    qtbot.mouseMove(plot, QPoint(round(end), y))
    reached = plot._dragged
    assert not plot.grab().isNull()
    qtbot.mouseRelease(plot, LEFT, pos=QPoint(round(end), y))
    edit = asked(qtbot, bench).edit
    threshold = float(bench.explainer.scans.known(why_scan(why)).scan.thresholds[plot.curve.places[reached]])
    assert edit == MoveThreshold(FIRST, 0, node, threshold)

    menu = context_menu(plot, QPoint(round(end), y))
    entry(menu, "Cut here").trigger()
    menu.close()
    edit = asked(qtbot, bench).edit
    assert isinstance(edit, TakeSplit)
    assert edit.column == plot.curve.feature.name
    assert edit.default_left is not None

    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert isinstance(asked(qtbot, bench).edit, MoveThreshold)


def why_scan(why):
    from workbench.workers.explainer import ScanSubject

    return ScanSubject(why._subject, why._wanted)


def test_a_category_is_asked_about(qtbot, bench, session, why):
    names = session.shown.run.schema.names
    model = why.table.model()
    row = next(k for k in range(model.rowCount()) if model.index(k, TEST).data().startswith("x1"))
    cell = why.table.visualRect(model.index(row, TEST)).center()
    qtbot.mouseClick(why.table.viewport(), LEFT, pos=cell)
    plot = why.scan.plot
    qtbot.waitUntil(lambda: plot.curve.feature.name == "x1", timeout=LONG)
    place = len(plot.curve) - 1
    x = plot._points(plot.curve)[place].x()
    menu = context_menu(plot, QPoint(round(x), int(plot.plot_rect.center().y())))
    entry(menu, "Cut here").trigger()
    menu.close()
    edit = asked(qtbot, bench).edit
    assert edit.column == names[1]
    assert edit.categories
    assert edit.threshold is None


def test_a_whole_tree_is_dropped_from_the_list(qtbot, bench, session, receipt):
    panel = TreesPanel(bench)
    show(qtbot, panel, (304, 800))
    place = panel.list.visualRect(panel.model.index(3)).center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, panel.list.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(panel.list.viewport(), event)
    assert not panel.edits.prune.isVisible()
    entry(panel.menu, "Drop tree 4").trigger()
    panel.menu.close()
    known = asked(qtbot, bench)
    assert (known.edit.kind, known.edit.round, known.tree.n_nodes) == ("drop_tree", 4, 1)
    assert receipt.words.text() == "Run 1: drop tree 4"


def test_a_column_is_forbidden_from_the_inspector(qtbot, bench, session):
    inspector, tree = NodeInspector(bench), session.shown.tree
    show(qtbot, inspector, (1140, 330))
    inspector.edit_button.menu().aboutToShow.emit()
    names = session.shown.run.schema.names
    forbid = inspector.edits.forbid
    asked_columns = {names[column] for column in tree.nodes["feature"] if column >= 0}
    assert {action.text() for action in forbid.actions()} == asked_columns
    own = names[tree.nodes["feature"][0]]
    assert forbid.actions()[0].text() == own
    forbid.actions()[0].trigger()
    known = asked(qtbot, bench)
    assert known.edit.column == own
    assert names.index(own) not in known.tree.nodes["feature"]


def test_what_cannot_be_edited_says_why(qtbot, bench, session, receipt):
    inspector, run = NodeInspector(bench), session.shown.run
    show(qtbot, inspector, (1140, 330))
    run.state = RunState.RUNNING
    inspector.edit_button.menu().aboutToShow.emit()
    assert inspector.edits.why.isVisible()
    assert inspector.edits.why.text() == "Run 1 trains. Its trees can be edited when it has ended."
    assert not inspector.edits.prune.isEnabled()
    assert not inspector.edits.drop.isEnabled()
    run.state = RunState.ENDED
    data, run.dataset = run.dataset, None
    bench.edits.ask(run, Prune(FIRST, 0, 0))
    assert "are not here" in receipt.message.text()
    assert not receipt.keep_button.isEnabled()
    run.dataset = data
    bench.edits.ask(run, MoveThreshold(FIRST, 0, 0, 1e9))
    qtbot.waitUntil(lambda: not bench.edits.is_busy, timeout=LONG)
    assert bench.edits.problem
    assert receipt.message.text() == bench.edits.problem


def test_roads_not_taken_stream_are_cancelled_and_open_their_receipt(qtbot, bench, session):
    view = DoubtfulView(bench)
    show(qtbot, view, (1016, 260))
    click(qtbot, view.switch["Roads not taken"])
    tie = next(
        (number for number in range(1, 7) if list(roads_not_taken(editor(bench, session), number, 0))), 0
    )
    assert tie
    session.shown.select(round=tie)
    assert view.roads.try_button.text() == f"Try tree {tie}"
    click(qtbot, view.roads.try_button)
    qtbot.waitUntil(lambda: not bench.edits.is_trying, timeout=LONG)
    expected = list(roads_not_taken(editor(bench, session), tie, 0))
    assert bench.edits.roads == tuple(expected)
    assert "no noise floor yet" in view.roads.words.text()
    lines = view.roads.model.lines
    assert [line[0] for line in lines] == [road.words for road in expected]
    assert lines[0][2:4] == pair_texts(expected[0].before, expected[0].after)[:2]
    cell = view.roads.table.visualRect(view.roads.model.index(0, 0)).center()
    qtbot.mouseClick(view.roads.table.viewport(), LEFT, pos=cell)
    qtbot.keyClick(view.roads.table, Qt.Key.Key_Return)
    assert asked(qtbot, bench).edit == expected[0].edit

    click(qtbot, view.roads.try_button)
    assert view.roads.stop_button.isVisible()
    click(qtbot, view.roads.stop_button)
    assert not bench.edits.is_trying
    assert not view.roads.stop_button.isVisible()
    assert view.roads.words.text().startswith("Cancelled ")
    click(qtbot, view.roads.try_button)
    qtbot.waitUntil(lambda: not bench.edits.is_trying, timeout=LONG)
    assert not view.roads.words.text().startswith("Cancelled ")


@pytest.mark.parametrize(("before", "after", "expected"), [
    (0.5, 0.5, ("0.5000", "0.5000", "0")),
    (114.5021, 114.4903, ("114.502", "114.490", "−0.012")),
    (0.1, 0.3, ("0.1000", "0.3000", "+0.2000")),
    (1.0, 1.0 + 1e-12, ("1.000", "1.000", "+1.0e−12")),
    (float("nan"), 1.0, ("–", "1.000", "–")),
])  # fmt: skip
def test_two_figures_show_their_difference(before, after, expected):
    assert pair_texts(before, after) == expected


def test_verdicts():
    assert verdict(0.5, 0.6, higher_is_better=True, noise=0.05) == "better, noise ± 0.050"
    assert verdict(0.5, 0.6, higher_is_better=False, noise=0.05) == "worse, noise ± 0.050"
    assert verdict(0.5, 0.6, higher_is_better=False, noise=0.2) == "within noise ± 0.20"
    assert verdict(0.5, 0.6, higher_is_better=True) == "higher"  # nobody knows whether by chance
    assert verdict(0.6, 0.5) == "lower"
    assert verdict(0.5, 0.5, higher_is_better=True, noise=0.05) == ""
