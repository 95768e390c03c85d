from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.made_trees import chain_tree, full_tree, random_tree, shaped_tree
from tests.views.made_forest import FEATURES, add_rounds, made_bench, made_session, show
from tests.workers.by_hand import ByHand
from workbench.data.schema import DataSchema, Feature
from workbench.errors import WorkbenchError
from workbench.explain.node_figures import question, weight_limit
from workbench.explain.node_targets import NodeTargets
from workbench.number_text import figure
from workbench.session.run_parts.marks import ScoredAgain
from workbench.session.session import Session
from workbench.views.elision import elided_name
from workbench.views.look.fonts import AXIS, NOTE
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import LIGHT
from workbench.views.look.tool_tip import in_lines
from workbench.views.tree.arrangement import ARRANGEMENTS
from workbench.views.tree.camera import Detail, fitting
from workbench.views.tree.colouring import COLOURINGS, PLAIN
from workbench.views.tree.far.far import FAR_MIDDLE, paint_rings
from workbench.views.tree.far.visible import is_in_view
from workbench.views.tree.paint.cells import LEAST_UPRIGHT, NARROWEST, cell_lines
from workbench.views.tree.paint.edges import shown_answers
from workbench.views.tree.paint.fitted_question import fitted
from workbench.views.tree.paint.legend import LEFT as LEFT_EDGE
from workbench.views.tree.paint.legend import LINE, SWATCH, TOP, legend_boxes, legend_entries, paint_legend
from workbench.views.tree.scene import TreeScene
from workbench.views.tree.tools import WIDEST
from workbench.views.tree.view import FAILED, FIRST_TIME, TreeView
from workbench.views.trees.panel import TreesPanel
from workbench.workers.jobs import Jobs

pytestmark = pytest.mark.usefixtures("picture_kernels")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot, session, jobs):
    made = TreeView(made_bench(session, jobs))
    show(qtbot, made)
    qtbot.waitUntil(lambda: made.canvas.scene.missing is not None)
    return made


def action(menu, words):
    return next(action for action in menu.actions() if action.text().startswith(words))


def middle(view, node):
    return view.canvas.scene.places.rect(node, view.canvas.camera).center().toPoint()


def color_at(view, point):
    return view.canvas.grab().toImage().pixelColor(point)


def test_before_the_first_tree_it_says_what_to_do(qtbot, jobs):
    view = TreeView(made_bench(Session(), jobs))
    show(qtbot, view)

    assert view.canvas.accessibleDescription() == "No trees yet. Choose the target, then Train."
    assert not view.tree_tools.fit.isEnabled()


def test_a_click_selects_the_node_and_its_way_turns_accent(qtbot, view, session):
    assert view.canvas.camera.detail is Detail.NEAR

    qtbot.mouseClick(view.canvas, LEFT, pos=middle(view, 2))

    assert session.shown.selection.node == 2
    edge = view.canvas.scene.places.rect(2, view.canvas.camera)
    above = QPoint(round(edge.center().x()), round(edge.top()) - 7)
    accent, plain = QColor(LIGHT.tokens["accent"]), color_at(view, above)
    assert abs(plain.red() - accent.red()) > 40  # 55 % of it
    assert plain.green() > plain.red() + 20
    assert "thal = normal" in view.canvas.accessibleDescription()

    qtbot.mouseClick(view.canvas, LEFT, pos=QPoint(500, view.canvas.height() - 4))
    assert session.shown.selection.node is None


def test_the_cursor_points_for_as_long_as_it_is_there(qtbot, view, session):
    qtbot.mouseMove(view.canvas, middle(view, 1))
    assert session.shown.pointed_node == 1
    assert session.shown.selection.node is None

    qtbot.mouseMove(view.canvas, QPoint(500, view.canvas.height() - 4))
    assert session.shown.pointed_node is None


def test_keys_leave_what_the_cursor_rests_on(qtbot, view, session):
    session.shown.select(node=4)
    qtbot.mouseMove(view.canvas, middle(view, 1))
    assert session.shown.pointed_node == 1
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)  # the tree moves away under the cursor
    assert session.shown.pointed_node is None


def test_keys_walk_the_tree_and_turn_rounds(qtbot, view, session):
    view.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    walk = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(view.canvas, key)
        walk.append(session.shown.selection.node)
    assert walk == [0, 1, 2, 2, 0]

    qtbot.keyClicks(view.canvas, "[")
    assert session.shown.round == 2
    qtbot.keyClicks(view.canvas, "]]]")
    assert session.shown.round == 3


