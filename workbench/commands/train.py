"""`workbench train`: a table in, a model file out."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.cluster_flags import add_cluster_flags, cluster_of, reads_there, run_there
from workbench.commands.console import on_console
from workbench.commands.holdout_flags import add_holdout_flags, split_of
from workbench.commands.own_files import add_own_file_flags, own_parts, with_own
from workbench.commands.parameter_flags import add_parameter_flags, parameters_of
from workbench.commands.reading import read_for
from workbench.commands.reading_flags import add_reading_flags
from workbench.commands.telling import make_kernels_ready, say, stopped_by_interrupt
from workbench.commands.training_rows import add_role_flags, dataset_of, say_cut_queries, say_how_read
from workbench.errors import Cancelled, OutputError, WorkbenchError
from workbench.number_text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event, RoundFinished
    from workbench.formats.model import Model

SECONDS_BETWEEN_LINES = 0.5
MANY_TREES = 2000  # which take a moment to write


class Train:
    """Ctrl-C stops the run; the model so far is kept and written."""

    name = "train"
    help = "train a model on a table and write it to a file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.usage = "workbench train FILE --target COLUMN --export MODEL [flags]"
        parser.add_argument("file", metavar="FILE", help="table to train on")
        parser.add_argument("--target", metavar="COLUMN", required=True, help="column to predict")
        add_role_flags(parser)
        parser.add_argument("--export", metavar="MODEL", required=True, help="model file to write")
        parser.add_argument(
            "--continue", dest="start", metavar="MODEL", help="go on from this model; --rounds more follow"
        )
        add_cluster_flags(parser)
        parser.add_argument("--history", metavar="CSV", help="also write the figures of every round")
        parser.add_argument(
            "--neutralise-formulas", action="store_true",
            help="in the history, put an apostrophe before text that a spreadsheet takes for a formula",
        )  # fmt: skip
        add_own_file_flags(parser)
        parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        add_holdout_flags(parser)
        add_reading_flags(parser)
        add_parameter_flags(parser)

    def run(self, args: Namespace) -> int:
        """Train, export, summarise."""
        from workbench.api import train_dataset
        from workbench.ensembles.control import RunControl
        from workbench.formats.base import writer_of_model
        from workbench.formats.load import load_model
        from workbench.formats.snapshot import model_from_events
        from workbench.formats.start_model import joined, told

        own = own_parts(args)
        params = with_own(parameters_of(args), own)
        _check_paths(args)
        writer_of_model(args.export, None, is_linear=params.method == "linear")
        start = load_model(args.start) if args.start else None
        control = RunControl()
        cluster = cluster_of(args)
        if cluster is not None and reads_there(args.file):
            from workbench.cluster.refusals import refuse_own

            refuse_own(own)
            there = run_there(cluster, args, params, control, start)
            schema, run = there.schema, there.events()
        else:
            table = read_for(args)
            split = split_of(args, params.seed)
            dataset = dataset_of(table, args, params, split.column, split.arguments(table))
            schema = dataset.schema
            run = train_dataset(dataset, params, control, start, own, cluster)  # which refuses what cannot be
            if not args.quiet:
                say_how_read(table, args)
                say_cut_queries(dataset, [(dataset.train_rows, dataset.valid_rows)])
        for line in told(start, schema, params) if start and not args.quiet else ():
            say(line)
        if cluster is None:
            make_kernels_ready(params, args.quiet)
        last = params.rounds + (start.rounds if start else 0)
        events, failure = _trained(run, control, args.quiet, last)
        model = model_from_events(schema, events)
        if start is not None:
            model = joined(start, model)
        if not model.rounds:
            raise Cancelled  # nothing is written in the place of an older model
        if len(model.trees) > MANY_TREES and not args.quiet:
            say(f"Writing {len(model.trees):,} trees to {args.export} …")
        _write(model, args.export, args.history, args.neutralise_formulas)
        if failure is not None:
            rounds = f"{model.rounds} round{'s' * (model.rounds > 1)}"
            raise WorkbenchError(f"{failure} The model after {rounds} is in {args.export}.") from failure
        summary = _summary(model, args.export)
        if args.json:
            print(json.dumps(summary, ensure_ascii=False))
        elif not args.quiet:
            print(on_console(_sentence(summary)))
        return 0


def _check_paths(args: Namespace) -> None:
    """Refuse before training what could not be written after it, or would replace what is read."""
    from workbench.formats.bytes.files import check_spares, check_writable

    own = [args.objective_file] if args.objective_file else []
    for path in filter(None, (args.export, args.history)):
        check_writable(path)
        check_spares(path, args.file, *own, *args.metric_file)
    if args.history and Path(args.history).resolve() == Path(args.export).resolve():
        raise WorkbenchError(f"{args.export} cannot be two outputs. Give --history another name.")


def _write(model: Model, export: str, history: str | None, neutralise: bool) -> None:
    """Write model and history; a model that cannot be written is kept in the temporary folder."""
    from workbench.formats.bytes.files import atomic_write
    from workbench.formats.bytes.second_place import save_somewhere
    from workbench.formats.own.history_csv import history_csv

    save_somewhere(model, export)
    if history:
        try:
            atomic_write(history, history_csv(model.history, neutralise=neutralise))
        except OutputError as error:
            raise OutputError(f"{error} The model is in {export}") from error


def _trained(
    run: Iterator[Event], control: RunControl, quiet: bool, last: int
) -> tuple[list[Event], WorkbenchError | None]:
    """Return the events of a run of `last` rounds, and what broke it off after its first ones."""
    from workbench.ensembles.events import RoundFinished, notes_of

    events: list[Event] = []
    said = time.monotonic()
    with stopped_by_interrupt(control), _kept_rounds(events) as failures:
        for event in run:
            events.append(event)
            for note in () if quiet else notes_of(event):
                say(f"warning: {note}")
            due = time.monotonic() - said > SECONDS_BETWEEN_LINES
            if isinstance(event, RoundFinished) and not quiet and (due or event.round == last):
                say(_progress(event, last))
                said = time.monotonic()
    return events, next(iter(failures), None)


@contextmanager
def _kept_rounds(events: list[Event]) -> Iterator[list[WorkbenchError]]:
    """Take down what breaks a run off, where it has rounds that can be kept."""
    from workbench.ensembles.events import RoundFinished

    failures: list[WorkbenchError] = []
    try:
        yield failures
    except WorkbenchError as error:
        if not any(isinstance(event, RoundFinished) for event in events):
            raise
        failures.append(error)


def _progress(event: RoundFinished, last: int) -> str:
    figures = [f"train {name} {_figure(value)}" for name, value in list(event.train.items())[:1]]
    figures += [f"valid {name} {_figure(value)}" for name, value in list(event.valid.items())[:1]]
    return f"round {event.round} of {last}  {'  '.join(figures)}"


def _summary(model: Model, path: str) -> dict[str, Any]:
    known = model.provenance
    last = model.history[model.rounds - 1] if model.rounds else {}
    return {
        "model": path,
        "objective": model.ensemble.objective,
        "task": model.schema.task,
        "target": model.schema.target,
        "rows_train": known["n_train"],
        "rows_valid": known["n_valid"],
        "columns": len(model.schema.features),
        "rounds": model.rounds,
        "rounds_grown": known["rounds_grown"],
        "best_round": known["best_round"],
        "ended": known["ended"],
        "seconds": known["seconds"],
        "metrics": {name: value for name, value in last.items() if name.startswith(("train:", "valid:"))},
    }


def _sentence(summary: dict[str, Any]) -> str:
    figures = summary["metrics"].items()
    metrics = ", ".join(f"{name.replace(':', ' ')} {_figure(value)}" for name, value in figures)
    return (
        f"{counted(summary['rounds'], 'round')} of {summary['rounds_grown']} kept ({summary['ended']}, "
        f"{summary['seconds']:.2f} s), {summary['objective']} on {counted(summary['rows_train'], 'row')}: "
        f"{metrics or 'no rounds'}. Model in {summary['model']}"
    )


COMMANDS.register(Train())


def _figure(value: float) -> str:
    return f"{value:.6g}" if value == value else "not defined"
