"""Where the bundled files are: in a checkout beside the package, in an installed wheel inside it."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """Return the path of a bundled font, icon, schema or page: `resource_path("icons", "x.svg")`."""
    return _folder("resources").joinpath(*parts)


def sample_path(*parts: str) -> Path:
    """Return the path of a bundled data set: `sample_path("heart_disease.csv")`."""
    return _folder("sample_datasets").joinpath(*parts)


def _folder(name: str) -> Path:
    installed = _PACKAGE / f"_{name}"
    return installed if installed.is_dir() else _PACKAGE.parent / name
