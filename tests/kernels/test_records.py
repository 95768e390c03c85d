from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from numba import typeof, types

from workbench.kernels.instructions import put, take
from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import FlatValues, flat_values
from workbench.kernels.records import Struct
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.tree_task import TreeTask


class Pair(NamedTuple):
    values: object
    n: int


@kernel(apart=True, returns=types.uint32)
def _shares(rows, raw):
    drawn, left_out = rows
    raw[0] += len(drawn) + 10.0 * len(left_out)
    return rows.left_out[0]


@kernel(takes_none=True)
def _read(task, shared, nothing):
    task.raw[1] = task.params.reg_lambda if task.params.by_gain else -1.0
    if nothing is not None:
        task.raw[1] = nothing.of_none
    again = take(shared, (task,))[0]
    return again.gradients[1] + _shares(task.rows, again.raw)


@kernel
def _put(shared, task):
    put(shared, (task,))
    return _read(task, shared, None)


def _task(by_gain):
    rows = DrawnRows(np.arange(3, dtype=np.uint32), np.arange(3, 5, dtype=np.uint32))
    params = GrowingParams(reg_lambda=2.5, by_gain=by_gain)
    return TreeTask(
        np.arange(5.0), np.ones(5), rows, np.arange(2), params, np.zeros(1, np.uint8), np.zeros(2, np.float32)
    )


def test_kernels_read_records_within_records_wherever_they_are_handed_on():
    for by_gain in (True, False):
        task = _task(by_gain)
        assert _put(np.empty(2**14, np.uint8), task) == 1.0 + 3
        assert task.raw.tolist() == [23.0, 2.5 if by_gain else -1.0]


def test_a_record_is_one_argument_with_a_short_name_that_tells_types_apart():
    single, double = FlatValues(np.zeros(2, np.float32), 1, 1), FlatValues(np.zeros(2), 1, 1)
    names = {str(typeof(values)) for values in (single, double)}
    assert len(names) == 2
    assert max(map(len, names)) < 40
    assert isinstance(typeof(single), Struct)
    assert typeof(single) == typeof(flat_values(np.zeros((1, 2), np.float32)))


def test_named_tuples_of_other_programs_are_what_numba_makes_of_them():
    assert type(typeof(Pair(np.zeros(2), 1))) is types.NamedTuple
    assert type(typeof(Pair(1, 2))) is types.NamedUniTuple


@kernel(allocates=True)
def _sum_of_copies(values, times):
    total = 0.0
    for _ in range(times):
        numbers = values.numbers
        total += np.copy(numbers[1:])[0]
    return total


def test_references_to_the_arrays_of_a_record_are_given_back():
    numbers = np.ones(3, np.float32)
    held = sys.getrefcount(numbers)
    for _ in range(20):
        assert _sum_of_copies(FlatValues(numbers, 1, 1), 1000) == 1000.0
    assert sys.getrefcount(numbers) == held
