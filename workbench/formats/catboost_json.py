"""CatBoost's JSON: oblivious trees, whose every level asks one question, and others as objects in objects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats import checks
from workbench.formats.base import FORMATS
from workbench.formats.imported_tree import ImportedNodes, above, imported_tree
from workbench.formats.model import Model
from workbench.formats.one_way import ReadOnly
from workbench.parameters.training import TrainingParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

NOTE = "The model was made by CatBoost: gains, G, H, structure scores and row counts are unknown."
DEEPEST = 16  # levels of an oblivious tree, CatBoost's own limit
MOST_COLUMNS, MOST_CODE = 10**7, 1 << 32
OBJECTIVES_BY_NAME = {
    "RMSE": "squared", "MAE": "absolute", "Huber": "huber", "Quantile": "quantile", "Poisson": "poisson",
    "Tweedie": "tweedie", "Logloss": "logistic", "CrossEntropy": "logistic", "MultiClass": "softmax",
    "YetiRank": "lambdarank", "YetiRankPairwise": "lambdarank", "QueryRMSE": "lambdarank",
    "PairLogit": "lambdarank", "PairLogitPairwise": "lambdarank", "QuerySoftMax": "lambdarank",
    "MultiRMSE": "squared", "MultiQuantile": "quantile",
    "GroupQuantile": "quantile", "Focal": "focal", "MultiClassOneVsAll": "one_vs_rest",
    "MultiLogloss": "multilabel", "MultiCrossEntropy": "multilabel", "RMSEWithUncertainty": "custom",
    "Cox": "custom", "SurvivalAft": "custom", "MAPE": "custom", "LogCosh": "custom", "Lq": "custom",
    "Expectile": "custom", "LogLinQuantile": "custom",
}  # fmt: skip
OF_SEVERAL = (  # outputs a row
    "MultiClass", "MultiClassOneVsAll", "MultiLogloss", "MultiCrossEntropy", "MultiRMSE", "MultiQuantile",
    "RMSEWithUncertainty",
)  # fmt: skip
TASKS = {"softmax": "multiclass", "one_vs_rest": "multiclass", "logistic": "binary", "focal": "binary"}
OUTPUTS = {"RMSEWithUncertainty": ("mean", "log of the standard deviation")}


class Question(NamedTuple):
    """One split: a border that values are above, or a category; in the words of our trees."""

    column: int
    threshold: np.float32
    code: int  # −1 for a border
    default_left: bool


class Columns(NamedTuple):
    """The columns of the table, and how splits name them."""

    features: tuple[Feature, ...]
    numbers: dict[int, tuple[int, bool]]  # by float index: column, and whether missing values answer "yes"
    codes: dict[int, tuple[int, dict[int, int]]]  # by index among categories: column, and codes of hashes


class CatBoostJson(ReadOnly):
    """The format `catboost`, as `save_model(format="json")` writes it."""

    name = "catboost"
    label = "CatBoost's model as JSON"
    suffixes: tuple[str, ...] = (".cb.json",)

    def read(self, data: bytes) -> Model:
        """Make a model of the document."""
        with checks.damage_reported("model file"):
            return _model(checks.parse_object(data))

    def recognises(self, data: bytes) -> bool:
        """Tell by the first keys."""
        start = data[:4096].lstrip()
        keys = (b'"features_info"', b'"oblivious_trees"', b'"ctr_data"')
        return start.startswith(b"{") and any(key in start for key in keys)


def _model(record: dict[str, Any]) -> Model:
    info = checks.mapping(record.get("model_info", {}), "model_info")
    scale, bias = record["scale_and_bias"]
    base = checks.doubles(checks.reals(bias if isinstance(bias, list) else [bias], "bias"), "bias")
    if not len(base):
        raise WorkbenchError("Damaged model file: the model has no outputs.")
    loss = str(_params(info).get("loss_function", {}).get("type", "RMSE"))
    objective = _objective(loss, len(base))
    columns = _columns(checks.mapping(record["features_info"], "features_info"))
    oblivious = "oblivious_trees" in record
    listed = checks.sequence(record["oblivious_trees" if oblivious else "trees"], "trees")
    factor = float(checks.finite(checks.reals([scale], "scale"), "scale")[0])
    read = _oblivious if oblivious else _nested
    trees = tuple(
        tree for one in listed for tree in read(checks.mapping(one, "a tree"), columns, len(base), factor)
    )
    task = TASKS.get(objective, "regression")
    labels = _labels(info, task, len(base))
    schema = DataSchema(columns.features, "target", task, labels)  # type: ignore[arg-type]
    rounds = min(max(len(listed), 1), 100_000)
    params = TrainingParams(objective=objective, rounds=rounds, learning_rate=1.0)
    ensemble = Ensemble(
        objective, len(columns.features), len(base), base, trees, output_names=OUTPUTS.get(loss, ())
    )
    return Model(ensemble, schema, params, provenance={
        "program": "CatBoost", "notes": [NOTE], "known_params": ["objective", "rounds"],
    })  # fmt: skip


def _params(info: dict[str, Any]) -> dict[str, Any]:
    params = info.get("params", {})
    return checks.mapping(json.loads(params) if isinstance(params, str) else params, "params")


def _objective(theirs: str, outputs: int) -> str:
    ours = OBJECTIVES_BY_NAME.get(theirs)
    if ours is None or (theirs in OF_SEVERAL) != (outputs > 1):
        raise WorkbenchError(f"The loss '{theirs[:40]}' with {outputs} outputs is not known here.")
    return ours


def _labels(info: dict[str, Any], task: str, outputs: int) -> tuple[Any, ...]:
    if task == "regression":
        return ()
    count = max(outputs, 2)
    names = checks.mapping(info.get("class_params", {}), "class_params").get("class_names", [])
    known = [name if isinstance(name, str | int | float | bool) else str(name) for name in names]
    return tuple(known) if len(known) == count else tuple(range(count))


def _columns(info: dict[str, Any]) -> Columns:
    for kind in ("text_features", "embedding_features"):
        if info.get(kind):
            raise WorkbenchError(f"The model has {kind.replace('_', ' ')}; it cannot be shown here.")
    numbers = checks.sequence(info.get("float_features") or [], "float_features")
    categories = checks.sequence(info.get("categorical_features") or [], "categorical_features")
    count = len(numbers) + len(categories)
    found: list[Feature | None] = [None] * count
    texts = {
        checks.integer(one["hash"], "hash", 0, MOST_CODE): checks.text(one["value"], "a category")
        for one in info.get("cat_features_hash") or []
    }
    by_number, by_category = {}, {}
    for one in numbers:
        place = checks.integer(one["flat_feature_index"], "flat_feature_index", 0, count - 1)
        found[place] = Feature(_name(one, place), "number")
        index = checks.integer(one["feature_index"], "feature_index", 0, MOST_COLUMNS)
        by_number[index] = (place, one.get("nan_value_treatment") != "AsTrue")
    for one in categories:
        place = checks.integer(one["flat_feature_index"], "flat_feature_index", 0, count - 1)
        hashes = [_hash(value) for value in checks.sequence(one.get("values") or [], "values")]
        labels = [texts.get(value, f"hash {value}") for value in hashes]
        found[place] = Feature(_name(one, place), "category", tuple(labels))
        index = checks.integer(one["feature_index"], "feature_index", 0, MOST_COLUMNS)
        by_category[index] = (place, {value: code for code, value in enumerate(hashes)})
    features = tuple(feature for feature in found if feature is not None)
    if len(features) < count:
        raise WorkbenchError("Damaged model file: two columns have the same place.")
    return Columns(features, by_number, by_category)


def _hash(value: Any) -> int:
    """Return the hash of a category, which CatBoost writes with a sign or without."""
    return checks.integer(value, "a hash", -MOST_CODE, MOST_CODE) % MOST_CODE


def _name(record: dict[str, Any], place: int) -> str:
    name = record.get("feature_name") or record.get("feature_id") or f"f{place}"
    return checks.text(name, "a feature's name")


def _question(split: Any, columns: Columns) -> Question:
    split = checks.mapping(split, "a split")
    if split["split_type"] == "FloatFeature":
        column, default_left = columns.numbers[split["float_feature_index"]]
        border = checks.finite(checks.reals([split["border"]], "border"), "border")
        return Question(column, above(border)[0], -1, default_left)
    if split["split_type"] == "OneHotFeature":
        column, codes = columns.codes[split["cat_feature_index"]]
        return Question(column, np.float32(np.nan), codes[_hash(split["value"])], default_left=False)
    raise WorkbenchError(
        "The model asks for statistics of categories (CTR), which cannot be shown here. "
        "Train it with one_hot_max_size above the number of categories."
    )


def _oblivious(record: dict[str, Any], columns: Columns, outputs: int, factor: float) -> list[Tree]:
    """Unfold the levels: bit k of a leaf's place says whether the value was above, or of, split k."""
    questions = [_question(split, columns) for split in checks.sequence(record["splits"] or [], "splits")]
    depth = len(questions)
    if depth > DEEPEST:
        raise WorkbenchError("Damaged model file: an oblivious tree has too many levels.")
    values = checks.reals(record["leaf_values"], "leaf_values", outputs << depth).reshape(-1, outputs)
    asked: list[Question | None] = []
    left, leaf = [], []
    for level in range(depth + 1):
        for place in range(1 << level):  # the path so far, its last bit that of the last split
            at = len(asked)
            asked.append(questions[level] if level < depth else None)
            left.append(at + (1 << level) + place if level < depth else -1)
            leaf.append(_bits_of_splits(place, level, questions))
    return _trees(asked, left, values[np.array(leaf)], columns, factor)


