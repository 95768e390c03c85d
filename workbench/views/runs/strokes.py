"""The colour and the dash of a run, the same wherever it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.views.curves.content import Dash

COLOURS, SOLID = 10, 4  # categories, and how many of them are told apart without a dash
DASHES: tuple[list[float], ...] = ([], [6.0, 3.0], [1.0, 2.5], [7.0, 3.0, 1.5, 3.0])


def token_of(run: Run) -> str:
    """The token of a run's colour; a model that is none of the runs is grey."""
    return f"category{(run.number - 1) % COLOURS}" if run.number else "ctl"


def dash_of(run: Run) -> list[float]:
    """On and off in widths of the pen; runs of one colour differ in it."""
    turn, place = divmod(run.number - 1, COLOURS)
    return DASHES[(turn * 2 + (place >= SOLID)) % len(DASHES)] if run.number else DASHES[2]


def line_dash(run: Run) -> Dash:
    """The dash of a run's line over rounds, behind one that is solid."""
    return "dotted" if len(dash_of(run)) and dash_of(run)[0] < 2 else "dashed"


def pen_of(run: Run, width: float) -> QPen:
    """The pen of a run's line."""
    pen = QPen(theme().color(token_of(run)), width)
    dash = dash_of(run)
    if dash:
        pen.setDashPattern([part / max(width / 1.5, 1) for part in dash])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
