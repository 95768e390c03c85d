"""What a run needs to be grown, or grown on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.parameters.clashes import check_together
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.schema import Task
    from workbench.data.table import Table
    from workbench.parameters.training import TrainingParams
    from workbench.session.plan import Plan
    from workbench.session.run import Run

NEEDS_ROWS = "Continuing needs the rows: open the table this model was trained on."


def rows_of_plan(
    table: Table, plan: Plan, cancelled: Callable[[], bool] | None = None, task: Task | None = None
) -> Dataset:
    """Encode a table as it is planned; imports pandas and numba, so call it on a worker thread.

    `task` is known of a model; else it follows from the objective.
    """
    from workbench.data.dataset import build_dataset
    from workbench.objectives.base import task_of

    if plan.split_problem:
        raise WorkbenchError(plan.split_problem)
    return build_dataset(
        table, plan.roles, task or task_of(plan.objective), valid_fraction=plan.valid_fraction,
        seed=plan.split_seed, stratified=plan.stratified, positive=plan.positive, cancelled=cancelled,
        split_by=plan.split_by, split_column=plan.split_column, valid=second_table(table, plan, cancelled),
    )


def second_table(
    table: Table, plan: Plan, cancelled: Callable[[], bool] | None = None
) -> Table | None:
    """Read the file of the rows held out, as the first table was read; None where the plan has none."""
    if plan.split_by != "file" or plan.split_file is None:
        return None
    from workbench.data.second_file import read_second

    return read_second(plan.split_file, table, cancelled)


def continuation(run: Run, wanted: TrainingParams, rounds: int | None = None) -> TrainingParams:
    """Return the parameters with which a run goes on: its own, with those wanted that are live.

    Parameters
    ----------
    rounds : int, optional
        Rounds in all; without it those wanted, or as many more where these are there.

    Raises
    ------
    WorkbenchError
        There are no rounds or no rows to go on with, or parameters clash.
    """
    if not run.rounds or run.started is None:
        raise WorkbenchError("No run to continue. Train one first.")
    if not run.has_rows:
        raise WorkbenchError(NEEDS_ROWS)
    live = {p.name: getattr(wanted, p.name) for p in PARAMETERS if p.live}
    if rounds is not None:
        live["rounds"] = rounds
    elif live["rounds"] <= len(run.rounds):
        live["rounds"] += len(run.rounds)
    missing = run.own_missing
    if missing:
        raise WorkbenchError(f"{run.name} trains with {missing}; its file is not run without asking.")
    params = run.params_in_force.change(**live)
    check_together(params, [metric.name for metric in run.own.metrics])
    return params


def left_words(run: Run | None) -> str:
    """Say what became of a run that had to give way, "" where there was none."""
    if run is None:
        return ""
    done = len(run.rounds)
    if not done:
        return f"{run.name} was stopped before its first tree."
    return f"{run.name} was stopped at round {done} and is kept."
