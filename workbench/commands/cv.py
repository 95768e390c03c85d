"""`workbench cv`: a table in, what folds say of a model out."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.own_files import add_own_file_flags, own_parts, with_own
from workbench.commands.parameter_flags import add_parameter_flags, parameters_of
from workbench.commands.reading import read_for
from workbench.commands.reading_flags import add_reading_flags
from workbench.commands.telling import make_kernels_ready, say, stopped_by_interrupt
from workbench.commands.training_rows import add_role_flags, dataset_of, say_cut_queries, say_how_read
from workbench.errors import Cancelled, WorkbenchError
from workbench.parameters.folds import FOLD_SEED, FOLDS, REPEATS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence

    from workbench.data.dataset import Dataset
    from workbench.data.table import Table
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.validation.folds import Fold
    from workbench.validation.result import CrossValidated

SECONDS_BETWEEN_LINES = 0.5


class CrossValidate:
    """Ctrl-C stops it; the folds so far are told."""

    name = "cv"
    help = "cross-validate: train and measure on folds of a table"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.usage = "workbench cv FILE --target COLUMN [flags]"
        parser.add_argument("file", metavar="FILE", help="table to train on")
        parser.add_argument("--target", metavar="COLUMN", required=True, help="column to predict")
        add_role_flags(parser)
        for declared in (FOLDS, REPEATS):
            parser.add_argument(
                declared.flag, metavar="N", help=f"{declared.help} [default {declared.default}]"
            )
        parser.add_argument(
            "--fold-groups", metavar="COLUMN",
            help="keep rows with the same value in this column together; it is no feature then",
        )  # fmt: skip
        parser.add_argument(
            "--fold-time", metavar="COLUMN",
            help="go forward in time by this column: each fold trains on the rows before it; no feature then",
        )  # fmt: skip
        parser.add_argument(
            "--fold-seed", metavar="N", help="seed by which rows are divided [default that of the run]"
        )
        parser.add_argument(
            "--no-stratify", action="store_true", help="divide rows without regard to the shares of classes"
        )
        parser.add_argument(
            "--predictions", metavar="CSV", help="also write each row's prediction by the fold without it"
        )
        parser.add_argument("--history", metavar="CSV", help="also write mean and spread of every round")
        add_own_file_flags(parser)
        parser.add_argument("--quiet", action="store_true", help="print nothing but the figures and errors")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        add_reading_flags(parser)
        add_parameter_flags(parser)

    def run(self, args: Namespace) -> int:
        """Divide, train, measure."""
        own = own_parts(args)
        params = with_own(parameters_of(args), own)
        _check_paths(args)
        table = read_for(args)
        column = _column_named(args)
        dataset = dataset_of(table, args, params, column, {"valid_fraction": 0.0})
        folds = _folds(dataset, table, args, params, column)
        if not args.quiet:
            say_how_read(table, args)
            say_cut_queries(dataset, [(fold.train, fold.valid) for fold in folds])
        make_kernels_ready(params, args.quiet)
        result, failure = _validated(dataset, params, folds, own, args.quiet)
        if not result.done:
            raise failure or Cancelled
        _write(result, args)
        if args.json:
            print(json.dumps(_finite(result.to_dict()), ensure_ascii=False))
        else:
            print("\n".join(map(on_console, figure_lines(result))))
        if failure is not None:
            raise failure
        return 0


def _check_paths(args: Namespace) -> None:
    from workbench.formats.bytes.files import check_spares, check_writable

    own = [args.objective_file] if args.objective_file else []
    paths = [path for path in (args.predictions, args.history) if path]
    for path in paths:
        check_writable(path)
        check_spares(path, args.file, *own, *args.metric_file)
    if len(paths) > len(set(paths)):
        raise WorkbenchError(f"{paths[0]} cannot be two outputs. Give --history another name.")


def _column_named(args: Namespace) -> str | None:
    if args.fold_groups and args.fold_time:
        raise WorkbenchError("--fold-groups and --fold-time clash: rows are divided in one way.")
    named: str | None = args.fold_groups or args.fold_time
    return named


def _folds(
    dataset: Dataset, table: Table, args: Namespace, params: TrainingParams, column: str | None
) -> tuple[Fold, ...]:
    from workbench.validation.divided import folds_of_dataset
    from workbench.validation.fold_plan import FoldPlan

    drawn = "rows" if args.no_stratify or not dataset.schema.class_labels else "classes"
    by: Any = "groups" if args.fold_groups else "time" if args.fold_time else drawn
    numbers = {
        declared.name: declared.default if given is None else declared.parse(given)
        for declared, given in ((FOLDS, args.folds), (REPEATS, args.repeats))
    }
    seed = params.seed if args.fold_seed is None else FOLD_SEED.parse(args.fold_seed)
    plan = FoldPlan(**numbers, seed=seed, by=by, column=column)
    return folds_of_dataset(dataset, plan, None if column is None else table.column(column))


def _validated(
    dataset: Dataset, params: TrainingParams, folds: Sequence[Fold], own: OwnParts, quiet: bool
) -> tuple[CrossValidated, WorkbenchError | None]:
    """Return what the folds said, and what broke it off after the first of them."""
    from workbench.ensembles.control import RunControl
    from workbench.validation.cross_validation import cross_validation
    from workbench.validation.result import CrossValidated

    control, result = RunControl(), CrossValidated(dataset, folds)
    said = time.monotonic()
    with stopped_by_interrupt(control):
        try:
            for word in cross_validation(dataset, params, folds, control, own):
                result.take(word)
                if not quiet and time.monotonic() - said > SECONDS_BETWEEN_LINES:
                    run = result.folds[word.place]
                    say(f"{run.fold.name} of {len(folds)}, round {run.rounds} of {params.rounds}")
                    said = time.monotonic()
        except WorkbenchError as error:
            return result, error
    return result, None


def _write(result: CrossValidated, args: Namespace) -> None:
    from workbench.formats.bytes.files import atomic_write
    from workbench.formats.own.history_csv import history_csv

    found = result.out_of_fold
    if args.predictions and found is not None:
        atomic_write(args.predictions, found.frame().to_csv(index=False).encode())
    if args.history:
        atomic_write(args.history, history_csv(result.round_records()))


def figure_lines(result: CrossValidated) -> Iterator[str]:
    """Yield a line a fold, and mean and spread of each metric."""
    metrics = result.metrics
    head = ["fold", "rows", "rounds", *metrics]
    lines = [
        [run.fold.name, f"{len(run.fold.valid):,}", f"{run.kept:,}",
         *(_number(run.figure("valid", name)) for name in metrics)]
        for run in result.done
    ]  # fmt: skip
    lines.append(["mean", "", "", *(_number(result.mean(name)) for name in metrics)])
    lines.append(["standard deviation", "", "", *(_number(result.sd(name)) for name in metrics)])
    widths = [max(map(len, cells)) for cells in zip(head, *lines, strict=True)]
    for line in (head, *lines):
        first, *others = line
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([f"{first:<{widths[0]}}", *cells]).rstrip()
    lacking = [name for name in metrics if len(result.figures(name)) < len(result.done)]
    for name in lacking:
        yield f"{name} is not defined in {len(result.done) - len(result.figures(name))} of the folds."
    if not result.is_whole:
        print(f"stopped: {len(result.done)} of {len(result.folds)} folds are trained", file=sys.stderr)


def _number(value: float) -> str:
    return f"{value:.6g}" if value == value else "–"


def _finite(value: Any) -> Any:
    """Return JSON values in which a figure that is not defined is null."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list):
        return list(map(_finite, value))
    return None if isinstance(value, float) and value != value else value


COMMANDS.register(CrossValidate())
