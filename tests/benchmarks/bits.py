"""The same model bit by bit with 1, 2 and 3 threads, samples of rows and columns included."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.benchmarks.peers import Unavailable, ours
from tests.benchmarks.workloads import WORKLOADS, draw

if TYPE_CHECKING:
    from tests.benchmarks.workloads import Workload

THREADS = (1, 2, 3)
SHARE = 0.8
MOST_ROWS = {"W1": 1_000_000}  # others OTHER_ROWS
OTHER_ROWS = 100_000
ROUNDS = 10


def digest(model: Any) -> str:
    """A digest of every byte that a model's trees hold, and of its base."""
    found = hashlib.sha256(model.ensemble.base_margin.tobytes())
    for tree in model.trees:
        for array in (tree.nodes, tree.category_begin, tree.category_codes):
            found.update(array.tobytes())
    return found.hexdigest()


def digests(load: Workload) -> list[str]:
    """Return the digest with each number of threads."""
    load = load.small(MOST_ROWS.get(load.key, OTHER_ROWS))
    load = replace(load, rounds=ROUNDS, subsample=SHARE, colsample=SHARE)
    data = draw(load)
    return [digest(ours(load, data, threads)) for threads in THREADS]


def main() -> None:
    """Print for every workload whether the digests are equal."""
    print(f"bits with {THREADS} threads, {ROUNDS} rounds, {SHARE} of rows and columns", flush=True)
    for load in WORKLOADS:
        rows = min(load.rows, MOST_ROWS.get(load.key, OTHER_ROWS))
        try:
            found = digests(load)
        except Unavailable as reason:
            print(f"  {load.key:6s} skipped: {reason}", flush=True)
            continue
        verdict = "equal" if len(set(found)) == 1 else "DIFFERENT"
        print(f"  {load.key:6s} {rows:9d} rows  {verdict:9s} {found[0][:12]}", flush=True)


if __name__ == "__main__":
    main()
