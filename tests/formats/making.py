"""Hand-made models with every kind of node, and the plainest possible walk through them."""

from __future__ import annotations

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.dropout import Dropout
from workbench.ensembles.ensemble import Ensemble
from workbench.formats.model import Model
from workbench.parameters.training import TrainingParams
from workbench.trees.tree import NODE_DTYPE, Tree

TASKS = {
    "squared": "regression", "logistic": "binary", "softmax": "multiclass", "absolute": "regression",
    "huber": "regression", "quantile": "regression", "poisson": "regression", "gamma": "regression",
    "tweedie": "regression", "exponential": "binary", "lambdarank": "regression", "custom": "regression",
    "cox": "regression", "aft": "regression", "hinge": "binary", "focal": "binary",
    "one_vs_rest": "multiclass", "root": "regression", "cross_entropy_lambda": "regression",
    "logitraw": "binary", "uncertainty": "regression",
}
KINDS = ("number", "category", "boolean", "date")


def make_schema(rng, n_features, objective, n_classes=3, names=None, ascii_only=False, kinds=KINDS):
    features = []
    for i in range(n_features):
        kind = kinds[int(rng.integers(0, len(kinds)))]
        size = {"category": int(rng.integers(1, 9)), "boolean": 2}.get(kind, 0)
        mark = "" if ascii_only else "é"
        categories = ("False", "True") if kind == "boolean" else tuple(f"c{mark}{j}" for j in range(size))
        features.append(Feature(names[i] if names else f"x{i}", kind, categories))
    several = tuple(f"k{i}" for i in range(n_classes))
    labels = {"regression": (), "binary": ("no", "yes"), "multiclass": several}[TASKS[objective]]
    return DataSchema(tuple(features), "y", TASKS[objective], labels, rows=100)


def make_tree(rng, schema, class_index=0, max_splits=12):
    """Grow at random; nodes breadth-first, siblings adjacent."""
    splits = int(rng.integers(0, max_splits + 1)) if schema.features else 0
    children: dict[int, tuple[int, int] | None] = {0: None}
    for _ in range(splits):
        leaf = int(rng.choice([k for k, v in children.items() if v is None]))
        new = len(children)
        children[leaf] = (new, new + 1)
        children[new] = children[new + 1] = None
    order, level = [], [0]
    while level:
        order += level
        level = [c for n in level if children[n] for c in children[n]]
    place = {old: new for new, old in enumerate(order)}
    nodes = np.zeros(len(order), NODE_DTYPE)
    nodes["parent"][0] = -1
    sets = []
    for i, old in enumerate(order):
        sets.append(_fill(rng, nodes, i, children[old], place, schema))
    for i in range(1, len(nodes)):
        nodes["depth"][i] = nodes["depth"][nodes["parent"][i]] + 1
    begin = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    codes = np.array([c for s in sets for c in s], np.int32)
    return Tree(nodes, begin, codes, class_index, *rng.uniform(0.01, 1, 3).tolist())


def _fill(rng, nodes, i, pair, place, schema):
    node = nodes[i : i + 1]
    node["count"] = rng.integers(0, 1000)
    for name in ("sum_gradient", "weight", "structure_score"):
        node[name] = rng.normal() * 10.0 ** rng.integers(-3, 4)
    node["sum_hessian"] = rng.choice([0.0, rng.exponential(10)])
    node["default_left"] = rng.random() < 0.5
    node["category"], node["threshold"] = -1, np.nan
    if pair is None:
        node["feature"], node["left"], node["right"] = -1, -1, -1
        node["leaf_value"] = rng.choice([rng.normal(), rng.normal() * 1e-6, rng.normal() * 50, 0.1, -0.0])
        return []
    node["gain"] = rng.exponential()
    feature = int(rng.integers(len(schema.features)))
    node["feature"], node["left"], node["right"] = feature, place[pair[0]], place[pair[1]]
    for child in pair:
        nodes["parent"][place[child]] = i
    known = len(schema.features[feature].categories)
    if schema.features[feature].is_categorical:
        codes = sorted(rng.choice(known, int(rng.integers(1, known + 1)), replace=False).tolist())
        node["category"] = codes[0]
        return codes
    node["threshold"] = rng.choice(
        [rng.normal(), float(rng.integers(-3, 4)), rng.normal() * 1e5, 1e-40, -0.0]
    )
    return []


def make_dropouts(seed, rounds):
    """Leave rounds out at random, some of them often."""
    rng = np.random.default_rng([seed, 1])
    dropouts = []
    for number in range(2, rounds + 1):
        dropped = 1 + np.flatnonzero(rng.random(number - 1) < 0.6)
        if len(dropped):
            factor = np.float32(rng.choice([rng.random(), 0.75, 1e-30]))
            dropouts.append(Dropout(number, dropped.astype(np.int32), factor))
    return tuple(dropouts)


