"""The playground under a hand: points are added, moved and erased, and the model follows."""

from __future__ import annotations

import threading
from itertools import groupby
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.views.made_forest import show
from workbench.app import build_bench
from workbench.ensembles.base import make_trainer
from workbench.parameters.training import TrainingParams
from workbench.session.growing import rows_of_plan
from workbench.session.opening.drawn import drawn
from workbench.session.playground.drawing import blank
from workbench.session.playground.patterns import PATTERNS
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.views.look.projector import project
from workbench.views.playground.hand_plot import REACHES
from workbench.views.playground.loss_plot import LossPlot
from workbench.views.playground.pages.two_variables import DRAW_MORE
from workbench.views.playground.panel import DrawPanel
from workbench.views.playground.plane_plot import PlanePlot
from workbench.views.playground.round_page import NO_SPLITS, NO_TABLE
from workbench.workers.training_controller import TrainingController

READY = threading.Event()
READY.set()
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture(scope="module")
def _compiled():
    """Trained once before anything is waited for."""
    for name in ("moons", "waves"):
        opened = drawn(PATTERNS.get(name).draw(40, 0.1, 0), "newton")
        data = rows_of_plan(opened.sketch.table, opened.plan)
        list(make_trainer(data, TrainingParams(objective=opened.plan.objective, rounds=2)).rounds())


@pytest.fixture(scope="module")
def _linear_compiled():
    for name in ("moons", "waves"):
        opened = drawn(PATTERNS.get(name).draw(40, 0.1, 0), "linear")
        data = rows_of_plan(opened.sketch.table, opened.plan)
        params = TrainingParams(method="linear", objective=opened.plan.objective, rounds=2)
        list(make_trainer(data, params).rounds())


@pytest.fixture
def bench(jobs, _compiled):
    session = Session()
    session.hyperparameters.change(rounds=4, max_depth=2)
    return build_bench(session, TrainingController(session, lambda _params: READY), jobs)


def open_drawing(bench, drawing):
    opened = drawn(drawing, "newton")
    bench.session.open_drawing(opened.sketch, opened.plan, opened.objectives)
    bench.playground.retrain("Draw")


def settle(qtbot, bench):
    qtbot.waitUntil(lambda: not bench.playground.is_busy, timeout=20_000)


@pytest.fixture
def moons(qtbot, bench, tab):
    open_drawing(bench, PATTERNS.get("moons").draw(60, 0.1, 0))
    settle(qtbot, bench)
    seen(qtbot, bench, tab)
    return tab.page


def seen(qtbot, bench, tab):
    """Wait for the picture of the run that is shown."""
    page = tab.page
    qtbot.waitUntil(lambda: page._picture is not None and page._picture is bench.playground.picture(
        page.run, page.asked(page.run)), timeout=20_000)  # fmt: skip


def drag(plot, to):
    place = QPointF(to)
    event = QMouseEvent(QEvent.Type.MouseMove, place, plot.mapToGlobal(place), Qt.MouseButton.NoButton, LEFT,
                        Qt.KeyboardModifier.NoModifier)
    QGuiApplication.sendEvent(plot, event)


def free_place(plot) -> QPoint:
    """A pixel with no point near it."""
    rect = plot.plot_rect
    places = (QPointF(rect.left() + i * 9, rect.top() + 12) for i in range(5, 60))
    return next(place for place in places if plot.point_at(place, 30) < 0).toPoint()


def test_pages_that_are_made_meanwhile_let_the_shown_one_stand(qtbot, tab, monkeypatch):
    painted = []
    monkeypatch.setattr(PlanePlot, "paint", lambda plot, _painter: painted.append(plot))
    qtbot.waitUntil(lambda: bool(painted))
    assert len(tab.pages) == 1
    painted.clear()
    qtbot.waitUntil(lambda: len(tab.pages) == 3)
    QApplication.processEvents()
    assert painted == []


def test_clicks_add_points_of_both_classes_and_the_run_follows(qtbot, bench, moons):
    session, plot = bench.session, moons.plot
    before = session.shown.run
    place = free_place(plot)
    qtbot.mouseClick(plot, LEFT, pos=place)
    qtbot.mouseClick(plot, RIGHT, pos=place + QPoint(0, 40))
    assert session.playground.points.label[-2:].tolist() == [0, 1]
    settle(qtbot, bench)
    assert session.shown.run is not before
    assert session.data.table.n_rows == 62
    assert session.shown.run.started.n_train == 62
    x, y = plot.value_at(QPointF(place))
    assert session.data.table.column("x").values[-2] == pytest.approx(x, abs=0.001)
    assert session.data.table.column("y").values[-2] == pytest.approx(y, abs=0.001)


