"""How fast trees are looked at: laid out, shown, moved over and pointed at, large and small; lists of many.

Painted without a screen into memory that is kept, as a window's is: 1,440 × 620 pixels, as many at twice
the density, and 2,560 × 1,300. A frame is one pan or zoom step and its repaint: no picture is put right
later. While a large tree seen from afar is panned, only what comes into the window is painted; zooming
paints all. Times are those of the thread that paints. Reference cycles are collected between frames, as in
the window, and have a row of their own.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.trees.tree import Tree

SIZE = (1440, 620)
SCREENS = ((SIZE, 1.0), (SIZE, 2.0), ((2560, 1300), 1.0))  # pixels, and dots of the screen in each
PLACES = ("whole", "between", "questions", "most boxes", "node")
FRAMES = 40
FRAME_MS = 16.0
ON_SCREEN_MS = {10_000: 100.0, 100_000: 500.0}  # for trees of at most so many nodes


def trees(most: int) -> dict[str, Tree]:
    """Trees of every kind, by name."""
    from tests.made_trees import chain_tree, full_tree, random_tree, stairs_tree

    rng = np.random.default_rng(0)
    made = {
        "depth 6": full_tree(6), "depth 20, 1,001 nodes": stairs_tree(rng, 500, 20),
        "10,001 nodes": random_tree(rng, 5_000), "chain of 10,001": chain_tree(5_000),
        "full, 65,535": full_tree(15), "100,001 nodes": random_tree(rng, 50_000),
        "chain of 100,001": chain_tree(50_000), "100,000 leaves": random_tree(rng, 100_000),
    }
    return {name: tree for name, tree in made.items() if tree.n_nodes <= most}


def milliseconds(call: Callable[[], Any]) -> float:
    """How long a call keeps this thread busy; other programs do not count."""
    begin = time.thread_time()
    call()
    return (time.thread_time() - begin) * 1000


def table_row(name: str, times: Sequence[float], limit: float) -> None:
    """Print median and worst of some times, and whether the worst misses the aim."""
    worst = max(times)
    missed = "   missed" if worst > limit else ""
    print(f"{name:44s} median {statistics.median(times):7.2f} ms   worst {worst:7.2f} ms{missed}", flush=True)


def look_at(tree: Tree, name: str, arrangement: str, size: tuple[int, int], density: float) -> None:
    """Show one tree in one arrangement, and move over it at every level of detail."""
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from workbench.views.tree.camera import Detail
    from workbench.views.tree.canvas import TreeCanvas
    from workbench.views.tree.emphasis import Emphasis

    canvas = TreeCanvas()
    canvas.resize(*size)
    canvas.show()
    QApplication.processEvents()
    surface = QImage(*(round(side * density) for side in size), QImage.Format.Format_ARGB32_Premultiplied)
    surface.setDevicePixelRatio(density)

    def choose() -> None:
        canvas.show_scene(scene_of(tree, arrangement), Emphasis(selected=tree.n_nodes - 1), anew=True)
        canvas.render(surface)

    choose()
    dense = f" at density {density:g}" if density != 1 else ""
    print(f"\n{name}, {arrangement}, {size[0]} × {size[1]}{dense}")
    limit = next((most for nodes, most in ON_SCREEN_MS.items() if tree.n_nodes <= nodes + 1), 500.0)
    table_row("chosen and on screen", [milliseconds(choose) for _ in range(5)], limit)
    scene = canvas.scene
    assert scene is not None
    deep = int(np.flatnonzero(tree.is_leaf)[tree.n_leaves // 2])
    for place in PLACES:
        if place == "between":
            canvas.zoom(max((0.3 / canvas.camera.zoom) ** 0.5, 1.01))
        elif place != "whole":
            canvas.motion.zoom_to(scene, deep, canvas.size().toSizeF(), at_once=True)
        if place == "questions":
            canvas.zoom(0.45)
        if place == "most boxes":
            while not scene.arrangement.is_cells and canvas.camera.detail is not Detail.FAR:
                canvas.zoom(1 / 1.02)
            canvas.zoom(1.021 * 1.07**3)
        detail = canvas.camera.detail.name.lower()
        pans, zooms, points = [], [], []
        for frame in range(FRAMES):
            step = QPointF(11.0, 3.0) * (-1 if frame % 8 < 4 else 1)
            pans.append(milliseconds(lambda step=step: (canvas.motion.pan(step), canvas.render(surface))))
            factor = 1 / 1.07 if frame % 6 < 3 else 1.07
            zooms.append(milliseconds(lambda factor=factor: (canvas.zoom(factor), canvas.render(surface))))
            point = QPointF(37.0 * frame % size[0], 13.0 * frame % size[1])
            points.append(milliseconds(lambda point=point: scene.places.node_at(point, canvas.camera)))
        table_row(f"pan, {place} ({detail})", pans, FRAME_MS)
        table_row(f"zoom, {place} ({detail})", zooms, FRAME_MS)
        table_row(f"node under the cursor, {place}", points, FRAME_MS / 4)
    canvas.close()


def scene_of(tree: Tree, arrangement: str) -> Any:
    """What the view's job makes of a tree."""
    from tests.views.made_forest import FEATURES
    from workbench.data.schema import DataSchema
    from workbench.views.tree.arrangement import ARRANGEMENTS
    from workbench.views.tree.colouring import PLAIN
    from workbench.views.tree.loader import prepared
    from workbench.views.tree.scene import TreeScene

    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    return prepared(TreeScene.of(tree, schema, PLAIN, None, ARRANGEMENTS[arrangement]))


