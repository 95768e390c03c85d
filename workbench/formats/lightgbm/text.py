"""LightGBM's own model file: text of `key=value` lines, a block for each tree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.lightgbm.model import LINEAR, LightGBMHead, lightgbm_model
from workbench.formats.lightgbm.tree import CATEGORICAL, LightGBMTree, codes_of
from workbench.formats.one_way import ReadOnly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.model import Model

Block = dict[str, str]
MOST_NODES = 1 << 26
OF_LEAVES = ("value", "weight", "count")
OF_SPLITS = (
    "split_feature", "split_gain", "threshold", "decision_type", "left_child", "right_child",
    "internal_weight", "internal_count", "cat_threshold",
)  # fmt: skip
NAMED = "pandas_categorical:"


class LightGBMText(ReadOnly):
    """The format `lightgbm`, as `Booster.save_model` writes it."""

    name = "lightgbm"
    label = "LightGBM's model text"
    suffixes: tuple[str, ...] = (".lgb.txt",)

    def read(self, data: bytes) -> Model:
        """Make a model of the text."""
        with checks.damage_reported("model file"):
            text = data.decode("utf-8")
            body, _, rest = text.partition("\nend of trees")
            if not rest:
                raise WorkbenchError("Damaged model file: it is cut off before \"end of trees\".")
            _check_end(rest)
            head, *blocks = [_block(part) for part in body.split("\nTree=")]
            return lightgbm_model(_head(head, rest), [_tree(block) for block in blocks])

    def recognises(self, data: bytes) -> bool:
        """Tell by its first lines."""
        start = data[:200].lstrip()
        return start.startswith(b"tree") and b"\nversion=v" in start.replace(b"\r", b"")


def _check_end(rest: str) -> None:
    """Refuse a file that ends before its parameters, among them, or within the names of categories.

    Python writes these into every file, other interfaces into none; parameters lack only where a model was
    loaded from an old file without them and saved again.
    """
    _, has_parameters, inside = rest.partition("\nparameters:")
    _, is_whole, after = inside.partition("\nend of parameters")
    last = after.strip()
    in_names = last != NAMED and NAMED.startswith(last) and bool(last)
    if in_names or not (is_whole or (_names_categories(rest) and not has_parameters)):
        raise WorkbenchError("Damaged model file: it is cut off behind its trees.")


def _names_categories(rest: str) -> bool:
    """Whether the line of categories is there, be it only to say that there are none."""
    return f"\n{NAMED}" in rest


def _block(text: str) -> Block:
    lines = (line.strip("\r").partition("=") for line in text.split("\n"))
    return {key: value if sign else "yes" for key, sign, value in lines if key}


def _head(block: Block, rest: str) -> LightGBMHead:
    names = block["feature_names"].split(" ")
    count = checks.integer(block["max_feature_idx"], "max_feature_idx", 0, 10**7) + 1
    if len(names) != count:
        raise WorkbenchError("Damaged model file: feature_names has the wrong length.")
    params = dict(
        line[1:-1].split(": ", 1) for line in rest.split("\n") if line.startswith("[") and ": " in line
    )
    kept = next((line for line in rest.split("\n") if line.startswith(NAMED)), ":null")
    labels = checks.sequence(json.loads(kept.partition(":")[2]) or [], "pandas_categorical")
    infos = block["feature_infos"].split(" ")
    return LightGBMHead(
        objective=block.get("objective", "custom"),
        trees_a_round=checks.integer(block["num_tree_per_iteration"], "num_tree_per_iteration", 1, 100_000),
        averages="average_output" in block,
        names=names,
        categorical=_categorical(params, infos, count),
        labels=[checks.sequence(one, "pandas_categorical") for one in labels],
        params=params,
        names_categories=_names_categories(rest),
    )


def _categorical(params: dict[str, str], infos: list[str], count: int) -> list[int]:
    """Return the categorical columns: as the parameters name them, else those with a list of values."""
    given = params.get("categorical_feature", "").split(",")
    if all(place.isdecimal() and int(place) < count for place in given):
        return sorted(map(int, given))
    return [place for place, info in enumerate(infos) if info != "none" and not info.startswith("[")]


def _tree(block: Block) -> LightGBMTree:
    if block.get("is_linear", "0").strip() not in ("0", ""):
        raise WorkbenchError(LINEAR)
    leaves = checks.integer(block["num_leaves"], "num_leaves", 1, MOST_NODES)
    if leaves == 1 and not any(block.get(name, "").strip() for name in OF_SPLITS):
        return _leaf(block)
    splits = leaves - 1

    def whole(name: str, low: int, high: int, length: int = splits) -> NDArray[np.int64]:
        given = [int(word) for word in block.get(name, "").split()]
        return checks.integers(given, name, length, low=low, high=high)

    def real(name: str, length: int) -> NDArray[np.float64]:
        return checks.reals([float(word) for word in block.get(name, "").split()], name, length)

    def shown(name: str, length: int) -> NDArray[np.float64]:
        return real(name, length) if block.get(name, "").strip() else np.full(length, np.nan)

    decision = whole("decision_type", 0, 15)
    threshold = real("threshold", splits)
    counts = [np.nan_to_num(shown("internal_count", splits)), np.nan_to_num(shown("leaf_count", leaves))]
    return LightGBMTree(
        left=whole("left_child", -leaves, splits - 1),
        right=whole("right_child", -leaves, splits - 1),
        feature=whole("split_feature", 0, 10**7),
        threshold=threshold,
        decision=decision,
        sets=_sets(block, decision, threshold),
        leaf_value=checks.finite(real("leaf_value", leaves), "leaf_value"),
        split_gain=shown("split_gain", splits),
        hessian=np.concatenate([shown("internal_weight", splits), shown("leaf_weight", leaves)]),
        rows=np.clip(np.concatenate(counts), 0, 2**53).astype(np.int64),
    )


def _leaf(block: Block) -> LightGBMTree:
    """Return a tree that asks nothing, of which a file may have very many."""
    value, weight, rows = (float(block.get(f"leaf_{name}", "").strip() or "nan") for name in OF_LEAVES)
    none = np.empty(0, np.int64)
    return LightGBMTree(
        left=none, right=none, feature=none, threshold=np.empty(0), decision=none, sets={},
        leaf_value=checks.finite(np.array([value]), "leaf_value"), split_gain=np.empty(0),
        hessian=np.array([weight]), rows=np.array([int(min(max(rows, 0), 2**53)) if rows == rows else 0]),
    )  # fmt: skip


def _sets(
    block: Block, decision: NDArray[np.int64], threshold: NDArray[np.float64]
) -> dict[int, NDArray[np.int64]]:
    """Return the codes that answer "yes" at each split on categories."""
    words = np.array([int(word) for word in block.get("cat_threshold", "").split()], np.int64)
    begins = [int(word) for word in block.get("cat_boundaries", "").split()]
    bounds = checks.integers(begins, "cat_boundaries", low=0, high=len(words))
    if len(words) and not 0 <= words.min() <= words.max() < 1 << 32:
        raise WorkbenchError("Damaged model file: cat_threshold has a number of more than 32 bits.")
    if (np.diff(bounds) < 0).any():
        raise WorkbenchError("Damaged model file: cat_boundaries must ascend.")
    sets: dict[int, Any] = {}
    asking = np.flatnonzero(decision & CATEGORICAL).tolist()
    if len({float(threshold[split]) for split in asking}) < len(asking):
        raise WorkbenchError("Damaged model file: two splits share one set of categories.")
    for split in asking:
        place = checks.integer(int(threshold[split]), "threshold", 0, len(bounds) - 2)
        sets[split] = codes_of(words[bounds[place] : bounds[place + 1]])
    return sets


FORMATS.register(LightGBMText())
