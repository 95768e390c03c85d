"""CatBoost's JSON: oblivious trees, whose every level asks one question, and others as objects in objects."""

from __future__ import annotations

import json
from typing import Any

from workbench.data.schema import DataSchema
from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.catboost.columns import columns_of
from workbench.formats.catboost.trees import TreeReader
from workbench.formats.model import Model
from workbench.formats.one_way import ReadOnly
from workbench.parameters.training import TrainingParams

NOTE = "The model was made by CatBoost: gains, G, H, structure scores and row counts are unknown."
OBJECTIVES_BY_NAME = {
    "RMSE": "squared", "MAE": "absolute", "Huber": "huber", "Quantile": "quantile", "Poisson": "poisson",
    "Tweedie": "tweedie", "Logloss": "logistic", "CrossEntropy": "logistic", "MultiClass": "softmax",
    "YetiRank": "lambdarank", "YetiRankPairwise": "lambdarank", "QueryRMSE": "lambdarank",
    "PairLogit": "lambdarank", "PairLogitPairwise": "lambdarank", "QuerySoftMax": "lambdarank",
    "MultiRMSE": "squared", "MultiQuantile": "quantile",
    "GroupQuantile": "quantile", "Focal": "focal", "MultiClassOneVsAll": "one_vs_rest",
    "MultiLogloss": "multilabel", "MultiCrossEntropy": "multilabel", "RMSEWithUncertainty": "uncertainty",
    "Cox": "custom", "SurvivalAft": "custom", "MAPE": "custom", "LogCosh": "custom", "Lq": "custom",
    "Expectile": "custom", "LogLinQuantile": "custom",
}  # fmt: skip
OF_SEVERAL = (  # outputs a row
    "MultiClass", "MultiClassOneVsAll", "MultiLogloss", "MultiCrossEntropy", "MultiRMSE", "MultiQuantile",
    "RMSEWithUncertainty",
)  # fmt: skip
TASKS = {"softmax": "multiclass", "one_vs_rest": "multiclass", "logistic": "binary", "focal": "binary"}
OUTPUTS = {"RMSEWithUncertainty": ("mean", "variance")}


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
    columns = columns_of(checks.mapping(record["features_info"], "features_info"), record.get("ctr_data"))
    oblivious = "oblivious_trees" in record
    listed = checks.sequence(record["oblivious_trees" if oblivious else "trees"], "trees")
    factor = float(checks.finite(checks.reals([scale], "scale"), "scale")[0])
    reader = TreeReader(columns, len(base), factor)
    read = reader.oblivious if oblivious else reader.nested
    trees = tuple(tree for one in listed for tree in read(checks.mapping(one, "a tree")))
    task = TASKS.get(objective, "regression")
    labels = _labels(info, task, len(base))
    schema = DataSchema(columns.features, "target", task, labels)  # type: ignore[arg-type]
    rounds = min(max(len(listed), 1), 100_000)
    params = TrainingParams(objective=objective, rounds=rounds, learning_rate=1.0)
    ensemble = Ensemble(
        objective, len(columns.features), len(base), base, trees, output_names=OUTPUTS.get(loss, ())
    )
    return Model(ensemble, schema, params, provenance={
        "program": "CatBoost", "notes": [NOTE, *columns.notes], "known_params": ["objective", "rounds"],
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
    checks.each_once(known, "class_names")
    return tuple(known) if len(known) == count else tuple(range(count))


FORMATS.register(CatBoostJson())
