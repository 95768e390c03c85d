"""What `sklearn_export` writes: trees, forests and boosted models of scikit-learn."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.data.values.labels import number_label
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.code.links import UNTOLD
from workbench.formats.imported_tree import ImportedNodes, above, imported_tree
from workbench.formats.model import Model
from workbench.formats.one_way import ReadOnly
from workbench.formats.own.document import check_categories
from workbench.formats.sklearn.export import FORMAT, VERSION
from workbench.parameters.training import BY_NAME, TrainingParams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

NOTE = "The model was made by scikit-learn's {}: G, H and structure scores are unknown{}."
OBJECTIVE_OF_LINK = {
    "identity": "squared", "exp": "poisson", "logistic": "logistic", "exponential": "exponential",
    "softmax": "softmax",
}  # fmt: skip
LOG_LOSSES = ("log_loss", "deviance", "binary_crossentropy", "categorical_crossentropy", "auto")
OBJECTIVE_OF_LOSS = {  # of each link; several names are those of older versions
    "identity": {
        "squared_error": "squared", "ls": "squared", "least_squares": "squared", "absolute_error": "absolute",
        "lad": "absolute", "least_absolute_deviation": "absolute", "huber": "huber", "quantile": "quantile",
    },
    "exp": {"poisson": "poisson", "gamma": "gamma"},
    "logistic": dict.fromkeys(LOG_LOSSES, "logistic"), "softmax": dict.fromkeys(LOG_LOSSES, "softmax"),
    "exponential": {"exponential": "exponential"},
}  # fmt: skip
MOST_NODES, MOST_CODES = 1 << 26, 1 << 20


class SklearnJson(ReadOnly):
    """The format `sklearn`."""

    name = "sklearn"
    label = "scikit-learn's model, as exported by its script"
    suffixes: tuple[str, ...] = (".sklearn.json",)

    def read(self, data: bytes) -> Model:
        """Make a model of the document."""
        with checks.damage_reported("model file"):
            return _model(checks.parse_object(data))

    def recognises(self, data: bytes) -> bool:
        """Tell by the first key."""
        start = data[:200].lstrip()
        return start.startswith(b"{") and FORMAT.encode() in start


FORMATS.register(SklearnJson())


def _model(record: dict[str, Any]) -> Model:
    if checks.integer(record["version"], "version", 0, 10**9) > VERSION:
        raise WorkbenchError("The model was exported by a newer script. Update the Boosting Workbench.")
    names = [checks.text(name, "a feature's name") for name in checks.sequence(record["names"], "names")]
    base = checks.doubles(checks.reals(record["base"], "base"), "base")
    side_by_side = checks.integer(record["side_by_side"], "side_by_side", 1, 10**6)
    listed = checks.sequence(record["trees"], "trees")
    if not len(base) or len(listed) % (len(base) * side_by_side):
        raise WorkbenchError("Damaged model file: the last round has too few trees.")
    trees = tuple(_tree(checks.mapping(tree, "a tree"), len(names), len(base)) for tree in listed)
    link, loss = checks.text(record["link"], "link"), checks.text(record.get("loss", ""), "loss")
    told = OBJECTIVE_OF_LOSS[link].get(loss)
    objective = told or OBJECTIVE_OF_LINK[link]
    labels = checks.sequence(record["categories"], "categories", len(names))
    features = tuple(_feature(name, known) for name, known in zip(names, labels, strict=True))
    classes = tuple(checks.sequence(record["classes"], "classes"))
    checks.each_once(classes, "classes")
    task = "regression" if not classes else "binary" if len(classes) == 2 else "multiclass"
    if len(classes) == 1 or (classes and len(base) != (1 if task == "binary" else len(classes))):
        raise WorkbenchError("Damaged model file: it has another number of outputs than of classes.")
    ensemble = Ensemble(objective, len(names), len(base), base, trees, n_parallel=side_by_side)
    known = _params(record, ensemble) | ({"objective": told} if told else {})
    params = TrainingParams(learning_rate=1.0).change(**{"objective": objective} | known)
    estimator = checks.text(record["estimator"], "estimator")[:60]
    note = NOTE.format(estimator, "" if told else UNTOLD.format(objective))
    schema = DataSchema(features, "target", task, classes)  # type: ignore[arg-type]
    check_categories(trees, schema)
    provenance = {"program": "scikit-learn", "notes": [note], "known_params": list(known)}
    return Model(ensemble, schema, params, provenance=provenance)


def _params(record: dict[str, Any], ensemble: Ensemble) -> dict[str, Any]:
    """Return what is told of the parameters and may stand here; some forests have too many trees."""
    given: dict[str, Any] = {"rounds": max(ensemble.rounds, 1), "num_parallel_tree": ensemble.n_parallel}
    given |= {"quantile_alpha": [record["quantile"]]} if "quantile" in record else {}
    known: dict[str, Any] = {}
    for name, value in given.items():
        with suppress(WorkbenchError):
            known[name] = BY_NAME[name].check(value)
    return known


def _feature(name: str, labels: Any) -> Feature:
    if labels is None:
        return Feature(name, "number")
    return Feature(name, "category", tuple(map(_label, checks.sequence(labels, "categories"))))


def _label(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return number_label(np.float64(value)) if is_number else str(value)


def _tree(record: dict[str, Any], n_features: int, outputs: int) -> Tree:
    left = checks.integers(record["left"], "left", low=-1, high=MOST_NODES)
    n = len(left)

    def real(name: str) -> NDArray[np.float64]:
        return checks.finite(checks.reals(record[name], name, n), name)

    sets = {
        checks.integer(node, "a node", 0, n - 1): checks.integers(codes, "sets", low=0, high=MOST_CODES)
        for node, codes in checks.mapping(record["sets"], "sets").items()
    }
    made = ImportedNodes(
        left=left,
        right=checks.integers(record["right"], "right", n, low=-1, high=MOST_NODES),
        feature=checks.integers(record["feature"], "feature", n, low=-2, high=10**7),
        threshold=above(real("threshold")),
        default_left=checks.integers(record["default_left"], "default_left", n, low=0, high=1).astype(bool),
        value=real("value"),
        sets={node: np.unique(codes) for node, codes in sets.items()},
        gain=None if record["gain"] is None else real("gain") / 2,
        count=checks.integers(record["count"], "count", n, low=0, high=2**53),
    )
    return imported_tree(made, n_features, checks.integer(record["output"], "output", 0, outputs - 1))
