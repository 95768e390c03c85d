from __future__ import annotations

import numpy as np
import pytest

from tests.views.made_forest import show
from workbench.explain.what_if.rescoring import STORED, Values
from workbench.views.ruler.round_ruler import RoundRuler
from workbench.views.tree.view import TreeView


@pytest.fixture
def tree(qtbot, bench, wait_for_scores):
    made = TreeView(bench)
    show(qtbot, made)
    bench.what_if.prepare()
    wait_for_scores()
    return made


def ask_for_a_death(session, bench):
    """A γ at which one split of the shown tree with splits above it dies."""
    tree, place = session.shown.tree, session.shown.place
    critical = np.sort(session.shown.run.what_if.stored.tree(place).critical[~tree.is_leaf])
    bench.what_if.try_values(Values(2.0, float(0.5 * (critical[0] + critical[1]))))
    return session.shown.run.what_if.rescored.tree(place)


def test_a_split_that_dies_becomes_a_leaf_with_a_ring_and_ghosts_below(tree, session, bench):
    own = ask_for_a_death(session, bench)
    scene = tree.canvas.scene
    dying = np.flatnonzero(~session.shown.tree.is_leaf & own.is_leaf)
    assert len(dying)
    look = scene.look(dying[0])
    assert look.test is None
    assert look.ring == "warning"
    assert look.notes[0].startswith("was a split, ")
    assert look.weight == own.weight[dying[0]]
    gone = np.flatnonzero(~own.is_leaf & ~own.is_split)
    for node in gone:
        ghost = scene.look(node)
        assert ghost.is_ghost
        assert "gone with parent" in ghost.notes
        assert scene.looks.is_ghost_edge(node)
        if session.shown.tree.is_leaf[node]:
            assert ghost.weight == session.shown.tree.nodes["weight"][node]
        else:
            assert ghost.test == scene.facts.test(node)
    marks = [mark for mark, _ in scene.looks.entries()]
    assert marks == ["train", "dashed text3", "ring warning", "dashed ctl"]
    assert not tree.canvas.grab().isNull()


def test_what_stays_shows_the_new_figures_beside_the_stored_ones(tree, session, bench):
    own = ask_for_a_death(session, bench)
    scene = tree.canvas.scene
    for node in np.flatnonzero(own.is_split):
        look = scene.look(node)
        assert float(look.figure.replace("−", "-")) == pytest.approx(own.gain[node], abs=5e-4)
        assert [bar.dashed for bar in look.bars] == [False, True]
    for node in np.flatnonzero(own.is_leaf & session.shown.tree.is_leaf):
        look = scene.look(node)
        assert look.weight == own.weight[node]
        stored = session.shown.tree.nodes["weight"][node]
        assert float(look.notes[0].removeprefix("was ").replace("−", "-")) == pytest.approx(stored, abs=5e-4)


def test_nothing_moves_and_the_strip_says_that_nothing_is_changed(tree, session, bench):
    stored = tree.canvas.scene
    before = tree.canvas.camera
    ask_for_a_death(session, bench)
    assert tree.canvas.scene.layout is stored.layout
    assert tree.strip.text.startswith("What if λ 2 and γ ")
    assert "Nothing is changed until you apply it. Tree 4: " in tree.strip.text
    bench.what_if.try_values(STORED)
    assert tree.strip.text == ""
    assert not tree.canvas.scene.looks.is_ghost_edge(1)
    assert tree.canvas.camera.zoom == before.zoom


def test_marks_from_afar_and_cells_follow(tree, session, bench, qtbot):
    own = ask_for_a_death(session, bench)
    look = tree.canvas.scene.far_look
    dying = np.flatnonzero(~session.shown.tree.is_leaf & own.is_leaf)
    assert not look.is_round[dying].any()
    session.shown.display_trees(arrangement="icicle")
    assert not tree.canvas.grab().isNull()


def test_bars_of_the_ruler_are_hollow_for_what_is_pruned(tree, session, bench, qtbot):
    ruler = RoundRuler(bench)
    qtbot.addWidget(ruler)
    ruler.resize(900, 56)
    assert ruler.marks().kept is None
    bench.what_if.try_values(Values(gamma=0.3))
    kept = ruler.marks().kept
    assert len(kept) == 4
    assert (kept < session.shown.run.history.column("gain")).all()
    assert ruler.words[1] == "hollow: as stored"
    assert not ruler.grab().isNull()