def test_drag_and_wheel_move_only_the_view(qtbot, view, session):
    before = view.canvas.camera
    start = QPoint(500, view.canvas.height() - 6)
    qtbot.mousePress(view.canvas, LEFT, pos=start)
    qtbot.mouseMove(view.canvas, start + QPoint(60, -30))
    qtbot.mouseRelease(view.canvas, LEFT, pos=start + QPoint(60, -30))
    assert (view.canvas.camera.x, view.canvas.camera.y) == (before.x + 60, before.y - 30)
    assert session.shown.selection.node is None

    point = QPointF(middle(view, 4))
    QApplication.sendEvent(view.canvas, QWheelEvent(
        point, view.canvas.mapToGlobal(point), QPoint(), QPoint(0, -360), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
    assert view.canvas.camera.zoom < before.zoom
    assert view.canvas.scene.places.node_at(point, view.canvas.camera) == 4
    assert session.shown.pointed_node == 4


def test_another_round_keeps_the_view_where_it_is(qtbot, view, session):
    view.canvas.zoom(0.8)
    camera = view.canvas.camera

    session.shown.select(round=1)
    assert view.canvas.scene.tree.n_nodes == 3
    assert view.canvas.camera == camera

    qtbot.mouseClick(view.tree_tools.fit, LEFT)
    qtbot.waitUntil(lambda: view.canvas.camera.zoom == 1.0)


def test_where_the_tree_is_not_it_says_so_and_a_double_click_brings_it_back(qtbot, view, session):
    place = view.canvas.rect().center()
    words = QRect(place.x() - 150, place.y() - 10, 300, 20)
    view.canvas.motion.pan(QPointF(0, 20 - view.canvas.scene.places.bounds(view.canvas.camera).bottom()))
    assert not view.canvas.is_empty  # the last leaves are in the window still

    session.shown.select(round=1)
    assert view.canvas.scene.tree.n_nodes == 3  # shallower: it ends above the window
    assert view.canvas.is_empty
    said = view.canvas.grab(words).toImage()
    assert len({said.pixel(x, y) for x in range(said.width()) for y in range(said.height())}) > 5

    qtbot.mouseDClick(view.canvas, LEFT, pos=place)
    qtbot.waitUntil(lambda: view.canvas.motion.is_still and not view.canvas.is_empty)
    assert view.canvas.rect().contains(view.canvas.scene.places.bounds(view.canvas.camera).toRect())


@pytest.mark.parametrize("arrangement", ARRANGEMENTS.values(), ids=list(ARRANGEMENTS))
def test_a_corner_of_a_box_is_a_tree_in_view(arrangement):
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"), rows=100)
    tree = full_tree(3)
    scene = TreeScene.of(tree, schema, PLAIN, arrangement=arrangement)
    camera = fitting(scene.layout, 800, 400, arrangement).zoomed(3.0, 0.0, 0.0)
    for node in range(tree.n_nodes):
        box = scene.places.rect(node, camera)
        corner = QRectF(box.right() - 1, box.bottom() - 1, 300, 200)
        assert is_in_view(scene, camera, corner)
        everywhere = scene.places.rects(np.arange(tree.n_nodes), camera)
        away = QRectF(box.right() + 1, box.bottom() + 1, 5, 5)
        assert is_in_view(scene, camera, away) == any(away.intersects(other) for other in everywhere)


def test_the_hand_in_the_small_map_leads_no_further_than_the_tree(qtbot, view):
    view.canvas.resize(900, 400)
    view.canvas.zoom_to(0)
    qtbot.waitUntil(lambda: view.canvas.motion.is_still)
    view.canvas.zoom(3.0)
    small = view.canvas.minimap
    qtbot.mousePress(small, LEFT, pos=QPoint(80, 50))
    qtbot.mouseMove(small, QPoint(158, 98))
    qtbot.mouseRelease(small, LEFT, pos=QPoint(158, 98))
    bounds, middle = view.canvas.scene.places.bounds(view.canvas.camera), QRectF(view.canvas.rect()).center()
    assert bounds.contains(middle)


def test_another_run_is_fitted_once_and_its_rounds_keep_the_view(view, session):
    view.canvas.motion.pan(QPointF(-5000, -5000))
    first, other = session.shown.run, made_session().shown.run
    session.runs.add(other, shown=False)

    session.shown.show(other)
    assert view.canvas.rect().contains(view.canvas.scene.places.bounds(view.canvas.camera).toRect())

    view.canvas.motion.pan(QPointF(-30, 0))
    camera = view.canvas.camera
    session.shown.show(first)
    session.shown.show(other)
    assert view.canvas.camera == camera


def test_escape_leaves_the_zoom_and_then_the_selection(qtbot, view, session):
    view.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    before = view.canvas.camera
    session.shown.select(node=4)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.canvas.camera == before)
    assert session.shown.selection.node == 4

    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert session.shown.selection.node is None


def test_training_adds_trees_and_a_picked_node_holds_its_round(qtbot, jobs):
    session = made_session(ended=False)
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    camera = view.canvas.camera

    add_rounds(session, 1)
    qtbot.waitUntil(lambda: view.canvas.accessibleName() == "Tree 4")
    assert view.canvas.camera == camera

    qtbot.mouseClick(view.canvas, LEFT, pos=middle(view, 1))
    add_rounds(session, 2)
    assert (session.shown.round, session.shown.selection.node) == (4, 1)
    assert view.canvas.accessibleName() == "Tree 4"


def test_words_of_the_nodes(view):
    scene = view.canvas.scene
    questions = [scene.facts.test(node).text for node in np.flatnonzero(~scene.tree.is_leaf)]

    assert questions == ["thal = normal", "age < 54.5", "smoker = yes", "first_visit < 2021-03-04",
                         "thal in {fixed, reversable}"]
    marked = [node for node in range(1, scene.tree.n_nodes) if scene.facts.missing_goes(node)]
    assert len(marked) == 1
    assert scene.tree.nodes["parent"][marked[0]] == 1  # only age has missing values
    assert scene.facts.edge_words(marked[0]).endswith(" ?")


def test_names_lose_letters_and_thresholds_never(view):
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(view.font())
    test = replace(view.canvas.scene.facts.test(1), feature="average_daily_temperature", value="1234.5678")

    for room in (220, 160, 110, 90):
        text = fitted(test, metrics, room)
        assert text.endswith("< 1234.5678")
        assert metrics.horizontalAdvance(text) <= room


def test_a_moment_that_is_longer_than_its_box_ends_in_dots(qapp):
    metrics = ruler(AXIS)
    test = question(Feature("admitted", "date"), np.float32(18690.3), np.empty(0, np.int64))
    assert metrics.horizontalAdvance("< 2021-03-04 07:11:15") > 80
    shown = fitted(test, metrics, 80)
    assert metrics.horizontalAdvance(shown) <= 80
    assert shown.startswith("< 2021-03")
    assert shown.endswith("…")


def test_beside_a_moment_the_name_stays_and_the_time_of_day_goes(qapp):
    test = question(Feature("when", "date"), np.float32(18690.3), np.empty(0, np.int64))
    room = ruler(AXIS).horizontalAdvance("when < 2021-03-04…") + 2
    assert fitted(test, ruler(AXIS), room) == "when < 2021-03-04…"
    assert fitted(test, ruler(AXIS), 2 * room) == test.text


@pytest.mark.parametrize("room", [48, 60, 79])
def test_names_that_begin_alike_are_told_apart_in_little_room(qapp, room):
    names = [f"measured_concentration_of_component_{number}" for number in range(4)]
    shown = [elided_name(name, ruler(AXIS), room) for name in names]
    assert len(set(shown)) == len(names)
    assert all(ruler(AXIS).horizontalAdvance(name) <= room for name in shown)


def test_what_rounding_leaves_of_zero_has_the_colour_of_zero():
    assert weight_limit([np.array([-2e-9])]) == 1.0
    assert weight_limit([np.array([3e-6, -1e-6])]) == pytest.approx(3e-6, rel=0.1)


def test_lists_of_categories_tell_how_many_more_there_are(qtbot, view):
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(view.font())
    names = tuple(f"town {n}" for n in range(1, 9))
    made = question(Feature("place_of_birth", "category", names), np.float32(0), np.array([0, 2, 3, 5, 7]))
    assert made.text == "place_of_birth in {town 1, town 3, town 4, town 6, town 8}"

    seen = set()
    for room in range(400, 80, -10):
        text = fitted(made, metrics, room)
        assert metrics.horizontalAdvance(text) <= room
        seen.add(text)
    assert {made.text, "place_of_birth in {town 1, town 3, … +3}"} <= seen
    assert all(text == made.text or text[-3:] in ("+1}", "+2}", "+3}", "+4}", "+5}") for text in seen)
    assert any(re.fullmatch(r"pl\w*…\w*th in {… \+5}", text) for text in seen)
    towns = Feature("town", "category", ("Llanfairpwllgwyngyll", "Ys", "Aachen"))
    wanted = "town in {Ys, … +1}"  # the first is too long
    room = metrics.horizontalAdvance(wanted) + 2
    assert fitted(question(towns, np.float32(0), np.array([0, 1])), metrics, room) == wanted
    many = question(Feature("a", "category", tuple(map(str, range(5000)))), np.float32(0), np.arange(4000))
    short = fitted(many, metrics, 200)
    assert short.endswith(f", … +{4000 - short.count(',')}}}")
    assert len(in_lines(many.text).splitlines()) == 30


def test_a_highlighted_row_is_drawn_to_its_leaf(view, session):
    session.shown.select(row=4)  # its age is missing

    way = view.canvas.marks.row
    leaf = max(way)
    assert view.canvas.scene.tree.is_leaf[leaf]
    end = view.canvas.scene.places.rect(leaf, view.canvas.camera)
    picture, y = view.canvas.grab().toImage(), round(end.top()) - 4
    x = round(end.center().x())
    accent = QColor(LIGHT.tokens["accent"])
    assert min(abs(picture.pixelColor(x + dx, y).red() - accent.red()) for dx in range(-8, 9)) < 60


def test_a_large_tree_comes_from_a_job_and_shows_at_every_level(qtbot, jobs, session):
    large = random_tree(np.random.default_rng(1), 2000)
    large.nodes["feature"][~large.is_leaf] = 0
    session.shown.run.rounds[-1] = replace(session.shown.run.rounds[-1], trees=(large,))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    qtbot.waitUntil(lambda: view.canvas.scene is not None and view.canvas.scene.tree is large)

    assert view.canvas.camera.detail is Detail.FAR
    assert view.canvas.scene.places.bounds(view.canvas.camera).width() <= view.canvas.width()
    assert not view.canvas.minimap.isVisible()
    view.canvas.zoom_to(900)
    qtbot.waitUntil(lambda: view.canvas.camera.detail is Detail.NEAR)
    assert view.canvas.minimap.isVisible()
    qtbot.waitUntil(lambda: view.canvas.rect().contains(middle(view, 900)))
    session.shown.select(round=2)
    assert view.canvas.scene.tree.n_nodes == 11


def test_a_late_layout_of_an_older_round_is_dropped(qtbot, jobs, session):
    large = random_tree(np.random.default_rng(1), 2000)
    session.shown.run.rounds[-1] = replace(session.shown.run.rounds[-1], trees=(large,))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    session.shown.select(round=2)
    jobs.shutdown()
    QApplication.processEvents()

    assert view.canvas.scene.tree is session.shown.tree


def test_while_a_run_hurries_by_what_is_laid_out_is_shown_and_the_newest_is_next(qtbot):
    by_hand = ByHand()
    jobs = Jobs(by_hand)
    session = made_session(1, ended=False)
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    small, shown = view.canvas.scene.tree, []
    for seed in range(4):
        large = random_tree(np.random.default_rng(seed), 400)
        last = session.shown.run.rounds[-1]
        session.runs.apply(session.shown.run, [replace(last, round=last.round + 1, trees=(large,))])
        view.synchronize()
        if seed == 1:
            assert view.canvas.scene.tree is small
            by_hand.run_all()
            QApplication.processEvents()
            shown.append(view.canvas.accessibleName())
    by_hand.run_all()
    QApplication.processEvents()
    by_hand.run_all()
    QApplication.processEvents()

    assert shown == ["Tree 2"]  # was begun first, though the third was there
    assert view.canvas.scene.tree is session.shown.tree
    assert view.canvas.accessibleName() == "Tree 5"


def test_leaves_count_the_rows_of_the_class(qtbot, view, session):
    scene = view.canvas.scene
    leaf = int(np.flatnonzero(scene.tree.is_leaf)[0])
    total = np.arange(scene.tree.n_nodes, dtype=float)
    counts = scene.tree.nodes["count"]
    rows = int(counts[leaf])

    counted = scene.with_targets(NodeTargets(scene.tree, "yes", total, counts))
    assert counted.look(leaf).notes[0] == f"{leaf} of {rows} yes"
    assert f"{leaf} of {rows} yes" in counted.facts.sentence(leaf)
    coded = scene.with_targets(NodeTargets(scene.tree, "1", total, counts))
    assert coded.look(leaf).notes[0] == f"{leaf} of {rows} in class 1"
    number = scene.with_targets(NodeTargets(scene.tree, None, total, counts))
    assert number.look(leaf).notes[:2] == (
        f"{rows} rows, mean {figure(leaf / rows, 3)}", f"mean {figure(leaf / rows, 3)}")
    another = scene.with_targets(NodeTargets(session.shown.run.trees(1)[0], "yes", total, counts))
    assert another.look(leaf).notes[0] == f"{rows} rows"


def test_another_limit_of_depth_is_fitted_until_the_hand_moved_the_view(qtbot, view, session):
    still = lambda: view.canvas.motion.is_still  # noqa: E731
    view._display(depth=1)
    qtbot.waitUntil(still)
    scene = view.canvas.scene
    assert view.canvas.camera == fitting(scene.layout, view.canvas.width(), view.canvas.height())
    room = QRectF(view.canvas.rect())
    boxes = scene.places.rects(scene.layout.shown, view.canvas.camera)
    assert all(map(room.contains, boxes))

    view.canvas.motion.pan(QPointF(40, 10))
    session.shown.select(node=2)
    before = middle(view, 2)
    view._display(depth=None)
    qtbot.waitUntil(still)
    assert middle(view, 2) == before


def test_a_tree_with_unknown_figures_is_painted_at_every_level(view, session):
    nodes = session.shown.tree.nodes.copy()
    nodes["gain"] = nodes["weight"] = nodes["sum_gradient"] = np.nan
    nodes["count"] = 0
    session.shown.run.rounds[0] = replace(
        session.shown.run.rounds[0], trees=(replace(session.shown.tree, nodes=nodes),))
    session.shown.select(round=1)

    for zoom in (1.0, 0.5, 0.4):
        view.canvas.zoom(zoom)
        assert not view.canvas.grab().isNull()
    assert view.canvas.scene.facts.sentence(1).count("rows") == 0


@pytest.mark.parametrize("lacks", ["rows", "hold-out rows", "stored trees", "nothing"])
def test_the_gain_on_hold_out_rows_is_offered_where_there_is_one(qtbot, jobs, session, lacks):
    run = session.shown.run
    if lacks == "rows":
        run.dataset = None
    elif lacks == "hold-out rows":
        run.dataset = replace(run.dataset, valid_rows=run.dataset.valid_rows[:0])
    elif lacks == "stored trees":
        run.scored_again = ScoredAgain("Run 1", 3)
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 700))

    item = panel.colours.model().item(panel.colours.findText("Gain on hold-out rows"))
    reason = {"rows": "came from a file", "hold-out rows": "Set a share under Data",
              "stored trees": "scored again", "nothing": ""}[lacks]
    assert item.isEnabled() == (lacks == "nothing")
    assert reason in item.toolTip()
    assert bool(item.toolTip()) == bool(panel.colours.toolTip()) == (lacks != "nothing")


