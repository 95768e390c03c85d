"""Rows with scores, answers and weights, some of them 0."""

from __future__ import annotations

import numpy as np

from workbench.explain.predictions.scored_rows import ScoredRows, known_rows

CLASSES = ("low", "middle", "high")


def two_classes(n: int = 400, *, seed: int = 0, weighted: bool = False, ties: bool = False) -> ScoredRows:
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 2, n).astype(np.float64)
    score = (1 / (1 + np.exp(-(1.5 * target - 0.75 + rng.normal(0, 1.2, n))))).astype(np.float32)
    score = np.round(score, 1) if ties else score
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], n) if weighted else None
    return known_rows(ScoredRows("classes", target, score, np.arange(n), weight, ("no", "yes")))


def three_classes(n: int = 300, *, weighted: bool = False) -> ScoredRows:
    rng = np.random.default_rng(1)
    target = rng.integers(0, 3, n).astype(np.float64)
    raw = rng.normal(0, 1, (n, 3))
    raw[np.arange(n), target.astype(int)] += 1.0
    shares = np.exp(raw)
    shares = (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)
    weight = rng.choice([0.0, 1.0, 2.0], n) if weighted else None
    return known_rows(ScoredRows("classes", target, shares, np.arange(n), weight, CLASSES))


def numbers(n: int = 500, *, weighted: bool = False) -> ScoredRows:
    rng = np.random.default_rng(2)
    predicted = rng.normal(10, 4, n).astype(np.float32)
    weight = rng.choice([0.0, 1.0, 2.5], n) if weighted else None
    return known_rows(ScoredRows("numbers", predicted + rng.normal(0, 2, n), predicted, np.arange(n), weight))
