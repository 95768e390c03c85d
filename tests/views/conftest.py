"""A session of trees made by hand, threads for its jobs, and the bench that views are given."""

from __future__ import annotations

import pytest

from tests.ended_jobs import end_jobs
from tests.views.made_forest import made_bench, made_session
from workbench.views.look.fonts import load_fonts
from workbench.warmup.warmup import steps
from workbench.workers.jobs import Jobs


@pytest.fixture(autouse=True, scope="session")
def _fonts(qapp):
    """Words are as wide as in the program."""
    load_fonts()


@pytest.fixture
def jobs(qtbot):
    made = Jobs()
    yield made
    end_jobs(made)


@pytest.fixture
def session():
    return made_session()


@pytest.fixture
def bench(session, jobs):
    return made_bench(session, jobs)


@pytest.fixture(scope="module")
def picture_kernels():
    """Compiled before anything waits for a picture of a large tree."""
    next(step for step in steps() if step.name == "Pictures of trees").run()
