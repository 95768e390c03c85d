"""Loading a model, whichever program wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.formats.model import Model


def load_model(path: str | Path) -> Model:
    """Read a model from a file of any known format."""
    from workbench.formats.base import reader_of
    from workbench.formats.bytes.checks import damage_reported
    from workbench.formats.bytes.files import read_bytes
    from workbench.formats.twin_names import with_names_apart
    from workbench.formats.unread_files import advice_on

    data = read_bytes(path)
    chosen = reader_of(data)
    if chosen is None:
        if (advice := advice_on(data[:100], str(path))) is not None:
            raise WorkbenchError(f"{path} is {advice}")
        known = "of this program, XGBoost (JSON, UBJSON), LightGBM (text, JSON), CatBoost (JSON) or ONNX"
        raise WorkbenchError(f"{path} is not a model file known here. Give one {known}.")
    try:
        with damage_reported("model file"):
            return with_names_apart(chosen.read(data))
    except WorkbenchError as error:
        raise WorkbenchError(f"Cannot load {path}: {error}") from error
