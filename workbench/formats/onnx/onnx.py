"""ONNX: a TreeEnsemble of `ai.onnx.ml` 5 and the link after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.code.links import link_of
from workbench.formats.edits import KEY, edits_told
from workbench.formats.onnx.graph import DOUBLE, FLOAT, is_onnx
from workbench.formats.onnx.reader import OWN_KEY, model_of_onnx
from workbench.formats.own.schema_record import schema_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

LESS, MEMBER = 1, 6  # BRANCH_LT and BRANCH_MEMBER
OPSET, TREE_OPSET, IR_VERSION = 18, 5, 10
SUM = 1


class Onnx:
    """The format `onnx`: input `features` (n, d), outputs `raw` and `prediction` (n, K), all float32.

    A model that adds doubles up has outputs of doubles. Missing is NaN, a category its code, which
    `metadata_props` list under "categories". Read are also files of other programs, whose trees may stand in
    the operators of earlier versions.
    """

    name = "onnx"
    label = "ONNX (TreeEnsemble)"
    suffixes: tuple[str, ...] = (".onnx",)
    can_read = can_write = True

    def read(self, data: bytes) -> Model:
        """Make a model of a file's bytes; needs no package."""
        with checks.damage_reported("model file"):
            return model_of_onnx(data)

    def recognises(self, data: bytes) -> bool:
        """Tell by the version and the graph."""
        return is_onnx(data)

    def write(self, model: Model) -> bytes:
        """Return the model as protocol buffer; needs the package `onnx`."""
        helper = _helper()
        ensemble = model.ensemble.folded()
        kind, columns = (DOUBLE, "columns") if ensemble.adds_doubles else (FLOAT, "features")
        if ensemble.has_offset:
            raise WorkbenchError("An ONNX file has no place for an offset. Convert to 'c' instead.")
        outputs, n_features = ensemble.n_classes, ensemble.n_features
        nodes = [
            *([helper.make_node("Cast", ["features"], [columns], to=kind)] if ensemble.adds_doubles else []),
            helper.make_node("TreeEnsemble", [columns], ["leaves"], domain="ai.onnx.ml",
                             **_attributes(ensemble)),
            helper.make_node("Add", ["leaves", "base"], ["raw"]),
            *_link_nodes(model),
        ]
        graph = helper.make_graph(
            nodes, "boosted_trees",
            [helper.make_tensor_value_info("features", FLOAT, ["rows", n_features])],
            [helper.make_tensor_value_info(name, kind, ["rows", outputs]) for name in ("raw", "prediction")],
            _constants(ensemble),
        )  # fmt: skip
        imports = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", TREE_OPSET)]
        made = helper.make_model(
            graph, opset_imports=imports, ir_version=IR_VERSION, producer_name="Boosting Workbench",
            doc_string="\n".join(edits_told(model)),
        )
        helper.set_model_props(made, _metadata(model))
        return bytes(made.SerializeToString(deterministic=True))


def _helper() -> Any:
    try:
        from onnx import helper
    except ImportError as error:
        raise WorkbenchError("ONNX needs the package onnx. Install it with: pip install onnx") from error
    return helper


def _metadata(model: Model) -> dict[str, str]:
    schema = model.schema
    known = {
        "target": schema.target,
        "classes": list(schema.class_labels),
        "features": list(schema.names),
        "categories": {f.name: list(f.categories) for f in schema.features if f.is_categorical},
        OWN_KEY: {
            "objective": model.ensemble.objective, "outputs": list(model.ensemble.output_names),
            "schema": schema_record(schema), **({"assumed": True} if model.objective is None else {}),
        },
    }  # fmt: skip
    known |= {KEY: model.provenance[KEY]} if KEY in model.provenance else {}
    return {name: json.dumps(value, ensure_ascii=True) for name, value in known.items()}


def _tensor(name: str, values: NDArray[Any]) -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(values, name)


def _constants(ensemble: Ensemble) -> list[Any]:
    link = link_of(ensemble)
    factor = np.array([link.factor], ensemble.base_margin.dtype)
    factors = [_tensor("factor", factor)] if link.name == "logistic" else []
    places = [_tensor("is_variance", np.arange(ensemble.n_classes) == 1)] if link.name == "variance" else []
    return [_tensor("base", ensemble.base_margin), *factors, *places]


def _link_nodes(model: Model) -> list[Any]:
    helper = _helper()
    link = link_of(model.ensemble)
    if link.is_softmax:
        return [helper.make_node("Softmax", ["raw"], ["prediction"], axis=1)]
    return [helper.make_node(operator, taken, [made]) for operator, taken, made in link.spelling.onnx]


