from __future__ import annotations

import threading

import numpy as np
import pytest

from workbench.trees.kernel import kernel
from workbench.trees.team import Team, meet


@kernel
def pass_on(part, parts, counters, n, slots):
    """Each part adds to the slot of the next; without meeting, one would read what is not there yet."""
    for _ in range(n):
        own = slots[part]
        meet(counters, parts)
        slots[(part + 1) % parts] = own + 1
        meet(counters, parts)


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_parts_wait_for_each_other(parts):
    slots = np.arange(parts) * 1000
    team = Team(parts)
    for _ in range(3):
        team.run(pass_on, 100, slots)
    assert sorted(slots.tolist()) == [1000 * k + 300 for k in range(parts)]
    assert slots.tolist() == [(1000 * ((k - 300) % parts)) + 300 for k in range(parts)]


def test_many_teams_at_once():
    results = [np.zeros(2, np.int64) for _ in range(4)]
    threads = [
        threading.Thread(target=lambda slots=slots: Team(2).run(pass_on, 500, slots)) for slots in results
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert [slots.tolist() for slots in results] == [[500, 500]] * 4
