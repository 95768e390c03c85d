"""g and h of one row as its objective has them, and the parabola that takes the loss's place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.views.formula.digits import agreeing, exact, follows, value, written
from workbench.views.formula.digits import result as told_result
from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.bracket import Bracket
from workbench.views.formula.parts.fraction import Fraction
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.power import Power
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.formula.parts.superscript import Superscript

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.derivation.row_loss import RowLoss
    from workbench.views.formula.parts.base import FormulaPart

    Values = tuple[tuple[Letter, FormulaPart], ...]

PLUS, MINUS, TIMES, EQUALS, HALF = Sign("+"), Sign("−"), Sign("·"), Sign("="), Sign("½")
HALF_OF, NEGATIVE = Sign("½ ·"), Sign("−", before=True)
RAW, TARGET, SHARE, EULER, WEIGHT = Letter("ŷ"), Letter("y"), Letter("p"), Letter("e"), Letter("a")
GRADIENT, HESSIAN, LOSS, STEP = Letter("g"), Letter("h"), Letter("l"), Letter("s")
ONE = Number("1")
E_DIGITS = Number("2.718281828459045")
LEAST_DIGITS, MOST_DIGITS = 4, 9


class Derivatives(NamedTuple):
    """The formulas of g and h, and how both are written."""

    formulas: tuple[Formula, ...]
    gradient: str
    hessian: str


def derivatives(loss: RowLoss) -> Derivatives:
    """Return g and h as formulas where the objective has short ones; else what they are."""
    write = _BY_OBJECTIVE.get(loss.objective.name, _plain)

    def agrees(made: Derivatives) -> bool:
        return _near(loss.gradient, made.gradient) and _near(loss.hessian, made.hessian)

    made = agreeing(lambda decimals: write(loss, decimals), agrees, LEAST_DIGITS)
    return made if agrees(made) else _plain(loss, LEAST_DIGITS)


def parabola(loss: RowLoss, step: float, told: Derivatives) -> Formula:
    """q(s) = l + g·s + ½h·s² at a step."""
    def write(decimals: int) -> tuple[str, ...]:
        slopes = told.gradient, told.hessian
        if decimals > LEAST_DIGITS:  # these need more digits than where they stand alone
            is_whole = _number(told.hessian) == loss.hessian
            bend = told.hessian if is_whole else _small(loss.hessian, decimals)
            slopes = _small(loss.gradient, decimals), bend
        return written(loss.loss, decimals), *slopes, _small(step, decimals)

    whole = told_result(at(loss, step), LEAST_DIGITS)

    def agrees(made: tuple[str, ...]) -> bool:
        tall, g, h, long = (_number(text) for text in made)
        return follows(tall + g * long + 0.5 * h * long**2, whole)

    numbers = [Number(text) for text in agreeing(write, agrees, LEAST_DIGITS)]
    values = tuple(zip((LOSS, GRADIENT, HESSIAN, STEP), numbers, strict=True))
    steps = (_second_order(LOSS, GRADIENT, HESSIAN, STEP),
             Row((*_second_order(*numbers).parts, EQUALS, Number(whole, result=True))))
    return Formula(Letter("q"), steps, values)


def _target(loss: RowLoss, decimals: int) -> str:
    """Return the target's value: all of it where that is short."""
    whole = exact(loss.target)
    return whole if len(whole) <= MOST_DIGITS else written(loss.target, decimals)


def at(loss: RowLoss, step: Any) -> Any:
    """The parabola's value a step from ŷ, or at many of them."""
    return loss.loss + loss.gradient * step + 0.5 * loss.hessian * step**2


def share_formula(raw: str, share: str, *, name: str = "p", of: str = "ŷ", twice: bool = False) -> Formula:
    """P = 1/(1+e^−ŷ)."""
    def fraction(part: FormulaPart) -> Fraction:
        power = Row((NEGATIVE, *((Number("2"), TIMES) if twice else ()), part))
        return Fraction(ONE, Row((ONE, PLUS, Power(EULER, power))))

    number = Number(raw)
    steps = (fraction(Letter(of)), Row((fraction(_signed(number)), EQUALS, Number(share, result=True))))
    return Formula(Letter(name), steps, ((EULER, E_DIGITS), (Letter(of), number)), inline=True)


# --- of each objective ------------------------------------------------------------------------


def _plain(loss: RowLoss, decimals: int) -> Derivatives:
    """What the objective says, without its formula."""
    g, h = _small(loss.gradient, decimals), _small(loss.hessian, decimals)
    formulas = tuple(
        Formula(letter, (Number(text, result=True),), inline=True)
        for letter, text in ((GRADIENT, g), (HESSIAN, h))
    )
    return Derivatives(formulas, g, h)


def _squared(loss: RowLoss, decimals: int) -> Derivatives:
    raw, target = written(loss.raw_before, decimals), _target(loss, decimals)
    slope = Row((RAW, MINUS, TARGET))
    numbers = Row((Number(raw), MINUS, _signed(Number(target))))
    g = _difference(raw, target)
    return _made(loss, (), (slope, numbers, g, ((RAW, Number(raw)), (TARGET, Number(target)))),
                 (None, None, "1", ()), decimals)


