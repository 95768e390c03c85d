"""The formulas of a node with its own numbers: gain, weight, structure score, step.

Under an α they are those of S = soft(G, α), which has a line of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.fraction import Fraction
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.soft import Soft
from workbench.views.formula.parts.superscript import Superscript

if TYPE_CHECKING:
    from workbench.views.formula.digits import ShownBlock, ShownFigures
    from workbench.views.formula.parts.base import FormulaPart

PLUS, MINUS, TIMES, EQUALS, HALF = Sign("+"), Sign("−"), Sign("·"), Sign("="), Sign("½")
NEGATIVE = Sign("−", before=True)
LAMBDA, GAMMA, ETA, WEIGHT = Letter("λ"), Letter("γ"), Letter("η"), Letter("w*")
ALPHA = Letter("α")


def gain_formula(block: ShownBlock) -> Formula:
    """½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ: symbols, values, terms and result."""
    node, yes, no = block.nodes
    letters = [(Letter(_name(block), index), Letter("H", index)) for index in ("L", "R", "")]
    numbers = [(_g(n), Number(n.h)) for n in (yes, no, node)]
    gamma = Number(block.gamma)
    steps = (
        _gain([_term(g, h, LAMBDA) for g, h in letters], GAMMA),
        _gain([_term(g, h, Number(block.reg_lambda)) for g, h in numbers], gamma),
        Row((*_gain([Number(n.term) for n in (yes, no, node)], gamma, bare=block.gamma == "0").parts, EQUALS,
             Number(block.gain, result=True))),
    )
    pairs = zip(letters, numbers, strict=True)
    values = tuple(pair for (g, h), (gn, hn) in pairs for pair in ((g, gn), (h, hn)))
    return Formula(Letter("gain"), steps, (*values, *_parameters(block, gamma=True)))


def weight_formula(node: ShownFigures, block: ShownBlock) -> Formula:
    """w* = −G/(H+λ), with values and result."""
    def step(g: FormulaPart, h: FormulaPart, reg_lambda: FormulaPart) -> Row:
        return Row((NEGATIVE, Fraction(g, Row((h, PLUS, reg_lambda)))))

    steps = (step(*_letters(block)), _ended(step(*_numbers(node, block)), node.weight))
    return Formula(WEIGHT, steps, (*_values(node, block), *_parameters(block)), inline=True)


def score_formula(node: ShownFigures, block: ShownBlock) -> Formula:
    """The structure score of the node alone, −½G²/(H+λ); with γ it is a leaf's part of Obj*."""
    def step(g: FormulaPart, h: FormulaPart, reg_lambda: FormulaPart) -> Row:
        return Row((NEGATIVE, HALF, _term(g, h, reg_lambda)))

    steps = (step(*_letters(block)), _ended(step(*_numbers(node, block)), node.score))
    return Formula(Letter("score"), steps, (*_values(node, block), *_parameters(block)), inline=True)


def step_formula(node: ShownFigures, block: ShownBlock) -> Formula:
    """What the leaf adds to the prediction, η·w*."""
    numbers = Number(block.learning_rate), Number(node.weight)
    product: FormulaPart = Bracket(numbers[1]) if node.weight.startswith("−") else numbers[1]
    steps = (Row((ETA, TIMES, WEIGHT)), _ended(Row((numbers[0], TIMES, product)), node.step))
    return Formula(Letter("step"), steps, ((ETA, numbers[0]), (WEIGHT, numbers[1])), inline=True)


def soft_formula(node: ShownFigures, block: ShownBlock) -> Formula:
    """What α leaves of G, S = soft(G, α)."""
    g, alpha = Number(node.g, tone="train"), Number(block.reg_alpha)
    steps = (Soft(Letter("G"), ALPHA), _ended(Row((Soft(g, alpha),)), node.soft))
    return Formula(Letter("S"), steps, ((Letter("G"), g), (ALPHA, alpha)), inline=True)


def _name(block: ShownBlock) -> str:
    return "S" if block.has_alpha else "G"


def _letters(block: ShownBlock) -> tuple[Letter, Letter, Letter]:
    return Letter(_name(block)), Letter("H"), LAMBDA


def _numbers(node: ShownFigures, block: ShownBlock) -> tuple[Number, Number, Number]:
    return _g(node), Number(node.h), Number(block.reg_lambda)


def _values(node: ShownFigures, block: ShownBlock) -> tuple[tuple[Letter, Number], ...]:
    return ((Letter(_name(block)), _g(node)), (Letter("H"), Number(node.h)))


def _parameters(block: ShownBlock, *, gamma: bool = False) -> tuple[tuple[Letter, Number], ...]:
    given = ((LAMBDA, Number(block.reg_lambda)),)
    return (*given, (GAMMA, Number(block.gamma))) if gamma else given


def _g(node: ShownFigures) -> Number:
    return Number(node.soft, tone="train")


def _term(g: FormulaPart, h: FormulaPart, reg_lambda: FormulaPart) -> Fraction:
    return Fraction(Superscript(g), Row((h, PLUS, reg_lambda)))


def _gain(
    terms: list[FormulaPart] | list[Fraction] | list[Number], gamma: FormulaPart, *, bare: bool = False
) -> Row:
    yes, no, node = terms
    inner = Bracket(Row((yes, PLUS, no, MINUS, node)), square=True)
    return Row((HALF, inner) if bare else (HALF, inner, MINUS, gamma))


def _ended(row: Row, result: str) -> Row:
    return Row((*row.parts, EQUALS, Number(result, result=True)))
