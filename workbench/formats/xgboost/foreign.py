"""A model that XGBoost itself, or a script, has made or changed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.float_text import parse_scalars, scalar_text
from workbench.formats.model import Model
from workbench.formats.own.schema_record import schema_of
from workbench.formats.xgboost.categories import read_container
from workbench.formats.xgboost.categories_of_1_6 import Sets1_6
from workbench.formats.xgboost.names import accepted_names
from workbench.formats.xgboost.objectives import by_learner
from workbench.formats.xgboost.tree_reader import foreign_tree, parse_tree
from workbench.formats.xgboost.vector_leaves import by_output
from workbench.parameters.quantiles import quantile_names
from workbench.parameters.training import BY_NAME, TrainingParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.xgboost.categories import StoredNames
    from workbench.formats.xgboost.objectives import XGBoostObjective
    from workbench.trees.tree import Tree

UNKNOWN_NOTE = (
    "The model was made by XGBoost: G, w*, η, λ, Ω, structure scores and row counts are unknown, and gain is "
    "with γ = 0."
)
CHANGED_NOTE = (
    "The trees were changed after the Boosting Workbench wrote them, so they were read as XGBoost's."
)
LOST = (
    "The trees ask for a category of column '{name}' whose name the file does not tell for certain: XGBoost "
    "cuts names that are not ASCII. Train it with other names."
)
CODES_NOTE = (
    "The names of categories are not in the file, and their codes 0, 1, 2 … stand for them, as a table must "
    "have them too, in {names}."
)
SAID_OTHERWISE = {
    "multi:softmax": "What XGBoost predicts with multi:softmax is the class label here.",
}
STOPPED_EARLY = (
    "XGBoost's scikit-learn wrapper predicts with the first {best:,} rounds, up to the best one (--rounds "
    "{best}); its Booster and the Workbench predict with all {rounds:,}."
)
BASE_IS_RAW = [1, 3]  # the version from which binary:logitraw takes base_score as a raw prediction
MOST_NAMED = 10
MOST_BESIDE = int(BY_NAME["num_parallel_tree"].upper)
OBJECTIVE_PARAMETERS = ("quantile_alpha", "huber_slope", "tweedie_variance_power")


def foreign_model(
    learner: dict[str, Any], record: dict[str, Any] | None = None, version: Any = None
) -> Model:
    """Make a model of a learner section.

    `record` is our own one of before the change, `version` that of the XGBoost which wrote the file.
    """
    parameters = checks.mapping(learner["learner_model_param"], "learner_model_param")
    n_targets = max(checks.integer(parameters.get("num_target", "1"), "num_target", 0, 100_000), 1)
    learned = checks.text(learner["objective"]["name"], "the objective's name")
    objective = by_learner(learned, n_targets)
    n_features = checks.integer(parameters["num_feature"], "num_feature", 0, 10**7)
    n_classes = max(checks.integer(parameters["num_class"], "num_class", 0, 100_000), 1)
    if n_classes > 1 and not objective.counts_classes:  # somebody's own objective trained it
        objective = by_learner(learned, n_classes)
    if objective.counts_classes and n_classes == 1:
        raise WorkbenchError("Damaged model file: it has another number of outputs than of classes.")
    n_classes = max(n_classes, n_targets)
    own = _own_params(learner["objective"], objective)
    is_1_6 = record is None and not _is_before(version, [1, 6]) and _is_before(version, [1, 7])
    sets = Sets1_6() if is_1_6 else None
    trees, by_round = _trees(learner["gradient_booster"], n_features, n_classes, sets)
    schema = _schema(learner, objective, n_features, n_classes, trees)
    if record is not None:
        schema = _kept_schema(record, schema)
    pairs = list(zip(schema.features, _stored_names(learner["gradient_booster"], n_features), strict=True))
    for feature, stored in pairs:
        known = len(stored.names)
        if stored.lost and len(feature.categories) > known and _has_codes(feature, known):
            raise WorkbenchError(LOST.format(name=feature.name))
    notes = [CHANGED_NOTE, UNKNOWN_NOTE] if record is not None else [UNKNOWN_NOTE]
    notes += [SAID_OTHERWISE[learned]] if learned in SAID_OTHERWISE else []
    nameless = [f"'{feature.name}'" for feature, stored in pairs if not stored.names and _has_codes(feature)]
    if nameless:
        more = f" and {len(nameless) - MOST_NAMED} more" if len(nameless) > MOST_NAMED else ""
        notes.append(CODES_NOTE.format(names=", ".join(nameless[:MOST_NAMED]) + more))
    rounds = max(len(by_round), 1)
    notes += _stopped_early(learner, rounds, sum(by_round))
    beside = by_round[-1] if by_round else 1
    own |= {"num_parallel_tree": beside} if beside > 1 else {}
    params = TrainingParams(objective=objective.name, rounds=min(rounds, 100_000), learning_rate=1.0, **own)
    is_chance = learned == "binary:logitraw" and _is_before(version, BASE_IS_RAW)
    base = _base(parameters, by_learner("binary:logistic") if is_chance else objective, n_classes)
    return Model(
        ensemble=Ensemble(
            objective.name, n_features, n_classes, base, trees,
            n_parallel=beside, output_names=_output_names(own, schema, n_classes),
            parallel_by_round=by_round if len(set(by_round)) > 1 else (),
        ),
        schema=schema,
        params=params,
        provenance={"program": "XGBoost", "notes": notes, "known_params": ["objective", "rounds", *own]},
    )


def _stopped_early(learner: dict[str, Any], rounds: int, of_class: int) -> list[str]:
    """Say how many rounds there are up to the best one, where the file tells it and more follow.

    XGBoost's own may have several trees side by side where each was read as a round of its own.
    """
    told = str(checks.mapping(learner.get("attributes", {}), "attributes").get("best_iteration", ""))
    if not (told.isdecimal() and len(told) < 9):
        return []
    booster = learner["gradient_booster"]
    is_by_tree = rounds == of_class
    best = (int(told) + 1) * (_told_beside(booster.get("gbtree", booster)["model"]) if is_by_tree else 1)
    return [STOPPED_EARLY.format(best=best, rounds=rounds)] if best < rounds else []


def _told_beside(model: dict[str, Any]) -> int:
    """Return how many trees a class has in a round, as the file tells."""
    told = model.get("gbtree_model_param", {}).get("num_parallel_tree", "1")
    return max(checks.integer(told, "num_parallel_tree", 0, 10**6), 1)


def _beside(model: dict[str, Any], of_class: int, a_round: int) -> tuple[int, ...]:
    """Return how many trees of a class stand side by side in each round; 1 where that cannot be.

    Parameters
    ----------
    of_class : int
        Trees of each class.
    a_round : int
        Records that one tree of each class takes.
    """
    ends = checks.integers(model.get("iteration_indptr", []), "iteration_indptr", low=0, high=10**9)
    told = _told_beside(model)
    sizes = np.diff(ends) if len(ends) else np.full(of_class // told, told * a_round)
    fits = not (sizes % a_round).any() and sizes.sum() == of_class * a_round
    fits &= bool(((sizes >= a_round) & (sizes <= MOST_BESIDE * a_round)).all())
    return tuple((sizes // a_round).tolist()) if fits else (1,) * of_class


def _is_before(version: Any, then: list[int]) -> bool:
    return version is not None and checks.integers(version, "version", low=0, high=10**6).tolist() < then


def _own_params(section: dict[str, Any], objective: XGBoostObjective) -> dict[str, Any]:
    """Return what XGBoost keeps of the objective and we can have: slope, power, quantiles."""
    found: dict[str, Any] = {}
    for name in OBJECTIVE_PARAMETERS:
        if name in objective.values and name in section.get(objective.section, {}):
            texts = checks.text(section[objective.section][name], name).strip("[]").split(",")
            numbers = [float(scalar_text(float(text))) for text in texts]
            with suppress(WorkbenchError):
                found[name] = BY_NAME[name].check(numbers if BY_NAME[name].is_list else numbers[0])
    return found


def _output_names(own: dict[str, Any], schema: DataSchema, n_outputs: int) -> tuple[str, ...]:
    """Return what several raw predictions are for: classes, quantiles, or just their numbers."""
    labels = tuple(map(str, schema.class_labels))
    for names in (labels, quantile_names(own.get("quantile_alpha", ()))):
        if len(names) == n_outputs > 1:
            return names
    return tuple(f"output {k + 1}" for k in range(n_outputs)) if n_outputs > 1 else ()


def _base(parameters: dict[str, Any], objective: XGBoostObjective, n_classes: int) -> Any:
    scores = parse_scalars(checks.text(parameters["base_score"], "base_score"))
    if len(scores) not in (1, n_classes):
        raise WorkbenchError("Damaged model file: base_score has another number of classes than the model.")
    checked = checks.float32(np.array(scores, np.float64), "base_score")
    margins = np.array([objective.margin(float(score)) for score in checked], np.float32)
    return np.array(np.broadcast_to(margins, (n_classes,)))


def _trees(
    booster: Any, n_features: int, n_classes: int, sets: Sets1_6 | None
) -> tuple[tuple[Tree, ...], tuple[int, ...]]:  # fmt: skip
    """Read the trees and put them in the order round, class; that of each class stays.

    Returned with how many of a class stand side by side, by round.
    """
    holder = booster
    name = checks.text(booster["name"], "the booster's name")
    if name == "dart":
        booster = booster["gbtree"]
    elif name == "gbtree":
        holder = booster["model"]  # where XGBoost keeps the weights of dropped trees from 3.4 on
    else:
        raise WorkbenchError(
            f"The model's booster is '{name:.60}', which has no trees. Train it with booster='gbtree'."
        )
    drops = None
    if holder.get("weight_drop"):
        drops = checks.float32(checks.reals(holder["weight_drop"], "weight_drop"), "weight_drop")
    records = checks.sequence(booster["model"]["trees"], "trees")
    classes = checks.integers(
        booster["model"]["tree_info"], "tree_info", len(records), low=0, high=n_classes - 1
    )
    if drops is not None and len(drops) != len(records):
        raise WorkbenchError("Damaged model file: weight_drop has another length than the trees.")
    by_class: list[list[Tree]] = [[] for _ in range(n_classes)]
    for i, record in enumerate(records):
        plain = by_output(checks.mapping(record, "a tree"), n_classes)
        for k, one in enumerate(plain, start=0 if len(plain) > 1 else int(classes[i])):
            parsed = parse_tree(one, n_features, None if drops is None else drops[i])
            by_class[k].append(foreign_tree(parsed if sets is None else sets.of(parsed), k))
    if len({len(trees) for trees in by_class}) > 1:
        raise WorkbenchError(
            "The model has more trees for one class than for another; it cannot be shown here."
        )
    of_class = len(by_class[0])
    beside = _beside(booster["model"], of_class, max(len(records) // max(of_class, 1), 1))
    ends = list(accumulate(beside, initial=0))
    rounds = (own[begin:end] for begin, end in pairwise(ends) for own in by_class)
    return tuple(tree for together in rounds for tree in together), beside


def _schema(
    learner: dict[str, Any], objective: XGBoostObjective, n_features: int, n_classes: int,
    trees: Sequence[Tree],
) -> DataSchema:  # fmt: skip
    if not learner.get("feature_names"):
        checks.made_up(n_features, "columns", sum(tree.n_nodes for tree in trees))
    names = checks.sequence(
        learner.get("feature_names") or [f"f{i}" for i in range(n_features)], "feature_names"
    )
    types = checks.sequence(learner.get("feature_types") or ["q"] * n_features, "feature_types")
    if not len(names) == len(types) == n_features:
        raise WorkbenchError("Damaged model file: feature_names or feature_types have the wrong length.")
    stored = _stored_names(learner["gradient_booster"], n_features)
    categories = _categories(trees, [one.names for one in stored])
    features = tuple(
        Feature(
            checks.text(name, "a feature's name"), "category" if kind == "c" or known else "number", known,
            fractions="" if one.names or not known else "down",
        )
        for name, kind, known, one in zip(names, types, categories, stored, strict=True)
    )
    labels = {"regression": (), "binary": (0, 1), "multiclass": tuple(range(n_classes))}[objective.task]
    return DataSchema(features, "target", objective.task, labels)


def _stored_names(booster: Any, n_features: int) -> list[StoredNames]:
    """Return the names of each column's categories that the file holds."""
    return read_container(booster.get("gbtree", booster)["model"].get("cats"), n_features)


