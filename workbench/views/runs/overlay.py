"""The plot in which runs lie over each other, each from where it leaves another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.isolation import isolated
from workbench.number_text import count, figure
from workbench.session.comparison.differences import label_of
from workbench.session.run_parts.measured import are_measured_alike, measured_since
from workbench.views.curves.content import Content, Dash, Line, RoundMarks
from workbench.views.curves.validated import noise_shade
from workbench.views.curves.vertical_scales import Linear
from workbench.views.runs.cards import values_of
from workbench.views.runs.strokes import line_dash, token_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.metrics.facts import MetricFacts
    from workbench.session.run import Run
    from workbench.session.session import Session

NO_RUNS = "No runs yet. Choose the target, then Train."
CHOSEN, OTHER, TRAINING = 2.5, 1.25, 1.0  # widths of lines


def own_from(run: Run, drawn: Sequence[Run], everyone: Mapping[int, Run]) -> int:
    """Return how many rounds of a run are drawn as another's already."""
    shared, branch = run.shared_rounds, run.branch
    while branch is not None:
        parent = everyone.get(branch.run)
        if parent is None or parent in drawn:
            return shared if parent is not None else 0
        branch = parent.branch
        shared = min(shared, parent.shared_rounds)
    return 0


def overlay(
    session: Session, runs: Sequence[Run], metric: MetricFacts, rounds: int, *, labels: int = 9,
    training: bool = False,
) -> Content:  # fmt: skip
    """Return the plot of a metric over so many rounds, the common past drawn once; so many have labels."""
    pair = [run for run in (session.shown.run, session.overlay.partner) if run is not None]
    ordered = [run for run in runs if run not in pair] + [run for run in reversed(pair) if run in runs]
    labelled = {run.number for run in ordered[-labels:]}
    lines: list[Line] = []
    for run in ordered:
        values = values_of(run, metric.name)[:rounds]
        skipped = own_from(run, runs, session.runs.all) - 1  # the last common point is drawn again
        skipped = max(skipped, measured_since(run) - 1)  # but not where it was measured otherwise
        if not len(values) or skipped >= len(values):
            continue
        text = f"{figure(values[-1])} at {count(len(values))}" if run.number in labelled else ""
        wide = CHOSEN if run in pair else OTHER
        lines.append(Line(run.name, token_of(run), _from(values, skipped), text, wide, _dash(run, pair),
                          tone="text1", swatch=True, note=label_of(run)))
        if training and run in pair and len(run.history.column(f"valid:{metric.name}")):
            own = run.history.column(f"train:{metric.name}")[:rounds]
            name, dots = f"{run.name}, training", _from(own, skipped)
            lines.append(Line(name, token_of(run), dots, "", TRAINING, "dotted", reading=False))
    noise = noise_shade(session, pair[0], metric.name, rounds) if pair else None
    shades = () if noise is None else (noise,)
    phrase = _phrase(pair, metric, training) + _weighed_otherwise(pair, runs)
    if shades:
        phrase += f"; grey: noise floor of {pair[0].name}"
    return Content(f"{metric.label}", phrase, Linear(), tuple(lines), readings=True, shades=shades)


def overlay_marks(session: Session, rounds: int) -> RoundMarks:
    """Return what stands at rounds: the best one of the shown run, its changes, the ruler's round."""
    run = session.shown.run
    if run is None or not run.rounds:
        return RoundMarks(rounds=rounds, sentence=NO_RUNS if run is None else "Preparing the first tree.")
    best = run.best or (0, float("nan"))
    pinned = session.shown.round if session.shown.selection.round is not None else 0
    has_line = bool(len(values_of(run, run.watched)))
    lacks = f"{isolated(run.name)} has no figures of {run.facts.metric(run.watched).short}."
    return RoundMarks(
        rounds=rounds, newest=len(run.rounds), best=best[0] if has_line else 0, best_value=best[1],
        best_text=f"{run.name} best {figure(best[1])} at {count(best[0])}", pinned=pinned,
        note=lacks if run.watched and not has_line else "",
    )


def overlay_records(runs: Sequence[Run], metric: str) -> list[dict[str, Any]]:
    """Return the figures of all runs, a record a round."""
    columns = {f"{run.name} ({run.number})": values_of(run, metric) for run in runs}
    longest = max(map(len, columns.values()), default=0)
    records: list[dict[str, Any]] = []
    for place in range(longest):
        figures = {name: float(own[place]) if place < len(own) else None for name, own in columns.items()}
        records.append({"round": place + 1, **figures})
    return records


def _from(values: NDArray[np.float64], skipped: int) -> NDArray[np.float64]:
    if skipped <= 0:
        return values
    own = values.copy()
    own[:skipped] = np.nan
    return own


def _dash(run: Run, pair: Sequence[Run]) -> Dash:
    return "solid" if run in pair else line_dash(run)


def _weighed_otherwise(pair: Sequence[Run], runs: Sequence[Run]) -> str:
    """Say which runs weigh rows otherwise than the shown one does."""
    names = [run.name for run in runs if run.started and not are_measured_alike(run, pair[0])] if pair else []
    told = names[0] if len(names) == 1 else f"{len(names)} runs"
    return f"; {told} weighed otherwise" if names else ""


def _phrase(pair: Sequence[Run], metric: MetricFacts, training: bool) -> str:
    names = " and ".join(run.name for run in pair)
    thick = f"; {names} thick, others thin" if len(pair) > 1 else ""
    dots = "; training rows dotted" if training else ""
    return f"{metric.phrase}{thick}{dots}"

