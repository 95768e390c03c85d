"""Runs that are edited in tests, and edits of a tree of them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.reference.tables import train
from workbench.errors import WorkbenchError
from workbench.explain.edits.drop_tree import DropTree
from workbench.explain.edits.editor import Editor
from workbench.explain.edits.forbid_column import ForbidColumn
from workbench.explain.edits.move_threshold import MoveThreshold
from workbench.explain.edits.prune import Prune
from workbench.explain.edits.set_weight import SetWeight
from workbench.explain.edits.take_split import TakeSplit
from workbench.explain.replay import Replay

TASKS = ("regression", "binary", "multiclass")
KINDS = ("prune", "set_weight", "move_threshold", "take_split", "forbid_column", "drop_tree")
EXPECTED = ("No training row", "Monotone columns", "max_delta_step", "interaction_constraints")
SOME = st.fixed_dictionaries(
    {"tree_method": st.sampled_from(["hist", "exact", "approx"])},
    optional={
        "objective": st.sampled_from(["absolute", "huber", "quantile"]),
        "num_parallel_tree": st.just(2),
        "sampling": st.sampled_from([{"subsample": 0.6}, {"sampling_method": "goss"}]),
        "reg_alpha": st.just(0.4),
        "reg_lambda": st.sampled_from([0.0, 3.0]),
        "gamma": st.just(0.05),
        "pruning": st.just("post"),
        "max_delta_step": st.just(0.7),
        "rate_drop": st.just(0.5),
        "max_leaves": st.just(5),
        "grow_policy": st.just("best_gain"),
        "min_leaf_rows": st.just(4),
        "colsample_bytree": st.just(0.7),
        "monotone_constraints": st.just({"x0": 1, "x5": -1}),
        "interaction_constraints": st.just((("x0", "x1"), ("x0", "x5", "x2"))),
        "max_cat_to_onehot": st.just(2),
    },
)


def params_of(task, chosen):
    """Return the parameters of a run, less what its objective does not go with."""
    params = {"rounds": 4, "max_depth": 3, **chosen, **chosen.get("sampling", {})}
    params.pop("sampling", None)
    if task != "regression":
        params.pop("objective", None)
    if params.get("objective") in ("absolute", "huber", "quantile"):
        for name in ("monotone_constraints", "reg_alpha", "num_parallel_tree"):
            params.pop(name, None)
    return params


def edited_run(data, **params):
    """Train; return the editor of the run and its rounds."""
    started, rounds, _ = train(data, **params)
    return Editor(Replay(data, started.ensemble, started.params, rounds)), rounds


def some_edit(kind, editor, round, place, rng):
    """Return an edit of a kind that the tree allows, at random; None where it has no such node."""
    tree = editor.replay.rounds[round - 1].trees[place]
    schema = editor.replay.dataset.schema
    splits, leaves = np.flatnonzero(~tree.is_leaf), np.flatnonzero(tree.is_leaf)
    if kind == "drop_tree":
        return DropTree(round, place, "why not")
    if kind == "set_weight":
        return SetWeight(round, place, int(rng.choice(leaves)), float(np.round(rng.normal() / 9, 3)))
    if not len(splits):
        return None
    node = int(rng.choice(splits))
    if kind == "prune":
        return Prune(round, place, node)
    if kind == "forbid_column":
        return ForbidColumn(round, place, node, schema.names[tree.nodes["feature"][node]])
    if kind == "take_split":
        column = int(rng.choice(len(schema.features)))
        feature = schema.features[column]
        default_left = (None, True, False)[int(rng.integers(3))]
        codes = tuple(rng.choice(5, 2, replace=False).tolist()) if feature.is_categorical else ()
        threshold = None if codes else float(np.round(rng.normal(), 2))
        return TakeSplit(round, place, node, schema.names[column], threshold, codes, default_left)
    if np.isnan(tree.nodes["threshold"][node]):
        return None
    return MoveThreshold(round, place, node, float(tree.nodes["threshold"][node]) + float(rng.normal() / 2))


def done(editor, edit):
    """Return the branch of an edit; None where the rows do not allow it."""
    try:
        return editor.branch(edit)
    except WorkbenchError as error:
        if "\n" in str(error) or not str(error).startswith(EXPECTED):
            raise
        return None


def drawn_edit(data, params, kind, rng):
    """Train; return editor, rounds, an edit of a tree at random, and its branch; None where there is none."""
    editor, rounds = edited_run(data, **params)
    round, place = int(rng.integers(1, len(rounds) + 1)), int(rng.integers(len(rounds[0].trees)))
    edit = some_edit(kind, editor, round, place, rng)
    branch = None if edit is None else done(editor, edit)
    return None if branch is None else (editor, rounds, edit, branch)
