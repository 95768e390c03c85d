"""The column at the right: the shown tree, the scan of its first split, and the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.explain.node_figures import test_of
from workbench.explain.node_text import gain_text
from workbench.isolation import isolated
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import Heading
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.weight_limits import WeightLimits, WeightScale
from workbench.views.playground.first_split import FirstSplitPlot, GainCurve
from workbench.views.playground.loss_plot import LossPlot
from workbench.views.playground.small_tree import SmallTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.session.run import Run
    from workbench.trees.tree import Tree

WIDTH, NARROW_WIDTH = 300, 264
PADDING = 16
NO_TREE, NO_SPLIT = "A linear model: no tree", "No split"
NO_SCAN = "No cut of these columns was compared here."


class SideColumn(QWidget):
    """Fixed in width; each part keeps its place whatever it shows."""

    def __init__(self, *, with_scan: bool = True) -> None:
        super().__init__()
        set_look(self, ground="panel")
        self.setFixedWidth(px(WIDTH))
        self.tree, self.split, self.loss = SmallTree(), FirstSplitPlot(), LossPlot()
        self.tree_heading, self.split_heading = Heading("Tree"), Heading("First split")
        self.loss_heading = Heading("Training loss")
        self.legend = ElidedLabel()
        self.legend.setFont(ui_font(NOTE))
        set_look(self.legend, tone="2")
        self._limits = WeightLimits()
        self._with_scan = with_scan
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 14, PADDING, 12)
        column.setSpacing(4)
        for heading, plot in ((self.tree_heading, self.tree), (self.split_heading, self.split)):
            column.addWidget(heading)
            column.addSpacing(4)
            column.addWidget(plot)
            column.addSpacing(4)
        column.insertWidget(column.count() - 1, self.legend)
        for part in (self.split_heading, self.split, self.legend):
            part.setVisible(self._with_scan)
        column.addSpacing(10)
        column.addWidget(self.loss_heading)
        column.addSpacing(4)
        column.addWidget(self.loss)
        column.addStretch(1)

    def show_tree(self, run: Run | None, round: int, tree: Tree | None) -> None:
        """Show the tree of a round, and the loss up to it."""
        schema, scale = (None, WeightScale()) if run is None else (run.schema, self._limits.scale(run))
        self.tree.show_tree(tree, schema, scale, "" if run is None else run.unit)
        is_linear = run is not None and run.is_linear
        self.tree_heading.set_title(NO_TREE if is_linear else f"Tree {round}" if round else "Tree")
        self.split_heading.set_title(NO_SPLIT if is_linear else "First split")
        self.tree_heading.set_note(f"gain {gain_text(tree.total_gain)}" if tree is not None else "")
        self.loss.show_run(run, round)
        name = run.facts.metric(run.watched).short if run is not None and run.watched else "loss"
        has_held_out = run is not None and run.started is not None and run.started.n_valid > 0
        self.loss_heading.set_title(f"{name[:1].upper()}{name[1:]}" if has_held_out else f"Training {name}")
        total = 0 if run is None else len(run.rounds)
        self.loss_heading.set_note(f"round {round} of {total}" if total else "", f"{round} of {total}")

    def show_scan(self, curves: Sequence[GainCurve] | None, tree: Tree | None, run: Run | None) -> None:
        """Show the scan of the tree's first split; None while unknown, which leaves the one before."""
        if curves is None or not self._with_scan:
            return
        self.split.sentence = NO_SCAN if tree is not None else ""
        curves = [curve for curve in curves if curve.best >= 0]
        best = max(curves, key=lambda c: c.gains[c.best], default=None)
        self.split.show_curves(tuple(
            curve._replace(token="train" if curve is best else "ctl") for curve in curves
        ))
        has_split = tree is not None and not tree.is_leaf[0] and run is not None and run.schema is not None
        words = gain = ""
        if has_split:
            gain = f"gain {gain_text(float(tree.nodes['gain'][0]))}"  # type: ignore[union-attr]
            words = f"{test_of(tree, 0, run.schema).text}, {gain}"  # type: ignore[arg-type, union-attr]
        self.split_heading.set_note(words, gain)
        others = [curve.name for curve in curves if curve is not best]
        aside = "; dashed: the best of {}" if self.split.shows_level else "; grey: {}"
        more = aside.format(isolated(others[0])) if others else ""
        self.legend.setText("" if best is None else f"blue: cuts of {isolated(best.name)}{more}")
