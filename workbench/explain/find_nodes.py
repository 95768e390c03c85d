"""Finding the nodes of a tree that somebody means: by number, by feature, by threshold or category."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_figures import ALL_DIGITS, SHOWN_DIGITS, threshold_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, Feature
    from workbench.trees.tree import Tree

QUESTION = re.compile(r"(?P<name>.*\S)\s*(?:<|=|\bin\b)\s*(?P<value>.*)")
NODE = re.compile(r"(?:node|#)\s*(\d+)")


def find_nodes(tree: Tree, schema: DataSchema, query: str) -> NDArray[np.int64]:
    """Return the nodes that `query` names, ascending.

    "12" is node 12 and every threshold that begins so, "#12" the node alone; "age" every split on a feature
    with that in its name; "54.5" every threshold that begins so; "normal" every test on such a category;
    "age < 54.5" and "thal = normal" both at once. Letters may be small or capital.
    """
    words = query.replace("−", "-").replace(",", "").strip().casefold()
    if not words:
        return np.empty(0, np.int64)
    node = NODE.fullmatch(words)
    if node:
        return _node(tree, node[1])
    asked = QUESTION.fullmatch(words)
    if asked and asked["value"]:
        found = _on_features(tree, schema, asked["name"]) & _with_value(tree, schema, asked["value"])
        return np.flatnonzero(found)
    found = _on_features(tree, schema, words.rstrip("<= ")) | _with_value(tree, schema, words)
    return np.union1d(np.flatnonzero(found), _node(tree, words))


def _node(tree: Tree, digits: str) -> NDArray[np.int64]:
    number = int(digits) if digits.isdecimal() and len(digits) < 10 else tree.n_nodes
    return np.array([number] if number < tree.n_nodes else [], np.int64)


def _on_features(tree: Tree, schema: DataSchema, part: str) -> NDArray[np.bool_]:
    """Which nodes ask about a feature with `part` in its name; about one of exactly that name, if any."""
    names = [feature.name.casefold() for feature in schema.features]
    wanted = np.array([name == part for name in names])
    if not wanted.any():
        wanted = np.array([part in name for name in names])
    feature = tree.nodes["feature"]
    return (feature >= 0) & wanted[np.maximum(feature, 0)]


def _with_value(tree: Tree, schema: DataSchema, part: str) -> NDArray[np.bool_]:
    found = _with_category(tree, schema, part) | _with_date(tree, schema, part)
    return found | _with_threshold(tree, schema, part)


def _with_threshold(tree: Tree, schema: DataSchema, part: str) -> NDArray[np.bool_]:
    """Which thresholds begin with the digits of `part`, as far as a threshold is shown."""
    number = re.fullmatch(r"-?(\d++\.?+\d*+|\.\d++)(e-?\d+)?", part)
    dates = np.array([feature.kind == "date" for feature in schema.features])
    if not number:
        return np.zeros(tree.n_nodes, np.bool_)
    wanted, values = float(part), tree.nodes["threshold"].astype(np.float64)
    known = np.isfinite(values) & ~dates[np.maximum(tree.nodes["feature"], 0)]
    if number[2]:
        return known & np.isclose(values, wanted, rtol=1e-5, atol=0.0)
    step = 10.0 ** len(part.partition(".")[2])
    shown = _as_shown(np.where(known, values, 0.0))
    same_side = (shown < 0) == part.startswith("-")
    begins = np.floor(np.abs(shown) * step * (1 + 1e-12) + 1e-9) == round(abs(wanted) * step)
    return known & (same_side & begins | (tree.nodes["threshold"] == np.float32(wanted)))


def _as_shown(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round to the digits that are shown: whole digits all count, and a decimal at least."""
    size = np.floor(np.log10(np.maximum(np.abs(values), 1e-30)))
    scale = 10.0 ** np.clip(SHOWN_DIGITS - 1 - size, 1, 35)
    return np.rint(values * scale) / scale


def _with_date(tree: Tree, schema: DataSchema, part: str) -> NDArray[np.bool_]:
    found = np.zeros(tree.n_nodes, np.bool_)
    if not part[:4].isdecimal():
        return found
    for place in np.unique(tree.nodes["feature"]).tolist():
        if place >= 0 and schema.features[place].kind == "date":
            asked = tree.nodes["feature"] == place
            values, member = np.unique(tree.nodes["threshold"][asked], return_inverse=True)
            begins = np.array([_begins(value, schema.features[place], part) for value in values])
            found[asked] = begins[member.ravel()]
    return found


def _begins(threshold: np.float32, feature: Feature, part: str) -> bool:
    """Whether a date begins with `part`, as it is shown or in full."""
    return any(threshold_text(threshold, feature, digits).startswith(part)
               for digits in (SHOWN_DIGITS, ALL_DIGITS))


def _with_category(tree: Tree, schema: DataSchema, part: str) -> NDArray[np.bool_]:
    found = np.zeros(tree.n_nodes, np.bool_)
    node_of_code = np.repeat(np.arange(tree.n_nodes), np.diff(tree.category_begin))
    feature_of_code = tree.nodes["feature"][node_of_code]
    for place in np.unique(feature_of_code).tolist():
        labels = [label.casefold() for label in schema.features[place].categories]
        codes = [code for code, label in enumerate(labels) if label == part] or (
            [code for code, label in enumerate(labels) if part in label])
        found[node_of_code[(feature_of_code == place) & np.isin(tree.category_codes, codes)]] = True
    return found
