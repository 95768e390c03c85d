"""What a node asks and what it weighs, from the arrays of its tree, in words and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from workbench.data.values.labels import LAST_DAY, date_label
from workbench.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema, Feature
    from workbench.trees.tree import Tree

Way: TypeAlias = "tuple[tuple[Test, str], ...]"  # questions, each with its answer
SHOWN_DIGITS, ALL_DIGITS = 6, 9  # of a threshold; the latter tell every float32 from every other
NO_WEIGHT = 1e-8  # as a weight: what rounding leaves of zero


@dataclass(frozen=True)
class NodeFigures:
    """The figures of one node.

    Attributes
    ----------
    node, count : int
    share : float
        Of the tree's rows; of its hessian where a file keeps no counts.
    sum_gradient, sum_hessian : float
        G and H.
    weight, score, step : float
        w* = −G/(H+λ), −½G²/(H+λ) and η·w*, the last two also of a node that was split. Of a file of another
        program only η·w* of a leaf is known, as what it adds; the others are NaN.
    """

    node: int
    count: int
    share: float
    sum_gradient: float
    sum_hessian: float
    weight: float
    score: float
    step: float


@dataclass(frozen=True)
class Test:
    """The question of a split: its feature, "<", "=" or "in", and what follows it."""

    __test__ = False  # pytest would take the name for a collection of tests

    feature: str
    relation: str
    value: str
    labels: tuple[str, ...] = ()  # of the categories, where they are several

    @property
    def text(self) -> str:
        """The whole question, "age < 54.5"."""
        return f"{isolated(self.feature)} {self.relation} {self.values()}"

    def values(self, shown: int | None = None) -> str:
        """What follows the relation, with so many of the categories: "{a, b, … +3}"."""
        if not self.labels:
            return isolated(self.value)
        labels = [isolated(label) for label in self.labels[:shown]]
        hidden = len(self.labels) - len(labels)
        return "{" + ", ".join([*labels, f"… +{hidden}"] if hidden else labels) + "}"


def node_figures(tree: Tree, node: int) -> NodeFigures:
    """Return the figures of `node`, from its G and H."""
    record = tree.nodes[node]
    g, h = float(record["sum_gradient"]), float(record["sum_hessian"])
    score = float(record["structure_score"])
    weight = float(record["weight"]) if tree.knows_sums else math.nan
    step = tree.learning_rate * weight
    if not tree.knows_sums and tree.is_leaf[node]:
        step = float(record["leaf_value"])
    return NodeFigures(node, int(record["count"]), row_share(tree, node), g, h, weight, score, step)


def follows_from_sums(tree: Tree, figures: NodeFigures) -> bool:
    """Whether w* is −soft(G, α)/(H+λ), which nothing else restrains."""
    soft = soft_threshold(figures.sum_gradient, tree.reg_alpha)
    plain = leaf_weight(soft, figures.sum_hessian, tree.reg_lambda)
    return math.isclose(plain, figures.weight, rel_tol=1e-9, abs_tol=1e-12)


def soft_threshold(g: float, reg_alpha: float) -> float:
    """soft(G, α): G brought towards 0 by α, and 0 where it is nearer."""
    return math.copysign(max(abs(g) - reg_alpha, 0.0), g) if reg_alpha else g


def restraint_sentence(tree: Tree, figures: NodeFigures) -> str:
    """Say what else made the weight of a node; "" where it follows from G, H, λ and α."""
    if not np.isfinite(figures.sum_gradient) or follows_from_sums(tree, figures):
        return ""
    alpha = tree.reg_alpha
    soft = soft_threshold(figures.sum_gradient, alpha)
    weight = leaf_weight(soft, figures.sum_hessian, tree.reg_lambda)
    words = [f"w* = −soft(G, α)/(H+λ), α = {alpha:g}"] if alpha else []
    step = tree.max_delta_step
    if step and abs(weight) > step:
        weight = math.copysign(step, weight)
        words.append(f"held to |w*| ≤ δ = {step:g}")
    if not math.isclose(weight, figures.weight, rel_tol=1e-9, abs_tol=1e-12):
        words.append("set by a search of the leaf or by AdaBoost's vote, or held between the weights beside "
                     "it by a monotone column")
    sentence = ", ".join(words) + "."
    return sentence if alpha else sentence[0].upper() + sentence[1:]


def knows_rows(tree: Tree) -> bool:
    """Whether rows were counted; files of other programs may keep no counts."""
    return bool(tree.nodes["count"][0] > 0)


def row_share(tree: Tree, node: int) -> float:
    """Share of the tree's rows that reach `node`; of its hessian where rows were not counted; else NaN."""
    measure = _measure(tree)
    return float(measure[node] / measure[0]) if measure[0] > 0 else math.nan


def row_shares(tree: Tree) -> NDArray[np.float64]:
    """The same of every node; 0 where it is unknown."""
    measure = _measure(tree).astype(np.float64)
    return measure / measure[0] if measure[0] > 0 else np.zeros(len(measure))


def _measure(tree: Tree) -> NDArray[Any]:
    return tree.nodes["count" if knows_rows(tree) else "sum_hessian"]


def leaf_weight(g: float, h: float, reg_lambda: float) -> float:
    """w* = −G/(H+λ); 0 where there is nothing to divide by."""
    return -g / (h + reg_lambda) if h + reg_lambda > 0 else 0.0