def _attributes(ensemble: Ensemble) -> dict[str, Any]:
    """Return the attributes of the operator: splits of all trees one after another, and so the leaves."""
    parts = [_parts(tree) for tree in ensemble.trees] or [_nothing()]
    split_begin = np.cumsum([0] + [len(part["nodes_featureids"]) for part in parts])
    leaf_begin = np.cumsum([0] + [len(part["leaf_weights"]) for part in parts])
    joined: dict[str, NDArray[Any]] = {
        name: np.concatenate([part[name] for part in parts]) for name in parts[0]
    }
    for side in ("true", "false"):
        starts = [
            np.where(part[f"nodes_{side}leafs"] == 1, leaf, split)
            for part, split, leaf in zip(parts, split_begin, leaf_begin, strict=False)
        ]
        joined[f"nodes_{side}nodeids"] += np.concatenate(starts)
    attributes: dict[str, Any] = {
        name: values.tolist() if values.dtype == np.int64
        else _tensor(name, values if name == "nodes_modes" else values.astype(ensemble.base_margin.dtype))
        for name, values in joined.items()
    }  # fmt: skip
    if not len(joined["membership_values"]):
        del attributes["membership_values"]
    return attributes | {
        "tree_roots": split_begin[:-1].tolist(), "n_targets": ensemble.n_classes, "aggregate_function": SUM,
        "post_transform": 0,
    }  # fmt: skip


def _parts(tree: Tree) -> dict[str, NDArray[Any]]:
    """Return the attributes of one tree; a leaf alone hangs on both sides of a split that asks nothing."""
    if tree.n_nodes == 1:
        return _nothing(float(tree.nodes["leaf_value"][0]), tree.class_index)
    leaf = tree.is_leaf
    splits = tree.nodes[~leaf]
    place = np.where(leaf, np.cumsum(leaf), np.cumsum(~leaf)) - 1
    begin, end = tree.category_begin[:-1][~leaf], tree.category_begin[1:][~leaf]
    members = [
        np.append(tree.category_codes[b:e].astype(np.float32), np.float32(np.nan))
        for b, e in zip(begin, end, strict=True) if e > b
    ]  # fmt: skip
    is_set = end > begin
    return {
        "nodes_featureids": splits["feature"].astype(np.int64),
        "nodes_splits": np.where(is_set, 0, splits["threshold"]).astype(np.float32),
        "nodes_modes": np.where(is_set, MEMBER, LESS).astype(np.uint8),
        "nodes_missing_value_tracks_true": _missing_is_yes(tree)[~leaf].astype(np.int64),
        "nodes_truenodeids": place[splits["left"]].astype(np.int64),
        "nodes_falsenodeids": place[splits["right"]].astype(np.int64),
        "nodes_trueleafs": leaf[splits["left"]].astype(np.int64),
        "nodes_falseleafs": leaf[splits["right"]].astype(np.int64),
        "leaf_weights": tree.nodes["leaf_value"][leaf],
        "leaf_targetids": np.full(leaf.sum(), tree.class_index, np.int64),
        "membership_values": np.concatenate([np.empty(0, np.float32), *members]),
    }


def _missing_is_yes(tree: Tree) -> NDArray[np.bool_]:
    """Return where missing values go, told of two questions alike where a runtime takes them for one.

    onnxruntime joins a question for categories with one behind its "no" for others of the same column, where
    both lead to leaves that add as much, and looks at one of them only for missing values. These end at such
    a leaf or behind both, so that one answer can be given for both.
    """
    nodes, leaf, left, right = tree.nodes, tree.is_leaf, tree.nodes["left"], tree.nodes["right"]
    missing_is_yes, is_set = nodes["default_left"].copy(), np.diff(tree.category_begin) > 0
    like = is_set & is_set[right] & (nodes["feature"] == nodes["feature"][right])
    like &= leaf[left] & leaf[left[right]] & (nodes["leaf_value"][left] == nodes["leaf_value"][left[right]])
    joined = np.flatnonzero(like)
    for node in joined[::-1]:  # children stand after their parent
        missing_is_yes[node] |= missing_is_yes[right[node]]
    for node in joined:
        missing_is_yes[right[node]] |= missing_is_yes[node]
    return missing_is_yes


def _nothing(value: float = 0.0, class_index: int = 0) -> dict[str, NDArray[Any]]:
    """Return the attributes of a tree that adds one value to every row."""
    one, none = np.ones(1, np.int64), np.zeros(1, np.int64)
    return {
        "nodes_featureids": none, "nodes_splits": np.zeros(1, np.float32),
        "nodes_modes": np.full(1, LESS, np.uint8), "nodes_missing_value_tracks_true": one,
        "nodes_truenodeids": none.copy(), "nodes_falsenodeids": none.copy(),
        "nodes_trueleafs": one, "nodes_falseleafs": one,
        "leaf_weights": np.full(1, value), "leaf_targetids": np.full(1, class_index, np.int64),
        "membership_values": np.empty(0, np.float32),
    }  # fmt: skip


FORMATS.register(Onnx())
