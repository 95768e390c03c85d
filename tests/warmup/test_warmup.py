from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
import pytest
from numba.core import event

from tests.made_trees import random_tree
from tests.reference.tables import fitted, random_dataset
from workbench.data.text.blocks.record_scan import RecordScan
from workbench.drawing.layout import lay_out
from workbench.drawing.raster import Marks, draw_cells, draw_edges, draw_marks, draw_way
from workbench.ensembles.kernel_needs import rare_kernels
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.kernels.cache import kernels_ready
from workbench.parameters.training import TrainingParams
from workbench.warmup import processes
from workbench.warmup.warmup import steps, warm_up


def test_nothing_is_compiled_after_the_warm_up(monkeypatch):
    told = []
    warm_up(lambda done, total, name: told.append((done, total, name)))
    assert [done for done, _, _ in told] == list(range(len(told)))
    assert all(total == len(told) - 1 for _, total, _ in told)
    assert all(name for _, _, name in told)
    assert kernels_ready()


@contextmanager
def compilations():
    """Collect the names of what is compiled meanwhile."""
    names = []

    class Listener(event.Listener):
        def on_start(self, e):
            names.append(e.data["dispatcher"].py_func.__qualname__)

        def on_end(self, e):
            pass

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield names
    finally:
        event.unregister("numba:compile", listener)


def train_on_some_tables(**params):
    for task in ("regression", "binary", "multiclass"):
        for n, d in ((600, 6), (30_000, 40)):
            data = random_dataset(task, n=n, d=d, weighted=True)
            ensemble = fitted(data, rounds=2, colsample_bytree=0.5, threads=2, **params)
            raw_predictions(ensemble, data.features)
            raw_predictions(ensemble, data.features, serial=True)
            leaf_indices(ensemble.trees, data.features)


def test_ordinary_runs_use_the_warmed_kernels():
    warm_up(lambda *_: None)
    with compilations() as names:
        train_on_some_tables(subsample=0.5)
        train_on_some_tables(sampling_method="goss")
        train_on_some_tables(num_parallel_tree=2, pruning="post", gamma=1.0)
    assert names == []


RARE = [
    {"tree_method": "exact"}, {"tree_method": "approx"}, {"reg_alpha": 0.1},
    {"tree_method": "exact", "monotone_constraints": {"x0": 1}},
    {"min_leaf_rows": 5, "colsample_bynode": 0.5, "colsample_bylevel": 0.5}, {"feature_weights": {"x0": 3}},
    {"interaction_constraints": [["x0", "x1"]]}, {"tree_method": "approx", "min_leaf_rows": 4},
    {"max_bin": 300}, {"max_bin": 1000, "min_leaf_rows": 4}, {"max_bin": 400, "tree_method": "approx"},
]


@pytest.mark.slow
def test_a_large_table_of_text_is_read_by_a_warmed_kernel():
    warm_up(lambda *_: None)
    with compilations() as compiled:
        RecordScan(3, frozenset({0, 2}), frozenset({1}), ",", ".").columns(b"1,a,.5\n2,b,7\n", 2)
    assert compiled == []


@pytest.mark.slow
def test_rare_runs_use_the_warmed_kernels_and_wait_for_them():
    warm_up(lambda *_: None, rare=True)
    assert kernels_ready(rare=True)
    with compilations() as names:
        for params in RARE:
            assert rare_kernels(TrainingParams(**params))
            train_on_some_tables(subsample=0.5, **params)
    assert names == []


def test_large_trees_are_drawn_by_the_warmed_kernels():
    warm_up(lambda *_: None, rare=True)
    with compilations() as names:
        tree = random_tree(np.random.default_rng(0), 400)
        for cells in (False, True):
            layout = lay_out(tree, folded={3}, cells=cells)
        pixels, frame = np.zeros((50, 50), np.uint32), np.ones(6)
        nodes, colors = layout.nodes_within(-5, 5, 0, 100), np.zeros(tree.n_nodes, np.uint32)
        draw_edges(pixels, nodes, layout.parent, layout.x, layout.y, layout.spacing, frame, 0xFF000000)
        draw_way(pixels, nodes[:3], layout.x, layout.y, frame, 0xFF000000, 3.0)
        marks = Marks(colors, layout.room, layout.room, tree.is_leaf)
        draw_marks(pixels, nodes, layout.x, layout.y, layout.spacing, frame, marks, 1.0)
        draw_cells(pixels, nodes, layout.x, layout.y, layout.room, frame, colors, 1.0, 0)
    assert names == []


def test_each_rare_run_finds_its_kernels_by_name():
    named = {step.name for step in steps() if step.is_rare}
    methods = ({"method": "forest"}, {"method": "cart"}, {"method": "linear"}, {"method": "steps"},
               {"method": "adaboost", "objective": "softmax"})
    for params in (*RARE[:-1], *methods):
        assert rare_kernels(TrainingParams(**params)) in named
    assert rare_kernels(TrainingParams()) == ""


def test_a_process_that_dies_is_told(monkeypatch, caplog):
    monkeypatch.setattr(processes, "_work", sys.exit)  # which takes fewer arguments
    assert not list(processes._words_of_workers(1, False))
    assert "ended with code 1" in caplog.text
