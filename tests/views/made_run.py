"""A session with a run whose rounds were made up, so that no kernel is compiled to look at curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import EndReason, RoundFinished, TrainingEnded, TrainingStarted
from workbench.session.objective_facts import known_objectives
from workbench.session.session import Session

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

BEST = 30


def made_session(rounds: int, planned: int, *, valid: bool = True, change_at: int = 0) -> Session:
    session = Session()
    session.data.objectives = known_objectives()
    session.data.set_objective("logistic")
    session.hyperparameters.change(rounds=planned, objective="logistic")
    run = session.new_run()
    started = _started(session.hyperparameters.wanted, valid)
    session.runs.apply(run, [started, *made_rounds(session, 1, rounds, valid, change_at)])
    return session


def with_tools(qtbot, view) -> QWidget:
    """Put a view under its tools, as the window does; they end together."""
    holder, row = QWidget(), QWidget()
    qtbot.addWidget(holder)
    column, tools = QVBoxLayout(holder), QHBoxLayout(row)
    for tool in view.tools():
        tools.addWidget(tool)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(row)
    column.addWidget(view, 1)
    return holder


def add_rounds(session: Session, last: int) -> None:
    session.runs.apply(session.shown.run, made_rounds(session, len(session.shown.run.rounds) + 1, last))


def end(session: Session, reason: EndReason = EndReason.FINISHED) -> None:
    rounds = len(session.shown.run.rounds)
    session.runs.apply(session.shown.run, [TrainingEnded(reason, rounds, session.shown.run.best_round, 2.1)])


def made_rounds(
    session: Session, first: int, last: int, valid: bool = True, change_at: int = 0
) -> list[RoundFinished]:
    params = session.shown.run.params
    return [
        _round(r, params.change(reg_lambda=4.0) if 0 < change_at <= r else params, valid)
        for r in range(first, last + 1)
    ]


def _started(params: TrainingParams, valid: bool) -> TrainingStarted:
    ensemble = Ensemble("logistic", 3, 1, np.zeros(1, np.float32))
    held_out = {"logloss": 0.7, "auc": 0.5} if valid else {}
    return TrainingStarted(
        ensemble, params, ("logloss", "auc"), "logloss", 200, 50 if valid else 0, {"logloss": 0.7}, held_out,
        140.0,
    )  # fmt: skip


def _round(number: int, params: TrainingParams, valid: bool) -> RoundFinished:
    train = 0.1 + 0.6 * float(np.exp(-number / 40))
    held_out = 0.4 + 0.0001 * (number - BEST) ** 2
    return RoundFinished(
        number, (None,), {"logloss": train, "auc": 1 - train / 2},
        {"logloss": held_out, "auc": 1 - held_out / 2} if valid else {},
        loss=200 * train, omega=0.01 * number, omega_leaves=0.0, omega_weights=0.01 * number,
        structure_score=-60 / number, gain=60 / number, leaves=8, depth=3, promised=-1.9 / number,
        delivered=-2.0 / number, params=params, seconds=0.01,
        best_round=min(number, BEST) if valid else number,
    )  # fmt: skip
