"""Tables of what is declared: parameters, objectives, metrics, formats, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.formats.base import FORMATS
from workbench.metrics.base import METRICS
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.methods import METHODS
from workbench.parameters.training import PARAMETERS
from workbench.shell.actions import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.parameters.spec import Parameter

TASKS = {"regression": "a number", "binary": "one of two classes", "multiclass": "one of several classes"}
OF_ONES_OWN = "custom_loss"  # of an objective from a file, and told of there


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    return "\n".join(_row(cells) for cells in (names, ["---"] * len(names), *rows))


def code(*words: str) -> str:
    return ", ".join(f"`{word}`" for word in words if word)


def parameters() -> str:
    return table(
        ("parameter", "", "what it does", "default", "allowed", "in a run", "methods", "elsewhere"),
        (
            (code(p.name), p.symbol, p.help, _default(p), p.allowed(),
             "yes" if p.live else "in a branch" if p.in_branch else "",
             code(*p.methods) or "all", code(*(name for name in p.other_names if name != p.name)))
            for p in PARAMETERS
        ),
    )  # fmt: skip


def methods() -> str:
    return table(
        ("`--method`", "", "what it does", "objectives"),
        (
            (code(m.name), m.label, m.help,
             code(*m.objectives.values(), *(("…",) if m.others is None else m.others)))
            for m in METHODS.values()
        ),
    )  # fmt: skip


def objectives() -> str:
    trained = (o for o in by_name(OBJECTIVES) if not o.lacks())
    return table(
        ("objective", "predicts", "watched metric", "other names"),
        ((code(o.name), _kind(o), code(o.metrics[0]), code(*o.aliases)) for o in trained),
    )


def metrics() -> str:
    return table(
        ("metric", "of", "better is", "other names"),
        (
            (code(m.name), _kind(m), "more" if m.higher_is_better else "less", code(*m.aliases))
            for m in by_name(METRICS)
            if m.name != OF_ONES_OWN
        ),
    )


def formats() -> str:
    return table(
        ("`--to`", "file ends with", "what it is"),
        ((code(f.name), code(*f.suffixes), f.label) for f in by_name(FORMATS) if f.can_write),
    )


def keys() -> str:
    return table(
        ("menu", "what", "keys"),
        ((a.menu, a.text.rstrip("…"), code(a.shortcut)) for a in ACTIONS if a.shortcut),
    )


def by_name(registry: Iterable[Any]) -> list[Any]:
    return sorted(registry, key=lambda one: one.name)


def _default(parameter: Parameter) -> str:
    own = (f"{name}: {parameter.shown(value)}" for name, value in parameter.defaults.items()
           if parameter.is_of(name))  # fmt: skip
    return "; ".join([parameter.shown(parameter.default), *own])


def _kind(one: Any) -> str:
    if getattr(one, "needs_groups", False) or getattr(one, "reads", "") == "groups":
        return "an order of rows"
    return ", ".join(TASKS[task] for task in getattr(one, "tasks", None) or (one.task,))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
