from __future__ import annotations

import pytest

from tests.views.made_forest import made_session


@pytest.fixture
def session():
    return made_session(4)


@pytest.fixture
def wait_for_scores(qtbot, session):
    """Wait until the run that is shown is scored as it is stored."""
    return lambda: qtbot.waitUntil(lambda: session.shown.run.what_if.stored is not None, timeout=60_000)
