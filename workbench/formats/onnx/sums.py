"""The tree operators of an ONNX graph as scores: what is summed, from which base, and what follows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.onnx.trees import trees_by_node, trees_by_root
from workbench.formats.onnx.values import OnnxColumns, Scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.onnx.graph import Node
    from workbench.formats.onnx.trees import OnnxTree
    from workbench.formats.onnx.values import Value

MOST_OUTPUTS = 100_000
LINKS = {"NONE": "identity", "LOGISTIC": "logistic", "SOFTMAX": "softmax"}


def of_ensemble(node: Node, given: list[Value]) -> Scores:
    """Read opset 5's operator."""
    if node.integer("post_transform", 0) or node.integer("aggregate_function", 1) != 1:
        raise WorkbenchError("The trees of the ONNX model are not summed; they cannot be shown here.")
    outputs = checks.integer(node.integer("n_targets", 1), "n_targets", 1, MOST_OUTPUTS)
    made = _scores(given, trees_by_root(node), np.zeros(outputs))
    return replace(made, doubles=node.holds_doubles("leaf_weights"))


def of_regressor(node: Node, given: list[Value]) -> Scores:
    """Read the regressor of opsets 1 to 4."""
    aggregate, after = node.text("aggregate_function", "SUM"), node.text("post_transform", "NONE")
    if after != "NONE":
        raise WorkbenchError(f"The ONNX model's regressor is followed by {after[:20]}, which runtimes read "
                             "differently.")  # fmt: skip
    if aggregate not in ("SUM", "AVERAGE"):
        raise WorkbenchError(f"The ONNX model takes the {aggregate[:20]} of its trees, not their sum.")
    outputs = checks.integer(node.integer("n_targets", 1), "n_targets", 1, MOST_OUTPUTS)
    trees = trees_by_node(node, "target")
    made = _scores(given, trees, np.zeros(outputs))
    made = made.scaled(1 / len(trees)) if aggregate == "AVERAGE" else made
    return replace(made, base=_base(node, outputs), doubles=node.holds_doubles("target_weights"))


def of_classifier(node: Node, given: list[Value]) -> Scores:
    """Read the classifier of opsets 1 to 4."""
    after = node.text("post_transform", "NONE")
    labels = tuple(node.texts("classlabels_strings")) or tuple(node.integers("classlabels_int64s").tolist())
    checks.integer(len(labels), "the number of classes", 2, MOST_OUTPUTS)
    checks.each_once(labels, "classlabels")
    made = _scores(given, trees_by_node(node, "class"), np.zeros(len(labels)))
    made = replace(made, labels=labels, doubles=node.holds_doubles("class_weights"))
    if after not in LINKS:
        raise WorkbenchError(f"The ONNX model's classifier is followed by {after[:20]}, not known here.")
    if len(labels) == 2:
        return _two_classes(replace(made, base=node.reals("base_values")), LINKS[after])
    made = replace(made, base=_base(node, len(labels)))
    return replace(made, link=LINKS[after])


def _two_classes(made: Scores, link: str) -> Scores:
    """Make two sums one, as the operator's specification and runtimes do.

    Where leaves add to one class only, that sum is the score of the second class. Where they add to both,
    a softmax depends on the difference only, and probabilities that come to 1 on the second only.
    """
    asked = {int(k) for tree in made.trees for k in np.unique(tree.target)}
    if len(asked) == 1:
        if len(made.base) > 1 or (asked == {1} and made.base.any()) or link == "softmax":
            raise WorkbenchError("The ONNX model's two classes have a base that runtimes read differently.")
        positive = all((tree.weight >= 0).all() for tree in made.trees)
        trees = tuple(tree._replace(target=np.zeros_like(tree.target)) for tree in made.trees)
        base = made.base if len(made.base) else np.zeros(1)
        pair = "rest" if link == "logistic" or positive else "opposite"
        return replace(made, trees=trees, base=base, link=link, pair=pair)
    if made.base.any():
        raise WorkbenchError("The ONNX model's two classes have a base that runtimes read differently.")
    if link == "softmax":
        trees = tuple(
            tree._replace(weight=np.where(tree.target == 0, -tree.weight, tree.weight),
                          target=np.zeros_like(tree.target))
            for tree in made.trees
        )  # fmt: skip
        return replace(made, trees=trees, base=np.zeros(1), link="logistic", pair="rest")
    come_to = _sum_of_both(made.trees)
    if come_to is None or come_to != (0 if link == "logistic" else 1):
        raise WorkbenchError("The ONNX model's two classes are not each other's rest.")
    second = (
        tree._replace(leaf=tree.leaf[of], target=np.zeros(of.sum(), np.int64), weight=tree.weight[of])
        for tree in made.trees
        for of in [tree.target == 1]
    )
    return replace(made, trees=tuple(second), base=np.zeros(1), link=link, pair="rest")


def _sum_of_both(trees: tuple[OnnxTree, ...], tolerance: float = 1e-5) -> int | None:
    """Return what both classes come to in every row: 0 or 1; None where it is something else."""
    total = 0.0
    for tree in trees:
        sums = np.bincount(tree.leaf, tree.weight, minlength=len(tree.left))[tree.left < 0]
        if np.ptp(sums) * len(trees) > tolerance:
            return None
        total += float(sums.mean())
    return round(total) if min(abs(total), abs(total - 1)) < tolerance else None


def _scores(given: list[Value], trees: list[OnnxTree], base: NDArray[np.float64]) -> Scores:
    columns = given[0]
    if not isinstance(columns, OnnxColumns):
        raise WorkbenchError("The trees of the ONNX model read something that is no table.")
    for tree in trees:
        if len(tree.target) and not 0 <= tree.target.min() <= tree.target.max() < len(base):
            raise WorkbenchError("Damaged model file: a leaf adds to an output that the model does not have.")
    return Scores(columns, tuple(trees), base)


def _base(node: Node, outputs: int) -> NDArray[np.float64]:
    base = node.reals("base_values")
    if len(base) in (0, outputs):
        return base if len(base) else np.zeros(outputs)
    if base.any():
        raise WorkbenchError("Damaged model file: it has another number of base values than of outputs.")
    return np.zeros(outputs)
