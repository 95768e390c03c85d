"""The bottom dock of what-ifs: how many splits survive, and which of this tree die first."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from workbench.explain.node_figures import test_of
from workbench.explain.what_if.critical_values import Survivors, critical_lambdas
from workbench.explain.what_if.rescoring import Rescorer
from workbench.explain.what_if.tree_sums import directions
from workbench.number_text import short
from workbench.session.what_if.question import words
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns
from workbench.views.what_if.lambda_curves import LambdaCurves
from workbench.views.what_if.panel import waiting_words
from workbench.views.what_if.penalty_switch import PenaltySwitch
from workbench.views.what_if.split_list import WIDE, SplitList, SplitRow
from workbench.views.what_if.stored import changed, newest_value, range_words, stored_value
from workbench.views.what_if.survivors_plot import Survival, SurvivorsPlot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.what_if.rescoring import Rescored
    from workbench.session.run import Run
    from workbench.session.session import Session

SCORES = "Scoring the trees again."
EMPTY = "Set λ, γ or α under What if to see which splits survive."
LIST_SHARE, LIST_WIDTHS = 0.36, (300, 460)
MOST_ROWS = 500
MOST_NODES = 2000  # of a tree whose critical λ are worked out at every step of a slider


@VIEWS.register
class SplitsView(LazyView):
    """Curve and list; a γ or λ may be dragged here as well as set in the panel."""

    name, title, place, order = "what_if_splits", "What if", "bottom", 40
    beside = "what_if"

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.plot, self.list = SurvivorsPlot(), SplitList()
        self.switch = PenaltySwitch(self.plot)
        self._stored: tuple[Rescored, Survivors] | None = None
        self._lambdas = LambdaCurves(self)
        self._splits = InTurns(self._show_list, self)
        self.heading = Heading("Splits of this tree, weakest first")
        self.empty = Label(EMPTY)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        set_look(self.empty, tone="2")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._build())
        self._follow_session()

    def _build(self) -> QWidget:
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._side = QWidget()
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 6, 0, 0)
        side.setSpacing(4)
        self.heading.setContentsMargins(16, 0, 16, 0)
        side.addWidget(self.heading)
        side.addWidget(self.list, 1)
        row.addWidget(self.plot, 1)
        row.addWidget(rule(vertical=True))
        row.addWidget(self._side)
        return page

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.selection, events.what_if):
            signal.connect(self.synchronize)
        self.plot.chosen.connect(self._try_value)
        self.switch.chosen.connect(self.synchronize)
        self._lambdas.found.connect(self.synchronize)
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        self.synchronize()

    def restyle(self) -> None:
        self.plot.update()
        self.list.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low, high = map(px, LIST_WIDTHS)
        self._side.setFixedWidth(min(max(round(self.width() * LIST_SHARE), low), high))

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the curve of the shown run and the splits of the shown tree, where somebody sees them."""
        if not self.isVisible():
            return
        session = self._bench.session
        self._bench.what_if.prepare()
        run = session.shown.run
        asked = run.what_if if run is not None else None
        if run is None or asked is None or asked.stored is None or asked.rescored is None:
            problem = asked.problem if asked is not None else ""
            hint = EMPTY if asked is None or asked.values.is_stored else SCORES
            self.empty.setText(waiting_words(run) or problem or hint)
            self._pages.setCurrentIndex(0)
            return
        self._pages.setCurrentIndex(1)
        self._splits.start_soon()
        painted_in_own_event(self.plot, self._side)
        self._show_curves(run, asked.stored, asked.rescored)

    def _show_curves(self, run: Run, stored: Rescored, asked: Rescored) -> None:
        name = self.switch.name
        if name == "gamma":
            tick = "one tick below the axis is the critical γ of one split"
            curves = self._stored_survivors(stored), Survivors(asked.critical)
        else:
            tick = "beyond its tick below the axis a split is gone for good"
            found = self._lambdas.curves(self._bench.jobs, stored, asked)
            if found is None:
                return
            curves = found
        self.plot.show_survival(Survival(
            self.switch.symbol, *curves, _asked(run, name), asked.n_splits, stored.sums.n_trees,
            curve_words(run, name), tick, mixed_words(run, name, self.switch.symbol),
        ))  # fmt: skip

    def _stored_survivors(self, stored: Rescored) -> Survivors:
        if self._stored is None or self._stored[0] is not stored:
            self._stored = stored, Survivors(stored.critical)
        return self._stored[1]

    def _show_list(self) -> Iterator[None]:
        session = self._bench.session
        run = session.shown.run
        if run is None or run.what_if.rescored is None:
            return
        rows = split_rows(session, run, run.what_if.rescored)
        yield
        gamma, reg_lambda = (_of_shown_tree(session, run, name) for name in ("gamma", "reg_lambda"))
        self.list.splits.show_rows(rows, gamma)
        number = session.shown.round
        title = f"Splits of tree {number}, weakest first" if rows else f"Tree {number} is one leaf"
        self.heading.set_title(title)
        note = f"critical γ at λ {short(reg_lambda)}"
        lambdas = self.list.splits.has_lambdas and self._side.width() >= WIDE
        self.heading.set_note(f"λ at γ {short(gamma)}, {note}" if lambdas else note)

    # --- what a person does -----------------------------------------------------------------

    def _try_value(self, value: float) -> None:
        run = self._bench.session.shown.run
        if run is not None:
            self._bench.what_if.try_values(changed(run, self.switch.name, value))

    def _choose(self, index: QModelIndex | QPersistentModelIndex) -> None:
        if index.isValid():
            self._bench.session.shown.select(node=self.list.splits.rows[index.row()].node)