def test_the_picker_shows_long_names_of_classes_whole_and_its_list_longer_ones(qtbot, jobs):
    long = "Iris versicolor, of the southern slopes and the islands before them"
    session = made_session(classes=("Iris setosa var. minor", "Iris virginica", long))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    picker = view.tree_tools.classes
    wide = picker.fontMetrics().horizontalAdvance("Iris setosa var. minor")
    assert wide + 33 <= picker.width() <= WIDEST
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(picker.view().isVisible)
    assert picker.view().width() >= picker.fontMetrics().horizontalAdvance(long)
    picker.hidePopup()


def test_several_classes_have_a_picker(qtbot, jobs):
    session = made_session(classes=("DM", "PF", "OT"))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    picker = view.tree_tools.classes
    assert [picker.itemText(i) for i in range(picker.count())] == ["DM", "PF", "OT"]

    qtbot.keyClick(picker, Qt.Key.Key_Down)

    assert session.shown.selection.class_index == 1
    assert view.canvas.scene.tree is session.shown.run.trees(3)[1]


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_picture_has_the_whole_tree_on_the_data_ground(view, tmp_path, ending):
    path = tmp_path / f"tree.{ending}"

    view.save_picture(path)

    picture = QImage(str(path))
    assert picture.width() > 500
    assert picture.pixelColor(1, 1) == QColor(LIGHT.tokens["data"])
    if ending == "svg":
        assert "54.5" in path.read_text(encoding="utf-8")


