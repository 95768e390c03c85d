"""What a hand can do with a tree beyond looking: fold, arrange, search, go back, colour, take it away."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog

from tests.made_trees import chain_tree, full_tree, random_tree
from tests.views.made_forest import add_rounds, made_bench, show
from workbench.data.schema import Feature
from workbench.views.inspector.doubtful_view import DoubtfulView
from workbench.views.look.theme import LIGHT
from workbench.views.tree.colouring import COLOURINGS
from workbench.views.tree.paint.nodes import fold_tag
from workbench.views.tree.paint.paper import print_picture
from workbench.views.tree.view import TreeView
from workbench.views.trees.list import badge_text
from workbench.views.trees.panel import TreesPanel

pytestmark = pytest.mark.usefixtures("picture_kernels")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot, session, jobs):
    made = TreeView(made_bench(session, jobs))
    show(qtbot, made)
    qtbot.waitUntil(lambda: made.canvas.scene.missing is not None)
    made.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    return made


def show_large(qtbot, session, jobs, tree):
    tree.nodes["feature"][~tree.is_leaf] = 0
    session.shown.run.rounds[-1] = replace(session.shown.run.rounds[-1], trees=(tree,))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    qtbot.waitUntil(lambda: view.canvas.scene is not None and view.canvas.scene.tree is tree)
    view.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    return view


def action(menu, words):
    return next(action for action in menu.actions() if action.text().startswith(words))


def middle(view, node):
    return view.canvas.scene.places.rect(node, view.canvas.camera).center().toPoint()


def shown(view):
    return set(view.canvas.scene.layout.shown.tolist())


def below(tree, node):
    found = {node}
    for other in range(node, tree.n_nodes):
        if int(tree.nodes["parent"][other]) in found:
            found.add(other)
    return found - {node}


# --- folding ---------------------------------------------------------------------------------


def test_c_folds_what_is_below_in_its_place_and_unfolds_it(qtbot, view, session):
    session.shown.select(node=1)
    tree, place = session.shown.tree, view.canvas.scene.places.rect(1, view.canvas.camera)

    qtbot.keyClick(view.canvas, Qt.Key.Key_C)

    assert shown(view) == set(range(tree.n_nodes)) - below(tree, 1)
    assert view.canvas.scene.places.rect(1, view.canvas.camera) == place
    assert view.canvas.scene.facts.hidden_words(1) == "+3 leaves"
    assert "folded, 3 leaves" in view.canvas.accessibleDescription()

    qtbot.keyClick(view.canvas, Qt.Key.Key_C)
    assert shown(view) == set(range(tree.n_nodes))


def test_a_click_on_the_tag_folds_and_unfolds(qtbot, view, session):
    for hidden in (True, False):
        qtbot.mouseMove(view.canvas, middle(view, 0))
        qtbot.mouseMove(view.canvas, middle(view, 1))
        tag = fold_tag(view.canvas.scene, view.canvas.camera, 1)[0].center().toPoint()
        qtbot.mouseMove(view.canvas, tag)
        assert session.shown.pointed_node == 1
        qtbot.mouseClick(view.canvas, LEFT, pos=tag)
        assert bool(view.canvas.scene.folded) == hidden
    assert session.shown.selection.node is None


def test_a_level_is_the_limit_until_all_are_wanted(view, session):
    action(view.tree_tools.depth.menu(), "Down to level 1").trigger()
    assert shown(view) == {0, 1, 2}
    assert view.tree_tools.depth.text() == "Depth: 1"

    session.shown.select(round=2)
    assert max(session.shown.tree.nodes["depth"][list(shown(view))]) == 1

    action(view.tree_tools.depth.menu(), "All").trigger()
    assert len(shown(view)) == session.shown.tree.n_nodes


def test_the_next_tree_is_shown_unfolded(view, session):
    view.fold(1)
    session.shown.select(round=2)
    session.shown.select(round=3)
    assert len(shown(view)) == session.shown.tree.n_nodes


def test_a_node_that_is_folded_away_is_marked_where_it_is_hidden(view, session):
    hidden = max(below(session.shown.tree, 1))
    session.shown.select(node=hidden)
    view.fold(1)
    view.canvas.grab()

    assert view.canvas.scene.places.standing(hidden) == 1


# --- arranging -------------------------------------------------------------------------------


def test_from_left_to_right_arrows_walk_as_the_tree_lies(qtbot, view, session):
    action(view.tree_tools.arrangement.menu(), "Left-right").trigger()
    scene, camera = view.canvas.scene, view.canvas.camera
    tree = session.shown.tree

    assert scene.places.rect(1, camera).left() > scene.places.rect(0, camera).right()
    assert scene.places.rect(1, camera).bottom() < scene.places.rect(2, camera).top()
    assert view.canvas.rect().contains(scene.places.bounds(camera).toAlignedRect())
    walk = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(view.canvas, key)
        walk.append(session.shown.selection.node)
    assert walk == [0, 1, 2, 0, 0]
    for node in range(tree.n_nodes):
        assert scene.places.node_at(scene.places.rect(node, camera).center(), camera) == node


def test_the_area_of_an_icicle_is_rows(qtbot, view, session):
    action(view.tree_tools.arrangement.menu(), "Icicle").trigger()
    scene, camera, rows = view.canvas.scene, view.canvas.camera, session.shown.tree.nodes["count"]

    for node in range(session.shown.tree.n_nodes):
        cell = scene.places.rect(node, camera)
        assert cell.width() / scene.places.rect(0, camera).width() == pytest.approx(rows[node] / rows[0])
        if cell.width() > 1:
            assert scene.places.node_at(cell.center(), camera) == node
    qtbot.mouseClick(view.canvas, LEFT, pos=middle(view, 2))
    assert session.shown.selection.node == 2
    ground = QColor(scene.far_look.colors[2])
    cell = scene.places.rect(2, camera).toRect()
    assert view.canvas.grab().toImage().pixelColor(cell.left() + 12, cell.bottom() - 6) == ground


@pytest.mark.parametrize("arrangement", ["top-down", "left-right", "icicle"])
@pytest.mark.parametrize("tree", [chain_tree(3000), full_tree(11)], ids=["chain", "full"])
def test_any_arrangement_of_a_large_tree_fits_and_can_be_entered(qtbot, session, jobs, tree, arrangement):
    session.shown.display_trees(arrangement=arrangement)
    view = show_large(qtbot, session, jobs, tree)
    canvas = view.canvas
    bounds = canvas.scene.places.bounds(canvas.camera).toAlignedRect()
    assert canvas.rect().adjusted(-1, -1, 1, 1).contains(bounds)
    data = QColor(LIGHT.tokens["data"]).rgb()
    picture = canvas.grab().toImage()
    places = [(x, y) for x in range(0, canvas.width(), 3) for y in range(60, canvas.height(), 3)]
    assert sum(picture.pixel(*place) != data for place in places) > 100

    deep = int(np.flatnonzero(tree.is_leaf)[-1])
    canvas.zoom_to(deep)
    qtbot.waitUntil(lambda: canvas.rect().contains(middle(view, deep)) and canvas.motion.is_still)
    places = canvas.scene.places
    assert places.node_at(places.rect(deep, canvas.camera).center(), canvas.camera) == deep


# --- searching -------------------------------------------------------------------------------


def test_typing_marks_what_is_found_and_enter_walks_through_it(qtbot, view, session):
    search = view.tree_tools.search
    qtbot.keyClicks(search, "thal")

    found = sorted(view.canvas.marks.matches)
    assert [view.canvas.scene.facts.test(node).feature for node in found] == ["thal", "thal"]
    assert search.words == "2"
    walk = []
    for modifier in (Qt.KeyboardModifier.NoModifier,) * 3 + (Qt.KeyboardModifier.ShiftModifier,):
        qtbot.keyClick(search, Qt.Key.Key_Return, modifier)
        walk.append(session.shown.selection.node)
    assert walk == [*found, *found]
    assert search.words == "2 of 2"

    search.clear()
    qtbot.keyClicks(search, "nobody")
    assert search.words == search.accessibleDescription() == "nothing found"
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert view.canvas.marks.matches == frozenset()


def test_what_is_found_is_unfolded_and_brought_into_the_window(qtbot, view, session):
    view.fold(0)
    view.canvas.zoom(2.4)
    qtbot.keyClicks(view.tree_tools.search, "#10")
    qtbot.keyClick(view.tree_tools.search, Qt.Key.Key_Return)

    assert session.shown.selection.node == 10
    qtbot.waitUntil(lambda: view.canvas.rect().contains(middle(view, 10)))


@pytest.mark.parametrize("arrangement", ["top-down", "left-right", "icicle"])
def test_thousands_that_are_found_are_marked_from_afar(qtbot, session, jobs, arrangement):
    session.shown.display_trees(arrangement=arrangement)
    view = show_large(qtbot, session, jobs, full_tree(11))
    accent = QColor(LIGHT.tokens["accent"])

    def inked():
        picture = view.canvas.grab().toImage()
        seen = [picture.pixelColor(x, y) for x in range(300, picture.width(), 5)
                for y in range(60, picture.height(), 2)]
        return sum(abs(c.red() - accent.red()) + abs(c.green() - accent.green()) < 60 for c in seen)

    before = inked()
    qtbot.keyClicks(view.tree_tools.search, "age")
    assert view.tree_tools.search.words == "2,047"
    assert inked() > before + 100


def test_what_is_typed_is_looked_for_in_the_next_tree_too(qtbot, view, session):
    qtbot.keyClicks(view.tree_tools.search, "age")
    session.shown.select(round=1)
    assert view.canvas.marks.matches == {0}


# --- back and forward ------------------------------------------------------------------------


def test_back_and_forward_through_nodes_and_views(qtbot, view, session):
    for node in (1, 3):
        qtbot.mouseClick(view.canvas, LEFT, pos=middle(view, node))
    before = view.canvas.camera
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.canvas.camera != before and view.canvas.motion.is_still)
    near = view.canvas.camera

    qtbot.keyClick(view.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: view.canvas.camera == before)
    assert session.shown.selection.node == 3
    qtbot.mouseClick(view.canvas, Qt.MouseButton.BackButton, pos=QPoint(5, 300))
    assert session.shown.selection.node == 1
    action(view.menu, "Forward").trigger()
    action(view.menu, "Forward").trigger()
    qtbot.waitUntil(lambda: view.canvas.camera == near)
    assert session.shown.selection.node == 3


# --- colours ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COLOURINGS)
def test_nodes_take_the_colour_of_the_chosen_quantity(qtbot, session, jobs, name):
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 760))
    panel.colours.setCurrentIndex(panel.colours.findData(name))
    panel.colours.activated.emit(panel.colours.currentIndex())

    qtbot.waitUntil(lambda: view.canvas.scene.palette.holdout is not None)
    scene, tree = view.canvas.scene, session.shown.tree
    has = COLOURINGS[name].has(tree.is_leaf)
    assert ((scene.facts.colors != 0) == has).all()
    picture = view.canvas.grab().toImage()
    for node in np.flatnonzero(has).tolist():
        box = scene.places.rect(node, view.canvas.camera).toRect()
        spot = QPoint(box.left() + 3, box.center().y())
        assert picture.pixelColor(spot) == QColor.fromRgb(int(scene.facts.colors[node]))
    assert panel.ramp.accessibleDescription()
    symbol = COLOURINGS[name].symbol
    if symbol:
        assert f"{symbol} " in scene.facts.sentence(3)


def test_each_feature_keeps_its_colour_from_tree_to_tree(qtbot, session, jobs):
    session.shown.display_trees(colour="feature")
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)
    seen = {}
    for round_ in (1, 2, 3):
        session.shown.select(round=round_)
        scene = view.canvas.scene
        for node in np.flatnonzero(~scene.tree.is_leaf):
            seen.setdefault(scene.facts.test(node).feature, set()).add(int(scene.facts.colors[node]))
    assert {len(colours) for colours in seen.values()} == {1}
    assert len(set.union(*seen.values())) == len(seen)


# --- hold-out rows ---------------------------------------------------------------------------


@pytest.fixture
def doubtful(view, qtbot):
    """The view once its hold-out figures are there, and the splits of its tree that only fit noise."""
    qtbot.waitUntil(lambda: view.canvas.scene.palette.holdout is not None)
    return view, np.flatnonzero(view.canvas.scene.palette.holdout.doubtful).tolist()


def test_a_second_bar_tells_what_a_split_gains_on_the_hold_out_rows(doubtful, session):
    view, _ = doubtful
    scene, gains = view.canvas.scene, view.canvas.scene.palette.holdout
    assert gains.scale == pytest.approx(40 / 19)

    for node in np.flatnonzero(~scene.tree.is_leaf).tolist():
        bars = scene.look(node).bars
        assert [bar.token for bar in bars] == ["train", "validation"]
        share = gains.gain[node] * gains.scale / scene.facts.largest_gain
        assert bars[1].share == pytest.approx(np.clip(share, 0, 1))
    picture, box = view.canvas.grab().toImage(), scene.places.rect(0, view.canvas.camera).toRect()
    seen = {picture.pixelColor(x, y).name() for x in range(box.left(), box.right())
            for y in range(box.top(), box.bottom())}
    assert {LIGHT.tokens["train"].lower(), LIGHT.tokens["validation"].lower()} <= seen


def test_the_badge_of_many_doubtful_splits_keeps_its_width():
    assert [badge_text(n) for n in (1, 99, 100, 999, 3628)] == ["1 !", "99 !", "100", "999", "3k"]


def test_splits_that_fit_noise_have_a_badge_and_are_said_to(doubtful):
    view, nodes = doubtful
    scene = view.canvas.scene
    assert nodes
    for node in np.flatnonzero(~scene.tree.is_leaf).tolist():
        assert scene.look(node).warns == (node in nodes)
        assert ("fits noise" in scene.facts.sentence(node)) == (node in nodes)
    corner = scene.places.rect(nodes[0], view.canvas.camera).topRight().toPoint()
    picture = view.canvas.grab().toImage()
    near = {picture.pixelColor(corner + QPoint(x, y)).name() for x in range(-8, 9) for y in range(-8, 9)}
    assert LIGHT.tokens["warning_ground"].lower() in near


def test_without_hold_out_rows_there_is_one_bar(qtbot, session, jobs):
    session.shown.run.dataset = replace(session.shown.run.dataset, valid_rows=np.empty(0, np.int64))
    view = TreeView(made_bench(session, jobs))
    show(qtbot, view)

    assert len(view.canvas.scene.look(0).bars) == 1


def test_the_list_counts_and_orders_them(doubtful, qtbot, session, jobs):
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 760))
    qtbot.waitUntil(lambda: panel.model.knows_doubts)

    counts = [panel.model.doubts_of(number) for number in (1, 2, 3)]
    assert counts[2] == len(doubtful[1])
    action(panel.sort_button.menu(), "Doubtful").trigger()
    order = [panel.model.round_at(row) for row in range(3)]
    assert [counts[number - 1] for number in order] == sorted(counts, reverse=True)
    shown = panel.model.data(panel.model.index(order.index(3)), Qt.ItemDataRole.ToolTipRole)
    assert f"{counts[2]} doubtful split" in shown


def test_the_worst_are_listed_and_a_click_shows_one_in_its_tree(doubtful, qtbot, session, jobs):
    worst = DoubtfulView(made_bench(session, jobs))
    show(qtbot, worst, (1000, 300))
    qtbot.waitUntil(lambda: worst.model.rowCount() > 0)
    gains = [float(worst.model.index(line, 2).data().replace("−", "-"))
             for line in range(worst.model.rowCount())]
    assert gains == sorted(gains, reverse=True)

    last = worst.model.rowCount() - 1
    line = worst.table.visualRect(worst.model.index(last, 1)).center()
    qtbot.mouseClick(worst.table.viewport(), LEFT, pos=line)

    split = worst.model.doubts.worst[last]
    assert (session.shown.round, session.shown.selection.node) == (split.round, split.node)
    assert worst.model.index(last, 1).data() == doubtful[0].canvas.scene.facts.test(split.node).text
    assert worst.words.text().startswith(f"{last + 1} split")
    assert "gain nothing or do harm on the hold-out rows" in worst.words.text()


# --- the list --------------------------------------------------------------------------------


def test_trees_are_ordered_by_any_figure(qtbot, session, jobs):
    add_rounds(session, 4)
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 760))
    trees = [trees[0] for trees in (session.shown.run.trees(n) for n in range(1, 8))]
    expected = {"Gain": [-t.total_gain for t in trees], "Leaves": [-t.n_leaves for t in trees],
                "Depth": [-t.depth for t in trees], "Structure score": [t.structure_score for t in trees],
                "Round": list(range(7))}

    for words, keys in expected.items():
        action(panel.sort_button.menu(), words).trigger()
        order = [panel.model.round_at(row) for row in range(7)]
        assert order == [1 + place for place in np.argsort(keys, kind="stable")]
        assert panel.list.currentIndex().row() == order.index(session.shown.round)


def test_play_shows_one_round_after_the_other(qtbot, session, jobs):
    session.shown.select(round=1)
    seen = []
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 760))
    session.events.selection.connect(lambda: seen.append(session.shown.round))

    qtbot.mouseClick(panel.play_button, LEFT)
    assert panel.play_button.text() == "Stop"
    qtbot.waitUntil(lambda: panel.play_button.text() == "Play")

    assert seen == [2, 3]


def test_another_round_chosen_by_hand_ends_the_play(qtbot, session, jobs):
    session.shown.select(round=1)
    panel = TreesPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 760))
    qtbot.mouseClick(panel.play_button, LEFT)
    session.shown.select(round=3)

    panel.player.step()
    assert not panel.player.plays
    assert session.shown.round == 3


# --- taking it away --------------------------------------------------------------------------

HOSTILE = 'a"]; b -> c [label="x\\" <b>&amp;</b>\n\x01\x0b]]> ${} \u2028'


@pytest.fixture
def hostile(view, session):
    features = tuple(Feature(HOSTILE, f.kind, f.categories) for f in session.shown.run.schema.features)
    session.shown.run.schema = replace(session.shown.run.schema, features=features)
    session.shown.select(round=1)
    session.shown.select(round=3)
    return view


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "dot", "txt"])
def test_every_kind_of_file_is_written(hostile, tmp_path, ending):
    path = tmp_path / f"tree.{ending}"
    hostile.save_picture(path)

    data = path.read_bytes()
    if ending == "png":
        assert QImage(str(path)).width() > 500
    elif ending == "svg":
        assert QSvgRenderer(data).isValid()
    elif ending == "pdf":
        assert data.startswith(b"%PDF")
    else:
        assert data.decode().count("54.5") == 1


def test_what_the_dialog_did_not_ask_about_is_not_written_over(view, tmp_path, monkeypatch):
    for name in ("tree.svg", "tree.v2.svg"):
        (tmp_path / name).write_text("old")
    typed = str(tmp_path / "tree.v2")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (typed, ""))
    told = []
    monkeypatch.setattr(view.export, "_fail", told.append)
    view.export.ask_where("svg")
    assert told == ["tree.v2.svg exists. Choose that name to write over it."]
    assert {path.read_text() for path in tmp_path.glob("*.svg")} == {"old"}

    (tmp_path / "tree.v2.svg").unlink()
    view.export.ask_where("svg")
    assert (tmp_path / "tree.svg").read_text() == "old"
    assert QSvgRenderer((tmp_path / "tree.v2.svg").read_bytes()).isValid()


def test_a_tree_is_printed_on_one_page(view, tmp_path):
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    print_picture(printer, view.canvas.scene)

    printed = (tmp_path / "printed.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") == 1


def test_the_menu_prints_lines_and_words(view, tmp_path, monkeypatch):
    def choose(dialog):
        dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        dialog.printer().setOutputFileName(str(tmp_path / "printed.pdf"))
        return QPrintDialog.DialogCode.Accepted

    monkeypatch.setattr(QPrintDialog, "exec", choose)
    action(view.tree_tools.export_menu, "Print").trigger()

    printed = (tmp_path / "printed.pdf").read_bytes()
    assert printed.count(b"/Type /Page\n") == 1
    streams = re.findall(rb"FlateDecode.*?stream\r?\n(.*?)\r?\nendstream", printed, re.DOTALL)
    page = max(map(zlib.decompress, streams), key=lambda page: page.count(b" Tj"))
    tree = view.canvas.scene.tree
    assert page.count(b"BT") >= tree.n_nodes  # words in every node
    assert page.count(b" c\n") >= tree.n_nodes - 1  # a curve to every child


def test_nothing_is_printed_where_the_dialog_is_left(view, tmp_path, monkeypatch):
    monkeypatch.setattr(QPrintDialog, "exec", lambda _dialog: QPrintDialog.DialogCode.Rejected)
    printed = []
    monkeypatch.setattr("workbench.views.tree.export.print_picture", lambda *given: printed.append(given))
    action(view.tree_tools.export_menu, "Print").trigger()

    assert not printed


@pytest.mark.parametrize("ending", ["PNG picture", "SVG drawing", "DOT graph", "text"])
def test_every_kind_is_copied(view, ending):
    action(view.tree_tools.export_menu, f"Copy as {ending}").trigger()

    data = QGuiApplication.clipboard().mimeData()
    if ending == "PNG picture":
        assert data.hasImage()
    else:
        assert "54.5" in data.text()
    assert data.hasFormat("image/svg+xml") == (ending == "SVG drawing")


def test_a_folder_that_is_not_there_is_told_in_one_line(view, session, tmp_path):
    view.save_picture(tmp_path / "nowhere" / "tree.svg")

    assert session.notices.current.severity == "error"
    assert "tree.svg" in session.notices.current.text
    assert "\n" not in session.notices.current.text


@pytest.mark.slow
def test_a_large_tree_is_written_in_a_job(qtbot, session, jobs, tmp_path):
    view = show_large(qtbot, session, jobs, random_tree(np.random.default_rng(3), 2000))
    paths = [tmp_path / f"tree.{ending}" for ending in ("png", "svg", "dot", "txt", "pdf")]
    said = []
    view.status_changed.connect(said.append)
    for path in paths:
        view.save_picture(path)

    qtbot.waitUntil(lambda: {f"Saved {path.name}." for path in paths} <= set(said), timeout=20_000)
    assert QSvgRenderer(paths[1].read_bytes()).isValid()
    assert len(paths[3].read_text(encoding="utf-8").splitlines()) == 4002


def test_a_very_deep_tree_as_text_stays_small(qtbot, session, jobs, tmp_path):
    view, path = show_large(qtbot, session, jobs, chain_tree(3000)), tmp_path / "tree.txt"
    with qtbot.waitSignal(view.status_changed, timeout=20_000, check_params_cb="Saved tree.txt.".__eq__):
        view.save_picture(path)

    assert path.stat().st_size < 2_000_000
    assert "(2999)" in path.read_text(encoding="utf-8")


def test_of_a_model_without_rows_no_share_under_data_is_asked_for(qtbot, session, jobs):
    session.shown.run.dataset = session.shown.run.plan = None
    view = DoubtfulView(made_bench(session, jobs))
    show(qtbot, view)
    assert view.words.text() == (
        "This model came from a file, without rows that could tell which splits fit noise. "
        "Open a table to train on."
    )
