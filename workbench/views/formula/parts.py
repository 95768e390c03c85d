"""The parts of a formula: they paint themselves and write LaTeX, Python and plain text.

All lengths are as set: whoever paints a formula scales the painter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from workbench.views.look.fonts import AXIS, BODY, FIGURE, FORMULA, HERO, NOTE, plain_font, plain_maths_font
from workbench.views.look.theme import theme

AXIS_HEIGHT = 4.5  # of fraction bars over the base line
BAR_GAP, BAR_REACH = 3.0, 4.0
DROP, RAISE = 4.0, 6.0
SMALL, SUM_GAP = 0.78, 2.0  # of an exponent; and beside a Σ
ADVANCES = 2048  # widths that are remembered


class Box(NamedTuple):
    """Pixels: width, and height over and under the base line."""

    width: float
    up: float
    down: float


class FormulaPart:
    """A piece of a formula."""

    def measure(self) -> Box:
        """Return the room it takes."""
        raise NotImplementedError

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        """Paint it with its base line at y."""
        raise NotImplementedError

    @property
    def latex(self) -> str:
        """As LaTeX."""
        raise NotImplementedError

    @property
    def python(self) -> str:
        """As Python."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """On one line, as it is read aloud."""
        raise NotImplementedError


@dataclass(frozen=True)
class Letter(FormulaPart):
    """A quantity by its letter, in maths italic: G with the index L."""

    name: str
    index: str = ""
    names: ClassVar[dict[str, tuple[str, str]]] = {  # letter: (LaTeX, Python)
        "λ": (r"\lambda", "lambda_"), "α": (r"\alpha", "alpha"), "γ": (r"\gamma", "gamma"),
        "η": (r"\eta", "eta"), "w*": ("w^*", "w"), "step": (r"\mathrm{step}", "step"),
        "Δ": (r"\Delta", "delta"), "gain": (r"\mathrm{gain}", "gain"),
        "score": (r"\mathrm{score}", "score"),
        "Ω": (r"\Omega", "omega"), "Obj": (r"\mathrm{Obj}", "obj"), "Obj*": (r"\mathrm{Obj}^*", "obj"),
        "ŷ": (r"\hat{y}", "y_hat"), "ŷ′": (r"\hat{y}'", "y_hat_new"), "p′": ("p'", "p_new"),
    }

    @property
    def whole(self) -> Letter:
        """The letter without its index: all of them."""
        return Letter(self.name)

    def measure(self) -> Box:
        width = advance(plain_maths_font(FORMULA), self.name)
        if self.index:
            width += advance(plain_maths_font(NOTE), self.index)
        return Box(width + 1, 12.0, 4.0 + (DROP - 2 if self.index else 0))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_maths_font(FORMULA), self.name, x, y)
        if self.index:
            x += advance(plain_maths_font(FORMULA), self.name)
            write(painter, plain_maths_font(NOTE), self.index, x, y + DROP)

    @property
    def latex(self) -> str:
        name = self.names.get(self.name, (self.name, ""))[0]
        return f"{name}_{{{self.index}}}" if self.index else name

    @property
    def python(self) -> str:
        name = self.names.get(self.name, ("", self.name))[1]
        return f"{name}_{self.index}" if self.index else name

    @property
    def text(self) -> str:
        return f"{self.name}_{self.index}" if self.index else self.name


@dataclass(frozen=True)
class Number(FormulaPart):
    """A number as it is shown; `result` is written large and bold, `tone` is its token."""

    shown: str
    tone: str = "text1"
    result: bool = False

    @property
    def _font(self) -> QFont:
        return plain_font(HERO, bold=True) if self.result else plain_font(BODY)

    def measure(self) -> Box:
        return Box(advance(self._font, self.shown), 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, self._font, self.shown, x, y, self.tone)

    @property
    def latex(self) -> str:
        mantissa, _, exponent = self.shown.replace("−", "-").replace(",", "{,}").partition("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa

    @property
    def python(self) -> str:
        return self.shown.replace("−", "-").replace(",", "")

    @property
    def text(self) -> str:
        return self.shown


@dataclass(frozen=True)
class Sign(FormulaPart):
    """An operator: +, −, ·, =, ½ before a letter, "½ ·" before a number; `before` is a sign of one term."""

    sign: str
    before: bool = False
    latexes: ClassVar[dict[str, str]] = {
        "−": "-", "·": r"\cdot", "½": r"\tfrac{1}{2}", "½ ·": r"\tfrac{1}{2} \cdot",
    }
    pythons: ClassVar[dict[str, str]] = {"−": "-", "·": "*", "½": "0.5 *", "½ ·": "0.5 *"}

    @property
    def _room(self) -> float:
        return 1.0 if self.before or self.sign == "½" else 3.0 if self.sign[0] == "½" else 5.0

    def measure(self) -> Box:
        return Box(advance(plain_font(HERO), self.sign) + 2 * self._room, 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(HERO), self.sign, x + self._room, y)

    @property
    def latex(self) -> str:
        return self._spaced(self.latexes.get(self.sign, self.sign))

    @property
    def python(self) -> str:
        return self._spaced(self.pythons.get(self.sign, self.sign))

    @property
    def text(self) -> str:
        return self._spaced(self.sign)

    def _spaced(self, sign: str) -> str:
        if self.sign[0] == "½":
            return sign + " "
        return sign if self.before else f" {sign} "


@dataclass(frozen=True)
class Row(FormulaPart):
    """Parts side by side."""

    parts: tuple[FormulaPart, ...]

    def measure(self) -> Box:
        boxes = [part.measure() for part in self.parts]
        return Box(sum(b.width for b in boxes), max(b.up for b in boxes), max(b.down for b in boxes))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        for part in self.parts:
            part.paint(painter, x, y)
            x += part.measure().width

    @property
    def latex(self) -> str:
        return "".join(part.latex for part in self.parts)

    @property
    def python(self) -> str:
        return "".join(part.python for part in self.parts)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True)
class Superscript(FormulaPart):
    """A square: base and exponent; a negative number gets brackets."""

    base: FormulaPart
    exponent: str = "2"

    def measure(self) -> Box:
        base = self._shown.measure()
        return Box(base.width + advance(plain_font(AXIS), self.exponent) + 1, base.up + 5, base.down)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._shown.paint(painter, x, y)
        write(painter, plain_font(AXIS), self.exponent, x + self._shown.measure().width + 1, y - RAISE)

    @property
    def _shown(self) -> FormulaPart:
        return Bracket(self.base) if self.base.text.startswith("−") else self.base

    @property
    def latex(self) -> str:
        return f"{{{self._shown.latex}}}^{self.exponent}"

    @property
    def python(self) -> str:
        return f"{self._shown.python}**{self.exponent}"

    @property
    def text(self) -> str:
        return self._shown.text + {"2": "²"}.get(self.exponent, f"^{self.exponent}")


@dataclass(frozen=True)
class Fraction(FormulaPart):
    """Numerator over denominator."""

    upper: FormulaPart
    lower: FormulaPart

    def measure(self) -> Box:
        upper, lower = self.upper.measure(), self.lower.measure()
        width = max(upper.width, lower.width) + 2 * BAR_REACH + 2
        return Box(width, AXIS_HEIGHT + BAR_GAP + upper.up + upper.down,
                   lower.up + lower.down + BAR_GAP - AXIS_HEIGHT)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        upper, lower, width = self.upper.measure(), self.lower.measure(), self.measure().width
        axis = y - AXIS_HEIGHT
        painter.setPen(QPen(theme().color("text1"), 1))
        painter.drawLine(QPointF(x + 1, axis), QPointF(x + width - 1, axis))
        self.upper.paint(painter, x + (width - upper.width) / 2, axis - BAR_GAP - upper.down)
        self.lower.paint(painter, x + (width - lower.width) / 2, axis + BAR_GAP + lower.up)

    @property
    def latex(self) -> str:
        return rf"\frac{{{self.upper.latex}}}{{{self.lower.latex}}}"

    @property
    def python(self) -> str:
        return f"{_grouped(self.upper.python)} / {_grouped(self.lower.python)}"

    @property
    def text(self) -> str:
        return f"{_grouped(self.upper.text)}/{_grouped(self.lower.text)}"


@dataclass(frozen=True)
class Bracket(FormulaPart):
    """Round brackets, or square ones as high as what they hold."""

    inner: FormulaPart
    square: bool = False

    def measure(self) -> Box:
        inner = self.inner.measure()
        return Box(inner.width + (20 if self.square else 10), inner.up + 2, inner.down + 2)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        box = self.measure()
        self.inner.paint(painter, x + (10 if self.square else 5), y)
        if not self.square:
            write(painter, plain_font(BODY), "(", x, y)
            write(painter, plain_font(BODY), ")", x + box.width - 5, y)
            return
        painter.setPen(QPen(theme().color("text1"), 1.25))
        frame = QRectF(x + 2, y - box.up, box.width - 4, box.up + box.down)
        for side, inward in ((frame.left(), 4), (frame.right(), -4)):
            painter.drawPolyline([QPointF(side + inward, frame.top()), QPointF(side, frame.top()),
                                  QPointF(side, frame.bottom()), QPointF(side + inward, frame.bottom())])

    @property
    def latex(self) -> str:
        left, right = ("[", "]") if self.square else ("(", ")")
        return rf"\left{left}{self.inner.latex}\right{right}"

    @property
    def python(self) -> str:
        return f"({self.inner.python})"

    @property
    def text(self) -> str:
        return f"[{self.inner.text}]" if self.square else f"({self.inner.text})"


@dataclass(frozen=True)
class Power(FormulaPart):
    """A base with a part as its exponent: e to the −ŷ."""

    base: FormulaPart
    exponent: FormulaPart

    def measure(self) -> Box:
        base, raised = self.base.measure(), self.exponent.measure()
        return Box(base.width + SMALL * raised.width + 1, base.up + SMALL * raised.up - 2, base.down)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self.base.paint(painter, x, y)
        painter.save()
        painter.translate(x + self.base.measure().width, y - RAISE - 1)
        painter.scale(SMALL, SMALL)
        self.exponent.paint(painter, 0.0, 0.0)
        painter.restore()

    @property
    def latex(self) -> str:
        return f"{self.base.latex}^{{{self.exponent.latex}}}"

    @property
    def python(self) -> str:
        return f"{self.base.python}**({self.exponent.python})"

    @property
    def text(self) -> str:
        return f"{self.base.text}^({self.exponent.text})"


@dataclass(frozen=True)
class Sum(FormulaPart):
    """Σ over j of what depends on it; `over` are the letters of which there is one for each j."""

    inner: FormulaPart
    over: tuple[Letter, ...]

    def measure(self) -> Box:
        inner = self.inner.measure()
        return Box(self._sign + inner.width, max(inner.up, 15.0), max(inner.down, 13.0))

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(FIGURE), "Σ", x + SUM_GAP, y + 2)
        index = self.over[0].index
        middle = x + SUM_GAP + (advance(plain_font(FIGURE), "Σ") - advance(plain_maths_font(NOTE), index)) / 2
        write(painter, plain_maths_font(NOTE), index, middle, y + 12)
        self.inner.paint(painter, x + self._sign, y)

    @property
    def _sign(self) -> float:
        return advance(plain_font(FIGURE), "Σ") + 2 * SUM_GAP

    @property
    def latex(self) -> str:
        return rf"\sum_{{{self.over[0].index}}} {self.inner.latex}"

    @property
    def python(self) -> str:
        each = ", ".join(letter.python for letter in self.over)
        lists = ", ".join(letter.whole.python for letter in self.over)
        return f"sum({self.inner.python} for {each} in {f'zip({lists})' if ', ' in lists else lists})"

    @property
    def text(self) -> str:
        return f"Σ_{self.over[0].index} {self.inner.text}"


@dataclass(frozen=True)
class Size(FormulaPart):
    """What a part is without its sign: |w|."""

    inner: FormulaPart

    @property
    def _parts(self) -> Row:
        return Row((FormulaWord("|"), self.inner, FormulaWord("|")))

    def measure(self) -> Box:
        return self._parts.measure()

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._parts.paint(painter, x, y)

    @property
    def latex(self) -> str:
        return f"|{self.inner.latex}|"

    @property
    def python(self) -> str:
        return f"abs({self.inner.python})"

    @property
    def text(self) -> str:
        return f"|{self.inner.text}|"


@dataclass(frozen=True)
class Listing(FormulaPart):
    """The numbers of a letter that there is one of for each j."""

    numbers: tuple[Number, ...]

    def measure(self) -> Box:
        return FormulaWord(self.text).measure()

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        FormulaWord(self.text).paint(painter, x, y)

    @property
    def latex(self) -> str:
        return rf"\left({', '.join(number.latex for number in self.numbers)}\right)"

    @property
    def python(self) -> str:
        return f"[{', '.join(number.python for number in self.numbers)}]"

    @property
    def text(self) -> str:
        return f"({', '.join(number.text for number in self.numbers)})"


@dataclass(frozen=True)
class Dots(FormulaPart):
    """What is left out of a long sum."""

    def measure(self) -> Box:
        return FormulaWord("…").measure()

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        FormulaWord("…").paint(painter, x, y)

    @property
    def latex(self) -> str:
        return r"\dots"

    @property
    def python(self) -> str:
        return "..."

    @property
    def text(self) -> str:
        return "…"


@dataclass(frozen=True)
class Soft(FormulaPart):
    """soft(G, α): G brought towards 0 by α, and 0 where it is nearer."""

    g: FormulaPart
    alpha: FormulaPart

    @property
    def _parts(self) -> Row:
        return Row((FormulaWord("soft"), Bracket(Row((self.g, FormulaWord(", "), self.alpha)))))

    def measure(self) -> Box:
        return self._parts.measure()

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        self._parts.paint(painter, x, y)

    @property
    def latex(self) -> str:
        return rf"\operatorname{{soft}}({self.g.latex}, {self.alpha.latex})"

    @property
    def python(self) -> str:
        g, alpha = self.g.python, self.alpha.python
        return f"{g} - max(-{alpha}, min({g}, {alpha}))"

    @property
    def text(self) -> str:
        return f"soft({self.g.text}, {self.alpha.text})"


@dataclass(frozen=True)
class FormulaWord(FormulaPart):
    """Upright letters: the name of a function, a comma."""

    word: str

    def measure(self) -> Box:
        return Box(advance(plain_font(BODY), self.word), 10.0, 3.0)

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        write(painter, plain_font(BODY), self.word, x, y)

    @property
    def latex(self) -> str:
        return rf"\text{{{self.word}}}"

    @property
    def python(self) -> str:
        return self.word

    @property
    def text(self) -> str:
        return self.word


def _grouped(text: str) -> str:
    return f"({text})" if " " in text or text[0] in "−-" else text


@lru_cache(ADVANCES)
def advance(font: QFont, text: str) -> float:
    """Width of a text."""
    return QFontMetricsF(font).horizontalAdvance(text)


def write(painter: QPainter, font: QFont, text: str, x: float, y: float, tone: str = "text1") -> None:
    """Write a text with its base line at y."""
    painter.setFont(font)
    painter.setPen(theme().color(tone))
    painter.drawText(QPointF(x, y), text)
