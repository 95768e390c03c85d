"""The same content as readable JSON of our own; `resources/model.schema.json` describes it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.own.document import head_record, model_of, says_doubles
from workbench.formats.own.json_tree import plain_tree, tree_of
from workbench.formats.own.migrations import FORMAT_VERSION, migrated, version_of
from workbench.formats.short_names import with_short_names
from workbench.formats.xgboost.objectives import XGBOOST_OBJECTIVES

if TYPE_CHECKING:
    from workbench.formats.model import Model

KIND = "boosting-workbench-model"
_TEXT_OR_NO_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')


class PlainJson:
    """The format `json`: every node an object with its own figures."""

    name = "json"
    label = "Readable JSON"
    suffixes: tuple[str, ...] = (".plain.json",)
    aliases = ("plain-json",)
    can_read = can_write = True

    def write(self, model: Model) -> bytes:
        """Return the document, a node a line."""
        names = with_short_names(model.schema).names
        record = {"format": KIND, "version": FORMAT_VERSION, **head_record(model)}
        try:
            head = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1)
            trees = ",\n".join(plain_tree(tree, names) for tree in model.ensemble.trees)
            return f'{head[:-2]},\n "trees": [\n{trees}\n ]\n}}\n'.encode()
        except ValueError as error:
            raise WorkbenchError(
                f"The model holds a number or text that JSON cannot say: {error}."
            ) from error

    def read(self, data: bytes) -> Model:
        """Make a model of the document."""
        with checks.damage_reported("model file"):
            record = checks.parse_object(data)
            _check_numbers(data)
            record = migrated(record, version_of(record["version"]))
            n_features = len(checks.sequence(_schema(record)["features"], "schema.features"))
            trees = checks.sequence(record["trees"], "trees")
            doubles = says_doubles(record)
            made = (tree_of(tree, n_features, f"trees[{k}]", doubles=doubles) for k, tree in enumerate(trees))
            model = model_of(record, tuple(made))
            _check_names(model)
            return model

    def recognises(self, data: bytes) -> bool:
        """Tell by the first key."""
        start = data[:4096].lstrip()
        return start.startswith(b"{") and KIND.encode() in start


def _check_numbers(data: bytes) -> None:
    """Refuse words for what is no number, which Python's reader of JSON takes."""
    found = (match for match in _TEXT_OR_NO_NUMBER.finditer(data) if match[1])
    if (b"NaN" in data or b"Infinity" in data) and (first := next(found, None)) is not None:
        line = data.count(b"\n", 0, first.start()) + 1
        word = first[1].decode()
        raise WorkbenchError(f"Damaged model file: line {line} has {word} where a number must stand.")


def _check_names(model: Model) -> None:
    """Refuse what only a hand can have written: an objective that is none, and a name for two things."""
    objective = model.ensemble.objective
    if all(row.name != objective for row in XGBOOST_OBJECTIVES):
        from workbench.objectives.base import OBJECTIVES

        with checks.within("objective"):
            OBJECTIVES.get(objective)
    checks.each_once(model.schema.names, "schema.features")
    checks.each_once(model.schema.class_labels, "schema.class_labels")


def _schema(record: dict[str, Any]) -> dict[str, Any]:
    return checks.mapping(record["schema"], "schema")


FORMATS.register(PlainJson())
