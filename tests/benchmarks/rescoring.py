"""Scoring stored trees again under another λ and γ, as dragging a slider does."""

from __future__ import annotations

import argparse
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tests.benchmarks import machine
from workbench.explain.what_if.critical_values import critical_lambdas
from workbench.explain.what_if.rescored_trees import rescored_trees
from workbench.explain.what_if.rescoring import Rescorer, Values
from workbench.trees.tree import NODE_DTYPE, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TARGET_MS = 16.0
TURNS = 50


def full_tree(rng: np.random.Generator, leaves: int) -> Tree:
    """Return a tree of so many leaves, all on one level, with random sums."""
    n = 2 * leaves - 1
    nodes = np.zeros(n, NODE_DTYPE)
    order = np.arange(n)
    split = order < leaves - 1
    nodes["feature"], nodes["category"] = np.where(split, 0, -1), -1
    nodes["left"], nodes["right"] = np.where(split, 2 * order + 1, -1), np.where(split, 2 * order + 2, -1)
    nodes["parent"], nodes["depth"] = (order + 1) // 2 - 1, np.log2(order + 1).astype(int)
    nodes["sum_gradient"][~split] = rng.normal(0, 5, leaves)
    nodes["sum_hessian"][~split] = rng.exponential(20, leaves)
    for node in range(leaves - 2, -1, -1):
        for name in ("sum_gradient", "sum_hessian"):
            nodes[name][node] = nodes[name][2 * node + 1] + nodes[name][2 * node + 2]
    return Tree(nodes, np.zeros(n + 1, np.int32), np.empty(0, np.int32))


def spent(call: Callable[[], object]) -> float:
    """Return milliseconds, the median of some turns."""
    times = []
    for _ in range(TURNS):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def main(arguments: Sequence[str] = ()) -> None:
    """Print what each part takes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks rescoring", description=__doc__)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--leaves", type=int, default=64)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(0)
    trees = [full_tree(rng, chosen.leaves) for _ in range(chosen.trees)]
    rescorer = Rescorer(trees)
    values = Values(3.0, 0.8, 0.1)
    scored = rescorer.score(values)
    print(*machine.describe(), sep="\n")
    print(f"{chosen.trees} trees of {chosen.leaves} leaves; target of scoring {TARGET_MS:.0f} ms")
    calls = {
        "pack the sums, once a run": partial(Rescorer, trees),
        "score, prune, add up": lambda: rescorer.score(values).totals,
        "critical λ of every split": lambda: critical_lambdas(scored),
        "make trees of it": lambda: rescored_trees(trees, scored),
    }
    for name, call in calls.items():
        print(f"{name:28s} {spent(call):8.2f} ms")
