"""The tab Playground on the bench of a test."""

from __future__ import annotations

import pytest

from tests.views.made_forest import show
from workbench.views.playground.view import PlaygroundTab


@pytest.fixture
def tab(qtbot, bench):
    tab = PlaygroundTab(bench)
    show(qtbot, tab, (1000, 640))
    return tab