def test_copy_as_text(view):
    action(view.tree_tools.export_menu, "Copy as text").trigger()

    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Tree 3: 6 leaves, depth 3, gain ")
    assert lines[1].startswith("thal = normal, gain ")
    assert lines[2].startswith("  yes: age < 54.5, gain ")
    assert sum("missing:" in line for line in lines) == 5  # one side of every split
    assert len(lines) == 12


def test_the_panel_lists_all_trees_and_a_click_shows_one(qtbot, jobs, session):
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 700))
    assert panel.model.rowCount() == 3
    assert panel.values[0].text() == "6, 3"
    promised = figure(session.shown.tree.figures.promised)
    assert [value.text() for value in panel.values[4:]] == [promised, "−1.860"]
    assert panel.labels[5].text() == "Loss change, delivered"

    row = panel.list.visualRect(panel.model.index(0)).center()
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=row)
    assert session.shown.round == 1
    assert panel.values[0].text() == "2, 1"

    action(panel.sort_button.menu(), "Gain").trigger()
    assert panel.sort_button.text() == "sort: gain"
    gains = [session.shown.run.trees(panel.model.round_at(row))[0].total_gain for row in range(3)]
    assert gains == sorted(gains, reverse=True)

    add_rounds(session, 2)
    assert panel.model.rowCount() == 5


