"""LightGBM's `dump_model`, saved as JSON: the trees as objects in objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.lightgbm.model import LINEAR, LightGBMHead, lightgbm_model
from workbench.formats.lightgbm.tree import CATEGORICAL, DEFAULT_LEFT, MISSING_SHIFT, MOST_CODES, LightGBMTree
from workbench.formats.one_way import ReadOnly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.model import Model

MISSING_KINDS = ("None", "Zero", "NaN")
DECISIONS = {"<=": False, "==": True}  # whether categories are asked for


class LightGBMJson(ReadOnly):
    """The format `lightgbm-json`."""

    name = "lightgbm-json"
    label = "LightGBM's model as JSON"
    suffixes: tuple[str, ...] = (".lgb.json",)

    def read(self, data: bytes) -> Model:
        """Make a model of the document."""
        with checks.damage_reported("model file"):
            record = checks.parse_object(data)
            trees = checks.sequence(record["tree_info"], "tree_info")
            return lightgbm_model(_head(record), [_tree(tree) for tree in trees])

    def recognises(self, data: bytes) -> bool:
        """Tell by keys that stand at its beginning."""
        start = data[:4096].lstrip()
        return start.startswith(b"{") and b'"num_tree_per_iteration"' in start


def _head(record: dict[str, Any]) -> LightGBMHead:
    given = checks.sequence(record["feature_names"], "feature_names")
    names = [checks.text(name, "a feature's name") for name in given]
    infos = checks.mapping(record.get("feature_infos", {}), "feature_infos")
    labels = checks.sequence(record.get("pandas_categorical") or [], "pandas_categorical")
    return LightGBMHead(
        objective=checks.text(record.get("objective", "custom"), "objective"),
        trees_a_round=checks.integer(record["num_tree_per_iteration"], "num_tree_per_iteration", 1, 100_000),
        averages=bool(record.get("average_output", False)),
        names=names,
        categorical=[place for place, name in enumerate(names) if infos.get(name, {}).get("values")],
        labels=[checks.sequence(one, "pandas_categorical") for one in labels],
        params={},
    )


def _tree(record: Any) -> LightGBMTree:
    """Number splits as they are met, leaves apart."""
    splits: list[dict[str, Any]] = []
    leaves: list[dict[str, Any]] = []
    children: list[list[int]] = []
    waiting: list[tuple[Any, int, int]] = [(checks.mapping(record, "a tree")["tree_structure"], -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        node = checks.mapping(node, "a node")
        is_split = "left_child" in node
        (splits if is_split else leaves).append(node)
        place = len(splits) - 1 if is_split else ~(len(leaves) - 1)
        if parent >= 0:
            children[parent][side] = place
        if is_split:
            children.append([0, 0])
            waiting += [(node["right_child"], place, 1), (node["left_child"], place, 0)]
    return _arrays(splits, leaves, np.array(children, np.int64).reshape(-1, 2))


def _arrays(
    splits: list[dict[str, Any]], leaves: list[dict[str, Any]], children: NDArray[np.int64]
) -> LightGBMTree:
    if any("leaf_coeff" in leaf for leaf in leaves):
        raise WorkbenchError(LINEAR)
    is_set = [DECISIONS[split["decision_type"]] for split in splits]
    sets = {place: _codes(split) for place, split in enumerate(splits) if is_set[place]}
    decision = [
        CATEGORICAL * asks + DEFAULT_LEFT * bool(split["default_left"])
        + (MISSING_KINDS.index(split["missing_type"]) << MISSING_SHIFT)
        for split, asks in zip(splits, is_set, strict=True)
    ]  # fmt: skip
    thresholds = [0.0 if asks else split["threshold"] for split, asks in zip(splits, is_set, strict=True)]

    def each(name: str) -> NDArray[np.float64]:
        shown = [split.get(f"internal_{name}") for split in splits]
        return checks.reals([*shown, *(leaf.get(f"leaf_{name}") for leaf in leaves)], name)

    features = [split["split_feature"] for split in splits]
    values = checks.reals([leaf["leaf_value"] for leaf in leaves], "leaf_value")
    return LightGBMTree(
        left=children[:, 0],
        right=children[:, 1],
        feature=checks.integers(features, "split_feature", low=0, high=10**7),
        threshold=checks.finite(checks.reals(thresholds, "threshold"), "threshold"),
        decision=np.array(decision, np.int64),
        sets=sets,
        leaf_value=checks.finite(values, "leaf_value"),
        split_gain=checks.reals([split.get("split_gain") for split in splits], "split_gain"),
        hessian=each("weight"),
        rows=np.clip(np.nan_to_num(each("count")), 0, 2**53).astype(np.int64),
    )


def _codes(split: dict[str, Any]) -> NDArray[np.int64]:
    """Return the codes of "1||3"."""
    codes = [int(code) for code in checks.text(split["threshold"], "threshold").split("||") if code]
    return np.unique(checks.integers(codes, "threshold", low=0, high=MOST_CODES))


FORMATS.register(LightGBMJson())
