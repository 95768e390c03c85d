"""The packages that training on a cluster needs, which an extra installs."""

from __future__ import annotations

from importlib.util import find_spec

from workbench.errors import WorkbenchError

PACKAGES = ("dask", "distributed", "xgboost")
INSTALL = "pip install 'boosting-workbench[cluster]'"
LACKS = f"Training on a cluster needs dask, distributed and xgboost. Install them with: {INSTALL}"


def has_extra() -> bool:
    """Whether all of them are installed; nothing is loaded."""
    return all(find_spec(name) is not None for name in PACKAGES)


def check_extra() -> None:
    """Refuse to go on without them, with the line that installs them."""
    if not has_extra():
        raise WorkbenchError(LACKS)


def load_engine() -> None:
    """Load xgboost.dask, a thousand modules: while processes start, not as a person waits for a round."""
    import xgboost.dask  # noqa: F401
