"""The list of all trees, of which a file may not tell every figure."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from tests.made_trees import random_tree
from workbench.explain.node_text import gain_text
from workbench.views.look.fonts import BODY, load_fonts, ui_font
from workbench.views.trees import list as tree_list
from workbench.views.trees.list import FIGURE_ROOM, ROW, TreeDelegate, TreeListModel, fitted_figure


def without_gains(tree):
    nodes = tree.nodes.copy()
    nodes["gain"] = np.nan
    return replace(tree, nodes=nodes)


def listed(qtbot, trees):
    rounds = [SimpleNamespace(trees=(tree,)) for tree in trees]
    run = SimpleNamespace(rounds=rounds, output_names=(), trees=lambda round: rounds[round - 1].trees)
    model = TreeListModel()
    model.show_run(run, 0)
    return model


def test_unknown_gains_are_dashes_without_a_bar_and_come_last(qtbot):
    rng = np.random.default_rng(0)
    known = [random_tree(rng, 9) for _ in range(2)]
    model = listed(qtbot, [without_gains(known[0]), *known])
    assert model.data(model.index(0)) == "1  –"
    assert "gain –" in model.data(model.index(0), Qt.ItemDataRole.ToolTipRole)
    model.sort_by("gain")
    assert model.round_at(2) == 1
    option = QStyleOptionViewItem()
    option.rect.setRect(0, 0, 280, ROW)
    pictures = []
    for row in (0, 2):
        image = QImage(280, ROW, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        TreeDelegate(model).paint(painter, option, model.index(row))
        painter.end()
        pictures.append(image.copy(190, 0, 80, ROW))
    empty = QImage(80, ROW, QImage.Format.Format_RGB32)
    empty.fill(Qt.GlobalColor.white)
    assert pictures[0] != empty
    assert pictures[1] == empty


def test_a_file_that_tells_no_gain_at_all(qtbot):
    model = listed(qtbot, [without_gains(random_tree(np.random.default_rng(1), 5))])
    assert model.data(model.index(0)) == "1  –"
    assert model.largest > 0


@pytest.mark.parametrize("gain", [0.331, 19.48, 1806.4, 123_456.7, 1.7427e10, -4.0543e8, 2.2e-7])
def test_gains_of_any_size_stand_beside_the_shape(qapp, gain):
    load_fonts()
    metrics = QFontMetricsF(ui_font(BODY, bold=True))
    shown = fitted_figure(gain_text(gain), gain, metrics, FIGURE_ROOM)
    assert metrics.horizontalAdvance(shown) <= FIGURE_ROOM
    assert float(shown.replace(",", "").replace("−", "-")) == pytest.approx(gain, rel=0.01)


@pytest.fixture
def view(qtbot):
    """A list of ten trees."""
    rng, view = np.random.default_rng(0), QListView()
    qtbot.addWidget(view)
    model = listed(qtbot, [random_tree(rng, 9) for _ in range(10)])
    view.setModel(model)
    view.setItemDelegate(TreeDelegate(model, view))
    view.resize(280, 12 * ROW)
    return view


def test_few_shapes_are_drawn_as_a_list_is_painted_and_the_others_later(qtbot, monkeypatch, view):
    delegate, drawn, real = view.itemDelegate(), [], tree_list._draw
    monkeypatch.setattr(tree_list, "_draw", lambda *told: (drawn.append(delegate._drawn), real(*told))[1])
    view.show()
    qtbot.waitUntil(lambda: len(drawn) == 10)
    assert max(drawn) <= tree_list.MOST_NEW
    assert drawn.count(1) >= 3, "a few in each of several events"


def test_rows_drawn_ahead_are_only_put_in_their_place(qtbot, monkeypatch, view):
    delegate, painted = view.itemDelegate(), []
    view.grab()  # laid out
    delegate.forget_shapes()
    real = delegate._paint_row
    monkeypatch.setattr(delegate, "_paint_row", lambda row, *told: (painted.append(row), real(row, *told))[1])
    view.setCurrentIndex(view.model().index(3))
    for _ in delegate.draw_ahead(range(10), 3):
        pass
    assert painted == list(range(10))
    view.grab()
    assert painted == list(range(10))