def _has_codes(feature: Feature, first: int = 0) -> bool:
    """Whether the categories from the first such code on are codes that stand in for names."""
    codes = _codes(first, len(feature.categories))
    return feature.is_categorical and feature.categories[first:] == codes


def _codes(first: int, end: int) -> tuple[str, ...]:
    """Return names for categories that have none."""
    return tuple(str(code) for code in range(first, end))


def _categories(trees: Sequence[Tree], named: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the names of each column's categories; codes stand in for names that are not stored."""
    largest = [len(names) - 1 for names in named]
    for tree in trees:
        for node in range(tree.n_nodes):
            codes = tree.categories(node)
            if len(codes):
                feature = int(tree.nodes["feature"][node])
                largest[feature] = max(largest[feature], int(codes[-1]))
    nodes = sum(tree.n_nodes for tree in trees)
    checks.made_up(sum(largest) + len(largest) - sum(map(len, named)), "categories", nodes)
    return [names + _codes(len(names), top + 1) for names, top in zip(named, largest, strict=True)]


def _kept_schema(record: dict[str, Any], found: DataSchema) -> DataSchema:
    """Keep what we knew of the columns and classes where the columns are still the same."""
    kept = schema_of(checks.mapping(record["model"], "model")["schema"])
    same = accepted_names(kept.names) == list(found.names) and kept.task == found.task
    enough = same and all(
        len(mine.categories) >= len(its.categories)
        for mine, its in zip(kept.features, found.features, strict=True)
    )
    return replace(kept, rows=0) if enough and len(kept.class_labels) == len(found.class_labels) else found
