from __future__ import annotations

import threading

import pytest

from workbench.data.text.stream.ahead import work_ahead
from workbench.errors import WorkbenchError


def test_results_come_in_the_order_of_the_items():
    second_done = threading.Event()

    def call(item: int) -> int:
        if item == 0:
            assert second_done.wait(10)
        if item == 1:
            second_done.set()
        return -item

    assert list(work_ahead(call, range(20), threads=2)) == [-n for n in range(20)]


def test_items_are_taken_only_a_few_ahead():
    taken = []
    results = work_ahead(lambda item: item, (taken.append(n) or n for n in range(100)), threads=2)
    next(results)
    assert len(taken) <= 4
    results.close()


def test_the_first_fault_is_told_first():
    def items():
        yield "line 1 is wrong"
        raise WorkbenchError("the end is wrong")

    def call(item: str) -> None:
        raise WorkbenchError(item)

    with pytest.raises(WorkbenchError, match="line 1"):
        list(work_ahead(call, items(), threads=2))
    with pytest.raises(WorkbenchError, match="the end"):
        list(work_ahead(str, items(), threads=2))


def test_of_several_wrong_items_the_first_is_told():
    def call(item: int) -> None:
        raise WorkbenchError(f"line {item} is wrong")

    for size in (2, 9):
        with pytest.raises(WorkbenchError, match="line 0"):
            list(work_ahead(call, range(size), threads=2))