def _asked(run: Run, name: str) -> float:
    value = getattr(run.what_if.values, name)
    return newest_value(run, name) if value is None else float(value)


def _of_shown_tree(session: Session, run: Run, name: str) -> float:
    """The value that the shown tree is scored with: what is asked, or its own."""
    asked = getattr(run.what_if.values, name)
    own = session.shown.tree or run.rounds[-1].trees[-1]
    return float(getattr(own, name) if asked is None else asked)


def mixed_words(run: Run, name: str, symbol: str) -> str:
    """What the trees were grown with, where it differs among them and nothing else is asked; else ""."""
    if getattr(run.what_if.values, name) is not None or stored_value(run, name) is not None:
        return ""
    return f"{symbol} {range_words(run, name)}, as stored"


def curve_words(run: Run, name: str) -> tuple[str, str]:
    """What the two curves are called: that of the stored trees, and that of what is asked."""
    other, symbol = ("reg_lambda", "λ") if name == "gamma" else ("gamma", "γ")
    stored = f"{symbol} {range_words(run, other)}, as stored"
    return stored, words(replace(run.what_if.values, **{name: None}))


def split_rows(session: Session, run: Run, rescored: Rescored) -> list[SplitRow]:
    """Return the splits of the shown tree, the lowest critical γ first; at most some hundred."""
    tree, place = session.shown.tree, session.shown.place
    if tree is None or run.schema is None:
        return []
    own = rescored.tree(place)
    lambdas = np.full(tree.n_nodes, np.nan)
    if tree.n_nodes <= MOST_NODES:
        alone = Rescorer([tree], directions(run.params, run.schema.names)).score(rescored.values)
        lambdas[alone.sums.split] = critical_lambdas(alone)
    weakest = np.argsort(np.where(tree.is_leaf, np.inf, own.critical), kind="stable")
    test = partial(test_of, tree, schema=run.schema)
    return [
        SplitRow(node, test, float(own.critical[node]), float(lambdas[node]), bool(own.is_split[node]))
        for node in weakest[: min(tree.n_leaves - 1, MOST_ROWS)].tolist()
    ]
