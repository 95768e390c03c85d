"""What an ONNX graph makes of its trees: sums of leaves, scaled and joined, and a link after them.

The graph is followed operator by operator with stand-ins for its tensors; what is not a table of columns,
a constant or scores of trees is `Unknown`, which remembers the operator that it came from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.onnx.graph import DOUBLE, FLOAT, tensor_of
from workbench.formats.onnx.sums import of_classifier, of_ensemble, of_regressor
from workbench.formats.onnx.values import OnnxColumns, Scores, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.formats.onnx.graph import Graph, Node


def scores_of(graph: Graph) -> Scores:
    """Return the last output, if it is made of trees alone; WorkbenchError says what is in the way."""
    values: dict[str, Value] = {
        one.name: OnnxColumns(
            tuple((one.name, place) for place in range(max(one.columns, 1))), one.columns > 0
        )
        for one in graph.inputs
    }
    values |= {name: _constant(message) for name, message in graph.constants.items()}
    for node in graph.nodes:
        given = [values.get(name, Unknown(node.operator)) for name in node.inputs]
        for name, value in zip(node.outputs, _outputs(node, given), strict=False):
            values[name] = value
    made = [_finished(values.get(name, Unknown("nothing"))) for name in graph.outputs]
    if made and isinstance(made[-1], Scores):
        return made[-1]
    if not any(operator.startswith("TreeEnsemble") for operator in graph.operators):
        raise WorkbenchError("The ONNX model has no tree ensemble, so it cannot be shown here.")
    lost = [value.operator for value in made if isinstance(value, Unknown) and value.operator != "label"]
    what = f"the operator '{lost[-1][:40]}'" if lost else "more than its trees"
    raise WorkbenchError(f"The ONNX model uses {what}, which cannot be shown here as trees and a link.")


def _finished(value: Value) -> Value:
    link = value.link if isinstance(value, Scores) else ""
    return Unknown(HALF_LINKS[link]) if link in HALF_LINKS else value


def _constant(message: Any) -> Value:
    try:
        return tensor_of(message)
    except WorkbenchError:
        return Unknown("Constant")


def _outputs(node: Node, given: list[Value]) -> list[Value]:
    """Return what an operator makes; nothing is known of what comes from the unknown."""
    lost = next((value for value in given if isinstance(value, Unknown)), None)
    if lost is not None:
        return [lost] * len(node.outputs)
    made = OPERATORS[node.operator](node, given) if node.is_own and node.operator in OPERATORS else None
    if made is None:
        return [Unknown(node.operator)] * len(node.outputs)
    return [Unknown("label"), made] if node.operator == "TreeEnsembleClassifier" else [made]


def _same(node: Node, given: list[Value]) -> Value | None:
    return given[0]


def _cast(node: Node, given: list[Value]) -> Value | None:
    return given[0] if node.integer("to", 0) in (FLOAT, DOUBLE) else None


def _reshape(node: Node, given: list[Value]) -> Value | None:
    one = isinstance(given[0], Scores) and len(given[0].base) == 1 and not given[0].pair
    return given[0] if one else None


def _concat(node: Node, given: list[Value]) -> Value | None:
    """Join columns side by side."""
    if node.operator == "Concat" and node.integer("axis", 0) not in (1, -1):
        return None
    names: list[tuple[str, int]] = []
    for value in given:
        if not isinstance(value, OnnxColumns) or not (value.wide or len(given) == 1):
            return None
        names += value.names
    return OnnxColumns(tuple(names), all(value.wide for value in given if isinstance(value, OnnxColumns)))


def _linked(link: str) -> Callable[[Node, list[Value]], Value | None]:
    def operator(node: Node, given: list[Value]) -> Value | None:
        scores = given[0]
        fits = link != "softmax" or node.integer("axis", -1) in (1, -1)
        return scores.linked(link) if isinstance(scores, Scores) and fits else None

    return operator


def _sum(node: Node, given: list[Value]) -> Value | None:
    """Add constants, and scores of the same columns to each other."""
    made: Scores | None = None
    constants = []
    for value in given:
        if isinstance(value, np.ndarray):
            constants.append(value)
        elif not isinstance(value, Scores) or value.pair or value.link != "identity":
            return None
        elif made is None:
            made = value
        elif made.columns != value.columns or len(made.base) != len(value.base):
            return None
        else:
            made = replace(
                made, trees=made.trees + value.trees, base=made.base + value.base,
                doubles=made.doubles or value.doubles,
            )  # fmt: skip
    if made is None:
        return None
    for constant in constants:
        if constant.size not in (1, len(made.base)):
            return None
        made = replace(made, base=made.base + constant.astype(np.float64).ravel())
    return made


def _exp(node: Node, given: list[Value]) -> Value | None:
    """Take the exponential: a link of one output, and on the way to a variance of several."""
    return _linked("exp")(node, given) or _half_linked("exps")(node, given)


def _half_linked(link: str) -> Callable[[Node, list[Value]], Value | None]:
    def operator(node: Node, given: list[Value]) -> Value | None:
        scores = given[0]
        fits = isinstance(scores, Scores) and scores.link == "identity" and not scores.pair
        return replace(scores, link=link) if isinstance(scores, Scores) and fits else None

    return operator


def _step(node: Node, given: list[Value]) -> Value | None:
    """Take what is below 0 away from a sign."""
    scores = given[0]
    return replace(scores, link="step") if isinstance(scores, Scores) and scores.link == "sign" else None


def _times(node: Node, given: list[Value]) -> Value | None:
    """Multiply or divide by one number, or scores by their own size, or by themselves."""
    of_scores = [value for value in given if isinstance(value, Scores)]
    return _squared(node, of_scores) if len(of_scores) == 2 else _scaled(node, given)


def _squared(node: Node, both: list[Scores]) -> Value | None:
    first, second = sorted(both, key=lambda scores: scores.link)
    fits = node.operator == "Mul" and _are_same(first, second)
    made = PRODUCTS.get((first.link, second.link))
    return replace(first, link=made) if fits and made is not None else None


def _are_same(one: Scores, other: Scores) -> bool:
    """Whether two scores differ by their link alone."""
    return one.trees is other.trees and one.base is other.base and not one.pair


def _where(node: Node, given: list[Value]) -> Value | None:
    """Choose the squared exponential for the second output, the score itself for others."""
    is_chosen, chosen, other = given
    if not (isinstance(is_chosen, np.ndarray) and isinstance(chosen, Scores) and isinstance(other, Scores)):
        return None
    fits = _are_same(chosen, other) and (chosen.link, other.link) == ("squared exps", "identity")
    of_second = np.array_equal(is_chosen.ravel(), np.arange(len(other.base)) == 1)
    return replace(other, link="variance") if fits and of_second else None


def _scaled(node: Node, given: list[Value]) -> Value | None:
    """Multiply or divide by one number; after an exponential that is an addition before it."""
    constants = [value for value in given if isinstance(value, np.ndarray)]
    scores = next((value for value in given if isinstance(value, Scores)), None)
    if scores is None or len(given) != 2 or len(constants) != 1 or constants[0].size != 1:
        return None
    factor = float(constants[0].ravel()[0])
    if node.operator == "Div":
        if given[0] is not scores or factor == 0:
            return None
        factor = 1 / factor
    if factor == 1:
        return scores
    if scores.link == "exp" and factor > 0:
        return replace(scores, base=scores.base + np.log(factor))
    return scores.scaled(factor) if scores.link == "identity" and scores.pair != "rest" else None


def _constant_node(node: Node, given: list[Value]) -> Value | None:
    return node.tensor("value") if node.has("value") else None


HALF_LINKS = {"size": "Abs", "sign": "Sign", "exps": "Exp", "squared exps": "Mul"}  # parts of links
PRODUCTS = {("identity", "size"): "square", ("exp", "exp"): "squared exps", ("exps", "exps"): "squared exps"}
OPERATORS: dict[str, Callable[[Any, list[Any]], Value | None]] = {
    "Identity": _same, "ZipMap": _same, "Cast": _cast, "Reshape": _reshape, "Concat": _concat,
    "FeatureVectorizer": _concat, "Add": _sum, "Sum": _sum, "Mul": _times, "Div": _times,
    "Sigmoid": _linked("logistic"), "Softmax": _linked("softmax"), "Exp": _exp,
    "Softplus": _linked("softplus"), "Abs": _half_linked("size"), "Sign": _half_linked("sign"), "Relu": _step,
    "Constant": _constant_node, "Where": _where, "TreeEnsemble": of_ensemble,
    "TreeEnsembleRegressor": of_regressor, "TreeEnsembleClassifier": of_classifier,
}  # fmt: skip
