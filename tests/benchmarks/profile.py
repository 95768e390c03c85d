"""Where the time of a round goes, phase by phase, beside the least that its counting can take.

The phases of `boosting_step` and `grow_nodes` are called one by one, on one thread, in the middle of a run.
Seconds are those of the thread on a processor, so that what it waits for others to leave one does not count.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tests.benchmarks.machine import describe
from tests.benchmarks.peers import our_params
from tests.benchmarks.workloads import WORKLOADS, draw
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.round_grower import RoundGrower
from workbench.ensembles.row_sampling import draw_rows
from workbench.ensembles.run.begun import begin_run
from workbench.ensembles.run.least_gain import least_gain, whole_gain
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.ensembles.tree_plan import growing_params
from workbench.given import make_dataset
from workbench.trees import leaf_sums, packing
from workbench.trees.colsample import draw_columns
from workbench.trees.hist import boosting_step as step
from workbench.trees.hist import growing, histogram, labelling, node_search, partition, root, routing, waves
from workbench.trees.node_lists import (
    COUNTED_OFFSET,
    N_COUNTED,
    N_NODES,
    N_OWNERS,
    N_WAVE,
    WAVE,
    WAVE_BEGIN,
    WAVE_OFFSET,
    ListedNodes,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.workloads import Workload
    from workbench.data.dataset import Dataset
    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.parameters.training import TrainingParams

WARM_ROUNDS = 10
TREES = 5


class Stopwatch:
    """Seconds on a processor, by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def __call__(self, phase: str, kernel: Callable[..., Any], *arguments: object) -> None:
        """Call a kernel, and add the time it took to its phase."""
        began = time.thread_time()
        kernel(*arguments)
        self.seconds[phase] += time.thread_time() - began


class Midway(NamedTuple):
    """A run in its middle: what grows its trees, its training rows and its loss."""

    setup: RunSetup
    grower: Any
    rows: PredictedRows
    loss: TrainingLoss


def midway(dataset: Dataset, params: TrainingParams) -> Midway:
    """Grow the first rounds of a run."""
    setup = RunSetup(dataset, params, None, NOTHING_OWN)
    begun = begin_run(setup, dataset, lambda: False)
    loss = TrainingLoss(setup.objective, begun.rows.train, setup.team)
    gain = least_gain(whole_gain(loss.gradients, loss.hessians))
    rounds = RoundGrower(setup, dataset, begun, loss, gain, np.zeros(1, np.uint8))
    for number in range(1, WARM_ROUNDS + 1):
        rounds.grow(params, number, rounds.draw(params, number), params.learning_rate)
        loss.update()
    return Midway(setup, begun.prepared.grower, begun.rows.train, loss)


