"""The Python API as a page, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any

import workbench
from tests.docs.tables import code, table
from workbench import estimators
from workbench.estimators.trees import BoostedTrees
from workbench.study.study_run import StudyRun
from workbench.trees import tree
from workbench.trees.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
FUNCTIONS = ("fit", "train", "cross_validate", "score_file", "load_model", "load_objective", "load_metric",
             "open_study", "open")  # fmt: skip
CLASSES = ("Model", "TrainingParams", "CrossValidated", "Study", "RunControl", "TrainingStarted",
           "RoundFinished", "TrainingPaused", "TrainingEnded", "WorkbenchError", "WorkbenchWarning")
MEMBERS = (FunctionType, classmethod, property, cached_property)
FIELD = re.compile(r'^        \("(\w+)", np\.(\w+)\),(?:  # (.*))?$', re.MULTILINE)


def api() -> str:
    """Return a section a public name."""
    lines: list[str] = []
    for name in FUNCTIONS:
        lines += _function(f"workbench.{name}", getattr(workbench, name))
    for name in CLASSES:
        lines += _class(f"workbench.{name}", getattr(workbench, name))
    lines += _class("The runs of a study", StudyRun)
    lines += _class("The trees of a model", Tree)
    lines += _class("What the estimators share", BoostedTrees)
    for name in estimators.__all__:
        lines += _class(f"workbench.estimators.{name}", getattr(estimators, name))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def nodes() -> str:
    """Return the columns of a tree's nodes, with the words that stand beside their declaration."""
    (source,) = re.findall(r"^NODE_DTYPE = .*?^\)", inspect.getsource(tree), re.MULTILINE | re.DOTALL)
    columns = ((code(name), kind.rstrip("_"), words) for name, kind, words in FIELD.findall(source))
    return table(("column", "type", "what it is"), columns)


def public_names() -> set[str]:
    """Return the names that the page has of `workbench`."""
    return {*FUNCTIONS, *CLASSES, "__version__"}


def signature(function: Callable[..., Any]) -> str:
    """Return the arguments without types and self."""
    told = inspect.signature(function)
    kept = [p.replace(annotation=p.empty) for p in told.parameters.values() if p.name not in ("self", "cls")]
    return str(told.replace(parameters=kept, return_annotation=told.empty))


def prose(doc: str) -> list[str]:
    """Return a docstring of NumPy's manner as lines of a page; its sections stand at the end."""
    lines: list[str] = []
    entries = False
    for row in doc.splitlines():
        if row in SECTIONS:
            lines += [f"*{row}*", ""]
            entries = True
        elif entries and row and not row.startswith((" ", "-")):
            name, _, kind = row.partition(" : ")
            lines.append(f"- **{name.replace('*', chr(92) + '*')}**" + (f" ({kind})" if kind else ""))
        elif set(row) != {"-"}:
            lines.append(f"  {row.strip()}" if entries and row else row)
    return lines


def _function(title: str, function: Callable[..., Any]) -> list[str]:
    call = ["```text", *_folded(title + signature(function)), "```"]
    return [f"## {title}", "", *call, "", *prose(inspect.getdoc(function) or ""), ""]


def _class(title: str, one: type) -> list[str]:
    doc = inspect.getdoc(one) or ""
    lines = [f"## {title}", "", *prose(doc), ""]
    if is_dataclass(one) and "Attributes" not in doc and one is not workbench.TrainingParams:
        lines += [f"Fields: {code(*(field.name for field in fields(one)))}.", ""]
    own = [base for base in one.__mro__ if base.__module__.startswith("workbench.")] or [one]
    for name, member in {name: member for base in own for name, member in vars(base).items()}.items():
        found = getattr(one, name)
        if name.startswith("_") or not isinstance(member, MEMBERS) or not inspect.getdoc(member):
            continue
        head, *rest = prose(inspect.getdoc(member if not callable(found) else found) or "")
        lines += [f"- `{name}{signature(found) if callable(found) else ''}`: {head}"]
        lines += [f"  {row}".rstrip() for row in rest]
    return [*lines, ""]


def _folded(call: str) -> list[str]:
    """Return a call, an argument a line where it is long."""
    if len(call) <= 100:
        return [call]
    name, _, rest = call.partition("(")
    return [f"{name}(", *(f"    {part}," for part in rest[:-1].split(", ") if part), ")"]
