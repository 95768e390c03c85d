"""How many digits a node's block shows, so that whoever computes with them gets what is shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from workbench.number_text import count, figure, fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.explain.node_figures import NodeFigures

T = TypeVar("T")
DECIMALS, MOST = 3, 15
SIGNIFICANT, FINEST = 3, 8  # digits that a result shows at least, and decimals at most for their sake
NOTHING = 0.5e-7  # what single precision leaves of a root's 0 is as small, and takes no digits
WHOLE = 1e7  # up to here an H that is a whole number is written as one
LARGE = 2  # numbers with more digits before the point lose decimals, so that about five are shown
HALF = Decimal("0.5000001")  # of the last digit; a tie may be rounded either way


@dataclass(frozen=True)
class Digits:
    """Decimals of G and H, of weights, and of results.

    A term has one more than G, a step η·w* as many more than a result as η is small. A small result has
    as many as it takes to show three digits of it, and a small weight `finer` more.
    """

    inputs: int = DECIMALS
    weights: int = DECIMALS
    results: int = DECIMALS
    finer: int = 0


@dataclass(frozen=True)
class ShownFigures:
    """The figures of one node as text, and what follows from the shown G and H: S = soft(G, α), S²/(H+λ)."""

    rows: str
    g: str
    soft: str
    h: str
    term: str
    weight: str
    score: str
    step: str


@dataclass(frozen=True)
class ShownBlock:
    """All texts of a node and its children (none for a leaf), and the gain ("" for a leaf)."""

    nodes: tuple[ShownFigures, ...]
    gain: str
    reg_lambda: str
    gamma: str
    learning_rate: str
    reg_alpha: str = "0"

    @property
    def has_alpha(self) -> bool:
        """Whether S is another number than G."""
        return self.reg_alpha != "0"


def block(
    figures: Sequence[NodeFigures],
    reg_lambda: float,
    gamma: float,
    learning_rate: float,
    *,
    reg_alpha: float = 0.0,
    follows: bool = True,
) -> ShownBlock:
    """Return the texts of a split (itself, yes, no) or of a leaf, with as few digits as add up.

    Where the weights do not follow from G, H, λ and α (`follows`), nothing would add up: three decimals.
    """
    made = _made(figures, reg_lambda, gamma, learning_rate, reg_alpha, Digits())
    if _unknown(made) or not follows:
        return made
    for digits in _choices(figures, reg_lambda, gamma):
        made = _made(figures, reg_lambda, gamma, learning_rate, reg_alpha, digits)
        if adds_up(made):
            return made
    return made


def adds_up(made: ShownBlock) -> bool:
    """Whether every result follows from what is shown, to its last digit."""
    with localcontext(prec=40):
        return all(chain(_node_checks(made), _gain_checks(made)))


def value(text: str) -> Decimal:
    """The number that a shown text stands for."""
    return Decimal(text.replace(",", "").replace("−", "-"))


def follows(computed: float, text: str) -> bool:
    """Whether a shown result is what was computed, to its last digit."""
    return math.isfinite(computed) and "–" not in text and _agrees(Decimal(computed), text)


def as_shown(numbers: NDArray[np.float64], decimals: int = DECIMALS) -> NDArray[np.float64]:
    """Return the numbers that `result` writes, float64, but for ties of the last digit."""
    places = _places(numbers, decimals)
    return np.asarray(np.rint(numbers * 10.0**places) / 10.0**places)


def results(numbers: NDArray[np.float64], decimals: int = DECIMALS) -> tuple[str, ...]:
    """Return what `result` writes of each of many finite numbers."""
    every = zip(numbers.tolist(), _places(numbers, decimals).astype(int).tolist(), strict=True)
    return tuple(fixed(number, most) if most >= 0 else result(number, decimals) for number, most in every)


def _places(numbers: NDArray[np.float64], decimals: int) -> NDArray[np.float64]:
    """Return the decimals of each in its `result`, float64; below 0 where digits before the point are cut."""
    sizes = np.abs(numbers)
    logs = np.floor(np.log10(sizes, out=np.zeros(len(sizes)), where=sizes > 0))
    finer = np.minimum(SIGNIFICANT - 1 - logs, FINEST)
    places = np.where(sizes < NOTHING, decimals, np.maximum(decimals, finer))
    digits = np.where(sizes > 0, logs + 1, 0)
    is_long = digits > places + LARGE
    return np.where(is_long, places + LARGE - digits, np.maximum(places - np.maximum(digits - LARGE, 0), 0))


def agreeing(write: Callable[[int], T], agrees: Callable[[T], bool], least: int = DECIMALS) -> T:
    """Return what is written with as few decimals as agree."""
    made = write(least)
    for decimals in range(least + 1, MOST):
        if agrees(made):
            break
        made = write(decimals)
    return made


def exact(number: float) -> str:
    """A parameter with all the digits it has: "1", "0.05"."""
    text = f"{number:.12g}" if float(f"{number:.12g}") == number else repr(number)
    return text.replace("-", "−")


def split_gain(figures: Sequence[NodeFigures], reg_lambda: float, gamma: float) -> float:
    """½[G_L²/(H_L+λ) + G_R²/(H_R+λ) − G²/(H+λ)] − γ of a node and its two children."""
    node, yes, no = figures
    return node.score - yes.score - no.score - gamma


def _choices(figures: Sequence[NodeFigures], reg_lambda: float, gamma: float) -> Iterator[Digits]:
    """Three decimals; else four results, and digits more in what they are computed from."""
    least = _least_decimals(figures, reg_lambda, gamma)
    yield Digits(least, least, least)
    for extra in range(1, MOST):
        for weights in range(1, extra + 1):
            yield Digits(least + extra, least, least + 1, weights)


def _least_decimals(figures: Sequence[NodeFigures], reg_lambda: float, gamma: float) -> int:
    """Three, or more where a small gain or weight would have less than two digits."""
    sizes = [max(abs(f.weight) for f in figures)]
    if len(figures) == 3:
        sizes.append(abs(split_gain(figures, reg_lambda, gamma)))
    small = min((size for size in sizes if size > 1e-9), default=1.0)
    return max(DECIMALS, min(1 - math.floor(math.log10(small)), 8)) if math.isfinite(small) else DECIMALS


def _made(
    figures: Sequence[NodeFigures],
    reg_lambda: float,
    gamma: float,
    learning_rate: float,
    reg_alpha: float,
    digits: Digits,
) -> ShownBlock:
    lambda_text, alpha_text = exact(reg_lambda), exact(reg_alpha)
    gain = ""
    if len(figures) == 3:
        gain = result(split_gain(figures, reg_lambda, gamma), digits.results)
    nodes = tuple(_node(f, lambda_text, alpha_text, learning_rate, digits) for f in figures)
    return ShownBlock(nodes, gain, lambda_text, exact(gamma), exact(learning_rate), alpha_text)


def _node(
    f: NodeFigures, lambda_text: str, alpha_text: str, learning_rate: float, digits: Digits
) -> ShownFigures:
    whole = float(f.sum_hessian).is_integer() and abs(f.sum_hessian) < WHOLE
    g, h = written(f.sum_gradient, digits.inputs), written(f.sum_hessian, 0 if whole else digits.inputs)
    finer = max(math.floor(-math.log10(learning_rate)), 0) if learning_rate > 0 else 1
    term_decimals = max(digits.inputs, _decimals(f.score, 0)) + 1
    soft = _soft(g, alpha_text)
    return ShownFigures(
        rows=count(f.count) if f.count else "–", g=g, soft=soft, h=h,
        term=_term(soft, h, lambda_text, term_decimals),
        weight=written(f.weight, _decimals(f.weight, digits.weights) + digits.finer),
        score=result(f.score, digits.results), step=result(f.step, digits.results + finer),
    )


def _soft(g: str, alpha: str) -> str:
    """soft(G, α) of the shown G, exactly."""
    if alpha == "0" or g == "–":
        return g
    whole, taken = value(g), value(alpha)
    size = max(abs(whole) - taken, Decimal(0))
    decimals = max(0, *(-int(number.as_tuple().exponent) for number in (whole, taken)))
    return fixed(float(size.copy_sign(whole)), decimals)


def _term(g: str, h: str, lambda_text: str, decimals: int) -> str:
    if "–" in (g, h):
        return "–"
    below = value(h) + value(lambda_text)
    return written(float(value(g) ** 2 / below), decimals) if below > 0 else written(0.0, decimals)


def result(number: float, decimals: int = DECIMALS) -> str:
    """A result in so many decimals, or in as many as show three digits of a small one."""
    return written(number, _decimals(number, decimals))


def _decimals(number: float, least: int) -> int:
    """`least`, or as many as show three digits of a small number; what is next to nothing stays short."""
    if not math.isfinite(number) or abs(number) < NOTHING:
        return least
    return max(least, min(SIGNIFICANT - 1 - math.floor(math.log10(abs(number))), FINEST))


def written(number: float, decimals: int = DECIMALS) -> str:
    """A number in so many decimals; one of many digits before the point has fewer."""
    if not math.isfinite(number):
        return "–"
    size = math.floor(math.log10(abs(number))) + 1 if number else 0
    if size > decimals + LARGE:
        return figure(number, decimals + LARGE)
    return fixed(number, max(decimals - max(size - LARGE, 0), 0))


def _unknown(made: ShownBlock) -> bool:
    return any("–" in (node.g, node.h) for node in made.nodes)


def _node_checks(made: ShownBlock) -> Iterator[bool]:
    eta = value(made.learning_rate)
    for node in made.nodes:
        below = value(node.h) + value(made.reg_lambda)
        if below > 0:
            yield _agrees(-value(node.soft) / below, node.weight)
            yield _agrees(-value(node.soft) ** 2 / below / 2, node.score)
            yield _agrees(-value(node.term) / 2, node.score)
        yield _agrees(eta * value(node.weight), node.step)


def _gain_checks(made: ShownBlock) -> Iterator[bool]:
    if len(made.nodes) == 3:
        node, yes, no = (value(n.term) for n in made.nodes)
        yield _agrees((yes + no - node) / 2 - value(made.gamma), made.gain)
        node, yes, no = (_exact_term(n, made) for n in made.nodes)
        yield _agrees((yes + no - node) / 2 - value(made.gamma), made.gain)


def _exact_term(node: ShownFigures, made: ShownBlock) -> Decimal:
    below = value(node.h) + value(made.reg_lambda)
    return value(node.soft) ** 2 / below if below > 0 else Decimal(0)


def _agrees(computed: Decimal, shown: str) -> bool:
    number = value(shown)
    return abs(computed - number) <= HALF * Decimal(1).scaleb(int(number.as_tuple().exponent))
