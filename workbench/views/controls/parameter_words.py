"""A parameter in words: its value as shown, its tooltip, and what a screen reader says."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from workbench.number_text import count, fixed, short

if TYPE_CHECKING:
    from workbench.parameters.spec import Parameter

_LIBRARIES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "sklearn": "scikit-learn", "catboost": "CatBoost"}
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")


def value_text(declared: Parameter, value: Any) -> str:
    """Write a value as the field shows it: "none", "10,000", "0.05", "1.00"; "mixed" for several at once."""
    if value is None:
        return "none" if declared.optional else "mixed"
    if declared.kind == "flag":
        return "yes" if value else "no"
    if declared.kind == "choice":
        return declared.told(value)
    if declared.is_list:
        return declared.shown(value)
    if declared.kind == "integer":
        return count(value)
    if declared.scale == "linear" and declared.upper <= 1 and round(value, 2) == value:
        return fixed(value, 2)
    return short(value)


def parse(declared: Parameter, text: str) -> Any:
    """Read typed text; raise WorkbenchError where it is no value."""
    word = text.strip()
    if declared.kind == "integer" and _THOUSANDS.fullmatch(word):
        word = word.replace(",", "")
    return declared.parse(word)


def refusal(declared: Parameter) -> str:
    """Say why typed text was not taken."""
    return f"Must be {declared.allowed()}."


def locked_note(declared: Parameter) -> str:
    """Say why the parameter cannot change now: "Bins stay fixed during a run."."""
    verb = "stay" if declared.label.endswith("s") else "stays"
    return f"{declared.label} {verb} fixed during a run."


def range_text(declared: Parameter) -> str:
    """Say the default and what is allowed: "Default 1; a number 0 or more."."""
    says = declared.kind in ("real", "integer") or declared.is_list
    allowed = f"; {declared.allowed()}" if says else ""
    return f"Default {value_text(declared, declared.default)}{allowed}."


def tooltip(declared: Parameter) -> str:
    """Title, help, formula, default and range, and the names elsewhere, as rich text."""
    title = f"<b>{html.escape(declared.title)}</b>"
    parts = [title, html.escape(declared.help)]
    if declared.formula:
        parts.append(f"<i>{html.escape(declared.formula)}</i>")
    parts.append(html.escape(range_text(declared)))
    names = [f"{_LIBRARIES[library]} {declared.name_in(library)}" for library in declared.aliases]
    if names:
        parts.append(html.escape(", ".join(names)))
    return "<p>" + "</p><p>".join(parts) + "</p>"


def description(declared: Parameter, value: Any, locked: str) -> str:
    """Value, range, default and lock, for assistive technology."""
    return " ".join(filter(None, (f"{value_text(declared, value)}.", range_text(declared), locked)))
