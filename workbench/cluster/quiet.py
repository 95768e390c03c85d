"""Keeps the workers of a local cluster from printing into the person's terminal, as XGBoost does there."""

from __future__ import annotations

import os
import sys


def hush() -> None:
    """Print nothing any more; called on a worker process of its own."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