def test_a_point_is_dragged_and_the_picture_is_of_where_it_went(qtbot, bench, tab, moons):
    session, plot = bench.session, moons.plot
    start = plot.place_of(5).toPoint()
    qtbot.mousePress(plot, LEFT, pos=start)
    for step in (10, 25, 40):
        drag(plot, start + QPoint(step, 0))
    held = session.playground.draft
    assert held is not None
    assert session.playground.drawing.x[5] != held.x[5], "the table waits until the hand lets go"
    assert plot.place_of(5).x() == pytest.approx(start.x() + 40, abs=1)
    qtbot.mouseRelease(plot, LEFT, pos=start + QPoint(40, 0))
    settle(qtbot, bench)
    assert session.playground.drawing.x[5] == held.x[5]
    assert session.shown.run.dataset.features[5, 0] == held.x[5]
    seen(qtbot, bench, tab)
    assert moons._picture.points.places[5, 0] == held.x[5]


def test_points_that_the_method_cannot_learn_from_are_told_why(bench, tab):
    bench.session.choose_method("adaboost")
    bench.session.playground.choose(page="one")
    opened = drawn(PATTERNS.get("hill").draw(40, 0.05, 0), "adaboost")
    bench.session.open_drawing(opened.sketch, opened.plan, opened.objectives)
    assert "adaboost is for binary and multiclass targets" in tab.page.explained.text()


def test_the_eraser_takes_what_it_passes(qtbot, bench, moons):
    bench.session.playground.choose(brush="erase")
    place = moons.plot.place_of(7).toPoint()
    gone = (float(moons.plot.scene.x[7]), float(moons.plot.scene.y[7]))
    qtbot.mouseClick(moons.plot, LEFT, pos=place)
    settle(qtbot, bench)
    points = bench.session.playground.drawing
    assert len(points) < 60
    assert not ((points.x == np.float32(gone[0])) & (points.y == np.float32(gone[1]))).any()


def test_the_brush_of_noise_scatters_what_it_passes(qtbot, bench, moons):
    bench.session.playground.choose(brush="noise")
    before, place = bench.session.playground.drawing, moons.plot.place_of(7)
    x, y = moons.plot.pixels(before.x, before.y)
    near = np.hypot(x - place.x(), y - place.y()) < REACHES["noise"] - 1
    qtbot.mouseClick(moons.plot, LEFT, pos=place.toPoint())
    settle(qtbot, bench)
    points = bench.session.playground.drawing
    moved = (points.x != before.x) | (points.y != before.y)
    assert moved[7]
    assert (moved[near]).all()
    assert len(points) == 60
    assert not moved[np.hypot(x - place.x(), y - place.y()) > REACHES["noise"] + 1].any()
    assert np.array_equal(points.label, before.label)
    assert bench.session.journal.done.action.words == "Scatter points: 60 points"
    again = before.scattered(np.flatnonzero(near), 0.1, 0.2)
    assert np.array_equal(again.x, before.scattered(np.flatnonzero(near), 0.1, 0.2).x)


def test_undo_brings_points_and_model_back(qtbot, bench, moons):
    session, first = bench.session, bench.session.shown.run
    qtbot.mouseClick(moons.plot, LEFT, pos=free_place(moons.plot))
    settle(qtbot, bench)
    session.journal.undo()
    assert session.shown.run is first
    assert len(moons.plot.scene.x) == 60
    session.journal.redo()
    assert len(moons.plot.scene.x) == 61


def test_x_swaps_the_class_that_a_click_adds(qtbot, bench, tab, moons):
    qtbot.keyClick(tab, Qt.Key.Key_X)
    assert bench.session.playground.view.ink == 1
    place = free_place(moons.plot)
    qtbot.mousePress(moons.plot, LEFT, pos=place)
    drag(moons.plot, place + QPoint(9, 9))
    qtbot.mouseRelease(moons.plot, LEFT, pos=place + QPoint(9, 9))
    assert bench.session.playground.points.label[-1] == 1
    settle(qtbot, bench)
    assert bench.session.journal.done.action.words == "Add points: 61 points", "pulled along too"


