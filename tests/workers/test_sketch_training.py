"""What is measured of a run that follows the hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from workbench.workers.sketch_training import measured_rounds


@pytest.mark.parametrize(("shown", "rounds"), [(1, 1), (5, 100), (100, 100), (7, 7)])
def test_few_rounds_tell_the_shown_one_and_the_curve(shown, rounds):
    measured = measured_rounds(shown, rounds)
    told = sorted(number for number in measured if number)
    assert {shown, rounds} <= measured
    assert shown - 1 in measured
    assert told[0] == 1
    assert all(after <= 2 * before for before, after in pairwise(told))
    assert len(told) <= 10
