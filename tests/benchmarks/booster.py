"""Total fit time beside the libraries: same data, parameters and threads, in turns in one run."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits

from tests.benchmarks import binning, machine, prediction, quality, table
from tests.benchmarks.peers import PEERS, Unavailable, ours
from tests.benchmarks.targets import TARGETS, target
from tests.benchmarks.turns import QUIET, in_turns, timed
from tests.benchmarks.workloads import W1, WORKLOADS, draw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.benchmarks.workloads import Workload

QUICK_ROWS = 20_000
QUICK_REPEATS = 3  # what repeats are divided by
SEEDS, MANY_SEEDS = 5, 15  # many where a fit is short
SHORT_ROWS = 10_000
APART = {"predict": prediction.calls, "binning": binning.calls}
TITLES = {"predict": "{rows:,} rows × 100 trees", "binning": "{rows:,} rows of W1"}
WORDS = """\
Ratio of our total time to the peer's, ≤ its target, ! where missed; in brackets the peer's own time.
A fit goes from a float32 array in memory to the finished model, binning included, {threads} threads, median
in turns. 255 bins, λ 1, η .1, least hessian 1. Ours measures its training metrics every round; the peers
measure none. CatBoost grows Depthwise (W2: Lossguide) without bootstrap. scikit-learn and CatBoost have no
least hessian of a leaf; one row is theirs. Categories are parted as each library does.
Turns in which other processes used more than {quiet:.0%} of the machine do not count. A row with too few
quiet turns says so; with none its ratios are worth little: the peers' threads spin, and suffer from others
more than ours."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m tests.benchmarks booster", description=__doc__)
    made.add_argument("--quick", action="store_true", help=f"at most {QUICK_ROWS:,} rows, fewer repeats")
    made.add_argument("--only", default="", help=f"some of {','.join(TARGETS)}, with commas between")
    made.add_argument("--threads", type=int, default=2)
    made.add_argument("--repeats", type=int, default=0, help="instead of what each workload asks for")
    made.add_argument("--markdown", action="store_true")
    made.add_argument("--no-quality", dest="quality", action="store_false", help="leave the losses out")
    return made


def main(arguments: Sequence[str] = ()) -> None:
    """Print the table of ratios, and the losses on held-out rows."""
    options = parser().parse_args(arguments)
    keys = options.only.split(",") if options.only else list(TARGETS)
    unknown = set(keys) - set(TARGETS)
    if unknown:
        raise SystemExit(f"There is no workload {', '.join(unknown)}. Known: {', '.join(TARGETS)}.")
    print(*machine.describe(), WORDS.format(threads=options.threads, quiet=QUIET), "", sep="\n", flush=True)
    with threadpool_limits(options.threads, user_api="openmp"):  # what scikit-learn obeys
        rows = []
        for key in keys:
            rows.append(measure(key, options))
            shown = [peer for peer in PEERS if peer in rows[-1].cells]
            print(table.plain(rows[-1:], shown), "", sep="\n", flush=True)
        shown = [peer for peer in PEERS if any(peer in row.cells for row in rows)]
        print((table.markdown if options.markdown else table.plain)(rows, shown), "", sep="\n", flush=True)
        cells = [cell for row in rows for cell in row.cells.values()]
        quiet = [cell for row in rows if not row.disturbed for cell in row.cells.values()]
        missed = sum(cell.is_missed for cell in quiet)
        unknown = f"; {len(cells) - len(quiet)} were disturbed and count for nothing"
        print(
            f"{missed} of {len(quiet)} ratios miss their target{unknown * (len(quiet) < len(cells))}", "",
            sep="\n", flush=True,
        )
        if options.quality:
            print_quality([load for load in WORKLOADS if load.key in keys], options)


def measure(key: str, options: argparse.Namespace) -> table.Row:
    """Time one row of the table."""
    if key in APART:
        rows = min(W1.rows, QUICK_ROWS) if options.quick else W1.rows
        title, calls, repeats = TITLES[key].format(rows=rows), APART[key](rows, options.threads), 7
    else:
        load = next(load for load in WORKLOADS if load.key == key)
        load = load.small(QUICK_ROWS) if options.quick else load
        title, repeats = load.title + f" ({load.rows:,} rows)" * options.quick, load.repeats
        try:
            calls = fits(load, options.threads)
        except Unavailable as reason:
            return table.Row(key, title, skipped=str(reason))
    if options.quick:
        repeats = max(repeats // QUICK_REPEATS, 1)
    repeats = options.repeats or repeats
    found = in_turns(calls, repeats, repeats if options.quick else 0)
    medians = found.seconds
    mine = medians.pop("ours")
    enough = found.quiet >= repeats
    disturbed = "" if enough else f" [{found.quiet} quiet turns of {repeats}; others used {found.others:.0%}]"
    cells = {
        peer: table.Cell(spent, mine / spent, target(key, peer, options.threads))
        for peer, spent in medians.items()
    }
    return table.Row(key, title, mine, cells, disturbed=disturbed)


def fits(load: Workload, threads: int) -> dict[str, Callable[[], Any]]:
    """Return a call for us and for each peer; each has had one round to load and compile."""
    data = draw(load)
    chosen = {"ours": ours} | {name: PEERS[name] for name in TARGETS[load.key]}
    for fit in chosen.values():
        timed(partial(fit, replace(load, rounds=1), data, threads))
    return {name: partial(fit, load, data, threads) for name, fit in chosen.items()}


def print_quality(loads: Sequence[Workload], options: argparse.Namespace) -> None:
    """Print the losses beside XGBoost's."""
    sizes = (SHORT_ROWS, SHORT_ROWS) if options.quick else (quality.MOST_ROWS, quality.HELD_OUT_ROWS)
    print("Loss on held-out rows, mean ± deviation over several samples of the data. OUTSIDE: ours is larger "
          "by more than one deviation of the difference.", flush=True)
    for load in loads:
        seeds = MANY_SEEDS if load.rows <= SHORT_ROWS and not options.quick else SEEDS
        try:
            print(quality.compare(load, seeds, options.threads, *sizes).text(), flush=True)
        except Unavailable as reason:
            print(f"{load.key:6s} skipped: {reason}", flush=True)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
