"""What `make test` takes a part of, and `-m ''` takes whole: examples of hypothesis, cases of many."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

ALL, SOME = 100, 33  # of a hundred examples
ONE_OF = 5  # cases that are sampled

# How long an example takes says something about the machine, not about the program; and a fixture, a folder
# most often, may serve all examples of a test.
EXPECTED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


def load_profile(*, all_of_them: bool) -> None:
    """Set what `examples`, and tests that ask for no number, try from here on."""
    number = ALL if all_of_them else SOME
    settings.register_profile("workbench", deadline=None, suppress_health_check=EXPECTED, max_examples=number)
    settings.load_profile("workbench")


def examples(number: int) -> settings:
    """Return the settings of a test that tries so many where all are tried."""
    return settings(max_examples=max(number * settings.default.max_examples // ALL, 3))


def sample_of(cases: Sequence[pytest.Item], seed: int) -> Iterator[pytest.Item]:
    """Yield a fifth of the cases of each test, one at least with seed 0; five seeds together take all."""
    for _, of_one_test in groupby(cases, lambda case: case.nodeid.partition("[")[0]):
        shuffled = sorted(of_one_test, key=lambda case: crc32(case.nodeid.encode()))
        yield from shuffled[seed % ONE_OF :: ONE_OF]
