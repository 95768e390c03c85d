"""`workbench train`: a table in, a model file out."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.doubts import doubt_lines, doubts_about
from workbench.commands.holdout_flags import add_holdout_flags, split_of
from workbench.commands.own_files import own_parts
from workbench.commands.parameter_flags import add_parameter_flags, parameters_of
from workbench.commands.reading import read_for
from workbench.commands.reading_flags import add_reading_flags
from workbench.errors import Cancelled, OutputError, WorkbenchError
from workbench.number_text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.data.schema import Role
    from workbench.data.table import Table
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event, RoundFinished
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams

SECONDS_BETWEEN_LINES = 0.5
MOST_DOUBTS = 5  # that are said before training
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
        parser.add_argument("--weight", metavar="COLUMN", help="column of row weights")
        parser.add_argument(
            "--ignore", metavar="COLUMN", nargs="+", action="extend", default=[], help="columns to leave out"
        )
        parser.add_argument("--group", metavar="COLUMN", help="column of the queries whose rows are ranked")
        parser.add_argument(
            "--offset", metavar="COLUMN", help="column with a known part of the raw prediction (log exposure)"
        )
        parser.add_argument("--positive", metavar="LABEL", help="class of two whose probability is predicted")
        parser.add_argument("--export", metavar="MODEL", required=True, help="model file to write")
        parser.add_argument(
            "--continue", dest="start", metavar="MODEL", help="go on from this model; --rounds more follow"
        )
        parser.add_argument("--history", metavar="CSV", help="also write the figures of every round")
        parser.add_argument(
            "--neutralise-formulas", action="store_true",
            help="in the history, put an apostrophe before text that a spreadsheet takes for a formula",
        )  # fmt: skip
        parser.add_argument(
            "--objective-file", metavar="FILE", help="Python file with functions loss and gradients"
        )
        parser.add_argument(
            "--metric-file", metavar="FILE", nargs="+", action="extend", default=[],
            help="Python files with a function metric; --metric may name over where over.py is given",
        )
        parser.add_argument("--yes", action="store_true", help="run these files without asking")
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

        params = parameters_of(args)
        own = own_parts(args)
        if own.objective is not None:
            params = params.change(objective=own.objective.name)
        more = [metric.name for metric in own.metrics if metric.name != params.metric]
        params = params.change(more_metrics=tuple(dict.fromkeys((*params.more_metrics, *more))))
        own.check_names(params)
        _check_paths(args)
        writer_of_model(args.export, None, is_linear=params.method == "linear")
        start = load_model(args.start) if args.start else None
        table = read_for(args)
        dataset = _dataset(table, args, params)
        control = RunControl()
        run = train_dataset(dataset, params, control, start, own)  # which refuses what cannot be
        if not args.quiet:
            _say_how_read(table, doubt_lines(doubts_about(args, table=table)))
            for line in told(start, dataset.schema, params) if start else ():
                _say(line)
        _make_kernels_ready(params, args.quiet)
        last = params.rounds + (start.rounds if start else 0)
        events, failure = _trained(run, control, args.quiet, last)
        model = model_from_events(dataset.schema, events)
        if start is not None:
            model = joined(start, model)
        if not model.rounds:
            raise Cancelled  # nothing is written in the place of an older model
        if len(model.trees) > MANY_TREES and not args.quiet:
            _say(f"Writing {len(model.trees):,} trees to {args.export} …")
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


def _make_kernels_ready(params: TrainingParams, quiet: bool) -> None:
    """Compile what the run needs before it begins, so that its time is that of training."""
    from workbench.ensembles.kernel_needs import rare_kernels
    from workbench.kernels.cache import kernels_ready
    from workbench.warmup.processes import warm_up_quickly

    rare = rare_kernels(params)
    if not kernels_ready():
        if not quiet:
            _say("Compiling the kernels, once per version: about half a minute.")
        warm_up_quickly(lambda *_step: None, rare=False)
    if rare and not kernels_ready(rare=True):
        from workbench.warmup.warmup import warm_up_named

        warm_up_named(rare)


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


def _dataset(table: Table, args: Namespace, params: TrainingParams) -> Dataset:
    from workbench.data.dataset import build_dataset
    from workbench.data.roles import guess_task, named_roles
    from workbench.objectives.base import task_of

    split = split_of(args, params.seed)
    if args.target in (args.weight, args.group, args.offset, split.column, *args.ignore):
        raise WorkbenchError(f"'{args.target}' is the target and cannot have another role.")
    named: dict[str, Any] = dict.fromkeys(args.ignore, "ignore")
    named |= {split.column: "ignore"} if split.column else {}
    named |= {args.weight: "weight"} if args.weight else {}
    named |= {args.group: "group"} if args.group else {}
    named |= {args.offset: "offset"} if args.offset else {}
    named |= {args.target: "target"}
    for name in named:
        table.column(name)
    roles = named_roles(table, named)
    if not args.quiet:
        _say_guesses({name: role for name, role in roles.items() if name not in named})
    task = task_of(params.objective) or guess_task(table.column(args.target))
    if args.positive is not None and task != "binary":
        what = "a number" if task == "regression" else "one of several classes"
        raise WorkbenchError(
            f"--positive names one of two classes, but '{args.target}' is predicted as {what}. Leave it "
            "out, or give --objective logistic."
        )
    return build_dataset(table, roles, task, positive=args.positive, **split.arguments(table))


def _say_how_read(table: Table, doubts: list[str]) -> None:
    """Name the first doubts, and what was repaired."""
    for line in doubts[:MOST_DOUBTS]:
        _say(line)
    if len(doubts) > MOST_DOUBTS:
        _say(f"doubtful: {len(doubts) - MOST_DOUBTS} more; workbench describe lists them all.")
    for note in table.notes:
        _say(f"{note.severity}: {note.text}")


def _say_guesses(roles: dict[str, Role]) -> None:
    """Name the columns that are no features, so that nobody is surprised."""
    words = {"ignore": "left out (no information)", "weight": "row weights", "group": "groups"}
    for role, meaning in words.items():
        names = [name for name, given in roles.items() if given == role]
        if names:
            _say(f"{meaning}: {', '.join(names)}")


def _trained(
    run: Iterator[Event], control: RunControl, quiet: bool, last: int
) -> tuple[list[Event], WorkbenchError | None]:
    """Return the events of a run of `last` rounds, and what broke it off after its first ones."""
    from workbench.ensembles.events import RoundFinished, notes_of

    events: list[Event] = []
    said = time.monotonic()
    with _stopped_by_interrupt(control), _kept_rounds(events) as failures:
        for event in run:
            events.append(event)
            for note in () if quiet else notes_of(event):
                _say(f"warning: {note}")
            due = time.monotonic() - said > SECONDS_BETWEEN_LINES
            if isinstance(event, RoundFinished) and not quiet and (due or event.round == last):
                _say(_progress(event, last))
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


@contextmanager
def _stopped_by_interrupt(control: RunControl) -> Iterator[None]:
    """Let the first Ctrl-C stop the run and the second one end the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: Any) -> None:
        control.stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _progress(event: RoundFinished, last: int) -> str:
    figures = [f"train {name} {value:.6g}" for name, value in list(event.train.items())[:1]]
    figures += [f"valid {name} {value:.6g}" for name, value in list(event.valid.items())[:1]]
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
    metrics = ", ".join(f"{name.replace(':', ' ')} {value:.6g}" for name, value in summary["metrics"].items())
    return (
        f"{counted(summary['rounds'], 'round')} of {summary['rounds_grown']} kept ({summary['ended']}, "
        f"{summary['seconds']:.2f} s), {summary['objective']} on {counted(summary['rows_train'], 'row')}: "
        f"{metrics or 'no rounds'}. Model in {summary['model']}"
    )


def _say(line: str) -> None:
    print(on_console(line), file=sys.stderr, flush=True)


COMMANDS.register(Train())
