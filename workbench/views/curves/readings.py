"""The figures of one round, as the strip above the plots reads them out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.number_text import MINUS, count, counted, figure, fixed
from workbench.views.curves.kpi_strip import Cell, Widths

if TYPE_CHECKING:
    from workbench.ensembles.events import RoundFinished
    from workbench.linear.part import LinearPart
    from workbench.metrics.facts import MetricFacts
    from workbench.session.run import Run

COLUMNS = (Widths(155, 116), Widths(184, 98), Widths(138, 94), Widths(128, 88), Widths(228, 92),
           Widths(138, 94), Widths(165, 88))  # fmt: skip
UNKNOWN = "–"
NOT_IN_FILE = "not in the file"
NOT_THEN = "not measured then"
OBJECTIVE, LOSS = "Objective = loss + Ω", "Loss of all rows"
MOST_DIGITS = 7


def round_cells(run: Run | None, metric: MetricFacts, number: int, when: str) -> list[Cell]:
    """Return the cells for round `number`; `when` is "Now", "Cursor" or "Selected"."""
    if run is None or not number:
        return [Cell(when, "Round 0"), Cell(f"Validation {metric.short}", UNKNOWN, short="Validation"),
                Cell(f"Training {metric.short}", UNKNOWN, short="Training"),
                Cell("Second metric", UNKNOWN, short="Second"), Cell(OBJECTIVE, UNKNOWN, short="Objective"),
                Cell("Structure score", UNKNOWN, short="Score"),
                Cell("Gain of the tree", UNKNOWN, short="Gain")]
    event = run.rounds[number - 1]
    return [
        Cell(when, f"Round {count(number)}", "best" if event.valid and number == run.best_round else ""),
        _validation(run, metric, event),
        Cell(f"Training {metric.short}", _figure(event.train, metric.name), token="train", short="Training"),
        _second(run, metric, event),
        objective_cell(run, event),
        *(_of_trees(run, event) if event.linear is None else _of_weights(event.linear)),
    ]


def _of_trees(run: Run, event: RoundFinished) -> list[Cell]:
    score = Cell("Structure score", figure(event.structure_score), token="score", short="Score")
    return [
        score if run.is_second_order else Cell("Depth", count(event.depth), "deepest leaf"),
        Cell("Gain of the tree" if len(event.trees) == 1 else f"Gain of {len(event.trees)} trees",
             figure(event.gain), counted(event.leaves, "leaf", "leaves"),
             short="Gain"),
    ]


def _of_weights(part: LinearPart) -> list[Cell]:
    weighed = int((part.coefficients != 0).any(axis=0).sum())
    return [
        Cell("Penalty λ", figure(part.reg_lambda), token="score", short="λ"),
        Cell("Columns weighed", count(weighed), f"of {count(part.columns.n_columns)}", short="Columns"),
    ]


def sum_that_adds_up(first: float, second: float) -> tuple[str, str, str]:
    """Write two terms and the sum of what is written, in about four digits."""
    if not math.isfinite(first + second):
        return fixed(first), fixed(second), fixed(first + second)
    size = math.floor(math.log10(max(abs(first + second), 1e-4)))
    if size >= MOST_DIGITS:
        return figure(first), figure(second), figure(first + second)
    decimals = min(max(3 - size, 0) + (size in (2, 3)), 4)
    total = round(first, decimals) + round(second, decimals)
    return fixed(first, decimals), fixed(second, decimals), fixed(total, decimals)


def _validation(run: Run, metric: MetricFacts, event: RoundFinished) -> Cell:
    label = f"Validation {metric.short}"
    if metric.name not in event.valid:
        known = NOT_THEN if event.valid else "no hold-out rows"
        return Cell(label, UNKNOWN, known if math.isfinite(event.loss) else NOT_IN_FILE, short="Validation")
    best = run.history.column(f"valid:{metric.name}")[run.best_round - 1]
    is_other = metric.name == run.watched and run.best_round not in (0, event.round)
    note = f"best {figure(best)}" if is_other else ""
    return Cell(label, figure(event.valid[metric.name]), note, "validation", "Validation")


def _second(run: Run, metric: MetricFacts, event: RoundFinished) -> Cell:
    names = run.started.metrics if run.started else ()
    others = [run.facts.metric(name) for name in names if name != metric.name]
    if not others:
        return Cell("Seconds", figure(event.seconds, 3))
    part, values = ("Validation", event.valid) if event.valid else ("Training", event.train)
    chosen = next((other for other in others if other.higher_is_better), others[0])
    digits, short = 3 if chosen.higher_is_better else 4, chosen.short
    return Cell(f"{part} {short}", _figure(values, chosen.name, digits), short=short[0].upper() + short[1:])


def objective_cell(run: Run, event: RoundFinished) -> Cell:
    """Return the loss and Ω with their sum, of methods without Ω the loss."""
    if not math.isfinite(event.loss + event.omega):
        return Cell(OBJECTIVE, UNKNOWN, NOT_IN_FILE, short="Objective")
    if not (run.is_second_order or run.is_linear):
        return Cell(LOSS, figure(event.loss), "training", short="Loss")
    loss, omega, total = sum_that_adds_up(event.loss, event.omega)
    sign = f"+ {omega}" if event.omega >= 0 else f"{MINUS} {omega.lstrip(MINUS)}"
    return Cell(OBJECTIVE, total, f"= {loss} {sign}", short="Objective")


def _figure(values: dict[str, float], name: str, digits: int = 4) -> str:
    return figure(values[name], digits) if name in values else UNKNOWN
