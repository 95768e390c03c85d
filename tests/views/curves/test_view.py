"""The Training view: curves, readout, zoom, export."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tests.views.made_forest import made_bench
from tests.views.made_run import BEST, add_rounds, end, made_session, with_tools
from tests.views.made_runs import trained_study
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.session.no_trees import NO_TREES
from workbench.session.session import Session
from workbench.views.base import VIEWS
from workbench.views.curves.board import LEAST, SMALL, stack
from workbench.views.curves.content import Line
from workbench.views.curves.margin import ROW, MarginLabel, fitting, noted_lines, room, spread, within_height
from workbench.views.curves.readings import sum_that_adds_up
from workbench.views.curves.run_plots import NO_FIGURES, NO_HOLD_OUT, Options, plots
from workbench.views.curves.thinning import smooth, thin
from workbench.views.curves.vertical_scales import Linear, Log, Root
from workbench.views.curves.view import TrainingView
from workbench.views.look.scale import px
from workbench.views.look.theme import set_theme, theme

FINITE = st.floats(-1e12, 1e12, allow_nan=False)


class PaintWatch(QObject):
    """Counts how often a widget is painted."""

    paints = 0

    def eventFilter(self, _widget, event):
        self.paints += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def view_of(qtbot):
    kept = []

    def show(session, width=1136, height=745):
        view = TrainingView(made_bench(session))
        holder = with_tools(qtbot, view)
        kept.append(holder)
        holder.resize(width, height + 50)
        with qtbot.waitActive(holder):
            holder.show()
            holder.activateWindow()
        return view

    return show


def readout(view):
    return {cell.label: cell.figure for cell in view.kpis.cells}


def spot(view, number, pane=0):
    rect = view.board.shown[pane].rect
    return QPoint(round(view.board.axis.x(number)), round(rect.center().y()))


def titles(view):
    return [pane.content.title for pane in view.board.shown]


def test_it_is_a_registered_centre_view():
    assert VIEWS.get("training") is TrainingView
    assert (TrainingView.place, TrainingView.order) == ("centre", 20)


def test_the_readout_follows_the_newest_round_until_one_is_picked(qtbot, view_of):
    session = made_session(40, 100)
    view = view_of(session)
    assert readout(view)["Now"] == "Round 40"
    add_rounds(session, 50)
    assert readout(view) == {
        "Now": "Round 50", "Validation log loss": "0.4400", "Training log loss": "0.2719",
        "Validation AUC": "0.780", "Objective = loss + Ω": "54.88", "Structure score": "−1.200",
        "Gain of the tree": "1.200",
    }
    qtbot.mouseClick(view.board.viewport(), Qt.MouseButton.LeftButton, pos=spot(view, 20))
    assert session.shown.selection.round == 20
    assert readout(view)["Selected"] == "Round 20"
    qtbot.keyClick(view.board, Qt.Key.Key_Right)
    assert session.shown.selection.round == 21
    qtbot.keyClick(view.board, Qt.Key.Key_End)
    assert session.shown.selection.round is None
    assert readout(view)["Now"] == "Round 50"


def test_the_cursor_reads_out_a_round_and_leaves_no_trace(qtbot, view_of):
    session = made_session(60, 100)
    view = view_of(session)
    for pane in range(4):
        qtbot.mouseMove(view.board.viewport(), spot(view, BEST, pane))
        assert readout(view)["Cursor"] == f"Round {BEST}"
    assert view.kpis.cells[0].note == "best"
    line = view.board.grab().toImage()
    x = round(view.board.axis.x(BEST))
    for pane in view.board.shown:
        column = [line.pixelColor(x, y) for y in range(int(pane.rect.top()), int(pane.rect.bottom()))]
        assert column.count(theme().color("text1")) > 0.5 * len(column)
        assert line.pixelColor(x, int(pane.rect.top()) - 4) != theme().color("text1"), "not through titles"
    qtbot.mouseMove(view.board.viewport(), QPoint(10, 10))
    assert readout(view)["Now"] == "Round 60"


def test_axes_and_bars_are_painted_anew_with_rounds_and_theme(qtbot, view_of):
    session = made_session(1, 100)
    view = view_of(session)
    view.board.grab()
    add_rounds(session, 60)
    bars, axis = view.board.shown[3].rect, view.board.axis
    qtbot.waitUntil(view.board.updatesEnabled)
    image = view.board.grab().toImage()
    ground = theme().color("data")
    assert image.pixelColor(round(axis.x(20)), round(bars.bottom()) - 1) != ground
    assert image.pixelColor(round(axis.x(90)), round(bars.bottom()) - 1) == ground
    app = QApplication.instance()
    set_theme(app, "dark")
    view.restyle()
    qtbot.waitUntil(view.board.updatesEnabled)
    assert view.board.grab().toImage().pixelColor(2, 2) == theme().color("data") != ground
    set_theme(app, "light")


def test_new_rounds_are_painted_once(qtbot, view_of):
    session = made_session(40, 100)
    view, watch = view_of(session), PaintWatch()
    QApplication.processEvents()
    view.board.viewport().installEventFilter(watch)
    for rounds in (41, 60):
        watch.paints = 0
        add_rounds(session, rounds)
        qtbot.waitUntil(lambda: watch.paints > 0)
        for _ in range(5):
            QApplication.processEvents()
        assert watch.paints == 1


def test_marks_say_best_change_and_what_is_to_come(view_of):
    marks = view_of(made_session(60, 100, change_at=45)).board.marks
    assert marks.best_text == "best 0.4000, round 30"
    assert marks.changes == ((45, "λ 1 → 4"),)
    assert marks.ahead == "40 rounds to go"


def test_empty_and_without_hold_out_it_says_what_to_do(view_of):
    empty = view_of(Session())
    assert empty.board.marks.sentence == NO_TREES
    assert titles(empty)[1:] == ["Objective", "Drop per round", "Gain of each tree"]
    assert all(pane.span.ticks for pane in empty.board.shown), "axes stay"
    without = view_of(made_session(30, 100, valid=False))
    assert (without.board.marks.note, without.board.marks.best) == (NO_HOLD_OUT, 0)
    assert [line.name for line in without.board.shown[0].content.lines] == ["Training"]


def test_hold_out_drop_is_the_change_of_its_loss(view_of):
    session = made_session(60, 100)
    drop = {line.name: line.values for line in view_of(session).board.shown[2].content.lines}
    losses = [0.7, *session.shown.run.history.column("valid:logloss")]
    np.testing.assert_allclose(drop["hold-out"], -np.diff(losses))
    np.testing.assert_allclose(drop["delivered"], 2.0 / np.arange(1, 61) / 200)


def test_zoom_by_wheel_stays_while_rounds_arrive_and_double_click_resets(qtbot, view_of):
    session = made_session(60, 100)
    view = view_of(session)
    viewport, place = view.board.viewport(), QPointF(spot(view, 30))
    QApplication.sendEvent(viewport, QWheelEvent(
        place, viewport.mapToGlobal(place), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
    zoomed = (view.board.axis.low, view.board.axis.high)
    assert zoomed[0] > 1
    assert zoomed[1] < 90
    assert view.board.axis.x(30) == pytest.approx(place.x(), abs=1.5), "what is under the cursor stays there"
    add_rounds(session, 80)
    assert (view.board.axis.low, view.board.axis.high) == zoomed
    for pane in view.board.shown:
        assert tuple(pane.box.viewRange()[0]) == pytest.approx(zoomed)
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=spot(view, 30))
    assert (view.board.axis.low, view.board.axis.high) == (0.5, 100.5)


def test_tools_change_metric_smoothing_and_axis(qtbot, view_of):
    view = view_of(made_session(60, 100))
    view.metric_box.setFocus()
    qtbot.keyClick(view.metric_box, Qt.Key.Key_Down)
    assert titles(view)[0] == "AUC"
    assert "Validation AUC" in readout(view)
    view.metric_box.setCurrentIndex(0)
    view.metric_box.activated.emit(0)
    qtbot.mouseClick(view.smooth_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(view.log_button, Qt.MouseButton.LeftButton)
    content = view.board.shown[0].content
    assert content.phrase == (
        "per row, lower is better, log axis, smoothed over 9 rounds; the faint line is raw")
    assert [line.alpha for line in content.lines] == [0.45, 1.0, 0.45, 1.0]


def test_lower_plots_can_be_hidden_and_give_way_in_low_windows(view_of):
    view = view_of(made_session(60, 100))
    tall = view.board.shown[0].rect.height()
    view.toggle_plot("drop")
    assert titles(view) == ["Log loss", "Objective", "Gain of each tree"]
    assert view.board.shown[0].rect.height() > tall
    view.toggle_plot("drop")
    assert titles(view)[2] == "Drop per round"
    view.window().resize(1136, 300)
    assert titles(view) == ["Log loss"]


def test_nothing_is_drawn_while_hidden_and_all_when_shown(qtbot, view_of):
    session = made_session(40, 100)
    view = view_of(session)
    view.hide()
    add_rounds(session, 70)
    assert view.board.marks.newest == 40
    with qtbot.waitExposed(view):
        view.show()
    assert view.board.marks.newest == 70


def test_pictures_hold_ground_and_labels_and_tables_every_figure(view_of, tmp_path):
    session = made_session(60, 100, change_at=45)
    end(session)
    view = view_of(session)
    view.save_picture(tmp_path / "curves.png")
    image = QImage(str(tmp_path / "curves.png"))
    assert image.width() == 2 * view.board.width()
    assert image.pixelColor(2, 2) == theme().color("data")
    view.save_picture(tmp_path / "curves.svg")
    svg = (tmp_path / "curves.svg").read_bytes()
    assert QSvgRenderer(QByteArray(svg)).isValid()
    for words in (b"Log loss", b"Validation", b"best 0.4000, round 30", "λ 1 → 4".encode()):
        assert words in svg
    view.save_csv(tmp_path / "curves.csv")
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 60
    assert float(rows[29]["valid:logloss"]) == pytest.approx(0.4)
    assert [rows[n - 1]["reg_lambda"] for n in (44, 45)] == ["1.0", "4.0"]
    assert view.values_text().count("\n") == 61


def test_the_shown_round_moves_over_what_stays(view_of, monkeypatch, qtbot):
    view = view_of(made_session(60, 100))
    view.board.grab()
    painted = []
    monkeypatch.setattr("workbench.views.curves.board.paint_axes", lambda *_: painted.append("axes"))
    before = view.board.grab().toImage()
    view._bench.session.shown.select(round=20)
    qtbot.waitUntil(view.board.updatesEnabled)
    assert view.board.grab().toImage() != before
    assert painted == []
    view.board.zoom(10, 30)
    view.board.grab()
    assert painted == ["axes"]


def test_the_board_stays_quick_with_many_rounds(view_of):
    view = view_of(made_session(5000, 6000))
    times = []
    for _ in range(5):
        begin = time.thread_time()
        view.synchronize()
        times.append(time.thread_time() - begin)
    assert min(times) < 0.008


@given(st.lists(FINITE, min_size=1, max_size=50), st.integers(2, 8))
def test_linear_ticks_enclose_the_figures(values, most):
    span = Linear().fit(min(values), max(values), most)
    room = 1e-8 * max(map(abs, values))  # less than a pixel
    assert span.low <= min(values) + room
    assert span.high >= max(values) - room
    assert 2 <= len(span.ticks) <= most + 1
    assert len(set(span.texts)) == len(span.texts)


@given(st.floats(1e-9, 1e9), st.floats(1, 1e6), st.integers(2, 8))
def test_log_ticks_are_round_and_few(low, ratio, most):
    span = Log().fit(low, low * ratio, most)
    assert 1 <= len(span.ticks) <= most + 1
    assert np.isfinite(Log().forward(np.array([span.low, span.high]))).all()


def test_the_root_axis_shows_small_figures_of_both_signs():
    span = Root().fit(-0.0011, 0.024, 4)
    assert span.texts == ("−0.001", "0.000", "0.005", "0.020")
    np.testing.assert_allclose(Root().forward(np.array([-4.0, 0.0, 9.0])), [-2, 0, 3])


def test_thinning_keeps_the_extremes():
    values = np.sin(np.arange(10_000) / 7)
    values[6543] = 5.0
    x, y = thin(np.arange(1.0, 10_001.0), values, 800)
    assert len(x) <= 2 * 900
    assert (y.max(), y.min()) == (5.0, values.min())
    assert (np.diff(x) >= 0).all()
    np.testing.assert_allclose(smooth(np.arange(30.0), 9), np.arange(30.0))


@given(st.lists(st.floats(0, 200), min_size=1, max_size=5), st.data())
def test_labels_are_pushed_apart(wishes, data):
    wishes.sort()
    sizes = [data.draw(st.integers(1, 2)) for _ in wishes]
    places = spread(wishes, sizes, 0, 200)
    for before, after, size in zip(places, places[1:], sizes, strict=False):
        assert after - before >= size * ROW - 1e-9
    assert places[-1] + (sizes[-1] - 1) * ROW <= 200


def test_what_has_no_room_in_the_margin_loses_whole_parts(qapp):
    assert fitting("64 leaves, depth 6", room(), False) == "64 leaves, depth 6"
    assert fitting("2,477 leaves, depth 26", room(), False) == "2,477 leaves"
    assert fitting("one part that has none to lose", 10, False) == "one part that has none to lose"


@given(st.integers(200, 1200), st.integers(1, 4))
def test_plots_stand_apart_and_within_the_board(height, plots):
    rects = stack(1136, height, plots)
    assert 1 <= len(rects) <= plots
    assert rects[-1].bottom() <= height - 20
    assert all(a.bottom() + 27 <= b.top() for a, b in pairwise(rects))
    if len(rects) > 1:
        assert rects[0].height() >= LEAST - 1
        assert all(rect.height() >= SMALL for rect in rects[1:])
    assert isinstance(rects[0], QRectF)


@given(st.floats(1e-3, 1e6), st.floats(0, 1e3))
def test_shown_terms_add_up(loss, omega):
    first, second, total = (float(text.replace(",", "")) for text in sum_that_adds_up(loss, omega))
    assert first + second == pytest.approx(total, abs=1e-9)


def test_a_model_without_figures_says_so_and_draws_no_empty_lines(view_of):
    session = made_session(0, 12, valid=False)
    unknown = dict.fromkeys(("loss", "omega", "promised", "delivered", "structure_score"), float("nan"))
    rounds = [replace(event, train={"logloss": float("nan")}, **unknown)
              for event in made_session(12, 12, valid=False).shown.run.rounds]
    session.runs.apply(session.shown.run, rounds)
    end(session)
    view = view_of(session)
    assert view.board.marks.note == NO_FIGURES
    assert [len(pane.content.lines) for pane in view.board.shown] == [0, 0, 0, 0]
    notes = {cell.label: cell.note for cell in view.kpis.cells}
    assert notes["Objective = loss + Ω"] == "not in the file"


@pytest.mark.parametrize("method", ["friedman", "adaboost", "forest", "cart"])
def test_methods_without_omega_speak_of_their_loss_alone(view_of, method):
    session = made_session(3, 3)
    session.shown.run.params = session.shown.run.params.change(method=method)
    view = view_of(session)
    assert "Loss of all rows" in readout(view)
    assert not readout(view).keys() & {"Objective = loss + Ω", "Structure score"}
    told = " ".join(f"{content.title} {content.phrase} {[line.name for line in content.lines]}"
                    for content in plots(session, Options()))
    assert not any(word in told for word in ("Ω", "promised", "score"))


def test_what_a_person_should_know_of_a_run_stands_above_its_curves(view_of):
    session = made_session(3, 3)
    view = view_of(session)
    assert view.note.isHidden()
    ended = TrainingEnded(EndReason.FINISHED, 3, 3, 1.0, notes=("No round made a split. Lower gamma.",))
    session.runs.apply(session.shown.run, [ended])
    assert view.note.isVisible()
    assert view.note.text() == session.notices.current.text == "No round made a split. Lower gamma."
    assert session.notices.current.severity == "warning"
    session.new_run()
    assert view.note.isHidden()


def test_other_runs_with_a_tick_lie_behind_from_where_they_leave(view_of):
    session = trained_study().session
    view = view_of(session)
    shown = {line.name: line for line in view.board.shown[0].content.lines}
    assert {"Run 2", "Run 3", "Run 4", "Validation", "Training"} == shown.keys()
    assert [int(np.isnan(shown[name].values).sum()) for name in ("Run 2", "Run 3", "Run 4")] == [2, 4, 4]
    assert shown["Run 2"].dash == "dashed"
    session.overlay.tick(session.runs[3], False)
    assert "Run 4" not in {line.name for line in view.board.shown[0].content.lines}
    view.toggle_plot("others")
    assert {line.name for line in view.board.shown[0].content.lines} == {"Validation", "Training"}


@pytest.mark.usefixtures("qapp")
def test_what_a_branch_does_stands_in_the_margin_where_all_of_it_has_room():
    lines = [Line("Run 1", "text1", np.zeros(3), "0.5"),
             Line("Run 2", "text1", np.zeros(3), "0.4", note="λ 1 → 4 at 3"),
             Line("Run 3", "text1", np.zeros(3), "0.3", note="Class weights none → yes: 3, Seed 0 → 9 at 2")]
    assert noted_lines(lines, 7 * px(ROW)) == [lines[1]]
    assert noted_lines(lines, 5 * px(ROW)) == []


def test_labels_for_which_there_is_no_room_are_left_out_from_the_last_line_on():
    lines = [Line(str(number), "text1", np.zeros(3)) for number in range(5)]
    labels = [MarginLabel(10.0 * place, ((), ()), line) for place, line in enumerate(lines)]
    assert within_height(labels, 4 * px(ROW)) == labels[:2]
    facts = MarginLabel(0.0, ((), ()))
    assert within_height([*labels, facts], 4 * px(ROW)) == [facts, labels[0]]
    assert len(within_height(labels, 1000)) == 5