def make_model(
    seed=0, objective="squared", n_features=4, rounds=3, base=None, dart=False, max_splits=12, **schema
):
    rng = np.random.default_rng(seed)
    made = make_schema(rng, n_features, objective, **schema)
    n_classes = len(made.class_labels) if TASKS[objective] == "multiclass" else 1
    margin = np.array(rng.normal(size=n_classes) if base is None else base, np.float32)
    margin = np.array(np.broadcast_to(margin, (n_classes,)))
    trees = tuple(make_tree(rng, made, k, max_splits) for _ in range(rounds) for k in range(n_classes))
    history = tuple(
        {"round": r + 1, "train:rmse": float(rng.random()), "loss": float("nan"), "patience": None}
        for r in range(rounds)
    )
    return Model(
        Ensemble(
            objective, n_features, n_classes, margin, trees,
            dropouts=make_dropouts(seed, rounds) if dart else (),
        ),
        made,
        TrainingParams(objective=objective, rounds=max(rounds, 1)), history,
        {"program": "test", "notes": ["ü"], "best_round": rounds, "limit": float("inf")},
    )  # fmt: skip


def make_rows(model, seed=0, n=60):
    """Random rows that hold every threshold with its float32 neighbours, every code, and NaN."""
    rng = np.random.default_rng(seed)
    columns = []
    for f, feature in enumerate(model.schema.features):
        if feature.is_categorical:
            pool = [*range(len(feature.categories) + 2), np.nan]
        else:
            cuts = [t.nodes["threshold"][t.nodes["feature"] == f] for t in model.trees]
            t = np.concatenate([np.zeros(1, np.float32), *cuts]).astype(np.float32)
            t = t[np.isfinite(t)]
            around = [np.nextafter(t, np.float32(s)) for s in (-np.inf, np.inf)]
            pool = np.concatenate([t, *around, rng.normal(size=5), [np.nan, -0.0]])
        columns.append(np.array(pool, np.float32))
    n = max([n, *map(len, columns)])
    padded = [np.concatenate([rng.permutation(c), rng.choice(c, n - len(c))]) for c in columns]
    return np.array(padded, np.float32).T.reshape(n, len(columns))


def leaves(tree, rows):
    """Return the leaf of each row."""
    reached = []
    for row in rows:
        i = 0
        while tree.nodes["feature"][i] >= 0:
            node, x = tree.nodes[i], row[tree.nodes["feature"][i]]
            if np.isnan(x):
                yes = bool(node["default_left"])
            elif len(tree.categories(i)):
                yes = int(x) in tree.categories(i)
            else:
                yes = bool(x < node["threshold"])
            i = int(node["left"] if yes else node["right"])
        reached.append(i)
    return np.array(reached, int)


def margins(model, rows):
    """Sum base and leaves, each as its round counts, one by one in float32."""
    ensemble = model.ensemble
    total = np.tile(ensemble.base_margin, (len(rows), 1))
    counts = [np.float32(1)] * ensemble.rounds
    for dropout in ensemble.dropouts:
        for number in dropout.dropped.tolist():
            counts[number - 1] *= dropout.factor
    for place, tree in enumerate(ensemble.trees):
        count = counts[int(ensemble.round_begins.searchsorted(place, "right")) - 1]
        total[:, tree.class_index] += tree.nodes["leaf_value"][leaves(tree, rows)] * count
    return total if ensemble.n_classes > 1 else total[:, 0]


def same_tree(a, b):
    for name in NODE_DTYPE.names:
        np.testing.assert_array_equal(a.nodes[name], b.nodes[name], err_msg=name)
    assert a.nodes.dtype == b.nodes.dtype
    np.testing.assert_array_equal(np.signbit(a.nodes["leaf_value"]), np.signbit(b.nodes["leaf_value"]))
    np.testing.assert_array_equal(a.category_begin, b.category_begin)
    np.testing.assert_array_equal(a.category_codes, b.category_codes)
    ours = (a.class_index, a.learning_rate, a.reg_lambda, a.gamma)
    assert ours == (b.class_index, b.learning_rate, b.reg_lambda, b.gamma)


def without_clock(model):
    """The history and the provenance without what the clock said, which no file keeps."""
    records = [*model.history, model.provenance]
    return [{k: v for k, v in record.items() if k not in ("created", "seconds")} for record in records]


def same_model(a, b):
    assert (a.schema, a.params) == (b.schema, b.params)
    assert repr(without_clock(a)) == repr(without_clock(b))
    ours, other = a.ensemble, b.ensemble
    assert (ours.objective, ours.n_features, ours.n_classes) == (
        other.objective,
        other.n_features,
        other.n_classes,
    )
    assert ours.base_margin.dtype == other.base_margin.dtype
    np.testing.assert_array_equal(ours.base_margin, other.base_margin)
    records = [[(d.round, d.dropped.tolist(), d.factor) for d in e.dropouts] for e in (ours, other)]
    assert records[0] == records[1]
    assert len(a.trees) == len(b.trees)
    for one, two in zip(a.trees, b.trees, strict=True):
        same_tree(one, two)
