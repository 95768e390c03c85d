"""What LightGBM's two kinds of file have in common: objectives, columns, and one tree's arrays."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.data.values.labels import number_label
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.lightgbm.tree import plain_tree
from workbench.formats.lightgbm.zero import APART_NOTE, ZeroApart
from workbench.formats.model import Model
from workbench.parameters.training import PARAMETERS, TrainingParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import Fractions
    from workbench.formats.lightgbm.tree import LightGBMTree
    from workbench.trees.tree import Tree

NOTE = "The model was made by LightGBM: G and structure scores are unknown, and gain is with γ = 0."
CODES_NOTE = (
    "The file does not tell which columns its names of categories are for, and their codes 0, 1, 2 … stand "
    "for them, as a table must have them too."
)
UNNAMED_NOTE = (
    "The file does not name its categories, as files of R or the command line do not, nor one that is cut "
    "off at its end: their codes 0, 1, 2 … stand for them, as a table must have them too."
)
LINEAR = "The model has linear functions in its leaves. Train it with linear_tree=false."
OBJECTIVES_BY_NAME = {
    "regression": "squared", "regression_l2": "squared", "regression_l1": "absolute", "huber": "huber",
    "quantile": "quantile", "poisson": "poisson", "gamma": "gamma", "tweedie": "tweedie",
    "binary": "logistic", "cross_entropy": "logistic", "multiclass": "softmax", "lambdarank": "lambdarank",
    "rank_xendcg": "lambdarank", "multiclassova": "one_vs_rest",
    "cross_entropy_lambda": "cross_entropy_lambda", "fair": "custom", "mape": "custom", "custom": "custom",
    "none": "custom",
}  # fmt: skip
TASKS = {"softmax": "multiclass", "one_vs_rest": "multiclass", "logistic": "binary"}


class LightGBMHead(NamedTuple):
    """What the file says of the whole model."""

    objective: str  # with its options: "binary sigmoid:1"
    trees_a_round: int
    averages: bool
    names: list[str]
    categorical: list[int]
    labels: list[list[Any]]  # of the categorical columns of the frame
    params: dict[str, str]
    names_categories: bool = True  # whether it says of some or of none how they are called


def lightgbm_model(head: LightGBMHead, parsed: Sequence[LightGBMTree]) -> Model:
    """Make a model of what a file holds."""
    name, factor = _objective(head.objective)
    outputs = head.trees_a_round
    task = TASKS.get(name, "regression")
    if name != "custom" and (task == "multiclass") != (outputs > 1):
        raise WorkbenchError(
            "The model predicts several values a row that are no classes; it cannot be shown here."
        )
    if len(parsed) % outputs:
        raise WorkbenchError("Damaged model file: the last round has too few trees.")
    scale = factor / (max(len(parsed) // outputs, 1) if head.averages else 1)
    trees = _trees(parsed, len(head.names), outputs, scale)
    labels = tuple(range(max(outputs, 2))) if task != "regression" else ()
    asked = _largest_codes(parsed)
    categorical = sorted({*head.categorical, *asked})
    named = _named(head, categorical, parsed)
    categorical = sorted({*categorical, *named})
    checks.made_up(sum(asked.values()) + len(asked), "categories", sum(len(t.left) for t in parsed))
    features = _features(head.names, categorical, named, asked)
    schema = DataSchema(features, "target", task, labels, blanks_underscored=True)  # type: ignore[arg-type]
    ensemble = Ensemble(name, len(head.names), outputs, np.zeros(outputs), trees)
    params, known = _params(head, name, ensemble.rounds)
    notes = [NOTE]
    notes += [CODES_NOTE] if head.labels and not named else []
    notes += [UNNAMED_NOTE] if categorical and not head.names_categories else []
    notes += [APART_NOTE] if any(tree.parts_zero for tree in parsed) else []
    provenance = {"program": "LightGBM", "notes": notes, "known_params": known}
    return Model(ensemble, schema, params, provenance=provenance)


def _trees(
    parsed: Sequence[LightGBMTree], n_features: int, outputs: int, scale: float
) -> tuple[Tree, ...]:
    apart, made = ZeroApart(), []
    for place, tree in enumerate(parsed):
        made.append(plain_tree(tree, n_features, place % outputs, scale))
        if tree.parts_zero:
            made[-1] = apart.tree(tree, n_features, place % outputs, scale)
    return tuple(made)


def _objective(text: str) -> tuple[str, float]:
    """Return our name of an objective, and what its raw predictions are multiplied by before the link."""
    words = text.split() or ["custom"]
    options = dict(word.split(":", 1) for word in words[1:] if ":" in word)
    if words[0] not in OBJECTIVES_BY_NAME:
        known = ", ".join(sorted(set(OBJECTIVES_BY_NAME) - {"none", "custom"}))
        raise WorkbenchError(f"The model's objective '{text[:60]}' is not known here. Known: {known}.")
    if "sqrt" in words[1:]:
        return "root", 1.0
    return OBJECTIVES_BY_NAME[words[0]], float(options.get("sigmoid", 1.0))


def _params(head: LightGBMHead, objective: str, rounds: int) -> tuple[TrainingParams, list[str]]:
    """Return the parameters, and the names of those that the file tells."""
    found: dict[str, Any] = {"objective": objective, "rounds": min(max(rounds, 1), 100_000)}
    for parameter in PARAMETERS:
        given = head.params.get(parameter.name_in("lightgbm"), "")
        with suppress(ValueError, WorkbenchError):  # what is not given, or not possible here, stays as it is
            if parameter.kind == "real":
                found[parameter.name] = parameter.check(parameter.from_alias(float(given)))
    return TrainingParams(**found), list(found)


def _largest_codes(trees: Sequence[LightGBMTree]) -> dict[int, int]:
    """Return the largest code that a split names, of each column that one asks for categories."""
    asked: dict[int, int] = {}
    for tree in trees:
        for split, codes in tree.sets.items():
            feature = int(tree.feature[split])
            asked[feature] = max(asked.get(feature, 0), int(codes[-1]))
    return asked


def _features(
    names: Sequence[str], categorical: Sequence[int], named: dict[int, list[Any]], asked: dict[int, int]
) -> tuple[Feature, ...]:
    features = []
    for place, name in enumerate(names):
        if place not in categorical:
            features.append(Feature(name, "number"))
            continue
        labels = [_label(value) for value in named.get(place, ())]
        labels += [str(code) for code in range(len(labels), asked.get(place, -1) + 1)]
        fractions: Fractions = "" if place in named else "to zero"
        features.append(Feature(name, "category", tuple(labels), fractions=fractions))
    return tuple(features)


def _named(
    head: LightGBMHead, categorical: list[int], parsed: Sequence[LightGBMTree]
) -> dict[int, list[Any]]:
    """Return the names of each column's categories; old files do not say which columns have some.

    Where there are as many as columns that no split asks for order, each of these has some.
    """
    if not head.labels:
        return {}
    by_order = {place for tree in parsed for place in tree.feature[~tree.is_set].tolist()}
    others = [place for place in range(len(head.names)) if place not in by_order]
    for columns in (head.categorical, categorical, others):
        if len(columns) == len(head.labels):
            return dict(zip(columns, head.labels, strict=True))
    return {}


def _label(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return number_label(np.float64(value))
