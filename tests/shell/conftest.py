from __future__ import annotations

import pytest

from workbench.app import application, build_window
from workbench.kernels.cache import kernels_ready
from workbench.shell.settings import Settings
from workbench.warmup.warmup import warm_up


@pytest.fixture(scope="session")
def _kernels():
    if not kernels_ready():
        warm_up(lambda *_: None)


@pytest.fixture
def window(qtbot, qapp, tmp_path, monkeypatch, _kernels):
    monkeypatch.setattr("workbench.views.turns.in_turns.TURN_SECONDS", 60.0)  # all rows at once
    made = build_window(application(), Settings(tmp_path / "settings"))
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()  # for its shortcuts: what another test has left open may be the active one
    made.warmup.start()
    yield made
    made.close()
    made.deleteLater()