def _bits_of_splits(place: int, level: int, questions: Sequence[Question]) -> int:
    """Return the leaf to which answers lead; "no" is a set bit of `place`, the latest the lowest."""
    found = 0
    for k in range(level):
        no = place >> (level - 1 - k) & 1
        found |= (no if questions[k].code < 0 else 1 - no) << k
    return found


def _nested(record: dict[str, Any], columns: Columns, outputs: int, factor: float) -> list[Tree]:
    asked: list[Question | None] = []
    left: list[int] = []
    values: list[Any] = []
    level = [record]
    while level:
        below: list[dict[str, Any]] = []
        first = len(asked) + len(level)
        for node in level:
            question = _question(node["split"], columns) if "split" in node else None
            asked.append(question)
            left.append(first + len(below) if question else -1)
            values.append(np.zeros(outputs) if question else _value(node["value"], outputs))
            if question:
                sides = [checks.mapping(node[side], "a node") for side in ("left", "right")]
                below += sides if question.code < 0 else sides[::-1]  # "right" is above the border, or equal
        level = below
    return _trees(asked, left, np.array(values), columns, factor)


def _value(value: Any, outputs: int) -> NDArray[np.float64]:
    return checks.reals(value if isinstance(value, list) else [value], "value", outputs)


def _trees(
    asked: Sequence[Question | None], left: Sequence[int], values: NDArray[np.float64], columns: Columns,
    factor: float,
) -> list[Tree]:  # fmt: skip
    """Return a tree for each output, all with the same questions."""
    nothing = Question(-1, np.float32(0), -1, default_left=False)
    filled = [question or nothing for question in asked]
    yes = np.array(left, np.int64)
    sets = {node: np.array([q.code]) for node, q in enumerate(filled) if q.code >= 0}

    def made(k: int) -> ImportedNodes:
        return ImportedNodes(
            left=yes,
            right=np.where(yes < 0, -1, yes + 1),
            feature=np.array([q.column for q in filled]),
            threshold=np.array([q.threshold for q in filled], np.float32),
            default_left=np.array([q.default_left for q in filled]),
            value=values[:, k] * factor,
            sets=sets,
        )

    return [imported_tree(made(k), len(columns.features), k) for k in range(values.shape[1])]


FORMATS.register(CatBoostJson())
