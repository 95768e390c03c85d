"""The left dock in which the stored trees are scored again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from workbench.explain.what_if.rescoring import NO_SUMS, STORED
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME
from workbench.session.no_trees import LINEAR, NO_TREES
from workbench.session.run_parts.gain_reach import gain_reach
from workbench.session.what_if.retraining import retraining_note
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.parameter_row import PADDING, ParameterRow
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.look.weight_limits import WeightLimits
from workbench.views.what_if.figure_table import WhatIfTable
from workbench.views.what_if.leaf_plot import LeafPlot
from workbench.views.what_if.stored import changed, newest_value, stored_note, stored_value

if TYPE_CHECKING:
    from workbench.session.run import Run

NAMES = ("reg_lambda", "gamma", "reg_alpha")
HONESTY = ("From the G and H kept in every node. Structure and earlier trees stay fixed; "
           "retraining gives the exact answer.")
TRAINS = "Scoring again takes a finished run. This one has not ended: stop it, or let it train on."


@VIEWS.register
class WhatIfPanel(LazyView):
    """Asks; the answers stand in the three columns, in the tree and in the plots below."""

    name, title, place, order = "what_if", "What if", "left", 40

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._scale = WeightLimits()
        self.rows = {name: ParameterRow(BY_NAME[name]) for name in NAMES}
        self.honesty, self.empty, self.retraining = _sentence("3"), _sentence("2"), _sentence("2")
        self.table, self.leaves = WhatIfTable(), LeafPlot()
        self.apply_button = QPushButton("Apply as new model")
        self.retrain_button = QPushButton("Retrain with these")
        self.back_button = QPushButton("Back to the stored values")
        self.leaf_heading = Heading("This tree, leaf by leaf", "w*")
        self._build()
        self.restyle()
        self._follow_session()

    # --- how it is made ---------------------------------------------------------------------

    def _build(self) -> None:
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 12, 0, PADDING)
        column.setSpacing(4)
        column.addWidget(_padded(Heading("Score the stored trees again with")))
        for row in self.rows.values():
            column.addWidget(row)
        for widget in (self.honesty, self.table):
            column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self._build_buttons())
        column.addSpacing(4)
        column.addWidget(_padded(self.leaf_heading))
        column.addWidget(self.leaves, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self._scroll = DockScroll(self._content)
        self.empty.setContentsMargins(PADDING, 16, PADDING, 0)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        outer.addWidget(self.empty)
        outer.addWidget(self._scroll)

    def _build_buttons(self) -> QWidget:
        set_look(self.apply_button, primary=True)
        set_look(self.back_button, flat=True)
        set_tip(self.apply_button, "Make a new run of these trees, pruned and weighed so")
        set_tip(self.retrain_button, "Train with these values on the same rows, for as many rounds")
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(PADDING, 0, PADDING, 0)
        column.setSpacing(8)
        self.retraining.setContentsMargins(0, 0, 0, 0)
        for widget in (self.apply_button, self.retrain_button, self.retraining, self.back_button):
            column.addWidget(widget)
        return holder

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.runs, events.state, events.selection, events.what_if):
            signal.connect(self.synchronize)
        for name, row in self.rows.items():
            row.changed.connect(partial(self._try, name))
        self.apply_button.clicked.connect(self._bench.what_if.apply)
        self.retrain_button.clicked.connect(self._retrain)
        self.back_button.clicked.connect(partial(self._bench.what_if.try_values, STORED))
        self.synchronize()

    def restyle(self) -> None:
        self.retrain_button.setIcon(icon("arrows-clockwise", "text1", 16, 4))
        self.update()

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show what is asked of the shown run, where somebody sees it."""
        if not self.isVisible():
            return
        run = self._bench.session.shown.run
        ready = not waiting_words(run)
        self._scroll.setVisible(ready)
        self.empty.setVisible(not ready)
        self.empty.setText(waiting_words(run))
        if run is None or not ready:
            return
        self._bench.what_if.prepare()
        self._show_values(run)
        self.table.show_run(run)
        self._show_buttons(run)
        self._show_leaves(run)

    def _show_values(self, run: Run) -> None:
        self.rows["gamma"].reach(gain_reach(run))
        for name, row in self.rows.items():
            stored, asked = stored_value(run, name), getattr(run.what_if.values, name)
            row.set_home(stored, newest_value(run, name))
            row.set_value(stored if asked is None else asked)
            row.set_note("" if run.what_if.problem == NO_SUMS else stored_note(run, name), "3")
        text = run.what_if.problem or run.what_if.metrics_problem or HONESTY
        self.honesty.setText(text)

    def _show_buttons(self, run: Run) -> None:
        asked, answer = run.what_if, run.what_if.answer
        self.apply_button.setEnabled(asked.is_on and not self._bench.what_if.is_applying)
        self.back_button.setEnabled(not asked.values.is_stored)
        live = answer is not None and answer.is_live
        busy = self._bench.controller.is_live
        self.retrain_button.setEnabled(live or not busy)
        done = f", {len(answer.rounds)} of {len(run.rounds)}" if answer is not None and live else ""
        self.retrain_button.setText(f"Stop retraining{done}" if live else "Retrain with these")
        note = retraining_note(run, asked.values)
        self.retraining.setText(note)
        self.retraining.setVisible(bool(note))

    def _show_leaves(self, run: Run) -> None:
        session = self._bench.session
        tree, place = session.shown.tree, session.shown.place
        rescored = run.what_if.rescored.tree(place) if run.what_if.rescored is not None else None
        self.leaves.show_tree(tree, rescored, self._scale.limit(run))

    # --- what a person does -----------------------------------------------------------------

    def _try(self, name: str, _name: str, value: Any) -> None:
        run = self._bench.session.shown.run
        if run is not None and run.rounds:
            self._bench.what_if.try_values(changed(run, name, value))

    def _retrain(self) -> None:
        if self._bench.session.shown.run is None:
            return
        answer = self._bench.session.shown.run.what_if.answer
        if answer is not None and answer.is_live:
            self._bench.what_if.stop_retraining()
        else:
            self._bench.what_if.retrain()


def waiting_words(run: Run | None) -> str:
    """Say what must be there before anything can be asked of a run; "" where it is."""
    if run is None or not run.rounds:
        return NO_TREES
    if run.is_linear:
        return LINEAR
    if not run.is_second_order:
        return f"{METHODS[run.params.method].label} has no λ, γ and α, so there are no others to try."
    return TRAINS if run.is_live else ""


def _sentence(tone: str) -> Label:
    label = Label()
    label.setWordWrap(True)
    label.setFont(ui_font(NOTE))
    label.setContentsMargins(PADDING, 4, PADDING, 4)
    set_look(label, tone=tone)
    return label


def _padded(widget: QWidget) -> QWidget:
    widget.setContentsMargins(PADDING, 0, PADDING, 0)
    return widget