def grow_in_steps(run: Midway, watch: Stopwatch) -> int:
    """Grow one tree as `boosting_step` does; return how many rows the phase “count” counted."""
    (setup, grower, trained, loss), alone = run, (0, 1)
    chosen = setup.params
    gain = least_gain(whole_gain(loss.gradients, loss.hessians))
    params = growing_params(chosen, chosen.learning_rate, gain)
    matrix, memory, finished = grower._arrays, grower._memory, grower._finished
    gradients, hessians, raw = loss.gradients[0], loss.hessians[0], trained.raw[0]
    share, share_of_columns = chosen.subsample, chosen.colsample_bytree
    columns = draw_columns(np.arange(len(matrix.n_bins)), share_of_columns, 0, 1)
    lists, progress, nodes, slots = memory.lists, memory.progress, memory.nodes, memory.histograms.slots
    began = time.thread_time()
    drawn, left_out = draw_rows(len(raw), share, 0, 1)
    watch.seconds["draw"] += time.thread_time() - began
    rows = drawn.copy()
    watch("gradients and loss", loss.update)
    watch("metrics", setup.metrics.on_train, trained, 0.0, loss.measured)
    watch("pack", packing.sum_gradients_part, *alone, gradients, hessians, memory.gradient_sums)
    packing.choose_scales(memory.gradient_sums, len(gradients), memory.scales)
    growing.begin_tree(memory, len(rows), None)
    counted = 0
    watch("pack, count the root", root.pack_and_count_part, *alone, gradients, hessians, matrix, None, memory,
          rows)  # fmt: skip
    while progress[N_WAVE] > 0:
        if matrix.n_alone < len(matrix.by_column):
            watch("search", growing.finish_shared_part, *alone, matrix, memory, rows, None)
        watch("search", node_search.search_part, *alone, matrix, None, memory, rows, columns, params, None)
        watch("decide", growing.queue_pairs, matrix, memory, columns, params, None)
        watch("decide", waves.choose_wave, memory, params, memory.few_rows)
        wave = ListedNodes(lists[WAVE], lists[WAVE_BEGIN], lists[WAVE_OFFSET], progress[N_WAVE])
        watch("part rows", partition.stage_part, *alone, matrix, None, rows, wave, nodes, memory.answers[0],
              memory.stage, memory.n_left)  # fmt: skip
        watch("part rows", partition.unstage_part, *alone, rows, wave, memory.stage, memory.n_left)
        waves.pair_children(lists, progress, nodes, slots, memory.n_left, 1, memory.few_rows)
        counted += int(lists[COUNTED_OFFSET, progress[N_COUNTED]])
        watch("count", growing.count_nodes_part, *alone, matrix, None, memory, rows)
    labelling.list_owners(memory.owners, progress, nodes)
    owning = ListedNodes(*memory.owners, progress[N_OWNERS])
    watch("label rows", labelling.label_part, *alone, matrix, None, rows, owning, nodes, memory.answers[0],
          memory.labels)  # fmt: skip
    n_grown = progress[N_NODES]
    summed = drawn if len(left_out) else None
    watch("sum leaves", leaf_sums.sum_leaves_part, *alone, summed, memory.labels, gradients, hessians,
          n_grown, memory.leaf_sums)  # fmt: skip
    leaf_sums.add_blocks(memory.leaf_sums, len(drawn), n_grown, memory.sums)
    watch("finish the tree", step.finish_tree, matrix, None, memory, params, None, finished)
    watch("add leaves", routing.add_labelled, *alone, summed, memory.labels, finished.value_of_label, raw)
    record_bytes, depth = 8 * matrix.records.shape[1], int(finished.figures[step.DEPTH_FIGURE])
    watch("walk", routing.add_walked, *alone, left_out, matrix.bins, record_bytes, finished.packed, depth,
          finished.value_of_leaf, memory.walked[0], raw)  # fmt: skip
    return counted


def floor_of(grower: Any) -> float:
    """Return the seconds that counting takes for a row and column, rows in order and in the cache."""
    records = grower._arrays.records[:20_000].copy()
    rows, d = np.arange(len(records), dtype=np.uint32), len(grower._arrays.n_bins)
    scratch = np.zeros(d * histogram.HISTOGRAM_STRIDE, np.int64)
    fetched = np.empty(histogram.fetched_shape(d), np.uint64)
    best = np.inf
    for _ in range(30):
        began = time.thread_time()
        histogram.count_rows(records, rows, d, fetched, scratch)
        best = min(best, time.thread_time() - began)
    return best / (len(rows) * d)


def profile(load: Workload) -> None:
    """Print the phases of a round."""
    data = draw(load)
    params = our_params(replace(load, rounds=WARM_ROUNDS), threads=1)
    dataset = make_dataset(
        data.x, data.y, None, data.weight, None, 0.0, params, load.category_columns
    )
    run = midway(dataset, params)
    runs, counted = [], 0
    for _ in range(TREES):
        watch = Stopwatch()
        counted = grow_in_steps(run, watch)
        runs.append(watch.seconds)
    cells = load.rows * load.columns
    medians = {phase: float(np.median([run[phase] for run in runs])) for phase in runs[0]}
    total = sum(medians.values())
    print(f"{load.title}: one round on one thread, median of {TREES}")
    print("| phase | ms | ns a row × column | share |\n|---|---|---|---|")
    for phase, seconds in medians.items():
        print(f"| {phase} | {seconds * 1e3:.2f} | {seconds / cells * 1e9:.3f} | {seconds / total:.0%} |")
    print(f"| all | {total * 1e3:.2f} | {total / cells * 1e9:.3f} | |")
    floor = floor_of(run.grower)
    least = counted * load.columns * floor
    print(f"Counted below: {counted / load.rows:.2f} × all rows; floor {floor * 1e9:.2f} ns a row and column "
          f"or {least * 1e3:.2f} ms; counting takes {medians['count'] / least:.2f} times that.")  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Profile the workload that is named, W1 without."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks profile", description=__doc__)
    loads = {load.key: load for load in WORKLOADS}
    parser.add_argument("workload", nargs="?", default="W1", choices=loads)
    key = parser.parse_args(arguments or []).workload
    print(*describe(), sep="\n")
    profile(loads[key])


if __name__ == "__main__":
    main()
