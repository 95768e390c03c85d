"""What a hyperparameter is: one declaration from which forms, flags, checks and tables are made."""

from __future__ import annotations

import math
import re
from dataclasses import Field, dataclass, field
from functools import cache
from numbers import Real
from typing import Any

from workbench.errors import WorkbenchError
from workbench.parameters import column_values, forced_splits, number_list

THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+")  # "1,000" is not read as 1: it is refused

LONGEST_SHOWN = 60  # characters of a refused value


class Unset:
    """Stands for what was not given: the default of the training method."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True)
class Parameter:
    """The declaration of one hyperparameter.

    Attributes
    ----------
    name : str
        Name in Python, JSON and (with hyphens) on the command line.
    label, symbol, help, formula : str
        What the window shows: a short name, the field's symbol ("" if none), one plain sentence,
        and the formula in which the parameter stands ("" if none).
    group : str
        Heading under which it stands in the form.
    default : Any
        Value when nothing is said; `None` is allowed only where `optional`.
    kind : {"real", "integer", "flag", "choice", "numbers", "column_numbers", "column_list", "column_sets",
            "splits"}
        "numbers" is one or several; see `number_list`. The last four hold names; see `column_values` and
        `forced_splits`.
    named, example : str
        What such names are of, and values of two of them; "" for the usual example.
    lower, upper : float
        Hard bounds (inclusive unless `open_lower`), checked everywhere.
    slider : tuple of float
        Softer bounds of the slider.
    scale : {"linear", "log"}
        Scale of the slider; a log slider has a detent for 0 where 0 is allowed.
    choices : tuple of str
        Allowed values of a "choice".
    optional : bool
        Whether `None` (shown as "none") is a value.
    live : bool
        Whether it may change during a run, from the next round on.
    in_branch : bool
        Whether a branch may have another value, though it is not live: one that changes no bins, and nothing
        that the first rounds stand on.
    aliases : dict of str to str or tuple of str
        Names in "xgboost", "lightgbm", "sklearn" and "catboost", where they have one, or several: the usual
        one first.
    alias_factor : float
        What a number that is given by such a name is multiplied by.
    rare : bool
        Folded away in the form until asked for.
    methods : tuple of str
        The training methods that have it; empty: all.
    defaults : dict of str to Any
        Other values when nothing is said, by method.
    """

    name: str
    label: str
    default: Any
    kind: str
    help: str
    symbol: str = ""
    formula: str = ""
    group: str = "Tree"
    lower: float = -math.inf
    upper: float = math.inf
    open_lower: bool = False
    slider: tuple[float, float] | None = None
    scale: str = "linear"
    choices: tuple[str, ...] = ()
    named: str = "columns"
    example: str = ""
    optional: bool = False
    live: bool = False
    in_branch: bool = False
    aliases: dict[str, str | tuple[str, ...]] = field(default_factory=dict)
    alias_factor: float = 1.0
    rare: bool = False
    methods: tuple[str, ...] = ()
    defaults: dict[str, Any] = field(default_factory=dict)

    def is_of(self, method: str) -> bool:
        """Whether a training method has it."""
        return not self.methods or method in self.methods

    def default_of(self, method: str) -> Any:
        """Return the value when nothing is said to a training method."""
        return self.defaults.get(method, self.default)

    @property
    def flag(self) -> str:
        """The command-line flag, `--reg-lambda`."""
        return "--" + self.name.replace("_", "-")

    @property
    def title(self) -> str:
        """Symbol and label together: "λ · L2 on weights"."""
        return f"{self.symbol} · {self.label}" if self.symbol else self.label

    def name_in(self, library: str) -> str:
        """Return the usual name in another library, "" where it has none."""
        return next(iter(self._names_in(library)), "")

    @property
    def other_names(self) -> tuple[str, ...]:
        """All names in other libraries."""
        return tuple(dict.fromkeys(name for library in self.aliases for name in self._names_in(library)))

    def from_alias(self, value: Any) -> Any:
        """Return what a value means here that was given by a name of another library."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        return value * self.alias_factor if is_number and self.alias_factor != 1.0 else value

    def _names_in(self, library: str) -> tuple[str, ...]:
        names = self.aliases.get(library, ())
        return (names,) if isinstance(names, str) else names

    def check(self, value: Any) -> Any:
        """Return `value` in the declared type, or raise WorkbenchError saying what is allowed."""
        if getattr(value, "shape", None) == () and hasattr(value, "item"):
            value = value.item()  # of numpy
        if value is None:
            if self.optional:
                return None
            raise self._refusal(value)
        if self.kind == "flag":
            if isinstance(value, bool):
                return value
            raise self._refusal(value)
        if self.kind == "choice":
            if isinstance(value, str) and (not self.choices or value in self.choices):
                return value
            raise self._refusal(value)
        if self.kind == "splits":
            return self._check_splits(value)
        if self.holds_names:
            try:
                return column_values.checked(self.kind, value, self.lower, self.upper)
            except column_values.UnreadableColumns:
                raise self._refusal(value) from None
        if self.kind == number_list.KIND:
            try:
                return number_list.checked(value, self._is_within)
            except number_list.UnreadableNumbers:
                raise self._refusal(value) from None
        return self._check_number(value)

    @property
    def holds_names(self) -> bool:
        """Whether values hold names, mostly of the table's columns."""
        return self.kind in column_values.KINDS or self.kind == "splits"

    @property
    def is_list(self) -> bool:
        """Whether a value may have several parts, which are typed with commas between them."""
        return self.holds_names or self.kind == number_list.KIND

    def shown(self, value: Any) -> str:
        """Write a value as text that `parse` reads."""
        if value is None:
            return "none"
        if self.kind == number_list.KIND:
            return number_list.written(value)
        if self.kind == "splits":
            return str(value) or "none"
        if self.kind == "flag":
            return "yes" if value else "no"
        return column_values.written(self.kind, value) if self.holds_names else str(value)

    def told(self, value: Any) -> str:
        """Write a value as a sentence tells it: "0.3", "yes", "none", "best gain"."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}"
        return self.shown(value).replace("_", " ") if self.kind == "choice" else self.shown(value)

    def parse(self, text: str) -> Any:
        """Read typed text ("1e-3", "none", "yes") as a value; raise WorkbenchError if it is none."""
        word = text.strip().replace("−", "-")
        if self.optional and word.lower() in ("none", "", "off"):
            return None
        if self.kind == "flag":
            known = {"yes": True, "true": True, "on": True, "1": True,
                     "no": False, "false": False, "off": False, "0": False}
            if word.lower() not in known:
                raise self._refusal(text)
            return known[word.lower()]
        if self.holds_names:
            return self.check(text.strip())
        if self.kind == "choice" or self.is_list:
            return self.check(word)
        try:
            number = float(word if THOUSANDS.fullmatch(word) else word.replace(",", "."))
        except ValueError:
            raise self._refusal(text) from None
        whole = self.kind == "integer" and number.is_integer()
        return self.check(int(number) if whole else number)

    def allowed(self) -> str:
        """Say in words which values are allowed."""
        if self.kind == "flag":
            return "yes or no"
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices) if self.choices else "a name known to the program"
        if self.holds_names:
            return {
                column_values.NUMBERS: f"{self.named} with a number{self._bounds()}, as in "
                + (self.example or "age: 1, size: 0"),
                column_values.LIST: f"{self.named}, as in {self.example or 'age, size'}",
                column_values.SETS: f"sets of {self.named}, as in age, size; width, height",
                "splits": f"splits, as in {forced_splits.EXAMPLE}",
            }[self.kind] + ", or none"
        if self.kind == number_list.KIND:
            return f"one to {number_list.MOST} different numbers{self._bounds()}, as in 0.1, 0.5, 0.9"
        noun = "a whole number" if self.kind == "integer" else "a number"
        return noun + self._bounds() + (", or none" if self.optional else "")

    def _bounds(self) -> str:
        lower = f" above {self.lower:.10g}" if self.open_lower else f" {self.lower:.10g}"
        if math.isinf(self.lower):
            return "" if math.isinf(self.upper) else f" {self.upper:.10g} or less"
        if math.isinf(self.upper):
            return lower + ("" if self.open_lower else " or more")
        return lower + (f", {self.upper:.10g} at most" if self.open_lower else f" to {self.upper:.10g}")

    def _check_splits(self, value: Any) -> str:
        try:
            return forced_splits.checked(value)
        except forced_splits.UnreadableSplits as wrong:
            if not str(wrong):
                raise self._refusal(value) from None
            raise WorkbenchError(f"{self.name} cannot be read: {wrong}.") from None

    def _check_number(self, value: Any) -> Any:
        if isinstance(value, (bool, str)):
            raise self._refusal(value)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise self._refusal(value) from None
        if not math.isfinite(number) or not self._is_within(number):
            raise self._refusal(value)
        if self.kind == "integer":
            if number != round(number):
                raise self._refusal(value)
            return round(number)
        return number

    def _is_within(self, number: float) -> bool:
        above = number > self.lower if self.open_lower else number >= self.lower
        return above and number <= self.upper

    def _refusal(self, value: Any) -> WorkbenchError:
        return WorkbenchError(f"{self.name} is {_short(value)}; it must be {self.allowed()}.")


def _short(value: Any) -> str:
    """Return what a value looks like, in one line."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no number of thousands of digits
        text = "too long a number"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def parameter(default: Any, *, label: str, kind: str, help: str, **rest: Any) -> Any:
    """Declare a field of a parameter dataclass; the arguments are those of `Parameter`."""
    unsaid = UNSET if "defaults" in rest else default
    return field(default=unsaid, metadata={"declaration": (label, kind, help, default, rest)})


def declarations(params_class: type) -> tuple[Parameter, ...]:
    """Return the declarations of a parameter dataclass, in its order."""
    fields: dict[str, Field[Any]] = params_class.__dataclass_fields__  # type: ignore[attr-defined]
    return tuple(_declaration(f) for f in fields.values())


@cache
def _declaration(f: Field[Any]) -> Parameter:
    label, kind, help_, default, rest = f.metadata["declaration"]
    return Parameter(name=f.name, label=label, default=default, kind=kind, help=help_, **rest)
