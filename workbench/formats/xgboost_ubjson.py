"""The binary twin of XGBoost's JSON, in which it saves by default; read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from workbench.errors import WorkbenchError
from workbench.formats import checks
from workbench.formats.base import FORMATS
from workbench.formats.ubjson import parse_ubjson
from workbench.formats.xgboost_reader import read_document

if TYPE_CHECKING:
    from workbench.formats.model import Model


class XGBoostUbjson:
    """The format `xgboost-ubjson`."""

    name = "xgboost-ubjson"
    label = "XGBoost's binary model file"
    suffixes: tuple[str, ...] = (".ubj",)
    can_read, can_write = True, False

    def write(self, model: Model) -> NoReturn:
        """Refuse: XGBoost makes it of our JSON."""
        raise WorkbenchError("Write the format xgboost; XGBoost saves it as .ubj.")

    def read(self, data: bytes) -> Model:
        """Make a model of a file that XGBoost wrote, ours within it or not."""
        with checks.damage_reported("model file"):
            return read_document(checks.mapping(parse_ubjson(data), "the file"), len(data))

    def recognises(self, data: bytes) -> bool:
        """Tell by the length marker before the outermost key."""
        return data[:1] == b"{" and data[1:2] in (b"L", b"l", b"I", b"U", b"i") and b"learner" in data[:64]


FORMATS.register(XGBoostUbjson())
