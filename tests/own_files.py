"""A Python file of a person's own, and rows that it is tried on."""

from __future__ import annotations

import numpy as np


def file_with(tmp_path, text, name="own.py"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(n=500):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3))
    return x, x[:, 0] + rng.normal(size=n)
