"""Drawings, what a brush does to them, and how they become the session's table and run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from workbench.ensembles.base import make_trainer
from workbench.errors import WorkbenchError
from workbench.session.growing import rows_of_plan
from workbench.session.opening.drawn import drawn
from workbench.session.playground.drawing import MOST_POINTS, blank, drawing_of
from workbench.session.playground.patterns import PATTERNS
from workbench.session.project.state_record import state_of, state_record
from workbench.session.run import Run
from workbench.session.script import study_script
from workbench.session.session import Session

if TYPE_CHECKING:
    from workbench.session.playground.playground import Sketch


@pytest.mark.parametrize("pattern", [*PATTERNS], ids=lambda pattern: pattern.name)
def test_patterns_follow_their_seed_and_have_the_points_that_are_wanted(pattern):
    one, again, other = (pattern.draw(60, 0.1, seed) for seed in (3, 3, 4))
    assert len(one) == 60
    assert one.can_train
    np.testing.assert_array_equal(one.x, again.x)
    np.testing.assert_array_equal(one.y, again.y)
    assert not np.array_equal(one.y, other.y)
    left, right, low, high = one.limits
    assert ((one.x > left) & (one.x < right) & (one.y > low) & (one.y < high)).all()


def test_without_noise_the_parts_of_a_pattern_lie_apart():
    circles = PATTERNS.get("circles").draw(40, 0.0, 0)
    radius = np.hypot(circles.x, circles.y)
    assert radius[circles.label == 0] == pytest.approx(1.6, abs=0.01)
    assert radius[circles.label == 1] == pytest.approx(0.7, abs=0.01)
    xor = PATTERNS.get("xor").draw(40, 0.0, 0)
    np.testing.assert_array_equal(xor.label == 1, (xor.x > 0) != (xor.y > 0))


def test_a_brush_makes_another_drawing_and_leaves_the_one_before():
    sheet = blank("plane")
    drawn_on = sheet.added(0.12345, -1.0, 1).added(1.0, 1.0, 0)
    assert len(sheet) == 0
    assert drawn_on.x.tolist() == pytest.approx([0.123, 1.0])
    assert drawn_on.label.tolist() == [1, 0]
    moved = drawn_on.moved(0, 0.5, 0.5)
    assert (moved.x[0], drawn_on.x[0]) == pytest.approx((0.5, 0.123))
    assert moved.without(np.array([0])).label.tolist() == [0]
    assert not moved.can_train
    full = replace(sheet, x=np.zeros(MOST_POINTS, np.float32), y=np.zeros(MOST_POINTS, np.float32),
                   label=np.zeros(MOST_POINTS, np.int64))  # fmt: skip
    assert len(full.added(0, 0, 1)) == MOST_POINTS


def test_a_drawing_is_written_and_read_again_bit_for_bit():
    drawing = PATTERNS.get("spirals").draw(50, 0.3, 1)
    read = drawing_of(json.loads(json.dumps(drawing.record())))
    for name in ("x", "y", "label"):
        np.testing.assert_array_equal(getattr(read, name), getattr(drawing, name))
    assert read.table().sha256 == drawing.table().sha256
    state = state_of(json.loads(json.dumps(state_record({"points": drawing}, {}))))
    assert state["points"].limits == drawing.limits


@pytest.mark.parametrize("change", [
    {"x": [1e9] * 50}, {"label": [2] * 50}, {"kind": "cube"}, {"limits": [1, 0, 0, 1]}, {"y": [0.0]},
    {"x": "points"}, {"limits": [0, 1]},
])  # fmt: skip
def test_a_drawing_that_cannot_be_is_refused(change):
    record = PATTERNS.get("moons").draw(50, 0.1, 0).record() | change
    with pytest.raises(WorkbenchError, match="Damaged project"):
        drawing_of(record)


def trained(session: Session, drawing) -> Sketch:
    """What the desk makes of points."""
    sketch = drawn(drawing, "newton").sketch
    params = session.hyperparameters.wanted.change(objective=session.data.plan.objective)
    run = Run(0, params, session.planned)
    run.plan = session.data.plan
    run.dataset = rows_of_plan(sketch.table, session.data.plan)
    run.schema = run.dataset.schema
    run.begin_stretch(params)
    for event in make_trainer(run.dataset, params).rounds():
        run.apply(event)
    return sketch._replace(run=run)


@pytest.fixture
def session():
    session = Session()
    session.hyperparameters.change(rounds=5, max_depth=2)
    opened = drawn(PATTERNS.get("moons").draw(60, 0.2, 0), "newton")
    session.open_drawing(opened.sketch, opened.plan, opened.objectives)
    session.take_sketch(trained(session, session.playground.drawing), "Draw moons")
    return session


def test_drawing_is_one_action_that_is_taken_back_and_done_again(session):
    first, points = session.shown.run, session.playground.drawing
    moved = points.moved(3, 0.0, 0.0)
    session.take_sketch(trained(session, moved), "Move points: 60 points")
    second = session.shown.run
    assert [run.number for run in session.runs] == [2], "the run before it gives way"
    assert session.data.table.column("x").values[3] == 0
    assert session.journal.done.action.words == "Move points: 60 points"
    session.journal.undo()
    assert session.shown.run is first
    assert session.playground.drawing is points
    assert session.data.table.column("x").values[3] == points.x[3]
    session.journal.redo()
    assert session.shown.run is second
    assert session.playground.drawing is moved


def test_the_shown_round_stays_and_a_run_that_was_written_on_is_kept(session):
    session.runs.write_on(session.shown.run, title="mine")
    session.shown.select(round=2)
    session.take_sketch(trained(session, session.playground.drawing.moved(0, 0.0, 0.0)), "Move points")
    assert [run.number for run in session.runs] == [1, 2]
    assert session.shown.round == 2


def test_the_script_draws_the_points_and_grows_the_same_trees(session):
    names: dict[str, object] = {}
    exec(study_script(session), names)
    made, run = names["run1"], session.shown.run
    for mine, its in zip(run.ensemble().trees, made.model.trees, strict=True):
        np.testing.assert_array_equal(mine.nodes["threshold"], its.nodes["threshold"])
        np.testing.assert_array_equal(mine.nodes["leaf_value"], its.nodes["leaf_value"])


def test_another_table_takes_the_drawing_away(session):
    opened = drawn(PATTERNS.get("waves").draw(30, 0.1, 0), "newton")
    session.open_table(opened.sketch.table, opened.plan, opened.sketch.summaries, opened.objectives)
    assert session.playground.drawing is None
