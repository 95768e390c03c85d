"""Every kernel that Python calls compiled once, into the cache folder, by a small run through each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.dataset import Dataset
from workbench.data.schema import DataSchema, Feature
from workbench.data.text.blocks.record_scan import RecordScan
from workbench.drawing.raster import Marks, draw_cells, draw_edges, draw_marks, draw_way
from workbench.drawing.tidy_layout import cell_places, mark_drawn, tidy_places
from workbench.ensembles.base import make_trainer
from workbench.ensembles.column_choices import ColumnChoices
from workbench.ensembles.control import RunControl
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.kernel_needs import (
    ALONE,
    BYTE_BINS,
    CONTRIBUTIONS,
    EFFECTS,
    SAMME,
    SHARES,
    rare_kernels,
)
from workbench.ensembles.prediction import leaf_indices, path, raw_predictions
from workbench.ensembles.row_sampling import draw_rows
from workbench.ensembles.tree_plan import growing_params
from workbench.ensembles.tree_rules import columns_on_path, rules_of
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.explain.effects.lines import RawLines
from workbench.formats.bytes.number_lists import list_texts
from workbench.kernels.cache import mark_kernels_ready
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES, gradients
from workbench.objectives.by_rows import ByRows
from workbench.parameters.methods import LOSSES
from workbench.parameters.training import PARAMETERS, TrainingParams
from workbench.trees.bins.binning import ROWS_FOR_CELLS, BinnedMatrix
from workbench.trees.bins.cuts import MOST_BINS, BinCuts
from workbench.trees.bins.shared_bytes import bytes_alone
from workbench.trees.colsample import draw_columns
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.structure_score import LEAST_LOSS_CHANGE
from workbench.trees.tree import NODE_DTYPE, Tree
from workbench.trees.tree_task import TreeTask

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.objectives.base import Objective

N_ROWS = 64
METHODS = next(p.choices for p in PARAMETERS if p.name == "tree_method")
GROWN = TrainingParams(
    objective=LOSSES["regression"], rounds=1, max_depth=2, subsample=0.5, colsample_bytree=0.5,
    threads=1,
)
WEIGHTED = {"number": 2.0}
N_CLASSES = {"regression": 0, "binary": 2, "multiclass": 3}


class WarmupStep(NamedTuple):
    """Part of the warm-up, which shares little with the others.

    What is compiled `ahead` is taken in by another step that needs longer: of use where several processes
    share the steps.
    """

    name: str
    run: Callable[[], object]
    is_rare: bool = False
    ahead: bool = False


def steps() -> list[WarmupStep]:
    """Return the parts of the warm-up: those that most runs need, then the others."""
    params = [GROWN.change(tree_method=method) for method in METHODS]
    params += [GROWN.change(max_bin=2 * BYTE_BINS)]
    params += [p.change(reg_alpha=1e-3, min_leaf_rows=2, feature_weights=WEIGHTED) for p in params]
    rare = [WarmupStep(rare_kernels(p), partial(_grow, p), is_rare=True) for p in params if rare_kernels(p)]
    return [
        WarmupStep("Growth of trees", _grow_bare_tree),  # takes the longest: it waits for no bins
        WarmupStep("Tables of text", _scan),  # a large one may be waiting to be read
        WarmupStep("Ends of trees", _compile_finish, ahead=True),  # a third of the growth
        WarmupStep("Bins, gradients and samples", _begin),
        WarmupStep("Predictions", _predict),
        WarmupStep("Texts of numbers", _write),
        *(WarmupStep(o.label, partial(_evaluate, o)) for o in OBJECTIVES if not isinstance(o, ByRows)),
        WarmupStep(CONTRIBUTIONS, _explain, is_rare=True),
        WarmupStep(EFFECTS, _follow, is_rare=True),
        WarmupStep("Pictures of trees", _draw, is_rare=True),
        WarmupStep(SHARES, partial(_grow_by, "forest", "shares", "share"), is_rare=True),
        WarmupStep(ALONE["linear"], _weigh, is_rare=True),
        WarmupStep(ALONE["steps"], partial(_grow_by, "steps", "squared"), is_rare=True),
        WarmupStep(SAMME, partial(_grow_by, "adaboost", "softmax"), is_rare=True),
        *rare,
        WarmupStep("Predictions in double precision", _predict_doubles, is_rare=True),
    ]


def warm_up(progress: Callable[[int, int, str], None], *, rare: bool = False) -> None:
    """Compile the kernels that most runs need into numba's cache, or load them from there.

    Parameters
    ----------
    progress : callable
        Told before each step how many are done, how many there are, and the name of the next; at the
        end once more, with all done.
    rare : bool
        Whether the others are wanted too.
    """
    todo = [step for step in steps() if not step.ahead and (rare or not step.is_rare)]
    for done, step in enumerate(todo):
        progress(done, len(todo), step.name)
        step.run()
    mark_kernels_ready()
    if rare:
        mark_kernels_ready(rare=True)
    progress(len(todo), len(todo), "Ready")


def warm_up_named(name: str) -> None:
    """Compile, or load, kernels that few runs take, by their name; nothing where no step has it."""
    for step in steps():
        if step.name == name:
            step.run()


def _grow_bare_tree() -> None:
    """Grow a tree by histograms on bins that are all 0."""
    grower, task = _bare_tree()
    grower.grow(task)


def _compile_finish() -> None:
    """Compile what is done with such a tree once it is grown."""
    grower, task = _bare_tree()
    grower.compile_finish(task)


def _bare_tree() -> tuple[TreeGrower, TreeTask]:
    """Return who grows a tree on bins that are all 0, and what it is told."""
    n, columns = N_ROWS, 2
    cuts = BinCuts(
        np.ones(columns, np.int32), np.full((columns, MOST_BINS), np.nan, np.float32),
        np.full((columns, MOST_BINS), -1, np.int32), np.zeros(columns, np.bool_),
    )
    matrix = BinnedMatrix(
        cuts, bytes_alone(cuts), np.zeros((n, 2), np.uint64), np.zeros((columns, n), np.uint8),
        np.empty((0, n), np.uint16),
    )
    return TreeGrower(matrix), TreeTask(
        np.zeros(n), np.ones(n), draw_rows(n, 1.0, 0, 1), np.arange(columns),
        growing_params(GROWN, 1.0, LEAST_LOSS_CHANGE), RunControl().stop_flag, np.zeros(n, np.float32),
    )


def _begin() -> None:
    """Do what a run does before it grows its first tree: it finds bins, takes gradients and draws."""
    table = _table(OBJECTIVES.get(GROWN.objective), 2 * ROWS_FOR_CELLS)
    next(make_trainer(table, GROWN).rounds())
    draw_rows(N_ROWS, GROWN.subsample, GROWN.seed, 1)
    draw_columns(np.arange(2), GROWN.colsample_bytree, GROWN.seed, 1)


def _grow(params: TrainingParams) -> None:
    """Draw and train. Kernels of an objective know nothing of trees, so one will do."""
    table = _table(OBJECTIVES.get(params.objective), max(4 * params.max_bin, 2 * ROWS_FOR_CELLS))
    for _ in make_trainer(table, params).rounds():
        pass
    rules = rules_of(params, ColumnChoices(table.schema, params), 1, np.arange(2))
    if rules is not None:
        columns_on_path(rules, [(0, 0)])


def _grow_by(method: str, *objectives: str) -> None:
    """Train a round of a method that has kernels of its own."""
    for objective in objectives:
        params = TrainingParams(method=method, threads=1)
        params = params if method == "steps" else params.change(rounds=1)
        for _ in make_trainer(_table(OBJECTIVES.get(objective)), params).rounds():
            pass


def _weigh() -> None:
    """Weigh columns with and without L1."""
    table = _table(OBJECTIVES.get(GROWN.objective))
    for l1_ratio in (0.0, 0.5):
        params = TrainingParams(method="linear", l1_ratio=l1_ratio, rounds=1, threads=1)
        for _ in make_trainer(table, params).rounds():
            pass


def _predict() -> None:
    """Predict with a tree of one split."""
    ensemble, rows = _one_split(), np.zeros((N_ROWS, 1), np.float32)
    raw_predictions(ensemble, rows, serial=True)
    leaf_indices(ensemble.trees, rows)
    path(ensemble.trees[0], rows[0])


def _write() -> None:
    """Write numbers as a model file has them."""
    list_texts([np.ones(1, np.float32), np.ones(1), np.ones(1, np.int64)])


def _predict_doubles() -> None:
    """Predict as models of programs do that add leaves up in double precision."""
    single = _one_split()
    ensemble = replace(single, base_margin=single.base_margin.astype(np.float64))
    raw_predictions(ensemble, np.zeros((N_ROWS, 1), np.float32), serial=True)
    for objective in OBJECTIVES:
        n_outputs = objective.n_outputs(N_CLASSES[objective.task])
        objective.transform(np.zeros((N_ROWS,) if n_outputs == 1 else (N_ROWS, n_outputs)))


def _explain() -> None:
    """Explain rows by a tree of one split, by what its nodes weigh and against a background."""
    rows = np.zeros((N_ROWS, 1), np.float32)
    explainer = ShapExplainer(_one_split())
    explainer.interactions(rows, serial=True)
    explainer.partners(rows, 0)
    ShapExplainer(_one_split(), background=rows).contributions(rows, serial=True)


def _follow() -> None:
    """Follow a column through a tree of one split."""
    RawLines(_one_split(), [0], [np.zeros(2, np.float32)]).of(np.zeros((N_ROWS, 1), np.float32))


def _one_split() -> Ensemble:
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"], nodes["left"], nodes["category"] = (0, -1, -1), (1, -1, -1), -1
    nodes["sum_hessian"] = (2, 1, 1)
    tree = Tree(nodes, np.zeros(4, np.int32), np.empty(0, np.int32))
    return Ensemble("", 1, 1, np.zeros(1, np.float32), (tree,))


def _draw() -> None:
    """Place the three nodes of a tree and paint them."""
    left, is_split = np.array([1, -1, -1], np.int32), np.array([True, False, False])
    x, room = np.zeros(3), np.ones(3)
    mark_drawn(left, np.zeros(3, np.bool_))
    tidy_places(left, is_split, 1.0, 1.5, 2.0, x)
    cell_places(left, np.ones(3), np.zeros(3), np.ones(3))
    pixels, nodes, level = np.zeros((8, 8), np.uint32), np.arange(3), np.zeros(3)
    colors, frame = np.zeros(3, np.uint32), np.ones(6)
    draw_edges(pixels, nodes, nodes, x, level, room, frame, 0)
    draw_way(pixels, nodes, x, level, frame, 0, 1.0)
    draw_marks(pixels, nodes, x, level, room, frame, Marks(colors, room, room, is_split), 1.0)
    draw_cells(pixels, nodes, x, level, room, frame, colors, 1.0, 0)


def _scan() -> None:
    """Take a record with a number and a text apart."""
    RecordScan(2, frozenset({0}), frozenset({1}), ",", ".").columns(b"1,a\n", 1)


def _evaluate(objective: Objective) -> None:
    """Take gradients, predictions and every metric that is for its task."""
    data = _table(objective)
    n_outputs = objective.n_outputs(N_CLASSES[objective.task])
    raw = np.zeros((N_ROWS,) if n_outputs == 1 else (N_ROWS, n_outputs), np.float32)
    gradients(objective, data.target, raw)
    objective.transform(raw)
    for metric in METRICS:
        if objective.task in metric.tasks and metric.formula is not None:
            measure(metric, objective, data.target, raw)
        elif objective.needs_groups and metric.by_query is not None:
            metric.by_query(data.target, raw, np.zeros(len(raw), np.int64))


def _table(objective: Objective, n_rows: int = N_ROWS) -> Dataset:
    n_classes = N_CLASSES[objective.task]
    codes = np.arange(n_rows) % max(n_classes, 2)
    features = np.asfortranarray(np.column_stack([np.arange(n_rows), codes]), np.float32)
    features[::7, 0] = np.nan
    schema = DataSchema(
        (Feature("number", "number"), Feature("category", "category", ("a", "b", "c"))),
        "target",
        objective.task,
        tuple(range(n_classes)),
    )
    rows = np.arange(n_rows, dtype=np.int64)
    held_out = n_rows // 4
    return Dataset(
        schema, features, codes.astype(np.float64), None, rows[held_out:], rows[:held_out], rows
    )
