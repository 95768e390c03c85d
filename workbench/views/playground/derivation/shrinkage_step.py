"""Step 7: shrinkage: only η·w* of the way is gone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.derivation.leaf_parabola import weights_around
from workbench.number_text import figure, percent
from workbench.views.formula.digits import agreeing, exact, follows, result, value
from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.playground.derivation.curve_plot import Curve, CurvePlot, Mark
from workbench.views.playground.derivation.loss_formulas import share_formula
from workbench.views.playground.derivation.step_section import StepSection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.views.formula.parts.base import FormulaPart
    from workbench.views.playground.derivation.subject import Subject

PLUS, TIMES, EQUALS = Sign("+"), Sign("·"), Sign("=")
RAW, AFTER, RATE, WEIGHT = Letter("ŷ"), Letter("ŷ′"), Letter("η"), Letter("w*")
DECIMALS = 4
SIDE_BY_SIDE = "The round has several trees side by side; this is what one of them adds."


class ShrinkageStep(StepSection):
    """The row before and after the tree."""

    number = 7
    title = "Shrinkage: a part of the way"

    def beside(self) -> QWidget:
        self.plot = CurvePlot("Loss of the row before and after the tree", "step s from ŷ")
        return self.plot

    def show_subject(self, subject: Subject) -> Iterator[None]:
        loss, weight, rate = subject.loss, subject.weight(subject.row_leaf), subject.assumed.learning_rate
        self.plot.setVisible(loss is not None and math.isfinite(loss.loss))
        words = (f"The leaf says w* = {figure(weight)}; the model goes η = {exact(rate)} of that way, "
                 "so that later trees can correct it.")
        if loss is None:
            self.say(f"{words} {subject.row_words}", step_formula(rate, weight))
            return
        formulas = [step_formula(rate, weight), after_formula(loss.raw_before, rate, weight)]
        remark = []
        if loss.objective.name in ("logistic", "exponential"):
            raw = formulas[-1].text.rpartition("= ")[2]
            formulas.append(_share(raw, twice=loss.objective.name == "exponential"))
        elif loss.objective.link:
            before, after = (float(loss.predictions(s)[_shown_class(subject)]) for s in (0.0, rate * weight))
            remark.append(f"After the link the prediction goes from {figure(before)} to {figure(after)}.")
        if math.isfinite(loss.loss):
            losses = loss.losses(np.array([0.0, rate * weight, weight]))
            remark.append(f"The row's loss goes from {figure(losses[0])} to {figure(losses[1])}; "
                          f"the whole step would bring it to {figure(losses[2])}.")
            yield
            self._draw(subject, losses)
        if len(subject.run.trees(subject.round)) > len(loss.raw):
            remark.append(SIDE_BY_SIDE)
        self.say(words, *formulas, remark=" ".join(remark))

    def _draw(self, subject: Subject, losses: np.ndarray) -> None:
        loss, weight, rate = subject.loss, subject.weight(subject.row_leaf), subject.assumed.learning_rate
        if loss is None:
            return
        x = weights_around(weight, rate * weight)
        marks = (
            Mark(weight, float(losses[2]), f"w* = {figure(weight)}", "text3", hollow=True),
            Mark(0.0, float(losses[0]), "ŷ", "text1"),
            Mark(rate * weight, float(losses[1]), f"{percent(rate, 0 if rate >= 0.01 else 1)} of it"),
        )
        self.plot.show_curves(x, (Curve("loss l(ŷ + s)", loss.losses(x), "train", wide=2.25),), marks)


def step_formula(rate: float, weight: float) -> Formula:
    """S = η·w*."""
    def write(decimals: int) -> tuple[str, str]:
        return result(weight, decimals), result(rate * weight, DECIMALS)

    shown, end = agreeing(write, lambda made: follows(rate * float(value(made[0])), made[1]))
    numbers = Number(exact(rate)), Number(shown)
    steps = (Row((RATE, TIMES, WEIGHT)),
             Row((numbers[0], TIMES, _signed(numbers[1]), EQUALS, Number(end, result=True))))
    return Formula(Letter("s"), steps, ((RATE, numbers[0]), (WEIGHT, numbers[1])), inline=True)


def after_formula(raw: float, rate: float, weight: float) -> Formula:
    """ŷ′ = ŷ + η·w*."""
    def write(decimals: int) -> tuple[str, str, str]:
        return result(raw, decimals), result(weight, decimals), result(raw + rate * weight, DECIMALS)

    def agrees(made: tuple[str, str, str]) -> bool:
        before, size = (float(value(text)) for text in made[:2])
        return follows(before + rate * size, made[2])

    before, size, end = agreeing(write, agrees, DECIMALS)
    numbers = Number(before), Number(exact(rate)), Number(size)
    put = (numbers[0], PLUS, numbers[1], TIMES, _signed(numbers[2]))
    steps = (Row((RAW, PLUS, RATE, TIMES, WEIGHT)), Row((*put, EQUALS, Number(end, result=True))))
    return Formula(AFTER, steps, tuple(zip((RAW, RATE, WEIGHT), numbers, strict=True)), inline=True)


def _share(raw: str, *, twice: bool) -> Formula:
    number = (2.0 if twice else 1.0) * float(value(raw))
    share = 1.0 / (1.0 + math.exp(-number)) if number > -700 else 0.0
    return share_formula(raw, result(share, DECIMALS), name="p′", of="ŷ′", twice=twice)


def _signed(part: FormulaPart) -> FormulaPart:
    return Bracket(part) if part.text.startswith("−") else part


def _shown_class(subject: Subject) -> int:
    loss = subject.loss
    return 0 if loss is None or len(loss.raw) == 1 else loss.class_index
