"""Runs that are edited in tests, and edits of a tree of them."""

from __future__ import annotations

import numpy as np

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

KINDS = ("prune", "set_weight", "move_threshold", "take_split", "forbid_column", "drop_tree")
EXPECTED = ("No training row", "Monotone columns", "max_delta_step", "interaction_constraints")


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
