"""Facts as lines of a name and a value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.errors import one_line
from workbench.explain.forced_split import forced_split, forced_words
from workbench.explain.node_figures import ALL_DIGITS, knows_rows, test_of, threshold_text
from workbench.explain.node_text import LEAF_NAMES, class_words
from workbench.number_text import count, fixed, percent
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.views.formula.digits import ShownBlock
    from workbench.views.inspector.node.inspected import Inspected

Fact = tuple[str, str]
NO_SUMS = "The file this model came from keeps no sums of gradients."


class Facts(QWidget):
    """Names at the left, values beside them, wrapped where long; or `numbers` at the right."""

    def __init__(self, parent: QWidget | None = None, *, numbers: bool = False) -> None:
        super().__init__(parent)
        self._side = Qt.AlignmentFlag.AlignRight if numbers else Qt.AlignmentFlag.AlignLeft
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[Label, Label]] = []

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show other facts."""
        while len(self._labels) < len(facts):
            self._add_line()
        for index, pair in enumerate(self._labels):
            for label, text in zip(pair, facts[index] if index < len(facts) else ("", ""), strict=True):
                label.setText(text)
                label.setVisible(index < len(facts))

    @property
    def text(self) -> str:
        """The facts, one a line."""
        shown = [(name.text(), value.text()) for name, value in self._labels if name.text()]
        return "\n".join(f"{name}: {one_line(value)}" for name, value in shown)

    def _add_line(self) -> None:
        name, value = ElidedLabel(), Label()
        set_look(name, tone="2")
        for label, side in ((name, Qt.AlignmentFlag.AlignLeft), (value, self._side)):
            label.setAlignment(Qt.AlignmentFlag.AlignTop | side)
        value.setWordWrap(True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for column, label in enumerate((name, value)):
            self._grid.addWidget(label, len(self._labels), column)
        self._labels.append((name, value))


def node_facts(inspected: Inspected, block: ShownBlock) -> tuple[Fact, ...]:
    """What else is to be said of a node."""
    tree, node = inspected.tree, inspected.node
    figures, rows = inspected.figures[0], count(tree.nodes["count"][0])
    of_rows = f", {count(figures.count)} of {rows}" if knows_rows(tree) else ""
    facts = [("Depth", f"{tree.nodes['depth'][node]} of {tree.depth}")]
    if math.isfinite(figures.share):
        share = f"{percent(figures.share, 1)}{of_rows}"
        facts.insert(0, ("Share of rows" if of_rows else "Share of H", share))
    if not math.isfinite(figures.sum_gradient):
        facts.append(("Formulas", NO_SUMS))
        if not inspected.is_leaf:
            facts.append(("Gain", fixed(float(tree.nodes["gain"][node]))))
    if len(inspected.trees) > 1 and inspected.criterion and not inspected.is_leaf:
        classes = count(len(inspected.trees))
        facts.append(("Δ", f"of all {classes} classes; the trees of the others have the same splits"))
    if inspected.is_leaf:
        if inspected.unit in LEAF_NAMES:
            return (*facts, ("Predicts", _predicted(inspected, block)))
        step = f"{block.nodes[0].step} {inspected.unit}".rstrip()
        return (*facts, ("Adds", f"{step} to the raw prediction of each row that ends here"))
    if tree.nodes["forced"][node]:
        facts.append(("Split", _forced(inspected)))
    question = test_of(tree, node, inspected.schema)
    if question.relation == "in":
        facts.append(("Yes for", question.values()[1:-1]))
    elif question.relation == "<":
        feature = inspected.schema.features[int(tree.nodes["feature"][node])]
        exact = threshold_text(tree.nodes["threshold"][node], feature, ALL_DIGITS)
        if exact != question.value:
            facts.append(("Threshold", f"{exact}, as float32"))
    return tuple(facts)


def _predicted(inspected: Inspected, block: ShownBlock) -> str:
    """Say what a leaf of shares or means stands for."""
    value, labels = block.nodes[0].weight, inspected.schema.class_labels
    if not inspected.criterion:
        return f"{value}, the mean of its rows"
    shares = inspected.impurities[0].shares
    own = class_words(str(labels[inspected.tree.class_index if len(inspected.trees) > 1 else 1]))
    likeliest = class_words(str(labels[int(shares.argmax())]))
    return f"{value}, the share of {own}; the largest is that of {likeliest}"


def _forced(inspected: Inspected) -> str:
    """Say of a forced split what was forced, and by what."""
    split = forced_split(inspected.tree, inspected.node, inspected.schema, inspected.forced_splits)
    if split is None:
        return "forced, not sought; its gain is the true one"
    sought = "" if split.names_column_alone else ", not sought"
    return f"{forced_words(split)} by First splits{sought}; its gain is the true one"