def test_trees_side_by_side_are_picked_each_by_its_class_and_place(qtbot, jobs):
    session = made_session(classes=("DM", "PF", "OT"))
    run = session.shown.run
    run.rounds[1] = replace(run.rounds[1], trees=tuple(tree for tree in run.trees(2) for _ in range(2)))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    picker = view.tree_tools.classes
    session.shown.select(round=2)
    assert [picker.itemText(k) for k in range(1, 4)] == ["DM, 2 of 2", "PF, 1 of 2", "PF, 2 of 2"]
    picker.activated.emit(2)
    assert session.shown.tree.class_index == 1
    panel = TreesPanel(view._bench)
    show(qtbot, panel, (304, 800))
    assert [panel.model.tree_at(row).class_index for row in range(2)] == [1, 1]
    session.shown.select(round=1, class_index=0)
    assert [picker.itemText(k) for k in range(picker.count())] == ["DM", "PF", "OT"]
    assert panel.model.tree_at(1).class_index == 0


def test_of_several_classes_each_tree_has_its_own_promise_and_the_round_delivers(qtbot, jobs):
    session = made_session(classes=("a", "b", "c"))
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 700))
    shown = []
    for place, tree in enumerate(session.shown.run.trees(3)):
        session.shown.select(class_index=place)
        assert panel.values[4].text() == figure(tree.figures.promised)
        shown.append(panel.values[4].text())
    assert len(set(shown)) == 3
    assert panel.labels[5].text() == "Loss change of the round"
    assert panel.values[5].accessibleName() == panel.labels[5].text()


