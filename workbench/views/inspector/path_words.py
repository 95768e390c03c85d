"""What is said about a row: its values, its truth, its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import Column
from workbench.views.numbers import figure, fixed, percent, signed
from workbench.views.table.cells import MISSING, cell_text

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.explain.row_path import RowSums, Step
    from workbench.trees.tree import Tree
    from workbench.views.inspector.facts import Fact

LEAST_DECIMALS, MOST_DECIMALS = 4, 9
SHOWN_CLASSES = 3


def value_words(dataset: Dataset, tree: Tree, step: Step) -> str:
    """The row's value as the table shows it; a missing one says that it took the default."""
    if step.is_missing:
        return f"{MISSING}, goes {'left' if tree.nodes['default_left'][step.node] else 'right'}"
    feature = dataset.schema.features[int(tree.nodes["feature"][step.node])]
    column = Column(feature.name, feature.kind, np.array([step.value], np.float32), feature.categories)
    return cell_text(column, 0)


def truth(dataset: Dataset, place: int) -> str:
    """The row's target, and whether it trains or validates."""
    schema, target = dataset.schema, float(dataset.target[place])
    known = schema.class_labels[int(target)] if schema.class_labels else figure(target, 6)
    where = np.searchsorted(dataset.valid_rows, place)
    held_out = where < len(dataset.valid_rows) and dataset.valid_rows[where] == place
    return f"{schema.target} = {known}\n{'hold-out' if held_out else 'training'} row"


def sum_facts(
    sums: RowSums, schema: DataSchema, class_index: int, rounds: int, names: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """Base, earlier trees, this tree, their sum, and the prediction; what is shown adds up."""
    base, before, after = (float(v[class_index]) for v in (sums.base, sums.before, sums.after))
    leaf = after - before
    decimals = _decimals_that_add_up(base, before - base, leaf, after)
    earlier = "No tree before" if rounds == 1 else f"Trees 1 to {rounds - 1}" if rounds > 2 else "Tree 1"
    facts = [
        ("Base", fixed(base, decimals)), (earlier, signed(before - base, decimals)),
        (f"Tree {rounds}, this leaf", signed(leaf, decimals)), ("Raw prediction ŷ", fixed(after, decimals)),
    ]
    return (*facts, *_predictions(sums, schema, class_index, names))


def _decimals_that_add_up(base: float, earlier: float, leaf: float, total: float) -> int:
    """As few decimals as let the shown parts sum to the shown total."""
    for decimals in range(LEAST_DECIMALS, MOST_DECIMALS):
        parts = sum(round(part, decimals) for part in (base, earlier, leaf))
        if round(parts, decimals) == round(total, decimals):
            return decimals
    return MOST_DECIMALS


def _predictions(sums: RowSums, schema: DataSchema, class_index: int, names: tuple[str, ...]) -> list[Fact]:
    labels = schema.class_labels
    if names and not labels:
        near = sorted(range(len(names)), key=lambda k: abs(k - class_index))[:SHOWN_CLASSES]
        return [(f"Prediction, {names[k]}", figure(float(sums.prediction[k]), 6)) for k in sorted(near)]
    if schema.task == "regression" or not labels:
        return [("Prediction", figure(float(sums.prediction[0]), 6))]
    if len(sums.prediction) == 1:
        return [(f"Chance of {labels[1]}, 1/(1+e^−ŷ)", percent(float(sums.prediction[0]), 1))]
    ordered = np.argsort(-sums.prediction, kind="stable").tolist()
    shown = [k for place, k in enumerate(ordered) if place < SHOWN_CLASSES or k == class_index]
    return [(f"Chance of {labels[k]}, softmax", percent(float(sums.prediction[k]), 1)) for k in shown]
