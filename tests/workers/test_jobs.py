from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from PySide6.QtCore import QObject

from tests.workers.by_hand import ByHand
from workbench.errors import WorkbenchError
from workbench.priority import WORKING
from workbench.workers.jobs import Job, Jobs


@pytest.fixture
def hand():
    return ByHand()


@pytest.fixture
def jobs(hand, qapp):
    made = Jobs(hand)
    yield made
    made.shutdown()


def test_the_answer_arrives(jobs, hand, qtbot):
    heard = []
    jobs.start(lambda job: 6 * 7, done=heard.append, failed=heard.append)
    hand.run_all()
    qtbot.waitUntil(lambda: heard == [42])


def test_progress_arrives_before_the_answer(jobs, hand, qtbot):
    heard = []

    def work(job):
        job.progress(1, 2)
        return "answer"

    jobs.start(work, done=heard.append, failed=heard.append, progressed=lambda *step: heard.append(step))
    hand.run_all()
    qtbot.waitUntil(lambda: heard == [(1, 2), "answer"])


def test_a_refusal_arrives_as_its_one_line(jobs, hand, qtbot):
    heard = []

    def work(job):
        raise WorkbenchError("The file is empty.")

    jobs.start(work, done=heard.append, failed=heard.append)
    hand.run_all()
    qtbot.waitUntil(lambda: heard == ["The file is empty."])


def test_nothing_arrives_after_cancel(jobs, hand, qtbot):
    heard = []
    first = jobs.start(lambda job: "old", done=heard.append, failed=heard.append)
    jobs.start(lambda job: "new", done=heard.append, failed=heard.append)
    first.cancel()
    hand.run_all()
    qtbot.waitUntil(lambda: heard == ["new"])


def test_nothing_is_kept_of_jobs_that_are_over(jobs, hand, qtbot):
    def fail(job):
        raise WorkbenchError("No.")

    heard = []
    calls = (lambda job: 1, fail, fail)
    started = [jobs.start(call, done=heard.append, failed=heard.append) for call in calls]
    started[2].cancel()
    hand.run_all()
    qtbot.waitUntil(lambda: not jobs.findChildren(QObject))
    assert heard == [1, "No."]


def test_a_file_that_is_being_written_is_finished_at_shutdown(qapp):
    jobs, written = Jobs(ThreadPoolExecutor(1)), []
    first_may_end = threading.Event()
    jobs.start(lambda job: first_may_end.wait(5), done=written.append, failed=written.append)
    jobs.start(lambda job: written.append("read"), done=lambda _: None, failed=written.append)
    jobs.start(lambda job: written.append("saved"), done=lambda _: None, failed=written.append, keep=True)
    first_may_end.set()
    jobs.shutdown()
    assert "saved" in written


def test_real_threads_end_with_shutdown(qapp, qtbot):
    jobs, heard = Jobs(), []
    jobs.start(lambda job: "done", done=heard.append, failed=heard.append)
    qtbot.waitUntil(lambda: heard == ["done"])
    jobs.shutdown()


def test_threads_can_be_there_before_the_first_job(qapp):
    jobs = Jobs()
    jobs.start_threads()
    there = {thread.name for thread in threading.enumerate()}
    assert {"job_0", "job_1", "python_0", "python_1"} <= there
    jobs.shutdown()


def test_after_the_end_nothing_is_run_any_more(qtbot):
    jobs = Jobs()
    jobs.shutdown()
    said = []
    job = jobs.start(lambda _job: 1, done=said.append, failed=said.append)
    assert job.cancelled()
    assert not said


@pytest.mark.skipif(sys.platform != "linux", reason="niceness is counted by process elsewhere")
def test_only_work_in_machine_code_gives_way_to_the_window(qapp, qtbot):
    def niceness(_job=None):
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    jobs, heard = Jobs(), {}
    for in_python in (True, False):
        done = partial(heard.__setitem__, in_python)
        jobs.start(niceness, done=done, failed=done, in_python=in_python)
    qtbot.waitUntil(lambda: len(heard) == 2)
    jobs.shutdown()
    assert heard[True] == niceness()
    assert heard[False] >= WORKING


def test_work_that_asks_whether_it_is_cancelled_lets_the_window_go_ahead(monkeypatch):
    rests = []
    monkeypatch.setattr("workbench.workers.jobs.time.sleep", rests.append)
    job, end = Job(), time.monotonic() + 0.02
    while time.monotonic() < end:
        assert not job.cancelled()
    assert 1 < len(rests) < 6