def test_another_tree_is_fitted_until_the_hand_moves_the_view(view, session):
    session.shown.select(round=1)
    add_rounds(session, 5)
    session.shown.select(round=5)
    room = view.canvas.rect()
    assert room.contains(view.canvas.scene.places.bounds(view.canvas.camera).toAlignedRect())

    view.canvas.zoom(1.25)
    moved = view.canvas.camera
    session.shown.select(round=1)
    assert view.canvas.camera == moved


def test_while_a_large_tree_is_laid_out_its_nodes_are_told(qtbot, session, monkeypatch):
    monkeypatch.setattr("workbench.views.tree.loader.MANY", 0)
    monkeypatch.setattr("workbench.views.tree.view.kernels_ready", lambda rare: True)
    hand = ByHand()
    jobs = Jobs(hand)
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    assert view.canvas.words == ""
    session.shown.select(round=2)  # another, before the first is there
    qtbot.waitUntil(lambda: view.canvas.words == f"Laying out {session.shown.tree.n_nodes} nodes.")
    session.shown.select(round=3)
    assert view.canvas.words == f"Laying out {session.shown.tree.n_nodes} nodes."
    monkeypatch.setattr("workbench.views.tree.view.kernels_ready", lambda rare: False)
    session.shown.select(round=2)
    assert view.canvas.words.endswith(f"nodes. {FIRST_TIME}")
    assert view.canvas.accessibleDescription() == view.canvas.words
    hand.run_all()
    qtbot.waitUntil(lambda: view.canvas.scene is not None)
    jobs.shutdown()


def test_colours_chosen_while_a_large_tree_is_laid_out_are_those_it_gets(qtbot, session, monkeypatch):
    monkeypatch.setattr("workbench.views.tree.loader.MANY", 0)
    hand = ByHand()
    jobs = Jobs(hand)
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    session.shown.display_trees(colour="cover")
    hand.run_all()
    qtbot.waitUntil(lambda: view.canvas.scene is not None)
    assert view.canvas.scene.palette.colouring.name == "cover"
    assert view.canvas.scene.missing is not None
    jobs.shutdown()


def test_a_tree_that_cannot_be_laid_out_is_said_and_no_other_stands_in_its_place(qtbot, session, monkeypatch):
    monkeypatch.setattr("workbench.views.tree.loader.MANY", 0)
    hand = ByHand()
    jobs = Jobs(hand)
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    hand.run_all()
    qtbot.waitUntil(lambda: view.canvas.scene is not None)

    def refuse(*_arguments):
        raise WorkbenchError("No memory is left.")

    with monkeypatch.context() as broken:
        broken.setattr("workbench.views.tree.loader._make", refuse)
        session.shown.select(round=2)
        hand.run_all()
        qtbot.waitUntil(lambda: view.canvas.words == FAILED)
    assert view.canvas.scene is None
    assert session.notices.current.text == "No memory is left."
    view._tell_wait()  # late, as after 300 ms
    assert view.canvas.accessibleDescription() == FAILED

    session.shown.select(round=3)
    hand.run_all()
    qtbot.waitUntil(lambda: view.canvas.scene is not None)
    assert view.canvas.scene.tree is session.shown.tree
    jobs.shutdown()


@pytest.mark.parametrize("arrangement", ["top-down", "left-right"])
def test_words_beside_edges_lie_neither_on_each_other_nor_on_other_edges(arrangement):
    tree, missing = full_tree(6), np.ones(4, bool)
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    scene = TreeScene.of(tree, schema, PLAIN, missing, ARRANGEMENTS[arrangement])
    nodes, crowded, seen = np.arange(1, tree.n_nodes), 0, set()
    for zoom in np.geomspace(0.2, 2.0, 24):
        camera = replace(fitting(scene.layout, 1400, 800, scene.arrangement), zoom=float(zoom))
        shown = shown_answers(scene, camera, nodes, frozenset({1, 4, 9}))
        seen |= {answer.text for answer in shown}
        crowded += len(shown) < len(nodes)
        for one, other in pairwise(shown):
            if one.level == other.level:
                assert one.word[1] < other.word[0] or one.word[0] > other.word[1]
                assert one.word[1] < other.edge[0] or one.word[0] > other.edge[1]
                assert other.word[0] > one.edge[1] or other.word[1] < one.edge[0]
    assert 0 < crowded < 24  # where there is room, all stand
    assert seen == {"yes", "no ?"}


