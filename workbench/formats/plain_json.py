"""The same content as readable JSON of our own; `resources/model.schema.json` describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats import checks
from workbench.formats.base import FORMATS
from workbench.formats.document import head_record, model_of, says_doubles
from workbench.formats.migrations import FORMAT_VERSION, migrated, version_of
from workbench.formats.plain_tree import plain_tree, tree_of
from workbench.formats.short_names import with_short_names

if TYPE_CHECKING:
    from workbench.formats.model import Model

KIND = "boosting-workbench-model"


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
            record = migrated(record, version_of(record["version"]))
            n_features = len(checks.sequence(_schema(record)["features"], "schema.features"))
            trees = checks.sequence(record["trees"], "trees")
            doubles = says_doubles(record)
            return model_of(record, tuple(tree_of(tree, n_features, doubles=doubles) for tree in trees))

    def recognises(self, data: bytes) -> bool:
        """Tell by the first key."""
        start = data[:4096].lstrip()
        return start.startswith(b"{") and KIND.encode() in start


def _schema(record: dict[str, Any]) -> dict[str, Any]:
    return checks.mapping(record["schema"], "schema")


FORMATS.register(PlainJson())
