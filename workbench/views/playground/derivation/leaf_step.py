"""Step 2: the rows of a leaf together: G·w + ½(H+λ)·w² and its minimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.derivation.leaf_parabola import weights_around
from workbench.explain.node_text import weight_text
from workbench.number_text import counted, figure
from workbench.views.formula.digits import ShownBlock, block, exact
from workbench.views.formula.formula import Formula
from workbench.views.formula.node_formulas import score_formula, soft_formula, weight_formula
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.size import Size
from workbench.views.formula.parts.superscript import Superscript
from workbench.views.playground.derivation.curve_plot import Curve, CurvePlot, Mark
from workbench.views.playground.derivation.node_choice import MOST_OFFERED, NodeChoice
from workbench.views.playground.derivation.step_section import StepSection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.views.formula.parts.base import FormulaPart
    from workbench.views.playground.derivation.subject import Subject

PLUS, TIMES, HALF = Sign("+"), Sign("·"), Sign("½")
WEIGHT = Letter("w")


class LeafStep(StepSection):
    """The leaf that is selected, else that of the row."""

    number = 2
    title = "A leaf: its objective and its best weight"

    def chooser(self) -> tuple[QWidget, ...]:
        self.choice = NodeChoice("Leaf")
        return (self.choice,)

    def beside(self) -> QWidget:
        self.plot = CurvePlot("Objective of the leaf over its weight", "weight w")
        return self.plot

    def show_subject(self, subject: Subject) -> Iterator[None]:
        leaf, terms = subject.leaf, subject.terms
        offered = terms.leaves.tolist()[:MOST_OFFERED]
        words = [
            f"leaf {node}: {counted(rows, 'row')}, w {weight_text(w)}"
            for node, rows, w in zip(offered, terms.count.tolist(), terms.weight.tolist(), strict=False)
        ]
        self.choice.show_nodes(offered, words, leaf)
        yield
        figures = subject.figures(leaf)
        assumed = subject.assumed
        made = block([figures], assumed.reg_lambda, assumed.gamma, assumed.learning_rate,
                     reg_alpha=assumed.reg_alpha)
        node = made.nodes[0]
        soft = (soft_formula(node, made),) if made.has_alpha else ()
        rows = counted(figures.count, "row")
        self.say(
            f"All {rows} of the leaf get the same weight w, so their parabolas add up: G = Σg, H = Σh. "
            "λ makes the sum narrower and pulls its minimum towards 0.",
            objective_formula(made), *soft, weight_formula(node, made), score_formula(node, made),
            remark=subject.restraint,
        )
        yield
        self._draw(subject, leaf)

    def _draw(self, subject: Subject, leaf: int) -> None:
        curve, stored = subject.parabola(leaf), subject.parabola(leaf, subject.stored)
        own = subject.weight(leaf)
        x = weights_around(curve.weight, stored.weight, own)
        curves = [Curve("G·w + ½(H+λ)w²" + (" + α|w|" if curve.reg_alpha else ""), curve.at(x), "accent")]
        marks = [Mark(curve.weight, curve.least, f"w* = {figure(curve.weight)}")]
        if subject.is_changed:
            name = f"as stored, λ {exact(subject.stored.reg_lambda)}"
            curves.append(Curve(name, stored.at(x), "ctl", dashed=True))
            marks.insert(0, Mark(stored.weight, stored.least, "", "ctl", hollow=True))
        if not subject.follows:
            marks.append(Mark(own, float(curve.at(np.array([own]))[0]), f"w = {figure(own)}", "validation"))
        self.plot.show_curves(x, curves, marks, zero=True)


def objective_formula(made: ShownBlock) -> Formula:
    """Obj(w) = G·w + ½(H+λ)·w², with the α of a lasso where there is one."""
    node = made.nodes[0]

    def line(g: FormulaPart, h: FormulaPart, reg_lambda: FormulaPart, alpha: FormulaPart) -> Row:
        signed: FormulaPart = Bracket(g) if g.text.startswith("−") else g
        end = (PLUS, alpha, TIMES, Size(WEIGHT)) if made.has_alpha else ()
        return Row((signed, TIMES, WEIGHT, PLUS, HALF, Bracket(Row((h, PLUS, reg_lambda))), TIMES,
                    Superscript(WEIGHT), *end))

    g, h = Number(node.g, tone="train"), Number(node.h)
    half, alpha = Number(made.reg_lambda), Number(made.reg_alpha)
    steps = (line(Letter("G"), Letter("H"), Letter("λ"), Letter("α")), line(g, h, half, alpha))
    values = ((Letter("G"), g), (Letter("H"), h), (Letter("λ"), half), (WEIGHT, Number(node.weight)))
    return Formula(Letter("Obj"), steps, (*values, (Letter("α"), alpha)) if made.has_alpha else values)