@pytest.mark.parametrize(("arrangement", "height"), [("top-down", 4000), ("left-right", 600)])
def test_boxes_never_lie_on_each_other_and_have_words_wherever_there_is_room(arrangement, height):
    tree = random_tree(np.random.default_rng(4), 60)
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    scene = TreeScene.of(tree, schema, PLAIN, None, ARRANGEMENTS[arrangement])
    nodes, mixed = np.arange(tree.n_nodes), 0
    for zoom in np.geomspace(0.05, 2.0, 30):
        camera = replace(fitting(scene.layout, 4000, height, scene.arrangement), zoom=float(zoom))
        boxes = scene.places.rects(nodes, camera)
        for node, (one, other) in enumerate(pairwise(boxes)):
            if tree.nodes["depth"][node] == tree.nodes["depth"][node + 1] and camera.slot > 10:
                assert not one.intersects(other)
        if camera.detail is Detail.FAR:
            has_words = scene.places.has_words(nodes, camera)
            mixed += 0 < has_words.sum() < len(nodes)
            assert all((box.width() > 60) == words for box, words in zip(boxes, has_words, strict=True))
            for node in nodes[has_words].tolist():
                edge = QPointF(boxes[node].right() - 2, boxes[node].center().y())
                assert scene.places.node_at(edge, camera) == node
    assert mixed


def test_seen_from_afar_a_question_is_read_where_there_is_room(qtbot, session, jobs):
    tree = full_tree(6)
    session.shown.run.rounds[-1] = replace(session.shown.run.rounds[-1], trees=(tree,))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view, (900, 520))
    scene, camera = view.canvas.scene, view.canvas.camera
    assert camera.detail is Detail.FAR
    picture = view.canvas.grab().toImage()

    def inks(node):
        box = scene.places.rect(node, camera).adjusted(8, 4, -4, -4).toRect()
        return {picture.pixel(x, y) for x in range(box.left(), box.right())
                for y in range(box.top(), box.bottom())}

    assert len(inks(0)) > 20
    assert not scene.places.has_words(np.flatnonzero(tree.is_leaf), camera).any()


def test_from_left_to_right_questions_take_the_room_between_levels():
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    scene = TreeScene.of(full_tree(6), schema, PLAIN, None, ARRANGEMENTS["left-right"])
    camera = fitting(scene.layout, 1015, 335, scene.arrangement)
    assert camera.detail is Detail.FAR
    root, child = scene.places.rect(0, camera), scene.places.rect(1, camera)
    assert 12 < child.left() - root.right() < 40
    assert root.width() > 105


def test_a_cell_of_an_icicle_says_no_gain_without_its_question(view, session):
    session.shown.display_trees(arrangement="icicle")
    scene = view.canvas.scene
    rulers = ruler(NOTE, bold=True), ruler(AXIS)
    for node in np.flatnonzero(~scene.tree.is_leaf).tolist():
        for room in range(10, 200, 5):
            asked, gain = cell_lines(scene.look(node), rulers, room)
            assert asked or not gain


def test_narrow_leaves_of_an_icicle_say_their_weight_upwards(qtbot, session, jobs):
    rng = np.random.default_rng(0)
    run = session.shown.run
    run.rounds[-1] = replace(run.rounds[-1], trees=(shaped_tree(rng, [True] * 7 + [False] * 8),))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view, (320, 640))
    session.shown.display_trees(arrangement="icicle")
    scene, camera = view.canvas.scene, view.canvas.camera
    cells = scene.places.rects(np.flatnonzero(scene.tree.is_leaf), camera)
    narrow = [cell for cell in cells if LEAST_UPRIGHT <= cell.width() < NARROWEST]
    picture = view.canvas.grab().toImage()

    def inks(cell):
        inside = cell.adjusted(4, 4, -4, -4).toRect()
        return {picture.pixel(x, y) for x in range(inside.left(), inside.right())
                for y in range(inside.top(), inside.bottom())}

    assert narrow
    assert all(len(inks(cell)) > 5 for cell in narrow)


