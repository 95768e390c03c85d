"""A model of an ONNX file: its trees with thresholds, sets and missing values as ours have them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.code.links import UNTOLD, link_of
from workbench.formats.imported_tree import ImportedNodes, above, imported_tree, not_below
from workbench.formats.model import Model
from workbench.formats.onnx.graph import graph_of
from workbench.formats.onnx.scores import scores_of
from workbench.formats.onnx.trees import EQ, GT, GTE, LEAF, LEQ, MEMBER, MOST_COLUMNS, MOST_NODES, NEQ
from workbench.formats.own.document import check_categories
from workbench.formats.own.schema_record import schema_of
from workbench.parameters.training import TrainingParams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.onnx.trees import OnnxTree
    from workbench.formats.onnx.values import Scores
    from workbench.trees.tree import Tree

OWN_KEY = "workbench"  # of the metadata that our writer adds
NOTE = "The model was read from ONNX{}: gains, G, H, η, λ, structure scores and row counts are unknown{}."
OBJECTIVE_OF_LINK = {"identity": "squared", "logistic": "logistic", "exp": "poisson", "softmax": "softmax",
                     "softplus": "cross_entropy_lambda", "square": "root", "step": "hinge",
                     "variance": "uncertainty"}  # fmt: skip
MOST_CODES = 1 << 20
MOST_ADDED = 10_000  # trees that add 0, where a class has fewer than another


class Said(NamedTuple):
    """What the file says of a model besides its trees."""

    objective: str
    schema: DataSchema
    outputs: tuple[str, ...] = ()
    is_assumed: bool = True  # the objective, by its link


def model_of_onnx(data: bytes) -> Model:
    """Make a model of a file's bytes."""
    graph = graph_of(data)
    scores = scores_of(graph)
    said = _said_by_us(graph.metadata, scores) or Said(_objective(scores), _schema(scores))
    outputs = len(scores.base)
    if said.objective == "logistic" and outputs > 1:
        words = "The ONNX model predicts several probabilities that do not add up to one"
        raise WorkbenchError(f"{words}; it cannot be shown here.")
    unscaled = Ensemble(said.objective, len(said.schema.features), outputs, np.zeros(outputs, np.float32))
    scores = scores.scaled(1 / link_of(unscaled).factor)
    trees = _trees(scores, said.schema)
    check_categories(trees, said.schema)
    ensemble = Ensemble(
        said.objective, len(said.schema.features), outputs,
        (checks.doubles if scores.doubles else checks.float32)(scores.base, "base_values"), trees,
        output_names=said.outputs,
    )  # fmt: skip
    rounds = min(max(ensemble.rounds, 1), 100_000)
    params = TrainingParams(objective=said.objective, rounds=rounds, learning_rate=1.0)
    by = f", written by {graph.producer[:40]}" if graph.producer else ""
    note = NOTE.format(by, UNTOLD.format(said.objective) if said.is_assumed else "")
    known = ["rounds", *([] if said.is_assumed else ["objective"])]
    provenance = {"program": "ONNX", "notes": [note], "known_params": known}
    return Model(ensemble, said.schema, params, provenance=provenance)


def _objective(scores: Scores) -> str:
    """Return an objective with this link."""
    if scores.link == "logistic" and len(scores.base) > 1:
        return "one_vs_rest" if scores.labels else "multilabel"
    return OBJECTIVE_OF_LINK[scores.link]


def _said_by_us(metadata: dict[str, str], scores: Scores) -> Said | None:
    """Return what our own writer has added, where it fits the trees."""
    if OWN_KEY not in metadata:
        return None
    record = checks.mapping(json.loads(metadata[OWN_KEY]), OWN_KEY)
    schema = schema_of(record["schema"])
    names = [checks.text(name, "outputs") for name in checks.sequence(record["outputs"], "outputs")]
    objective, is_assumed = checks.text(record["objective"], "objective"), record.get("assumed") is True
    said = Said(objective, schema, tuple(names), is_assumed)
    outputs = len(scores.base)
    made = Ensemble(said.objective, len(schema.features), outputs, np.zeros(outputs, np.float32))
    fits = link_of(made).name == scores.link and len(schema.features) == len(scores.columns.names)
    return said if fits and len(names) in (0, outputs) else None


def _schema(scores: Scores) -> DataSchema:
    outputs = len(scores.base)
    labels = scores.labels if scores.pair != "opposite" else ()  # a score, and no probability
    if not labels and (scores.link == "softmax" or (scores.link in ("logistic", "step") and outputs == 1)):
        labels = tuple(range(max(outputs, 2)))
    task = "regression" if not labels else "binary" if len(labels) == 2 else "multiclass"
    return DataSchema(_features(scores), "target", task, labels)  # type: ignore[arg-type]


