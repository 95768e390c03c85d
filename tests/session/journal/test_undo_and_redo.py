"""Whatever was done can be taken back step by step, and done again, to the same state."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.ensembles.breakpoints.goals import RunFor, RunTo, RunUntilStale
from workbench.errors import WorkbenchError
from workbench.study.study import Study

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.integers(0, 4, 60), "c": RNG.normal(size=60)})
FRAME["y"] = FRAME.a + (FRAME.b == 2) * 2.0

OTHERS = (
    {}, {"seed": 3, "metric": "mae", "objective": "absolute"}, {"forced_splits": "a", "huber_slope": 0.3},
)  # of a branch


def study() -> Study:
    made = Study(FRAME, target="y")
    made.session.journal._clock = iter(range(10**9)).__next__  # no two actions are of one hand
    return made


def newest(study):
    return study.runs[-1] if study.runs else None


def aim(study, n):
    breakpoints, run = study.session.breakpoints, study.runs[-1].run
    if run.is_live:
        breakpoints.aim([RunTo(4), RunFor(9.0), RunUntilStale(3)][n])
        breakpoints.tell_goal(run.number)


DEEDS = (
    lambda s, n: s.train(rounds=3, max_depth=1 + n),
    lambda s, n: s.train(rounds=5, until=2) if not n else s.runs[-1].stop(),
    lambda s, n: s.session.hyperparameters.change(reg_lambda=float(n), gamma=n / 10),
    lambda s, n: s.runs[-1].branch(at=1, learning_rate=0.1 + n / 10, **OTHERS[n]).grow(),
    lambda s, n: s.runs[0].grow(1 + n),
    lambda s, n: s.runs[-1].rename(f"name {n}"),
    lambda s, n: s.runs[0].pin(bool(n)),
    lambda s, n: setattr(s.runs[0], "note", "so so" * n),
    lambda s, n: s.runs[n % len(s.runs)].delete(),
    lambda s, n: s.role("abc"[n], "ignore" if n else "feature"),
    lambda s, n: s.target("c" if n else "y"),
    lambda s, n: s.objective(["squared", "absolute", "huber"][n]),
    lambda s, n: s.hold_out(n / 10, n),
    lambda s, n: s.kind("b", ["category", "number", "category"][n]),
    lambda s, n: s.session.hyperparameters.reset(),
    lambda s, n: s.runs[-1].stop(),
    aim,
    lambda s, n: s.session.breakpoints.reached(s.runs[-1].number, [s.session.breakpoints.goal]),
    lambda s, n: s.undo(),
    lambda s, n: s.redo(),
)


def do(study: Study, deeds) -> None:
    for deed, n in deeds:
        with suppress(WorkbenchError, IndexError, ZeroDivisionError):  # what cannot be now
            DEEDS[deed](study, n)


@examples(60)
@given(st.lists(st.tuples(st.integers(0, len(DEEDS) - 1), st.integers(0, 2)), max_size=14))
def test_back_to_the_beginning_and_to_the_end_again(deeds):
    told = study()
    do(told, deeds)
    for run in told.runs:
        if run.run.is_live:
            run.stop()
    journal = told.session.journal
    journal.go_to(len(journal.lines))
    states = {}
    while journal.done is not None:
        states[journal.position] = told.session.state.now()
        journal.undo()
    begin = journal.position
    assert begin == 1 or not any(line.action.undoable for line in journal.lines[:begin])
    seen = [journal.position]
    while journal.undone is not None:
        journal.redo()
        seen.append(journal.position)
        assert told.session.state.now() == states[journal.position]
    assert set(states) <= set(seen)


def test_the_words_are_those_of_the_action():
    told = study()
    run = told.train(rounds=6, until=3)
    run.change(reg_lambda=4.0)
    assert told.session.journal.done.action.words == "λ 1 → 4"
    run.grow()
    assert told.session.journal.done.action.words == "λ 1 → 4 at round 4"
    assert told.history[-2:] == ("Train run 1 · squared", "λ 1 → 4 at round 4")


def test_undoing_what_a_finished_run_stands_on_keeps_the_run():
    told = study()
    told.hold_out(0.5, 3)
    run = told.train(rounds=3).run
    told.undo()
    assert told.runs == ()
    told.undo()  # the rounds
    told.undo()  # the hold-out
    assert told.session.data.plan.valid_fraction == 0.25
    told.hold_out(0.1)
    assert [made.run for made in told.runs] == [run]
    assert len(run.rounds) == 3
    assert run.plan.valid_fraction == 0.5


def test_a_run_that_was_deleted_comes_back():
    told = study()
    first, second = told.train(rounds=2), told.train(rounds=3)
    first.delete()
    assert [run.number for run in told.runs] == [2]
    told.undo()
    assert [run.number for run in told.runs] == [1, 2]
    assert told.train(rounds=1).number == 3
    assert second.rounds == 3


def test_going_on_is_taken_back_and_the_rounds_come_again():
    told = study()
    run = told.train(rounds=3)
    run.grow(4)
    trees = [event.trees for event in run.run.rounds]
    told.undo()
    assert run.rounds == 3
    told.redo()
    assert [event.trees for event in run.run.rounds] == trees
    told.undo()
    run.grow(1)
    assert run.rounds == 4


def test_what_pauses_runs_is_taken_back():
    session = study().session
    alarm = next(one for one in session.breakpoints.kinds if one.name == "leakage")
    session.breakpoints.switch("leakage", on=False)
    session.breakpoints.set(replace(alarm, share=70.0))
    assert session.journal.done.action.words == (
        "Do not pause: One column gives the target away (share 70.0, rounds 3)"
    )
    session.journal.go_to(1)
    assert session.breakpoints.is_on(alarm)
    assert alarm in session.breakpoints.kinds
    session.journal.redo()
    assert not session.breakpoints.is_on(alarm)
