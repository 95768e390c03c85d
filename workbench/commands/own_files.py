"""A person's own Python files on the command line: each is run only when they agree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams


def add_own_file_flags(parser: ArgumentParser) -> None:
    """Declare the flags of such files."""
    parser.add_argument(
        "--objective-file", metavar="FILE", help="Python file with functions loss and gradients"
    )
    parser.add_argument(
        "--metric-file", metavar="FILE", nargs="+", action="extend", default=[],
        help="Python files with a function metric; --metric may name over where over.py is given",
    )
    parser.add_argument("--yes", action="store_true", help="run these files without asking")


def with_own(params: TrainingParams, own: OwnParts) -> TrainingParams:
    """Return parameters that name what the files gave."""
    if own.objective is not None:
        params = params.change(objective=own.objective.name)
    more = [metric.name for metric in own.metrics if metric.name != params.metric]
    params = params.change(more_metrics=tuple(dict.fromkeys((*params.more_metrics, *more))))
    own.check_names(params)
    return params


def own_parts(args: Namespace) -> OwnParts:
    """Run the files that are given, once the person has agreed to all of them."""
    from workbench.ensembles.own_parts import NOTHING_OWN, OwnParts

    files = [*([args.objective_file] if args.objective_file else []), *args.metric_file]
    if not files:
        return NOTHING_OWN
    named = getattr(args, "parameter_objective", None)
    if args.objective_file and named is not None:
        raise WorkbenchError(f"--objective {named} and --objective-file clash; give one of them.")
    if not args.yes:
        for file in files:
            agree_to(file)
    from workbench.metrics.custom import load_metric
    from workbench.objectives.custom import load_objective

    objective = load_objective(args.objective_file) if args.objective_file else None
    return OwnParts(objective, tuple(load_metric(file) for file in args.metric_file))


def agree_to(file: str) -> None:
    """Ask whether a file may be run; raise WorkbenchError where it may not."""
    print(
        f"{file} will be run; it can do whatever a program can. Run it? [y/N]", file=sys.stderr, flush=True
    )
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise WorkbenchError(f"{file} was not run. Answer y, or give --yes.")