def _features(scores: Scores) -> tuple[Feature, ...]:
    """Name the columns by their inputs; those that are asked for equality hold categories, named by code."""
    given = scores.columns
    count = len(given.names) if given.wide else 0
    largest: dict[int, int] = {}
    for tree in scores.trees:
        split = tree.mode != LEAF
        count = max(count, 0 if given.wide else int(tree.feature[split].max(initial=-1)) + 1)
        for node, codes in _sets(tree).items():
            feature = int(tree.feature[node])
            largest[feature] = max(largest.get(feature, -1), int(codes[-1]))
    checks.integer(count, "the number of columns", 0, MOST_COLUMNS)
    nodes = sum(len(tree.left) for tree in scores.trees)
    checks.made_up(count + sum(largest.values()) + len(largest), "columns and categories", nodes)
    several = given.wide and len({name for name, _ in given.names}) > 1
    single = len({name for name, _ in given.names}) == len(given.names)
    names = [f"f{place}" for place in range(count)]
    if several:
        names = [name if single else f"{name} {place}" for name, place in given.names]
    return tuple(
        Feature(name, "category", tuple(map(str, range(largest[place] + 1))))
        if place in largest else Feature(name, "number")
        for place, name in enumerate(names)
    )  # fmt: skip


def _trees(scores: Scores, schema: DataSchema) -> tuple[Tree, ...]:
    """Return trees in the order round, class; one that adds to several classes becomes one for each."""
    outputs = len(scores.base)
    for tree in scores.trees:
        _check_kinds(tree, schema)
    targets = [set(np.unique(tree.target).tolist()) for tree in scores.trees]
    if any(len(some) > 1 for some in targets):
        nodes = outputs * sum(len(tree.left) for tree in scores.trees)
        if nodes > MOST_NODES:
            raise WorkbenchError(
                f"With a tree for each of its {outputs} classes the model has {nodes:,} nodes; "
                f"at most {MOST_NODES:,} can be shown here."
            )
        return tuple(_tree(tree, schema, k, scores.doubles) for tree in scores.trees for k in range(outputs))
    by_class: list[list[Tree]] = [[] for _ in range(outputs)]
    for tree, some in zip(scores.trees, targets, strict=True):
        k = min(some, default=0)
        by_class[k].append(_tree(tree, schema, k, scores.doubles))
    rounds = max(map(len, by_class))
    if rounds * outputs - len(scores.trees) > MOST_ADDED:
        raise WorkbenchError("The model has more trees for one class than for another; it cannot be shown.")
    for k, own in enumerate(by_class):
        own += [_nothing(len(schema.features), k, scores.doubles) for _ in range(rounds - len(own))]
    return tuple(tree for trees in zip(*by_class, strict=True) for tree in trees)


def _nothing(n_features: int, k: int, doubles: bool) -> Tree:
    """Return a tree that adds 0."""
    leaf = np.full(1, -1, np.int64)
    made = ImportedNodes(leaf, leaf, leaf, np.zeros(1, np.float32), np.zeros(1, bool), np.zeros(1))
    return imported_tree(made, n_features, k, doubles=doubles)


def _check_kinds(tree: OnnxTree, schema: DataSchema) -> None:
    """Refuse a column that is asked both for order and for equality, which is no column of ours."""
    split = tree.mode != LEAF
    if (tree.feature[split] >= len(schema.features)).any() or (tree.feature[split] < 0).any():
        raise WorkbenchError("Damaged model file: a split asks for a column that the model does not have.")
    by_order = split & ~_asks_equality(tree)
    for place in np.unique(tree.feature[by_order]).tolist():
        if schema.features[place].is_categorical:
            name = schema.features[place].name
            raise WorkbenchError(
                f"The ONNX model asks of column '{name}' both which is less and which is equal; "
                "it cannot be shown here."
            )


def _asks_equality(tree: OnnxTree) -> NDArray[np.bool_]:
    return (tree.mode == EQ) | (tree.mode == NEQ) | (tree.mode == MEMBER)


def _sets(tree: OnnxTree) -> dict[int, NDArray[np.int64]]:
    """Return the codes that each question for equality names, ascending."""
    found = {}
    for node in np.flatnonzero(_asks_equality(tree)).tolist():
        values = tree.members[node] if tree.mode[node] == MEMBER else tree.value[node : node + 1]
        are_codes = (values >= 0) & (values <= MOST_CODES) & (values == np.floor(values))
        if not len(values) or not are_codes.all():
            raise WorkbenchError(
                f"The ONNX model asks whether a value equals {', '.join(f'{v:g}' for v in values[:3])}, "
                "which is no code of a category; it cannot be shown here."
            )
        found[node] = np.unique(values.astype(np.int64))
    return found


def _tree(tree: OnnxTree, schema: DataSchema, k: int, doubles: bool) -> Tree:
    """Turn the questions round that ask for what is not less, or not equal: "yes" goes left."""
    turned = (tree.mode == GTE) | (tree.mode == GT) | (tree.mode == NEQ)
    closed = (tree.mode == LEQ) | (tree.mode == GT)  # whose threshold itself is not above
    value = np.where(tree.mode == LEAF, 0.0, tree.value)
    if np.isnan(value).any():
        raise WorkbenchError("Damaged model file: a threshold is no number.")
    of_class = tree.target == k
    added = np.bincount(tree.leaf[of_class], tree.weight[of_class], minlength=len(tree.left))
    made = ImportedNodes(
        left=np.where(turned, tree.right, tree.left),
        right=np.where(turned, tree.left, tree.right),
        feature=tree.feature,
        threshold=np.where(closed, above(value), not_below(value)),
        default_left=(tree.tracks_true != turned) & (tree.mode != NEQ),  # NaN is never equal
        value=checks.finite(added, "a leaf"),
        sets=_sets(tree),
    )
    return imported_tree(made, len(schema.features), k, doubles=doubles)