def test_arrows_go_from_tree_to_tree(qtbot, bench, tab, moons):
    assert "← for the tree before" in moons.explained.text(), "there is no next one"
    qtbot.keyClick(moons.plot, Qt.Key.Key_Left)
    assert bench.session.shown.round == 3
    seen(qtbot, bench, tab)
    assert "After tree 3" in moons.told.text
    assert "→ for the next tree" in moons.explained.text()
    qtbot.keyClick(moons.plot, Qt.Key.Key_Right)
    assert bench.session.shown.selection.round is None
    assert tab.walk(-1)
    assert bench.session.shown.round == 3
    bench.session.shown.run.state = RunState.PAUSED
    assert not tab.walk(1), "→ grows a round of it"
    bench.session.shown.run.state = RunState.ENDED


def test_a_point_tells_its_truth_and_gradient(qtbot, bench, moons):
    qtbot.mouseMove(moons.plot, moons.plot.place_of(50).toPoint())
    qtbot.waitUntil(lambda: bool(moons.plot.tip))
    row, before, gradient = moons.plot.tip
    assert row.startswith("Row ")
    assert "truth" in row
    assert before.startswith("before tree 4: p ")
    assert gradient.startswith("g = p − y = ")


def test_on_an_empty_sheet_four_points_make_a_model(qtbot, bench, tab):
    open_drawing(bench, blank("plane"))
    settle(qtbot, bench)
    plot = tab.page.plot
    assert plot.sentence == DRAW_MORE
    rect = plot.plot_rect
    for place, button in enumerate((LEFT, RIGHT, LEFT, RIGHT)):
        pos = QPointF(rect.left() + 60 + 80 * place, rect.center().y()).toPoint()
        qtbot.mouseClick(plot, button, pos=pos)
    settle(qtbot, bench)
    assert bench.session.shown.run.started.n_train == 4
    assert plot.sentence == ""


def test_six_points_drawn_by_hand_make_a_split(qtbot, bench, tab):
    bench.session.hyperparameters.let_few_rows_split()
    open_drawing(bench, blank("plane"))
    settle(qtbot, bench)
    rect = tab.page.plot.plot_rect
    for place in range(6):
        spot = QPointF(rect.left() + 60 + 60 * place, rect.center().y() + 20 * (place % 2)).toPoint()
        qtbot.mouseClick(tab.page.plot, LEFT if place < 3 else RIGHT, pos=spot)
    settle(qtbot, bench)
    run = bench.session.shown.run
    assert run.started.n_train == 6
    assert run.started.ensemble.objective == "logistic"
    assert run.trees(1)[0].n_leaves == 2
    panel = DrawPanel(bench)
    show(qtbot, panel, (300, 900))
    panel.rows["min_child_weight"].changed.emit("min_child_weight", 1.0)
    settle(qtbot, bench)
    assert bench.session.shown.run.trees(1)[0].n_leaves == 1
    assert "Lower min_child_weight" in tab.page.explained.text()


def test_a_surface_of_two_classes_is_of_the_second_by_whatever_objective(qtbot, bench, tab, moons):
    from workbench.views.playground.inks import surface_colors

    plot = moons.plot
    p = np.array([[0.1, 0.9]])
    wanted = surface_colors(2 * p - 1)
    np.testing.assert_array_equal(plot._colors(p[None]), wanted)
    np.testing.assert_array_equal(plot._colors(np.array([1 - p, p])), wanted)


@pytest.mark.parametrize(("due", "pictures"), [(60.0, 2), (0.0, 1)])
def test_moves_end_the_run_before_them_or_are_gathered(qtbot, bench, moons, monkeypatch, due, pictures):
    """Where a picture is due, the first and the newest are trained; where none is, the newest alone."""
    desk, trained = bench.playground, []
    monkeypatch.setattr("workbench.workers.playground_desk.STALE_SECONDS", 0.0)
    monkeypatch.setattr("workbench.workers.playground_desk.DUE_SECONDS", due)
    desk.changed.connect(lambda: trained.append(desk.sketch))
    points = bench.session.playground.drawing
    for step in range(6):
        moons.take_in_hand(points.moved(0, 0.01 * step, 0.0), "Move points")
    settle(qtbot, bench)
    assert len({id(sketch.run) for sketch in trained if sketch is not None}) == pictures
    assert bench.session.playground.drawing.x[0] == np.float32(0.05)


