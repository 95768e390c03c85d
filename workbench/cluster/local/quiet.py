"""Keeps a cluster's processes from printing into the person's terminal, as XGBoost does there."""

from __future__ import annotations

import os
import sys


def hush() -> None:
    """Print nothing any more, here and in processes that are started from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
