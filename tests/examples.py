"""How many examples hypothesis tries: a third in `make test`, all with `-m ''`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

ALL, SOME = 100, 33  # of a hundred

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