def test_the_newest_move_is_trained_when_what_stands_beside_is_painted(qtbot, bench, moons, monkeypatch):
    desk, seen = bench.playground, []
    monkeypatch.setattr("workbench.workers.playground_desk.STALE_SECONDS", 0.0)
    monkeypatch.setattr("workbench.workers.playground_desk.DUE_SECONDS", 60.0)
    monkeypatch.setattr("workbench.views.playground.round_page.LATE_SECONDS", 0.0)
    begin, paint = desk._start, moons.side.tree._paint_edges
    monkeypatch.setattr(desk, "_start", lambda **kwargs: (seen.append("begun"), begin(**kwargs)))
    monkeypatch.setattr(moons.side.tree, "_paint_edges", lambda *args: (seen.append("painted"), paint(*args)))
    points = bench.session.playground.drawing
    for step in range(3):
        moons.take_in_hand(points.moved(0, 0.01 * step, 0.0), "Move points")
    settle(qtbot, bench)
    assert [step for step, _ in groupby(seen)][:3] == ["begun", "painted", "begun"]


def test_a_scan_waits_for_the_picture(qtbot, bench, moons, jobs, monkeypatch):
    desk = bench.playground
    qtbot.waitUntil(lambda: jobs.is_idle)
    desk.scans.forget()
    monkeypatch.setattr(type(desk), "is_awaited", True)
    run = moons.run
    assert desk.scan(run, moons.asked(run)) is None
    assert jobs.is_idle, "the scan of a split would hold up the picture"
    monkeypatch.undo()
    qtbot.waitUntil(lambda: desk.scan(run, moons.asked(run)) is not None)


def test_a_slider_retrains_and_the_run_has_its_value(qtbot, bench, tab, moons):
    panel = DrawPanel(bench)
    show(qtbot, panel, (300, 900))
    first = bench.session.shown.run
    panel.rows["reg_lambda"].changed.emit("reg_lambda", 7.0)
    settle(qtbot, bench)
    assert bench.session.shown.run.params.reg_lambda == 7.0
    assert bench.session.shown.run.rounds[0].trees[0].reg_lambda == 7.0
    assert bench.session.shown.run.params.threads == bench.session.hyperparameters.wanted.threads
    losses = bench.session.shown.run.history.column("train:logloss")
    assert len(losses) == len(bench.session.shown.run.rounds)
    assert np.isfinite(losses).all()
    assert bench.session.journal.done.action.words == "Train with λ 1 → 7"
    bench.session.journal.undo()
    assert bench.session.shown.run is first
    assert panel.rows["reg_lambda"].value == 1.0, "values and run go back together"


def test_a_small_plot_of_rounds_marks_whole_ones(qtbot):
    plot = LossPlot()
    qtbot.addWidget(plot)
    plot.set_x(0, 1)
    assert [text for _, text in plot._x_marks(QFontMetrics(plot.font()))] == ["0", "1"]


def test_the_plot_of_a_metric_that_no_round_so_far_knows_has_no_line(qtbot):
    plot = LossPlot()
    qtbot.addWidget(plot)
    columns = {"train:mape": np.array([np.nan, np.nan, 0.5]), "valid:mape": np.array([np.nan, np.nan, 0.7])}
    begun = SimpleNamespace(initial_train={"mape": np.nan}, initial_valid={"mape": np.nan})
    history = SimpleNamespace(column=columns.get)
    run = SimpleNamespace(started=begun, watched="mape", rounds=[0, 0, 0], history=history)
    plot.show_run(run, 1)
    assert not plot.grab().isNull()


def test_the_axes_of_a_linear_model_are_the_columns_that_weigh_first(tab):
    features = [SimpleNamespace(is_categorical=place == 1) for place in range(3)]
    dataset = SimpleNamespace(schema=SimpleNamespace(features=features))
    grown = SimpleNamespace(trees=(), linear=SimpleNamespace(importance=np.array([0.1, 5.0, 2.0])))
    run = SimpleNamespace(dataset=dataset, is_linear=True, rounds=[grown])
    assert tab.page.numeric_columns(run) == [2, 0]


def test_tiles_lay_other_points_and_ask_for_another_kind(qtbot, bench, tab, moons):
    panel = DrawPanel(bench)
    show(qtbot, panel, (300, 900))
    spirals = next(tile for tile in panel.tiles if tile.pattern.name == "spirals")
    qtbot.mouseClick(spirals, LEFT)
    settle(qtbot, bench)
    assert bench.session.playground.drawing.pattern == "spirals"
    assert spirals.isChecked()
    bench.session.playground.choose(page="one")
    waves = next(tile for tile in panel.tiles if tile.pattern.name == "waves")
    with qtbot.waitSignal(panel.drawing_wanted) as asked:
        qtbot.mouseClick(waves, LEFT)
    assert asked.args[0].is_line


