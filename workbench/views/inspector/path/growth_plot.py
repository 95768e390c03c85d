"""What is shown of a row's growth: its lines over the rounds, and the figures of one round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values.labels import iso_day
from workbench.isolation import isolated
from workbench.number_text import count, fixed, signed
from workbench.session.run_parts.parameter_change import as_marked
from workbench.views.curves.content import Content, Line, RoundMarks
from workbench.views.curves.kpi_strip import Cell, Widths
from workbench.views.curves.vertical_scales import Days, Linear
from workbench.views.inspector.path.words import adds_days, decimals_that_add_up, prediction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.row_growth import RowGrowth
    from workbench.session.run import Run

COLUMNS = (Widths(150, 116), Widths(150, 104), Widths(150, 96), Widths(160, 100), Widths(190, 118),
           Widths(250, 150))  # fmt: skip
DECIMALS = 4
NAMED = 5  # classes beside the chosen one that have a name at the right
SHOWN_LEAVES = 3  # of a forest's round
THIN, STRONG = 1.25, 2.25
DASHED_FROM = 4  # classes; from there on colours alone would not tell them apart


def plot(
    growth: RowGrowth, schema: DataSchema, class_index: int, row: int, names: tuple[str, ...],
    *, held_out: bool,
) -> Content:
    """Return the raw predictions of table row `row` after every round, a line for each of `names`."""
    raw = growth.raw[1:].astype(np.float64)
    base = float(growth.raw[0, class_index])
    level = np.full(growth.rounds, base)
    is_date = adds_days(growth, schema)
    text = _last(level, is_date=is_date)
    lines = [Line("base", "ctl", level, text, 1.0, "dotted", reading=False, tone="text3")]
    if growth.raw.shape[1] == 1:
        token = "validation" if held_out else "train"
        text = _last(raw[:, 0], is_date=is_date)
        lines.append(Line(f"Row {count(row + 1)}", token, raw[:, 0], text, STRONG))
    else:
        lines += _lines_of(raw, names, class_index)
    whose = f"of row {count(row + 1)}, a {'hold-out' if held_out else 'training'} row"
    counted = ", as the trees count after each round" if growth.is_weighed else ""
    phrase = f"{whose}: base plus η·w* of its leaf in every tree{counted}{_up(schema, names)}"
    scale = Days() if is_date else Linear()
    return Content("Raw prediction ŷ", phrase, scale, tuple(lines), zero=not is_date)


def _up(schema: DataSchema, names: tuple[str, ...]) -> str:
    labels = schema.class_labels
    if names:
        return f"; a line a {'class' if labels else 'quantile'}"
    return f"; up is towards {isolated(str(labels[1]))}" if labels else ""


def _lines_of(raw: NDArray[np.float64], labels: tuple[str, ...], chosen: int) -> list[Line]:
    """The chosen one last, over the others; of these the highest at the end have names."""
    ends = raw[-1] if len(raw) else np.zeros(len(labels))
    ranked = [k for k in np.argsort(-ends, kind="stable").tolist() if k != chosen]
    named = {chosen, *ranked[:NAMED]}
    lines = []
    for k in [*reversed(ranked), chosen]:
        token = f"category{k}" if k < 10 else "ctl"
        lines.append(Line(
            labels[k], token, raw[:, k], _last(raw[:, k]) if k in named else "",
            STRONG if k == chosen else THIN, "dashed" if DASHED_FROM <= k != chosen else "solid",
            reading=k == chosen, tone="text1", swatch=True))
    return lines


def _last(values: NDArray[np.float64], *, is_date: bool = False) -> str:
    if not len(values):
        return ""
    return iso_day(float(values[-1])) if is_date else fixed(float(values[-1]), DECIMALS)


def marks(run: Run, newest: int, pinned: int) -> RoundMarks:
    """Return what stands at certain rounds."""
    changes = as_marked(run.changes, run.planned_rounds)
    return RoundMarks(
        rounds=run.planned_rounds, newest=newest, pinned=pinned,
        changes=tuple((number, ", ".join(change.text for change in some)) for number, some in changes))


def cells(
    growth: RowGrowth, schema: DataSchema, class_index: int, names: tuple[str, ...], number: int, when: str
) -> tuple[Cell, ...]:
    """Return the figures of a round; `when` is "Now", "Cursor" or "Selected"."""
    leaves = growth.leaves_of(number, class_index)
    weights = growth.leaf_weights(number, class_index)
    before, after = (float(sums[class_index]) for sums in (growth.before[number - 1], growth.raw[number]))
    one = len(leaves) == 1
    decimals = decimals_that_add_up((before, after - before), after)
    told, value = prediction(growth, schema, class_index, number, names)
    name, _, link = told.partition(", ")
    is_date = adds_days(growth, schema)
    unit = " days" * is_date
    weight = signed(float(weights.sum()), DECIMALS) + unit
    raw, was = (iso_day(y) if is_date else fixed(y, decimals) for y in (after, before))
    nodes = ", ".join(map(count, leaves[:SHOWN_LEAVES]))
    return (
        Cell(when, f"Round {count(number)}"),
        Cell("Its leaf" if one else f"Leaves of {len(leaves)} trees",
             f"Node {nodes}" if one else nodes + ", …" * (len(leaves) > SHOWN_LEAVES), short="Leaf"),
        Cell("Leaf weight w*" if one else "Sum of w*", weight, short="w*"),
        Cell("Adds η·w*", signed(after - before, decimals) + unit),
        Cell("Raw prediction ŷ", raw, f"from {was}", short="ŷ"),
        Cell(name, value, link),
    )
