"""Imports pandas and numba ahead of need: loading their libraries holds the interpreter lock for a while."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.workers.jobs import Job

HEAVY = ("pandas", "workbench.ensembles.newton_boosting", "workbench.explain.importance")


def preload(job: Job) -> None:
    """Import what the first table and the first run will need; run on a worker thread."""
    for name in HEAVY:
        if job.cancelled():
            return
        importlib.import_module(name)
