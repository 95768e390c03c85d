"""The training of one sketch beside the session, and the pictures of its rounds; on a worker thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.errors import Cancelled, leave_if
from workbench.number_text import counted
from workbench.session.growing import rows_of_plan
from workbench.session.playground.playground import Sketch

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.table import Table
    from workbench.ensembles.control import RunControl
    from workbench.explain.plane.picture_asked import PictureAsked
    from workbench.explain.plane.round_picture import RoundPicture
    from workbench.parameters.training import TrainingParams
    from workbench.session.plan import Plan
    from workbench.session.playground.drawing import Drawing
    from workbench.session.run import Run
    from workbench.workers.jobs import Job

READY_SECONDS = 0.05  # between looks whether the kernels are compiled


class SketchWish(NamedTuple):
    """What is to be trained: points in hand, or rows; the words tell what the hand did.

    Rows that are not known as they are planned come from the table. `wanted` are the parameters of the form,
    `params` the same with the objective of the plan.
    """

    drawing: Drawing | None
    dataset: Dataset | None
    table: Table | None
    plan: Plan
    wanted: TrainingParams
    params: TrainingParams
    told: str

    @property
    def alone(self) -> SketchWish:
        """The same, trained by one thread."""
        return self._replace(params=_alone(self.params))

    def words(self, sketch: Sketch) -> str:
        """Tell what was done by hand, and with how many points."""
        if sketch.drawing is None:
            return self.told
        return f"{self.told}: {counted(len(sketch.drawing), 'point')}"


class Trained(NamedTuple):
    """A sketch, and the picture that was asked for of the run before it.

    It is whole where the metrics of every round were taken.
    """

    sketch: Sketch
    picture: RoundPicture | None
    is_whole: bool = True


def measured_rounds(shown: int, rounds: int) -> frozenset[int]:
    """Return the rounds whose metrics are taken: the shown one, the one before it, and some for the curve.

    It falls fastest at first: from each of these to the next are twice as many rounds.
    """
    return frozenset((shown - 1, shown, rounds, *(2**power for power in range(rounds.bit_length()))))


def untrained(drawing: Drawing) -> Sketch:
    """Return points on which nothing can be trained."""
    from workbench.data.statistics import column_summary

    table = drawing.table()
    return Sketch(None, drawing, table, {column.name: column_summary(column) for column in table.columns})


def _alone(params: TrainingParams) -> TrainingParams:
    """Return parameters by which one thread trains."""
    return params.change(threads=1)


def sketched(
    wish: SketchWish, run: Run, control: RunControl, ready: Callable[[float], bool], job: Job
) -> Sketch:
    """Train beside the session, on this thread alone; on a worker thread."""
    from workbench.ensembles.base import make_trainer

    sketch = Sketch(run)
    dataset = wish.dataset
    if wish.drawing is not None:
        sketch = untrained(wish.drawing)._replace(run=run)
        assert sketch.table is not None
        dataset = rows_of_plan(sketch.table, wish.plan, job.cancelled)
    elif dataset is None:
        assert wish.table is not None
        dataset = rows_of_plan(wish.table, wish.plan, job.cancelled)
    while not ready(READY_SECONDS):
        leave_if(job.cancelled)
    run.dataset, run.schema = dataset, dataset.schema
    run.begin_stretch(wish.params)
    for event in make_trainer(dataset, _alone(wish.params), control, own=run.own).rounds():
        if job.cancelled():
            control.stop()
            raise Cancelled
        run.apply(_as_wished(event, wish.params))
    return sketch


def picture_of(run: Run, asked: PictureAsked, job: Job) -> RoundPicture:
    """Draw a round of a run."""
    from workbench.explain.plane.round_picture import PictureOf, round_picture

    ensemble = run.ensemble(asked.round)
    if run.dataset is None or ensemble is None:
        raise Cancelled
    known = PictureOf(run.dataset, ensemble, run.params_in_force, run.own.objective)
    return round_picture(known, asked, job.cancelled)


def same_picture(run: Run, asked: PictureAsked | None, at: int | None, job: Job) -> RoundPicture | None:
    """Draw what was looked at of another run, where this one has it; its newest round where `at` is None."""
    if asked is None or run.dataset is None or not run.rounds:
        return None
    if max(asked.columns) >= run.dataset.features.shape[1]:
        return None
    round = len(run.rounds) if at is None else min(at, len(run.rounds))
    place = min(asked.place, len(run.trees(round)) - 1)
    return picture_of(run, asked._replace(round=round, place=place), job)


def _as_wished(event: Any, params: TrainingParams) -> Any:
    """Return an event with the parameters that were wished for: the same but for the threads."""
    return event if getattr(event, "params", params) is params else replace(event, params=params)
