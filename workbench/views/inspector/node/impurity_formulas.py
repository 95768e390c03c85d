"""The formulas of a node of class shares with its own numbers: impurity, and what the split lowers it by."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from workbench.explain.impurity.figures import decrease
from workbench.number_text import count, fixed
from workbench.views.formula.digits import exact, value
from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.superscript import Superscript
from workbench.views.formula.parts.word import FormulaWord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.impurity.figures import NodeImpurity
    from workbench.views.formula.parts.base import FormulaPart

PLUS, MINUS, TIMES, EQUALS = Sign("+"), Sign("−"), Sign("·"), Sign("=")
DECIMALS, MOST_DECIMALS, MOST_CLASSES = 4, 10, 4


def decrease_formula(family: Sequence[NodeImpurity]) -> Formula:
    """Δ = n·i − n_L·i_L − n_R·i_R: symbols, values, result, with digits from which it follows."""
    letters = [(Letter("n", index), Letter("i", index)) for index in ("", "L", "R")]
    numbers, result = _shown(family)
    shown = [(Number(weight, tone="train"), Number(impurity)) for weight, impurity in numbers]
    steps = (_difference(letters), Row((*_difference(shown).parts, EQUALS, Number(result, result=True))))
    pairs = zip(letters, shown, strict=True)
    values = tuple(pair for two, numbers in pairs for pair in zip(two, numbers, strict=True))
    return Formula(Letter("Δ"), steps, values)


def impurity_formula(node: NodeImpurity, criterion: str) -> Formula:
    """The impurity of a node from the shares of its classes, those of the largest where there are many."""
    shares = sorted(node.shares.tolist(), reverse=True)
    named = [Number(fixed(share, DECIMALS)) for share in shares[:MOST_CLASSES]]
    more = (PLUS, FormulaWord("…")) if len(shares) > MOST_CLASSES else ()
    p = Letter("p", "k")
    result = Number(fixed(node.impurity, DECIMALS), result=True)
    if criterion == "misclassification":
        symbols = Row((Number("1"), MINUS, FormulaWord("max "), p))
        numbers = Row((Number("1"), MINUS, named[0]))
    elif criterion == "entropy":
        symbols = Row((Sign("−", before=True), FormulaWord("Σ "), p, TIMES, FormulaWord("log₂ "), p))
        terms = [Row((one, TIMES, FormulaWord("log₂ "), one)) for one in named if value(one.shown) > 0]
        numbers = Row((Sign("−", before=True), FormulaWord("("), *_joined(terms), *more, FormulaWord(")")))
    else:
        symbols = Row((Number("1"), MINUS, FormulaWord("Σ "), Superscript(p)))
        squares = [Superscript(one) for one in named]
        numbers = Row((Number("1"), MINUS, FormulaWord("("), *_joined(squares), *more, FormulaWord(")")))
    return Formula(Letter("i"), (symbols, Row((*numbers.parts, EQUALS, result))), inline=True)


def impurity_cells(family: Sequence[NodeImpurity], counts: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the cells of the table under the formula: rows, n, i and the shares of the first classes."""
    return [
        (count(rows), _weight(one.weight), fixed(one.impurity, DECIMALS),
         *(fixed(share, 3) for share in one.shares[:MOST_CLASSES]))
        for rows, one in zip(counts, family, strict=True)
    ]  # fmt: skip


def impurity_heads(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the heads of that table."""
    return ("Rows", "n", "i", *(f"p {label}" for label in labels[:MOST_CLASSES]))


def _shown(family: Sequence[NodeImpurity]) -> tuple[list[tuple[str, str]], str]:
    """Return weights and impurities, and the result, with as few digits as it follows from."""
    true = decrease(family)
    for digits in range(DECIMALS, MOST_DECIMALS):
        numbers = [(_weight(one.weight), fixed(one.impurity, digits)) for one in family]
        node, yes, no = (value(weight) * value(impurity) for weight, impurity in numbers)
        result = fixed(true, 3)
        if abs(node - yes - no - value(result)) <= Decimal("0.00050001"):
            break
    return numbers, result


def _weight(weight: float) -> str:
    return exact(weight) if weight == round(weight) else fixed(weight, 6)


def _difference(pairs: Sequence[tuple[FormulaPart, FormulaPart]]) -> Row:
    node, yes, no = (Row((weight, TIMES, impurity)) for weight, impurity in pairs)
    return Row((node, MINUS, yes, MINUS, no))


def _joined(parts: Sequence[FormulaPart]) -> list[FormulaPart]:
    return [piece for place, part in enumerate(parts) for piece in ((PLUS, part) if place else (part,))]
