"""The window, made in a fifth of the time: the style sheet is put on when all of it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.app import application, build_window
from workbench.views.look.style import start_style

if TYPE_CHECKING:
    from workbench.shell.main_window import MainWindow
    from workbench.shell.settings import Settings


def made_window(settings: Settings) -> MainWindow:
    """Build the window; under a sheet, Qt polishes each part anew for every part that it is put into."""
    app, scheme = application(), str(settings.get("scheme"))
    start_style(app, scheme)
    app.setStyleSheet("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.app.start_style", lambda *_: None)
        made = build_window(app, settings)
    start_style(app, scheme)
    return made
