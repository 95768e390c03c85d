"""Which runs are drawn, with which the shown one is compared, and what is said to differ."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from workbench.session.comparison.differences import (
    branch_words,
    card_words,
    differences,
    label_of,
    steering,
    varying,
)
from workbench.session.comparison.run_tree import places
from workbench.study.study import Study

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(RNG.normal(size=(120, 3)), columns=list("abc"))
FRAME["y"] = FRAME.a * 2 + FRAME.b**2 + RNG.normal(size=120)


@pytest.fixture(scope="module")
def told():
    """Run 1, its branches 2 and 3, 4 off 3, and 5 of its own."""
    study = Study(FRAME, target="y")
    first = study.train(rounds=8, max_depth=2)
    first.branch(at=3, learning_rate=0.02).grow()
    third = first.branch(at=5, reg_lambda=4.0, gamma=0.5).grow()
    third.branch(at=6, max_depth=4).grow()
    study.train(rounds=6, max_depth=3)
    return study.session


@pytest.fixture
def session(told):
    told.overlay.clear()
    told.shown.show(told.runs[0])
    return told


def numbers(found) -> list[tuple[int, int]]:
    return [(place.run.number, place.depth) for place in found]


def test_runs_stand_below_what_they_branch_off(session):
    runs = session.runs
    assert numbers(places(runs, runs.all)) == [(1, 0), (2, 1), (3, 1), (4, 2), (5, 0)]
    without = [run for run in runs if run.number != 3]
    assert numbers(places(without, runs.all)) == [(1, 0), (2, 1), (4, 1), (5, 0)]


def test_the_best_of_a_family_comes_first_and_the_pinned_before_it(session):
    runs = session.runs
    rows = numbers(places(runs, runs.all, "best metric"))
    assert sorted(rows) == sorted(numbers(places(runs, runs.all)))
    families = {1: min(run.best[1] for run in runs[:4]), 5: runs[4].best[1]}
    assert [number for number, depth in rows if not depth] == sorted(families, key=families.get)
    last = [number for number, depth in rows if not depth][-1]
    session.runs.write_on(runs.all[last], pinned=True)
    assert numbers(places(runs, runs.all, "best metric"))[0] == (last, 0)
    session.runs.write_on(runs.all[last], pinned=False)


def test_words_find_a_run_by_what_differs(session):
    runs, names = session.runs, varying(session.runs)
    found = places(runs, runs.all, words="λ 4", text_of=lambda run: card_words(run, names))
    assert numbers(found) == [(3, 0)]


def test_only_what_differs_is_told(session):
    first, second, third, _, fifth = session.runs
    names = varying(session.runs)
    assert card_words(first, names) == "Max depth 2"
    assert card_words(fifth, names) == "Max depth 3"
    assert card_words(third, names) == "λ 4, γ 0.5 from 6"
    assert branch_words(second) == "η 0.1 → 0.02"
    assert label_of(second) == "η 0.1 → 0.02 at 3"
    assert differences(first, second) == [("η", "0.1", "0.1, 0.02 from 4")]
    assert [found.label for found in differences(first, fifth)] == ["Max depth", "Rounds"]
    assert differences(first, first) == []


def test_the_partner_suggests_itself_until_one_is_chosen(session):
    first, second, third, fourth, fifth = session.runs
    overlay, shown = session.overlay, session.shown
    pairs = {first: second, second: first, third: first, fourth: third, fifth: fourth}
    for run, partner in pairs.items():
        shown.show(run)
        assert overlay.partner is partner
    overlay.compare(second)
    assert overlay.partner is second
    shown.show(second)
    assert overlay.partner is first


def test_ticks_say_what_is_drawn_beside_the_pair(session):
    overlay, runs = session.overlay, session.runs
    assert list(overlay.drawn) == list(runs)
    for run in runs:
        overlay.tick(run, False)
    assert list(overlay.drawn) == [runs[0], overlay.partner]
    overlay.tick(runs[4], True)
    assert list(overlay.drawn) == [runs[0], runs[1], runs[4]]


def test_how_far_a_branch_is_grown_is_no_steering_of_it():
    study = Study(FRAME, target="y")
    branch = study.train(rounds=8, max_depth=2).branch(at=3, learning_rate=0.02).grow(2)
    assert "rounds" in {change.name for change in branch.run.changes}
    assert [change.name for change in steering(branch.run)] == ["learning_rate"]
