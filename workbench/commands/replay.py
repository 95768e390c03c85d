"""`workbench replay`: the runs of a project grown again, and whether their bits agree."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.number_text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from workbench.session.run import Run
    from workbench.study.study import Study
    from workbench.study.study_run import StudyRun


class ReplayCommand:
    """Prints a line for each run; the exit code is 1 where the bits of one do not agree."""

    name = "replay"
    help = "grow the runs of a project again, and say whether the bits agree"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        parser.usage = "workbench replay PROJECT [--run N] [--export MODEL] [flags]"
        parser.add_argument("project", metavar="PROJECT", help="project file to replay")
        parser.add_argument(
            "--run", dest="number", metavar="N", type=int, help="this run and what it stands on"
        )
        parser.add_argument("--table", metavar="FILE", help="its table, where that was moved")
        parser.add_argument("--export", metavar="MODEL", help="write the model of the last run")
        parser.add_argument("--script", action="store_true", help="print the Python that does it, and stop")
        parser.add_argument("--yes", action="store_true", help="run its files and use its schedulers unasked")

    def run(self, args: Namespace) -> int:
        """Grow the runs, and compare."""
        from workbench.session.script import script_of, stands_on, study_script
        from workbench.study.study import open_study

        with _warnings_in_lines():
            kept = open_study(args.project, args.table)
        session = kept.session
        chosen = _chosen(kept, args.number)
        if args.script:
            print(script_of(session, chosen[-1]) if args.number else study_script(session))
            return 0
        runs = stands_on(session, chosen[-1]) if args.number else chosen
        made = _grown(kept, runs, asks=not args.yes)
        agrees = [_compare(run, made[run.number]) for run in chosen if run.number in made]
        agrees.append(all(run.number in made for run in runs if run.made is not None and run.made.call))
        if args.export:
            if chosen[-1].number not in made:
                raise WorkbenchError(f"{chosen[-1].name} is not grown again.")
            made[chosen[-1].number].model.save(args.export)
        return 0 if all(agrees) else 1


@contextmanager
def _warnings_in_lines() -> Iterator[None]:
    """Say what is warned of in a line each, without the line of the program that did."""
    with warnings.catch_warnings(record=True, action="always", category=WorkbenchWarning) as found:
        yield
    for warning in found:
        print(on_console(f"warning: {warning.message}"), file=sys.stderr, flush=True)


def _chosen(kept: Study, number: int | None) -> list[Run]:
    runs = kept.session.runs
    if not runs:
        raise WorkbenchError("The project has no runs.")
    if number is None:
        return list(runs)
    found = [run for run in runs if run.number == number]
    if not found:
        numbers = ", ".join(str(run.number) for run in runs)
        raise WorkbenchError(f"The project has no run {number}. It has {numbers}.")
    return found


def _grown(kept: Study, runs: list[Run], *, asks: bool) -> dict[int, StudyRun]:
    from workbench.commands.cluster_flags import agree_to_cluster
    from workbench.commands.own_files import agree_to
    from workbench.session.script import calls_of, study_call
    from workbench.study.study import Study

    begin = study_call(kept.session, runs)
    if begin is None or kept.session.data.table is None:
        raise WorkbenchError("The project has no table to grow its runs on. Give it with --table FILE.")
    study = Study.again(kept, begin)
    made: dict[int, StudyRun] = {}
    for call in calls_of(kept.session, runs):
        if call.method == "use" and asks:
            agree_to(str(call.args[0]))
        if "cluster" in call.values and asks:
            agree_to_cluster(call.values["cluster"])
        if call.on and call.on not in made:
            continue
        try:
            study.perform(call, made)
        except WorkbenchError as error:
            if not (number := call.result or call.on):
                raise
            made.pop(number, None)
            name = kept.session.runs.all[number].name
            print(on_console(f"{name} is not grown again: {error}"), file=sys.stderr, flush=True)
    return made


def _compare(run: Run, made: StudyRun) -> bool:
    from workbench.formats.base import DEFAULT_FORMAT, FORMATS

    write = FORMATS.get(DEFAULT_FORMAT).write
    agrees = write(run.kept().model) == write(made.model)
    same = "the same bits" if agrees else "other bits"
    print(on_console(f"{run.name}: {counted(made.rounds, 'round')}, {same}"), file=sys.stdout, flush=True)
    return agrees


COMMANDS.register(ReplayCommand())
