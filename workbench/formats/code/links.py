"""How raw predictions become predictions, for code in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.xgboost.objectives import by_own_name

if TYPE_CHECKING:
    from workbench.ensembles.ensemble import Ensemble

_SOFTMAX = "The prediction of a class is e^sum over that of all classes."
UNTOLD = ", and so is the objective, for which '{}' stands by its link"  # where several things are unknown
OF_MARGIN = {"identity": "identity", "logit": "logistic", "log": "exp"}


class Spelling(NamedTuple):
    """The inverse of a link that each raw prediction has for itself.

    `{x}` stands for the raw prediction in `sql` and `spreadsheet`, `{f}` there and elsewhere for the factor,
    `{k}` for the place of the output.

    Attributes
    ----------
    words : str
    python : str
        Of a float `value`, times the factor, that is output `k`.
    c : str
        Of `raw[k]`.
    sql, spreadsheet : str
    onnx : tuple of (str, tuple of str, str)
        Operators with the names of what they take and make, from "raw" to "prediction".
    """

    words: str
    python: str
    c: str
    sql: str
    spreadsheet: str
    onnx: tuple[tuple[str, tuple[str, ...], str], ...]


SPELLINGS = {
    "identity": Spelling(
        "The sum is the prediction.", "value", "raw[k]", "{x}", "{x}",
        (("Identity", ("raw",), "prediction"),),
    ),
    "logistic": Spelling(
        "The prediction is 1 / (1 + e^-(f · sum)), f = {f}.",
        "1 / (1 + math.exp(-value)) if value > -700 else math.exp(value)",
        "1 / (1 + exp(-{f} * raw[k]))",
        "CASE WHEN {x} < 0 THEN exp(-abs({f} * {x})) ELSE 1E0 END / (1E0 + exp(-abs({f} * {x})))",
        "1/(1+EXP(MIN(709,-{f}*({x}))))",
        (("Mul", ("raw", "factor"), "log_odds"), ("Sigmoid", ("log_odds",), "prediction")),
    ),
    "exp": Spelling(
        "The prediction is e^sum.", "math.exp(min(value, 709.0))", "exp((double)raw[k])", "exp({x})",
        "EXP(MIN(709,{x}))", (("Exp", ("raw",), "prediction"),),
    ),
    "softplus": Spelling(
        "The prediction is ln(1 + e^sum).",
        "max(value, 0.0) + math.log1p(math.exp(-abs(value)))",
        "(raw[k] > 0 ? raw[k] : 0) + log1p(exp(-fabs(raw[k])))",
        "CASE WHEN {x} > 0 THEN {x} ELSE 0E0 END + ln(1E0 + exp(-abs({x})))",
        "MAX(0,{x})+LN(1+EXP(-ABS({x})))",
        (("Softplus", ("raw",), "prediction"),),
    ),
    "square": Spelling(
        "The prediction is the sum squared, with its sign.", "value * abs(value)",
        "raw[k] * fabs(raw[k])", "{x} * abs({x})", "({x})*ABS({x})",
        (("Abs", ("raw",), "size"), ("Mul", ("raw", "size"), "prediction")),
    ),
    "step": Spelling(
        "The prediction is 1 where the sum is above 0, else 0.", "1.0 if value > 0 else 0.0",
        "raw[k] > 0", "CASE WHEN {x} > 0 THEN 1E0 ELSE 0E0 END", "IF({x}>0,1,0)",
        (("Sign", ("raw",), "sign"), ("Relu", ("sign",), "prediction")),
    ),
    "variance": Spelling(
        "The first sum is the prediction, and e^(2 · sum) of the second its variance.",
        "math.exp(min(2 * value, 709.0)) if k == 1 else value",
        "k == 1 ? exp(2.0 * raw[k]) : raw[k]", "CASE WHEN {k} = 1 THEN exp(2E0 * {x}) ELSE {x} END",
        "IF({k}=1,EXP(MIN(709,2*({x}))),{x})",
        (("Exp", ("raw",), "deviation"), ("Mul", ("deviation", "deviation"), "variance"),
         ("Where", ("is_variance", "variance", "raw"), "prediction")),
    ),
}  # fmt: skip


class Link(NamedTuple):
    """The inverse of the link: a name of `SPELLINGS`, or "softmax", e^ŷ over the sum of all classes.

    Attributes
    ----------
    name : str
    factor : float
        f, what the raw prediction is multiplied by first.
    """

    name: str
    factor: float = 1.0

    @property
    def is_softmax(self) -> bool:
        """Whether the outputs of a row depend on each other."""
        return self.name == "softmax"

    @property
    def spelling(self) -> Spelling:
        """How it is written, of each output for itself."""
        return SPELLINGS[self.name]


def link_of(ensemble: Ensemble) -> Link:
    """Return the inverse link of a model."""
    row = by_own_name(ensemble.objective)
    if row.counts_classes:
        return Link("softmax")
    return Link(row.inverse or OF_MARGIN[row.link], row.factor)


def link_sentence(ensemble: Ensemble) -> str:
    """Say what becomes of the sum."""
    link = link_of(ensemble)
    return _SOFTMAX if link.is_softmax else link.spelling.words.format(f=str(link.factor).removesuffix(".0"))


def precision_said(ensemble: Ensemble) -> str:
    """Say in a comment how leaves are added up."""
    return "double precision" if ensemble.adds_doubles else "single precision as in training"
