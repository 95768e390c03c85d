from __future__ import annotations

import pytest

from tests.workers.by_hand import ByHand
from workbench.errors import WorkbenchError
from workbench.workers.inquiry import Inquiry
from workbench.workers.jobs import Jobs
from workbench.workers.rest import SHARE, Rest


@pytest.fixture
def hand():
    return ByHand()


@pytest.fixture
def asked():
    return []


@pytest.fixture
def inquiry(hand, asked, qapp):
    jobs, doubling = Jobs(hand), Doubling(asked)
    yield Inquiry(jobs, doubling.work, 2)
    jobs.shutdown()


class Doubling:
    def __init__(self, asked):
        self.asked = asked

    def work(self, subject, job):
        self.asked.append((subject, job.cancelled()))
        if subject == "bad":
            raise WorkbenchError("There are no rows.")
        return subject * 2


def answer(qtbot, hand, inquiry):
    with qtbot.waitSignal(inquiry.answered):
        hand.run_all()


def test_what_python_answers_is_given_to_its_threads(hand, asked, qapp, monkeypatch):
    jobs, doubling, said = Jobs(hand), Doubling(asked), []
    start = jobs.start
    monkeypatch.setattr(jobs, "start", lambda *a, in_python, **b: (said.append(in_python), start(*a, **b))[1])
    of_three = Inquiry(jobs, doubling.work, 2, in_python=lambda subject: subject == 3)
    for subject in (3, 4):
        of_three.ask(subject)
        hand.run_all()
    assert said == [True, False]
    jobs.shutdown()


def test_an_answer_comes_and_is_kept(inquiry, hand, asked, qtbot):
    assert inquiry.ask(3) is None
    assert inquiry.ask(3) is None
    answer(qtbot, hand, inquiry)
    assert inquiry.ask(3) == 6
    assert asked == [(3, False)]


def test_the_newest_question_counts(inquiry, hand, asked, qtbot):
    inquiry.ask(1)
    inquiry.ask(2)
    answer(qtbot, hand, inquiry)
    assert asked == [(1, True), (2, False)]
    assert inquiry.known(1) is None
    assert inquiry.known(2) == 4


def test_a_problem_is_told_and_not_tried_again(inquiry, hand, asked, qtbot):
    inquiry.ask("bad")
    answer(qtbot, hand, inquiry)
    assert inquiry.ask("bad") is None
    assert inquiry.problem("bad") == "There are no rows."
    assert len(asked) == 1


def test_whoever_follows_a_run_lets_the_work_end_and_rest(inquiry, hand, asked, qtbot):
    inquiry.ask(1, follows=True)
    inquiry.ask(2, follows=True)
    inquiry.ask(3, follows=True)
    assert len(hand.calls) == 1
    answer(qtbot, hand, inquiry)
    assert inquiry.known(1) == 2
    assert not hand.calls
    qtbot.waitUntil(lambda: bool(hand.calls))
    answer(qtbot, hand, inquiry)
    assert [subject for subject, _ in asked] == [1, 3]


@pytest.fixture
def clocks(monkeypatch):
    made = Clocks()
    monkeypatch.setattr("workbench.workers.rest.perf_counter", lambda: made.wall)
    monkeypatch.setattr("workbench.workers.inquiry.thread_time", lambda: made.worked)
    return made


class Clocks:
    wall = worked = 0.0


class Working:
    def __init__(self, clocks, seconds):
        self.clocks, self.seconds = clocks, seconds

    def work(self, subject, _job):
        self.clocks.worked += self.seconds
        return subject


@pytest.mark.parametrize("worked", [0.003, 5.0])
def test_what_follows_a_run_rests_for_its_work_and_not_for_its_wait(hand, qapp, qtbot, clocks, worked):
    jobs, working = Jobs(hand), Working(clocks, worked)
    inquiry = Inquiry(jobs, working.work, 2)
    inquiry.ask(1, follows=True)
    clocks.wall += 60.0  # in the queue
    answer(qtbot, hand, inquiry)
    clocks.wall += worked / SHARE * 0.97
    inquiry.ask(2, follows=True)
    assert not hand.calls
    clocks.wall += worked / SHARE * 0.03
    inquiry.ask(3, follows=True)
    assert hand.calls
    jobs.shutdown()


def test_all_that_follow_a_run_share_one_rest(hand, qapp, qtbot, clocks):
    jobs, working, rest = Jobs(hand), Working(clocks, 1.0), Rest()
    one, other = (Inquiry(jobs, working.work, 2, rest) for _ in range(2))
    one.ask(1, follows=True)
    answer(qtbot, hand, one)
    other.ask(1, follows=True)
    assert not hand.calls
    clocks.wall += 1 / SHARE
    rest.over.emit()
    assert hand.calls
    jobs.shutdown()


def test_a_person_neither_waits_for_the_rest_nor_causes_one(hand, qapp, qtbot, clocks):
    jobs, working = Jobs(hand), Working(clocks, 1e3)
    inquiry = Inquiry(jobs, working.work, 2)
    for subject, follows in ((1, False), (2, True)):
        inquiry.ask(subject, follows=follows)
        answer(qtbot, hand, inquiry)
    inquiry.ask(3, follows=True)
    assert not hand.calls
    inquiry.ask(4)
    answer(qtbot, hand, inquiry)
    assert inquiry.known(4) == 4
    jobs.shutdown()


def test_few_answers_are_kept(inquiry, hand, qtbot):
    for subject in (1, 2, 3):
        inquiry.ask(subject)
        answer(qtbot, hand, inquiry)
    assert inquiry.known(1) is None
    assert inquiry.known(3) == 6
    inquiry.forget()
    assert inquiry.known(3) is None
