"""The binary twin of XGBoost's JSON, in which it saves by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.formats.base import FORMATS
from workbench.formats.bytes import checks
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.bytes.ubjson_writer import ubjson
from workbench.formats.xgboost.json import written
from workbench.formats.xgboost.reader import read_document

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.formats.xgboost.json import Attributes

# Of the lists that XGBoost reads in one type only.
TYPED = {
    **dict.fromkeys(("base_weights", "loss_changes", "split_conditions", "sum_hessian"), b"d"),
    **dict.fromkeys(("default_left", "split_type"), b"U"),
    **dict.fromkeys(("categories_segments", "categories_sizes"), b"L"),
    **dict.fromkeys(
        ("categories", "categories_nodes", "left_children", "parents", "right_children", "split_indices",
         "feature_segments", "offsets", "sorted_idx"), b"l",
    ),
}  # fmt: skip


class XGBoostUbjson:
    """The format `xgboost-ubjson`."""

    name = "xgboost-ubjson"
    label = "XGBoost's binary model file"
    suffixes: tuple[str, ...] = (".ubj",)
    can_read = can_write = True

    def write(self, model: Model) -> bytes:
        """Return the same document as the format `xgboost` has."""
        return written(model, _ubjson)

    def read(self, data: bytes) -> Model:
        """Make a model of a file that XGBoost wrote, ours within it or not."""
        with checks.damage_reported("model file"):
            return read_document(checks.mapping(parse_ubjson(data), "the file"), len(data))

    def recognises(self, data: bytes) -> bool:
        """Tell by the length marker before the outermost key."""
        return data[:1] == b"{" and data[1:2] in (b"L", b"l", b"I", b"U", b"i") and b"learner" in data[:64]


def _ubjson(document: dict[str, Any], attributes: Attributes) -> bytes:
    document["learner"]["attributes"] = attributes()
    return ubjson(document, _marker)


def _marker(holder: dict[str, Any], key: str) -> bytes | None:
    """Return the type of a list; names of categories are bytes, or 64-bit numbers where they are no text."""
    if key == "values":
        return b"i" if "offsets" in holder else b"L"
    return TYPED.get(key)


FORMATS.register(XGBoostUbjson())
