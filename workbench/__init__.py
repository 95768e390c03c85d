"""Boosting Workbench: gradient boosting at work, in a window, in scripts and on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.version import __version__

if TYPE_CHECKING:
    from workbench.api import fit, train
    from workbench.cross_validated import cross_validate
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingPaused, TrainingStarted
    from workbench.errors import WorkbenchError, WorkbenchWarning
    from workbench.formats.load import load_model
    from workbench.formats.model import Model
    from workbench.metrics.custom import load_metric
    from workbench.objectives.custom import load_objective
    from workbench.parameters.training import TrainingParams
    from workbench.score import score_file
    from workbench.show import open
    from workbench.study.study import Study, open_study
    from workbench.validation.result import CrossValidated

__all__ = [
    "CrossValidated", "Model", "RoundFinished", "RunControl", "Study", "TrainingEnded", "TrainingParams",
    "TrainingPaused", "TrainingStarted", "WorkbenchError", "WorkbenchWarning", "__version__",
    "cross_validate", "fit", "load_metric", "load_model", "load_objective", "open", "open_study",
    "score_file", "train",
]  # fmt: skip

_PLACES = {
    "CrossValidated": "workbench.validation.result",
    "Model": "workbench.formats.model",
    "RoundFinished": "workbench.ensembles.events",
    "RunControl": "workbench.ensembles.control",
    "Study": "workbench.study.study",
    "TrainingEnded": "workbench.ensembles.events",
    "TrainingParams": "workbench.parameters.training",
    "TrainingPaused": "workbench.ensembles.events",
    "TrainingStarted": "workbench.ensembles.events",
    "WorkbenchError": "workbench.errors",
    "WorkbenchWarning": "workbench.errors",
    "cross_validate": "workbench.cross_validated",
    "fit": "workbench.api",
    "load_metric": "workbench.metrics.custom",
    "load_model": "workbench.formats.load",
    "load_objective": "workbench.objectives.custom",
    "open": "workbench.show",
    "open_study": "workbench.study.study",
    "score_file": "workbench.score",
    "train": "workbench.api",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import workbench` costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