def list_many(count: int) -> None:
    """Show a list of many trees, order and scroll it."""
    from PySide6.QtWidgets import QApplication

    from tests.made_trees import random_tree
    from tests.views.made_forest import made_bench, made_session
    from workbench.views.trees.list import ORDERS
    from workbench.views.trees.panel import TreesPanel

    session, rng = made_session(), np.random.default_rng(0)
    shapes = [random_tree(rng, 63) for _ in range(50)]
    figures = [tree.figures for tree in shapes]  # as training and opening a model leave them
    first = session.shown.run.rounds[-1]
    copies = [replace(shapes[n % 50], grown_figures=figures[n % 50]) for n in range(count)]
    session.shown.run.rounds = [replace(first, round=n + 1, trees=(tree,)) for n, tree in enumerate(copies)]
    session.shown.run.dataset = None  # nobody asks for hold-out rows
    panel: Any = TreesPanel(made_bench(session))
    panel.resize(304, 800)
    print(f"\n{count:,} trees in the list")
    table_row("shown", [milliseconds(lambda: (panel.show(), panel.grab()))], 100.0)
    orders = [milliseconds(lambda order=order: (panel._sort_by(order), panel.grab())) for order in ORDERS]
    table_row("ordered", orders, 100.0)
    bar, scrolls = panel.list.verticalScrollBar(), []
    for frame in range(FRAMES):
        bar.setValue(bar.maximum() * frame // FRAMES)
        scrolls.append(milliseconds(panel.list.viewport().grab))
    table_row("scrolled by a page and more", scrolls, FRAME_MS)
    table_row("another round", [milliseconds(lambda n=n: (session.shown.select(round=n + 1), panel.grab()))
                                for n in range(0, count, count // FRAMES)], FRAME_MS * 2)  # fmt: skip
    panel.close()
    QApplication.processEvents()


def main(arguments: Sequence[str] = ()) -> None:
    """Print all figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks trees", description=__doc__)
    parser.add_argument("--most-nodes", type=int, default=1_000_000)
    parser.add_argument("--arrangement", choices=("top-down", "left-right", "icicle"), action="append")
    options = parser.parse_args(arguments)
    from workbench.app import application
    from workbench.warmup.warmup import steps
    from workbench.workers.garbage import GarbageCollection

    garbage = GarbageCollection(application())
    next(step for step in steps() if step.name == "Pictures of trees").run()
    garbage.leave_out_what_is_there()
    print(*machine.describe(), sep="\n")
    for name, tree in trees(options.most_nodes).items():
        for arrangement in options.arrangement or ("top-down", "left-right", "icicle"):
            for size, density in SCREENS:
                look_at(tree, name, arrangement, size, density)
    list_many(5_000)
    print("\nreference cycles, once in two minutes")
    table_row("all of them collected", [milliseconds(gc.collect) for _ in range(5)], FRAME_MS)


if __name__ == "__main__":
    main()
