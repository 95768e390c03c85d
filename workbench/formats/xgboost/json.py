"""XGBoost's JSON with our own section in its attributes: one file for both programs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.bytes.number_lists import json_text
from workbench.formats.own.document import head_record
from workbench.formats.own.fingerprint import fingerprint
from workbench.formats.own.node_figures import figures_record
from workbench.formats.own.payload import packed
from workbench.formats.xgboost.learner import leading_trees, learner_section
from workbench.formats.xgboost.reader import read_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.formats.model import Model

XGBOOST_VERSION = [3, 2, 0]


class XGBoostJson:
    """The format `xgboost`, in which a model is saved unless another is asked for."""

    name = "xgboost"
    label = "Model file (also loads in XGBoost)"
    suffixes: tuple[str, ...] = (".json",)
    aliases = ("xgboost-json",)
    can_read = can_write = True

    def write(self, model: Model) -> bytes:
        """Return the document of INTERCHANGE.md, sections 1 to 4."""
        return written(model, _json)

    def read(self, data: bytes) -> Model:
        """Make a model of our file, or of one that XGBoost wrote."""
        return read_document(checks.parse_object(data), len(data))

    def recognises(self, data: bytes) -> bool:
        """Tell by the outermost key, which XGBoost writes first; of several objects it is a column."""
        start = data[:4096].lstrip().replace(b"\r", b"")
        return start.startswith(b"{") and b'"learner"' in start and b"}\n{" not in start


def written(model: Model, encode: Callable[[dict[str, Any]], bytes]) -> bytes:
    """Return XGBoost's document with our own section in it, as `encode` writes JSON's values."""
    learner = learner_section(model)
    record = {
        "model": head_record(model),
        "leading_trees": leading_trees(model.ensemble),
        "figures": [figures_record(tree) for tree in model.ensemble.trees],
    }
    try:
        learner["attributes"] = packed(record, partial(fingerprint, learner))
        return encode({"learner": learner, "version": XGBOOST_VERSION})
    except ValueError as error:
        raise WorkbenchError(f"The model holds a number or text that JSON cannot say: {error}.") from error


def _json(document: dict[str, Any]) -> bytes:
    return json_text(document).encode("utf-8")


FORMATS.register(XGBoostJson())
