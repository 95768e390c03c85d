"""Step 5: the best split of a node: the gain with its numbers, and the scan of all cuts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.explain.node_figures import follows_from_sums, node_figures
from workbench.number_text import figure
from workbench.views.formula.digits import block, split_gain
from workbench.views.formula.node_formulas import gain_formula
from workbench.views.inspector.why.scan_curve import MadeCut, scan_curve
from workbench.views.inspector.why.scan_plot import ScanPlot
from workbench.views.look.scale import px
from workbench.views.playground.derivation.node_choice import MOST_OFFERED, NodeChoice
from workbench.views.playground.derivation.step_section import StepSection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.views.inspector.why.scan_curve import ScanCurve
    from workbench.views.playground.derivation.subject import Subject
    from workbench.workers.explainer import ScanFindings

TALL = 220
NO_SPLIT = "This tree is a single leaf: no cut of any column gained enough."
HELD = ("δ, a monotone column or a search of the leaves holds weights here, so the gain is not this "
        "formula's alone.")


class ScanStep(StepSection):
    """The split that is selected, else the one over the leaf."""

    number = 5
    title = "The best split: every cut is tried"

    def chooser(self) -> tuple[QWidget, ...]:
        self.choice = NodeChoice("Split")
        return (self.choice,)

    def beside(self) -> QWidget:
        self.plot = ScanPlot()
        self.plot.setFixedHeight(px(TALL))
        self.plot.setProperty("keeps_size", False)
        return self.plot

    def show_subject(self, subject: Subject) -> Iterator[None]:
        node = subject.split
        self.choice.setVisible(node >= 0)
        if node < 0:
            self.plot.hide()
            self.say(NO_SPLIT)
            return
        self._offer(subject, node)
        yield
        record = subject.tree.nodes[node]
        family = (node, int(record["left"]), int(record["right"]))
        figures = [subject.figures(each) for each in family]
        assumed = subject.assumed
        made = block(figures, assumed.reg_lambda, assumed.gamma, assumed.learning_rate,
                     reg_alpha=assumed.reg_alpha)
        gain = split_gain(figures, assumed.reg_lambda, assumed.gamma)
        verdict = "it pays" if gain >= 0 else "it does not pay"
        plain = all(follows_from_sums(subject.tree, node_figures(subject.tree, each)) for each in family)
        self.say(
            f"{subject.questions[node]}: what both sides take off, less what the node took off by itself, "
            f"less γ. The gain is {figure(gain)}: {verdict} for the leaf that it adds.",
            gain_formula(made), remark="" if plain else HELD,
        )

    def _offer(self, subject: Subject, node: int) -> None:
        splits = list(subject.questions)[:MOST_OFFERED]
        words = [f"node {each}: {subject.questions[each]}" for each in splits]
        self.choice.show_nodes(splits, words, node)

    def show_scan(self, subject: Subject, found: ScanFindings | None, words: str = "") -> None:
        """Show every cut of the split's column under what is assumed; None while it is not known."""
        self.plot.setVisible(found is not None)
        if found is None:
            if subject.split >= 0:
                self.remark.say(words)
            return
        curve = assumed_curve(subject, found)
        self.plot.show_scan(curve, found.spread.rug if curve.is_numeric else ())


def assumed_curve(subject: Subject, found: ScanFindings) -> ScanCurve:
    """The scan of the split's own column under λ and γ as assumed."""
    rows, node, tree = found.rows, subject.split, subject.tree
    column = int(tree.nodes["feature"][node])
    scan = found.scan
    if subject.is_changed:
        terms, assumed = rows.terms(column), subject.assumed
        growing = terms.growing._replace(reg_lambda=assumed.reg_lambda, gamma=assumed.gamma)
        from workbench.explain.split_scan import judged_again

        scan = judged_again(scan, replace(terms, growing=growing))
    place = scan.cut_of(tree, node)
    made = None if place is None else MadeCut(place, tree.nodes["threshold"][node])
    return scan_curve(scan, found.spread, subject.schema.features[column], rows.params, made)