def test_one_variable_shows_fit_residuals_and_scan(qtbot, bench, tab):
    bench.session.playground.choose(page="one")
    open_drawing(bench, PATTERNS.get("stairs").draw(40, 0.05, 0))
    settle(qtbot, bench)
    seen(qtbot, bench, tab)
    page = tab.page
    qtbot.waitUntil(lambda: page.scan.best is not None)
    run = bench.session.shown.run
    best, tree = page.scan.best, run.trees(4)[0]
    assert best.gains[best.best] == pytest.approx(tree.nodes["gain"][0], rel=1e-4)
    scene = page.bars.scene
    rows = page._picture.points
    np.testing.assert_allclose(scene.bars, rows.target - rows.before[0], atol=1e-5)
    bench.session.playground.choose(bars="gradients")
    np.testing.assert_allclose(page.bars.scene.bars, rows.before[0] - rows.target, atol=1e-5)
    assert_one_axis(page)
    project(QApplication.instance(), True)
    assert_one_axis(page)
    project(QApplication.instance(), False)
    page.show_nothing("")
    assert_one_axis(page)
    page.synchronize()
    qtbot.mouseClick(page.fit, LEFT, pos=free_place(page.fit))
    settle(qtbot, bench)
    assert bench.session.data.table.n_rows == 41


def assert_one_axis(page):
    assert len({plot.across(0.5) for plot in page.plots}) == 1, "the three pictures share one axis"


def test_without_anything_it_says_what_to_do(qtbot, tab):
    qtbot.waitUntil(lambda: tab.page.plot.sentence == NO_TABLE)


def test_both_pages_are_written_as_pictures_and_figures(qtbot, bench, tab, moons, tmp_path):
    for page in ("two", "one"):
        bench.session.playground.choose(page=page)
        for ending in ("png", "svg"):
            tab.save_picture(tmp_path / f"{page}.{ending}")
        assert not QImage(str(tmp_path / f"{page}.png")).isNull()
    bench.session.playground.choose(page="two")
    tab.save_csv(tmp_path / "points.csv")
    lines = (tmp_path / "points.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "x,y,class,before,g,h"
    assert len(lines) == 61


def test_a_run_that_has_no_round_yet_is_shown_as_it_begins(bench, moons):
    run = bench.session.shown.run
    grown, run.rounds = run.rounds, []
    moons.synchronize()
    assert "for the next tree" in moons.explained.text()
    assert "cuts along" not in moons.explained.text()
    run.rounds = grown


def test_a_tree_that_is_a_single_leaf_is_said_to_cut_nothing(qtbot, bench, tab, moons):
    bench.session.playground.choose(page="two")
    bench.session.hyperparameters.change(gamma=1e6)
    bench.controller.train()
    qtbot.waitUntil(lambda: bench.session.shown.run.params.gamma == 1e6 and not bench.controller.is_live)
    seen(qtbot, bench, tab)
    assert "made a split" in moons.explained.text()
    assert "Lower gamma" in moons.explained.text()
    assert "cuts along" not in moons.explained.text()


@pytest.mark.usefixtures("_linear_compiled")
def test_a_linear_model_is_a_line_and_a_slope(qtbot, bench, tab):
    session = bench.session
    session.choose_method("linear")
    session.hyperparameters.change(rounds=6)
    session.playground.choose(page="one")
    open_drawing(bench, PATTERNS.get("hill").draw(40, 0.05, 0))
    settle(qtbot, bench)
    seen(qtbot, bench, tab)
    page, part = tab.page, session.shown.run.rounds[-1].linear
    fit = page.fit.scene.fit
    middles = (fit.x[1:] + fit.x[:-1]) / 2
    known = part.plain_intercepts[0] + part.weights[0, 0] * middles
    np.testing.assert_allclose(fit.values[0, 0], known, atol=1e-4)
    assert page.bars.scene.step is None
    qtbot.waitUntil(lambda: page.scan.sentence == NO_SPLITS)
    session.playground.choose(page="two")
    open_drawing(bench, PATTERNS.get("moons").draw(60, 0.1, 0))
    settle(qtbot, bench)
    seen(qtbot, bench, tab)
    assert "straight lines" in tab.page.explained.text()
    assert not tab.page.plot.scene.picture.cuts
    assert tab.page.plot.scene.picture.wrong < 20