def path_to(tree: Tree, node: int) -> tuple[int, ...]:
    """Return the nodes from the root to `node`, both included."""
    path = [node]
    while path[-1]:
        path.append(int(tree.nodes["parent"][path[-1]]))
    return tuple(reversed(path))


def test_of(tree: Tree, node: int, schema: DataSchema) -> Test:
    """Return the question that `node` asks."""
    feature = schema.features[int(tree.nodes["feature"][node])]
    codes = tree.categories(node)
    threshold = tree.nodes["threshold"][node]
    if feature.is_categorical and not len(codes):  # codes tested as numbers
        codes = np.arange(min(int(np.ceil(threshold)), len(feature.categories)), dtype=np.int32)
    return question(feature, threshold, codes)


def question(feature: Feature, threshold: np.float32, codes: NDArray[np.integer]) -> Test:
    """Return the question whether a value is below a threshold, or of a category among these codes."""
    if feature.is_categorical:
        labels = [_label(feature, int(code)) for code in codes]
        return Test(feature.name, "=", labels[0]) if len(labels) == 1 else (
            Test(feature.name, "in", "{" + ", ".join(labels) + "}", tuple(labels)))
    return Test(feature.name, "<", threshold_text(threshold, feature))


test_of.__test__ = False  # type: ignore[attr-defined]


def threshold_text(threshold: np.float32, feature: Feature, digits: int = SHOWN_DIGITS) -> str:
    """A threshold as its column's values are written, whole digits always, decimals up to `digits`.

    Below a threshold within a day are the whole days below the next, which is what is written of it.
    """
    if feature.kind == "date":
        is_short = feature.whole_days and digits < ALL_DIGITS
        return _date_text(np.ceil(threshold) if is_short else threshold, digits)
    size = abs(float(threshold))
    if size and not 1e-4 <= size < 1e9:
        text = np.format_float_scientific(threshold, precision=digits - 1, trim="-", exp_digits=1)
        text = text.replace(".e", "e")  # which numpy leaves where all decimals were rounded away
    else:
        whole = len(str(int(size))) if size >= 1 else 0
        digits = max(digits, whole + 1)
        text = np.format_float_positional(threshold, precision=digits, fractional=False, trim="-")
    return text.replace("-", "−")


def _date_text(days: np.float32, digits: int) -> str:
    """A date; with all digits the number of days, where seconds are too coarse for it."""
    to_the_second = abs(days) <= LAST_DAY and np.float32(round(float(days) * 86400) / 86400) == days
    if digits < ALL_DIGITS or to_the_second:
        return date_label(days).removesuffix(":00")
    return f"day {days!s}".replace("-", "−")


def trail(tree: Tree, node: int, schema: DataSchema) -> tuple[str, ...]:
    """Return questions and answers on the way to `node`: "thal = normal", "no", "age < 54.5"."""
    words = [word for test, said in way_to(tree, node, schema) for word in (test.text, said)]
    return (*words, "leaf" if tree.is_leaf[node] else test_of(tree, node, schema).text)


def way_to(tree: Tree, node: int, schema: DataSchema) -> Way:
    """Return the questions on the way to `node`, from the root on, and what was answered."""
    pairs = pairwise(path_to(tree, node))
    return tuple((test_of(tree, parent, schema), answer(tree, child)) for parent, child in pairs)


def answer(tree: Tree, node: int) -> str:
    """Which answer leads to `node`: "yes" or "no"."""
    return "yes" if tree.nodes["left"][tree.nodes["parent"][node]] == node else "no"


def answer_with_missing(tree: Tree, node: int) -> str:
    """Which answer leads to `node`, and whether missing values take it: "yes, missing"."""
    given = answer(tree, node)
    default_left = bool(tree.nodes["default_left"][tree.nodes["parent"][node]])
    return f"{given}, missing" if default_left == (given == "yes") else given


def missing_columns(dataset: Dataset) -> NDArray[np.bool_]:
    """Which features have missing values; reads the whole matrix, so in a job."""
    return np.array([bool(np.isnan(column).any()) for column in dataset.features.T])


def fair_share(value: float, whole: float) -> float:
    """`value` as a share of `whole`, 0 where either is unknown."""
    share = value / whole if whole else 0.0
    return float(share) if np.isfinite(share) else 0.0


def missing_sentence(tree: Tree, node: int, *, has_missing: bool) -> str:
    """Say where a missing value goes at a split, and why."""
    record = tree.nodes[node]
    side, other = ("left", "right") if record["default_left"] else ("right", "left")
    if not tree.knows_sums:
        return f"Missing goes {side}, as the model's file says."
    hessians = tree.nodes["sum_hessian"]
    more_h = hessians[record[side]] >= hessians[record[other]]
    if not has_missing:
        return f"Missing goes {side}: the column has none, so the side with more H."
    if not more_h:
        return f"Missing goes {side}: it gains more there."
    return f"Missing goes {side}: it gains more there, or this node has none and H is larger there."


def weight_limit(weights: Sequence[NDArray[np.float64]]) -> float:
    """98th percentile of the leaves' |w*|, given tree by tree: the end of the weight ramp.

    1 where there is none, or none but what rounding leaves of zero.
    """
    known = np.concatenate(weights) if weights else np.empty(0)
    known = known[np.isfinite(known)]
    limit = float(np.percentile(known, 98)) if len(known) else 0.0
    return limit if limit > NO_WEIGHT else 1.0


def _label(feature: Feature, code: int) -> str:
    return feature.categories[code] if 0 <= code < len(feature.categories) else f"code {code}"
