"""What is said about a row: its values, its truth, its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import Column
from workbench.data.values.labels import date_label, iso_day
from workbench.isolation import isolated
from workbench.number_text import count, figure, fixed, percent, signed
from workbench.views.table.cells import MISSING, cell_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.explain.row_growth import RowGrowth
    from workbench.explain.row_path import PathStep
    from workbench.trees.tree import Tree
    from workbench.views.inspector.node.facts import Fact

LEAST_DECIMALS, MOST_DECIMALS = 4, 9
SHOWN_CLASSES = 3


def value_words(dataset: Dataset, tree: Tree, step: PathStep) -> str:
    """The row's value as the table shows it; a missing one says that it took the default."""
    if step.is_missing:
        return f"{MISSING}, goes {'left' if tree.nodes['default_left'][step.node] else 'right'}"
    feature = dataset.schema.features[int(tree.nodes["feature"][step.node])]
    column = Column(feature.name, feature.kind, np.array([step.value], np.float32), feature.categories)
    return cell_text(column, 0)


def is_held_out(dataset: Dataset, place: int) -> bool:
    """Whether a row of the dataset validates."""
    where = int(np.searchsorted(dataset.valid_rows, place))
    return where < len(dataset.valid_rows) and bool(dataset.valid_rows[where] == place)


def truth(dataset: Dataset, place: int) -> str:
    """The row's target, and whether it trains or validates."""
    schema, target = dataset.schema, float(dataset.target[place])
    number = count(target) if target.is_integer() else figure(target, 6)
    number = date_label(np.float64(target)) if getattr(schema, "target_is_date", False) else number
    known = schema.class_labels[int(target)] if schema.class_labels else number
    part = "hold-out" if is_held_out(dataset, place) else "training"
    return f"{isolated(schema.target)} = {isolated(str(known))}, {part} row"


def sum_facts(
    growth: RowGrowth, schema: DataSchema, class_index: int, number: int, names: tuple[str, ...] = (),
    *, has_offset: bool = False,
) -> tuple[Fact, ...]:
    """Base, earlier trees, this round's, their sum, and the prediction; what is shown adds up."""
    base, after = (float(growth.raw[n, class_index]) for n in (0, number))
    before = float(growth.before[number - 1, class_index])
    leaf = after - before
    decimals = decimals_that_add_up((base, before - base, leaf), after)
    is_one = growth.leaves.shape[2] == 1
    word = "Tree" if is_one else "Round"
    earlier = f"No {word.lower()} before" if number == 1 else (
        f"{word}s 1 to {count(number - 1)}" if number > 2 else f"{word} 1")
    if growth.is_weighed and number > 1:
        earlier += " as they count now"
    is_date = adds_days(growth, schema)
    unit = " days" * is_date
    facts = [
        ("Base and offset" if has_offset else "Base", level_words(base, decimals, is_date=is_date)),
        (earlier, signed(before - base, decimals) + unit),
        (f"{word} {count(number)}, {'this leaf' if is_one else 'its leaves'}", signed(leaf, decimals) + unit),
        ("Raw prediction ŷ", level_words(after, decimals, is_date=is_date)),
    ]
    return (*facts, *predictions(growth, schema, class_index, number, names))


def adds_days(growth: RowGrowth, schema: DataSchema) -> bool:
    """Whether raw predictions are dates, and leaves differences in days."""
    return schema.target_is_date and not growth.link and growth.raw.shape[1] == 1


def level_words(value: float, decimals: int, *, is_date: bool) -> str:
    """A base or a raw prediction; of dates the date, with the day that adds up."""
    number = fixed(value, decimals)
    return f"{iso_day(value)}, day {number}" if is_date else number


def decimals_that_add_up(parts: Sequence[float], total: float) -> int:
    """As few decimals as let the shown parts sum to the shown total."""
    for decimals in range(LEAST_DECIMALS, MOST_DECIMALS):
        shown = sum(round(part, decimals) for part in parts)
        if round(shown, decimals) == round(total, decimals):
            return decimals
    return MOST_DECIMALS


def prediction(
    growth: RowGrowth, schema: DataSchema, class_index: int, number: int, names: tuple[str, ...] = ()
) -> Fact:
    """What the raw prediction after round `number` means, with the way from ŷ to it."""
    told, labels = growth.predictions[number], schema.class_labels
    link = f", {growth.link}" if growth.link else ""
    if labels:
        k = class_index if len(told) > 1 else 0
        label = isolated(str(labels[class_index if len(told) > 1 else 1]))
        return f"Chance of {label}{link}", percent(float(told[k]), 1)
    if names:
        return f"Prediction, {isolated(names[class_index])}", figure(float(told[class_index]), 6)
    value = float(told[0])
    return f"Prediction{link}", iso_day(value) if schema.target_is_date else figure(value, 6)


def predictions(
    growth: RowGrowth, schema: DataSchema, class_index: int, number: int, names: tuple[str, ...] = ()
) -> list[Fact]:
    """The same for the chosen class and the likeliest, or for the chosen quantile and those beside it."""
    told = growth.predictions[number]
    outputs = range(len(told))
    if schema.class_labels:
        shown = np.argsort(-told, kind="stable").tolist()
        shown = [k for place, k in enumerate(shown) if place < SHOWN_CLASSES or k == class_index]
    else:
        shown = sorted(sorted(outputs, key=lambda k: abs(k - class_index))[:SHOWN_CLASSES])
    return [prediction(growth, schema, k, number, names) for k in shown]