def _logistic(loss: RowLoss, decimals: int) -> Derivatives:
    raw = written(loss.raw_before, decimals + 1)
    share = written(_sigmoid(_number(raw)), decimals)
    return _of_share(loss, decimals, (share_formula(raw, share),), share, _target(loss, decimals), TARGET)


def _softmax(loss: RowLoss, decimals: int) -> Derivatives:
    k, share = loss.class_index, written(float(loss.predictions(0.0)[loss.class_index]), decimals)
    own = "1" if int(loss.target) == k else "0"
    return _of_share(loss, decimals, (), share, own, Letter("y", "k"), twice=True)


def _of_share(
    loss: RowLoss, decimals: int, before: tuple[Formula, ...], share: str, target: str, letter: Letter,
    *, twice: bool = False,
) -> Derivatives:
    """P − y and p(1−p), or twice that."""
    p, y = Number(share), Number(target)
    curve = [Row((*((Number("2"), TIMES) if twice else ()), part, TIMES, Bracket(Row((ONE, MINUS, part)))))
             for part in (SHARE, p)]
    size = (2.0 if twice else 1.0) * _number(share) * (1.0 - _number(share))
    return _made(loss, before, (Row((SHARE, MINUS, letter)), Row((p, MINUS, y)), _difference(share, target),
                                ((SHARE, p), (letter, y))),
                 (curve[0], curve[1], _small(size, decimals), ((SHARE, p),)), decimals)


def _poisson(loss: RowLoss, decimals: int) -> Derivatives:
    raw, target = written(loss.raw_before, decimals + 1), _target(loss, decimals + 1)
    mean = written(math.exp(min(_number(raw), 80.0)), decimals)
    power, numbers = Power(EULER, RAW), Power(EULER, Number(raw))
    values: Values = ((EULER, E_DIGITS), (RAW, Number(raw)))
    return _made(loss, (), (Row((power, MINUS, TARGET)), Row((numbers, MINUS, Number(target))),
                            written(_number(mean) - _number(target), decimals),
                            (*values, (TARGET, Number(target)))),
                 (power, numbers, mean, values), decimals)


def _made(
    loss: RowLoss, before: tuple[Formula, ...],
    slope: tuple[FormulaPart, FormulaPart, str, Values],
    curve: tuple[FormulaPart | None, FormulaPart | None, str, Values], decimals: int,
) -> Derivatives:
    """The formulas of g and h from symbols, numbers and what they come to; times the row's weight a."""
    weight, heavy = exact(loss.weight), loss.weight != 1.0
    formulas, texts = list(before), []
    for name, (symbols, numbers, text, values) in ((GRADIENT, slope), (HESSIAN, curve)):
        if heavy:
            text = _small(loss.weight * _number(text), decimals)
            symbols, numbers = (
                Row((head, TIMES, Bracket(part))) if part is not None else head
                for head, part in ((WEIGHT, symbols), (Number(weight), numbers))
            )
            values = (*values, (WEIGHT, Number(weight)))
        end = Number(text, result=True)
        steps = (end,) if symbols is None or numbers is None else (symbols, Row((numbers, EQUALS, end)))
        formulas.append(Formula(name, steps, values, inline=True))
        texts.append(text)
    return Derivatives(tuple(formulas), texts[0], texts[1])


_BY_OBJECTIVE: dict[str, Callable[[RowLoss, int], Derivatives]] = {
    "squared": _squared, "logistic": _logistic, "softmax": _softmax, "poisson": _poisson,
}


def _second_order(loss: FormulaPart, gradient: FormulaPart, hessian: FormulaPart, step: FormulaPart) -> Row:
    half = HALF if isinstance(hessian, Letter) else HALF_OF
    slope = (_signed(gradient), TIMES, _signed(step))
    return Row((loss, PLUS, *slope, PLUS, half, hessian, TIMES, Superscript(step)))


def _signed(part: FormulaPart) -> FormulaPart:
    """A negative number in brackets, for behind a sign."""
    return Bracket(part) if part.text.startswith("−") else part


def _difference(left: str, right: str) -> str:
    """One shown number less another, in the digits that they have."""
    whole = value(left) - value(right)
    decimals = max(0, -int(whole.as_tuple().exponent))
    return written(float(whole), decimals)


def _small(number: float, decimals: int) -> str:
    """A number in so many decimals, or as many as show three digits."""
    return told_result(number, decimals)


def _near(true: float, shown: str) -> bool:
    """Whether a shown number is the model's, to one of its last digits: ŷ itself is rounded to 32 bits."""
    number = value(shown)
    room = float(1.5 * 10.0 ** int(number.as_tuple().exponent))
    return math.isfinite(true) and abs(true - float(number)) <= max(room, 1e-6 * abs(true))


def _number(text: str) -> float:
    return float(value(text))


def _sigmoid(raw: float) -> float:
    return 1.0 / (1.0 + math.exp(-raw)) if raw >= 0 else math.exp(raw) / (1.0 + math.exp(raw))
