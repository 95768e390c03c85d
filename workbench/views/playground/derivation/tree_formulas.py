"""Ω and the structure score of a tree, as sums over its leaves with their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.views.formula.digits import agreeing, as_shown, exact, follows, result, results, value, written
from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.dots import Dots
from workbench.views.formula.parts.fraction import Fraction
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.listing import Listing
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.size import Size
from workbench.views.formula.parts.sum import Sum
from workbench.views.formula.parts.superscript import Superscript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.explain.derivation.tree_terms import TreeTerms
    from workbench.views.formula.parts.base import FormulaPart

PLUS, TIMES, EQUALS, HALF = Sign("+"), Sign("·"), Sign("="), Sign("½")
HALF_OF, NEGATIVE = Sign("½ ·"), Sign("−", before=True)
LAMBDA, GAMMA, ALPHA, LEAVES = Letter("λ"), Letter("γ"), Letter("α"), Letter("T")
WEIGHT, GRADIENT, SOFT, HESSIAN = Letter("w", "j"), Letter("G", "j"), Letter("S", "j"), Letter("H", "j")
DECIMALS = 3
MOST_TERMS = 4  # written out; of more the first and the last
MOST_AGREEING = 512  # leaves whose digits are made to add up


class TreeTexts(NamedTuple):
    """The leaves of a tree as they are written, so that what is shown follows from them."""

    sum_gradient: tuple[str, ...]
    soft: tuple[str, ...]
    sum_hessian: tuple[str, ...]
    weight: tuple[str, ...]
    term: tuple[str, ...]
    squares: str
    omega: str
    score: str


def tree_texts(terms: TreeTerms) -> TreeTexts:
    """Return the texts of a tree."""
    few, squares = terms.n_leaves <= MOST_AGREEING, float(np.square(terms.weight).sum())
    sums = (result(squares, DECIMALS + 1), result(terms.omega), result(terms.structure_score))
    decimals = agreeing(int, lambda tried: not few or _agree(terms, *sums, tried), DECIMALS)
    g, soft, h, weight, term = _leaf_texts(terms, decimals)
    return TreeTexts(g, soft, h, weight, term, *sums)


def omega_formula(terms: TreeTerms, texts: TreeTexts) -> Formula:
    """Ω = γT + ½λΣw² (+ αΣ|w|)."""
    assumed, alpha = terms.assumed, terms.assumed.reg_alpha
    numbers = [Number(text) for text in texts.weight]
    cost = Number(exact(assumed.gamma)), Number(str(terms.n_leaves))
    every = Sum(Superscript(WEIGHT), (WEIGHT,))
    symbols: list[FormulaPart] = [GAMMA, TIMES, LEAVES, PLUS, HALF, LAMBDA, TIMES, every]
    squares = _written_out([Superscript(number) for number in numbers])
    half = Number(exact(assumed.reg_lambda))
    whole = Bracket(squares, square=True)
    put: list[FormulaPart] = [cost[0], TIMES, cost[1], PLUS, HALF_OF, half, TIMES, whole]
    summed = Number(_small(terms.leaf_cost)), Number(texts.squares)
    ends: list[FormulaPart] = [summed[0], PLUS, HALF_OF, half, TIMES, summed[1]]
    values: list[tuple[Letter, FormulaPart]] = [
        (GAMMA, cost[0]), (LEAVES, cost[1]), (LAMBDA, half), (WEIGHT.whole, Listing(tuple(numbers))),
    ]
    if alpha:
        sizes = [Number(text.lstrip("−")) for text in texts.weight]
        symbols += [PLUS, ALPHA, TIMES, Sum(Size(WEIGHT), (WEIGHT,))]
        put += [PLUS, Number(exact(alpha)), TIMES, Bracket(_written_out(sizes), square=True)]
        ends += [PLUS, Number(_small(terms.sizes))]
        values.append((ALPHA, Number(exact(alpha))))
    last = Row((*ends, EQUALS, Number(texts.omega, result=True)))
    return Formula(Letter("Ω"), (Row(tuple(symbols)), Row(tuple(put)), last), tuple(values))


def score_formula(terms: TreeTerms, texts: TreeTexts, name: str = "") -> Formula:
    """Obj* = −½ Σ G²/(H+λ) + γT."""
    assumed, has_alpha = terms.assumed, bool(terms.assumed.reg_alpha)
    slope, half = SOFT if has_alpha else GRADIENT, Number(exact(assumed.reg_lambda))
    gamma, count = Number(exact(assumed.gamma)), Number(str(terms.n_leaves))
    pairs = [(Number(g, tone="train"), Number(h)) for g, h in zip(texts.soft, texts.sum_hessian, strict=True)]
    every = Sum(_term(slope, HESSIAN, LAMBDA), (slope, HESSIAN))
    symbols = Row((NEGATIVE, HALF, every, PLUS, GAMMA, TIMES, LEAVES))
    put = Row((NEGATIVE, HALF, Bracket(_written_out([_term(g, h, half) for g, h in pairs], 3), square=True),
               PLUS, gamma, TIMES, count))
    whole = Bracket(_written_out([Number(text) for text in texts.term]), square=True)
    last = Row((NEGATIVE, HALF, whole, PLUS, Number(_small(terms.leaf_cost)), EQUALS,
                Number(texts.score, result=True)))
    values = (
        (slope.whole, Listing(tuple(g for g, _ in pairs))),
        (HESSIAN.whole, Listing(tuple(h for _, h in pairs))),
        (LAMBDA, half), (GAMMA, gamma), (LEAVES, count),
    )
    return Formula(Letter("Obj*", name), (symbols, put, last), values)


def _leaf_texts(terms: TreeTerms, decimals: int) -> tuple[tuple[str, ...], ...]:
    """G, S, H, w and S²/(H+λ) of every leaf."""
    alpha = exact(terms.assumed.reg_alpha)
    g, sums = results(terms.sum_gradient, decimals), terms.sum_hessian
    soft = g if alpha == "0" else results(terms.soft, decimals)
    pairs = zip(sums.tolist(), results(sums, decimals), strict=True)
    h = tuple(exact(x) if x.is_integer() else text for x, text in pairs)
    return g, soft, h, results(terms.weight, decimals), results(_fractions(terms), decimals)


def _agree(terms: TreeTerms, squares: str, omega: str, score: str, decimals: int) -> bool:
    """Whether Σw², Ω and Obj* as written follow from leaves with so many decimals."""
    reg_lambda, alpha = terms.assumed.reg_lambda, terms.assumed.reg_alpha
    exact_h = terms.sum_hessian
    w, g, h, term = (as_shown(x, decimals) for x in (terms.weight, terms.soft, exact_h, _fractions(terms)))
    h = np.where(exact_h == np.rint(exact_h), exact_h, h)
    below = h + reg_lambda
    fractions = np.divide(g**2, below, out=np.zeros(len(below)), where=below > 0)
    by_weights = terms.leaf_cost + 0.5 * reg_lambda * float((w**2).sum()) + alpha * float(np.abs(w).sum())
    by_squares = terms.leaf_cost + 0.5 * reg_lambda * float(value(squares)) + terms.sizes
    held = terms.structure_score - terms.leaf_cost + 0.5 * float(_fractions(terms).sum())
    if abs(held) > 1e-9 * (1.0 + abs(terms.structure_score)):  # something else holds weights
        return follows(by_weights, omega) and follows(by_squares, omega)
    return (
        follows(float((w**2).sum()), squares) and follows(by_weights, omega) and follows(by_squares, omega)
        and follows(terms.leaf_cost - 0.5 * float(fractions.sum()), score)
        and follows(terms.leaf_cost - 0.5 * float(term.sum()), score)
    )


def _fractions(terms: TreeTerms) -> NDArray[np.float64]:
    below = terms.sum_hessian + terms.assumed.reg_lambda
    return np.divide(terms.soft**2, below, out=np.zeros(len(below)), where=below > 0)


def _written_out(parts: Sequence[FormulaPart], most: int = MOST_TERMS) -> Row:
    """Parts with plus signs between; of many the first and the last."""
    shown: list[FormulaPart] = list(parts) if len(parts) <= most else [*parts[: most - 2], Dots(), parts[-1]]
    between = [piece for part in shown for piece in (PLUS, part)]
    return Row(tuple(between[1:]))


def _term(g: FormulaPart, h: FormulaPart, reg_lambda: FormulaPart) -> Fraction:
    return Fraction(Superscript(g), Row((h, PLUS, reg_lambda)))


def _small(number: float) -> str:
    return exact(float(f"{number:.6g}")) if abs(number) < 1e6 else written(number)