def test_in_a_low_window_the_legend_stands_beside_the_root(view, session):
    session.shown.display_trees(colour="feature")
    scene, camera = view.canvas.scene, view.canvas.camera
    veiled = []
    for size in (None, QSizeF(1400, 900), QSizeF(760, 260)):
        image = QImage(1400, 900, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.red)
        painter = QPainter(image)
        paint_legend(painter, scene, camera, size)
        painter.end()
        red = QColor(Qt.GlobalColor.red).rgb()
        there = [(x, y) for x in range(0, 1400, 4) for y in range(0, 300, 4) if image.pixel(x, y) != red]
        veiled.append((max(x for x, _ in there), max(y for _, y in there)))
    entries = len(legend_entries(scene, camera))
    assert entries * LINE > 0.3 * 260
    assert veiled[0] == veiled[1]
    assert veiled[2][1] <= veiled[1][1] - LINE
    low = QSizeF(760, 260)
    whole = fitting(scene.layout, low.width(), low.height(), scene.arrangement)
    assert not any(scene.places.rect(0, whole).intersects(box) for box in legend_boxes(scene, whole, low))


def test_the_legend_veils_no_more_of_the_tree_than_its_words(view):
    scene, camera = view.canvas.scene, view.canvas.camera
    image = QImage(700, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    painter = QPainter(image)
    paint_legend(painter, scene, camera)
    painter.end()

    red, entries = QColor(Qt.GlobalColor.red), legend_entries(scene, camera)
    assert len(entries) > 2
    for line, (_, words) in enumerate(entries):
        y = round(TOP + (line + 0.5) * LINE)
        end = max(x for x in range(700) if image.pixelColor(x, y) != red)
        begin_of_words = LEFT_EDGE + SWATCH + 7
        assert 0 < end - begin_of_words - ruler(AXIS).horizontalAdvance(words) < 12


def test_the_legend_stands_at_the_side_where_the_root_is_not():
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    size, sides = QSizeF(1015, 335), []
    for tree in (chain_tree(8), full_tree(4)):
        scene = TreeScene.of(tree, schema, PLAIN, None, ARRANGEMENTS["top-down"])
        camera = fitting(scene.layout, size.width(), size.height(), scene.arrangement)
        boxes = legend_boxes(scene, camera, size)
        root = scene.places.rect(0, camera)
        assert boxes
        assert not any(root.intersects(box) for box in boxes)
        assert all(box.left() >= 0 and box.right() <= size.width() for box in boxes)
        sides.append(boxes[0].left() > size.width() / 2)
    assert sides == [True, False]


def test_a_node_that_is_gone_to_stands_beside_the_legend(qtbot, view):
    canvas = view.canvas
    canvas.zoom(2.0)
    for node in range(canvas.scene.tree.n_nodes):
        box = canvas.scene.places.rect(node, canvas.camera)
        canvas.motion.pan(QPointF(30.0, 20.0) - box.topLeft())  # under the legend
        covers = legend_boxes(canvas.scene, canvas.camera, QSizeF(canvas.size()))
        assert any(cover.intersects(canvas.scene.places.rect(node, canvas.camera)) for cover in covers)
        canvas.reveal(node)
        qtbot.waitUntil(lambda: canvas.motion.is_still)
        assert not any(cover.intersects(canvas.scene.places.rect(node, canvas.camera)) for cover in covers)


def test_rings_stand_round_what_was_found():
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    scene = TreeScene.of(full_tree(6), schema, PLAIN, None, ARRANGEMENTS["top-down"])
    camera = fitting(scene.layout, 900, 400, scene.arrangement)
    for node in (40, 51, 62):
        image = QImage(900, 400, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        paint_rings(painter, scene, camera, np.array([node]), QPen(Qt.GlobalColor.black, 2))
        painter.end()
        inks = [(x, y) for x in range(900) for y in range(400) if image.pixelColor(x, y).lightness() < 200]
        x, y = (float(np.mean(ends)) for ends in zip(*inks, strict=True))
        across, down = scene.places.points(np.array([node]), camera)
        assert (x, y) == (pytest.approx(across[0], abs=1.0), pytest.approx(down[0] + FAR_MIDDLE, abs=1.0))


@pytest.mark.parametrize(("asked", "words"), [(7, ""), (8, "2 other features")])
def test_the_legend_names_one_feature_more_before_it_counts_one(asked, words):
    names = [Feature(f"c{place}", "number") for place in range(9)]
    tree = full_tree(4)
    tree.nodes["feature"][~tree.is_leaf] = np.arange((~tree.is_leaf).sum()) % asked
    schema = DataSchema(tuple(names), "y", "regression")
    palette = replace(PLAIN, colouring=COLOURINGS["feature"], features=np.arange(9))
    scene = TreeScene.of(tree, schema, palette, None, ARRANGEMENTS["top-down"])
    entries = legend_entries(scene, fitting(scene.layout, 900, 400))
    said = [text for mark, text in entries if "category" in mark]
    assert said == [f"c{place}" for place in range(7 if not words else 6)] + [words] * bool(words)
