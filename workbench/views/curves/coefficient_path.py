"""The path of a linear model: its coefficients over rounds, which stand for λ on a log axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.formats.linear_columns import column_names
from workbench.number_text import figure
from workbench.views.curves.content import Content, Line
from workbench.views.curves.vertical_scales import Linear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.session.run import Run

NAMED = 10  # lines with a colour and a label of their own
MOST_LINES = 60
SHORTEST = 3  # letters of a class
FAINT = 0.5
TITLE, PHRASE = "Coefficients", "of the standardised columns against λ, log axis"


def coefficient_path(run: Run | None, shown: int) -> Content:
    """Return the plot of the coefficients; `shown` is the round whose λ is told."""
    parts = [] if run is None else [event.linear for event in run.rounds if event.linear is not None]
    if run is None or run.schema is None or not parts:
        return Content(TITLE, PHRASE, Linear(), zero=True, tall=True)
    values = np.array([part.coefficients.reshape(-1) for part in parts])
    largest = np.argsort(-np.abs(values).max(axis=0), kind="stable")
    newest = np.argsort(-np.abs(values[-1]), kind="stable")[:NAMED]
    named = sorted(place for place in newest.tolist() if values[-1, place])
    others = [place for place in largest.tolist() if place not in named][: MOST_LINES - len(named)]
    lines = [Line("", "ctl", values[:, place], width=1.0, alpha=FAINT, reading=False) for place in others]
    names = column_names(run.schema, parts[-1].columns)
    for index, place in enumerate(named):
        name, end = _name(run, names, place), values[-1, place]
        lines.append(Line(name, f"category{index}", values[:, place], figure(float(end), 3)))
    lambdas = np.array([part.reg_lambda for part in parts])
    told = lambdas[min(max(shown, 1), len(lambdas)) - 1]
    phrase = f"{PHRASE}; round {max(shown, 1)}: λ {figure(float(told), 3)}"
    return Content(TITLE, phrase, Linear(), tuple(lines), zero=True, tall=True, places=decades(lambdas))


def _name(run: Run, names: list[str], place: int) -> str:
    """What a coefficient is of: a column, and its class where there are several."""
    output, column = divmod(place, len(names))
    return f"{short_names(run.output_names)[output]}: {names[column]}" if run.output_names else names[column]


def short_names(names: Sequence[str]) -> list[str]:
    """Return as much of each name as tells them apart, three letters at least."""
    lengths = range(SHORTEST, max(map(len, names), default=0) + 1)
    enough = next((n for n in lengths if len({name[:n] for name in names}) == len(names)), None)
    return [name[:enough] for name in names]


def decades(lambdas: NDArray[np.float64]) -> tuple[tuple[float, str], ...]:
    """Return where, in rounds, λ passes a power of ten, and that power as text."""
    found = []
    logs = np.log10(np.maximum(lambdas, 1e-300))
    for place, (before, after) in enumerate(zip(logs[:-1].tolist(), logs[1:].tolist(), strict=True)):
        low, high = sorted((before, after))
        for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1):
            share = 0.0 if high == low else abs(power - before) / (high - low)
            found.append((place + 1 + share, f"λ {10.0**power:g}" if abs(power) < 5 else f"λ 1e{power}"))
    return tuple({text: (x, text) for x, text in reversed(found)}.values())[::-1]
