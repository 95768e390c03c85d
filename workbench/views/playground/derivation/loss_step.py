"""Step 1: the loss of a row, and the parabola that stands in for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.derivation.leaf_parabola import weights_around
from workbench.isolation import isolated
from workbench.number_text import count, figure
from workbench.views.playground.derivation.curve_plot import Curve, CurvePlot, Mark
from workbench.views.playground.derivation.loss_formulas import at, derivatives, parabola
from workbench.views.playground.derivation.step_section import StepSection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.explain.derivation.row_loss import RowLoss
    from workbench.views.playground.derivation.subject import Subject

OF_A_QUERY = ("The loss of this row depends on the other rows of its query, so it has no curve of its own: "
              "g and h are sums over the pairs that the row is in.")
ROUNDED = ("The objective has no curve here, only a slope: h stands in for the second derivative, "
           "so the parabola is a stand-in too.")
BENT = "XGBoost's h of softmax is twice the second derivative, so the parabola is steeper than the loss."


FARTHEST = 4.0  # times the weight that the parabola's own minimum is drawn away


class LossStep(StepSection):
    """The row that is selected, before the tree is added."""

    number = 1
    title = "Loss and its parabola at a row"

    def beside(self) -> QWidget:
        self.plot = CurvePlot("Loss of the row and its parabola", "step s from ŷ")
        return self.plot

    def show_subject(self, subject: Subject) -> Iterator[None]:
        loss = subject.loss
        self.plot.setVisible(loss is not None and math.isfinite(loss.loss))
        if loss is None:
            self.say(subject.row_words)
            return
        told = derivatives(loss)
        yield
        if not math.isfinite(loss.loss):
            self.say(self._words(subject, loss), *told.formulas, remark=OF_A_QUERY)
            return
        step = subject.step
        true = float(loss.losses(np.array([step]))[0])
        remark = f"At s = η·w = {figure(step)} the loss itself is {figure(true)}. {_remark(loss)}".rstrip()
        self.say(self._words(subject, loss), *told.formulas, parabola(loss, step, told), remark=remark)
        yield
        self._draw(subject, loss, true)

    def _words(self, subject: Subject, loss: RowLoss) -> str:
        kind = "" if loss.is_drawn else (
            " It is held out: it grew no tree." if not loss.is_training else " This tree was not grown on it."
        )
        target = subject.schema.class_labels[int(loss.target)] if subject.schema.class_labels else None
        y = f"y = {figure(loss.target)}" if target is None else f"y = {isolated(str(target))}"
        row = "" if subject.row is None else f"Row {count(subject.row + 1)}, {y}. "
        output = _output(subject)
        before = f"Before tree {subject.round}{output} ŷ is {figure(loss.raw_before)}."
        return (f"{row}{before} The loss l is bent; near ŷ its slope g and curvature h make a parabola, "
                f"and all that follows reads that.{kind}")

    def _draw(self, subject: Subject, loss: RowLoss, true: float) -> None:
        step = subject.step
        own = -loss.gradient / loss.hessian if loss.hessian > 0 else 0.0
        weight = subject.weight(subject.row_leaf)
        farthest = FARTHEST * abs(weight) if weight else 1.0
        x = weights_around(weight, math.copysign(min(abs(own), farthest), own) if own else 0.0)
        curves = (
            Curve("loss l(ŷ + s)", loss.losses(x), "train", wide=2.25),
            Curve("parabola q(s)", at(loss, x), "score", dashed=True),
        )
        marks = (
            Mark(0.0, loss.loss, "ŷ", "text1"),
            Mark(step, at(loss, step), f"η·w = {figure(step)}"),
            Mark(step, true, "", "train", hollow=True),
        )
        self.plot.show_curves(x, curves, marks)


def _output(subject: Subject) -> str:
    names = subject.run.output_names
    return f" of {isolated(names[subject.tree.class_index])}" if names else ""


def _remark(loss: RowLoss) -> str:
    if loss.objective.searches_leaves:
        return ROUNDED
    return BENT if loss.objective.name == "softmax" else ""
