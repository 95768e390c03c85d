"""What the Training view shows of a run: four plots and the marks they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.number_text import count, counted, figure, fixed
from workbench.parameters.methods import METHODS
from workbench.session.no_trees import no_rounds
from workbench.session.run_parts.by_objective import loss_words
from workbench.session.run_parts.measured import measured_words, weighed_words
from workbench.session.run_parts.parameter_change import as_marked
from workbench.views.curves.coefficient_path import TITLE, coefficient_path
from workbench.views.curves.content import Content, Line, RoundMarks
from workbench.views.curves.figures import drop, hold_out_drop
from workbench.views.curves.other_runs import other_lines
from workbench.views.curves.thinning import finite_ends, smooth
from workbench.views.curves.validated import Validated, validated
from workbench.views.curves.vertical_scales import Linear, Log, Root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.metrics.facts import MetricFacts
    from workbench.session.run import Run
    from workbench.session.session import Session

OTHERS, FOLDS = "others", "folds"
BEHIND = {OTHERS: "Other runs with a tick", FOLDS: "Folds and noise floor"}
LOWER = {"objective": "Objective", "drop": "Drop per round", "gain": "Gain of each tree"}
LOWER_OF_LINEAR = {"coefficients": TITLE, "objective": "Objective", "drop": "Drop per round"}
RAW = 0.45  # how much is left of the raw line under a smoothed one
PARTS = (
    ("valid", "Validation", "validation", 2.25),
    ("oob", "Out of bag", "omega", 1.5),
    ("train", "Training", "train", 1.5),
)
NO_HOLD_OUT = "No hold-out rows, so there is no validation curve. Set a share under Data."
NO_FIGURES = "The file holds no figures of its rounds, only its trees."


@dataclass(frozen=True)
class Options:
    """What the person chose to see."""

    metric: str = ""  # the watched one
    smooth: bool = False
    log: bool = False
    hidden: frozenset[str] = frozenset()


def shown_metric(session: Session, options: Options) -> str:
    """Name of the metric in the uppermost plot; a likely one before the run says what it reports."""
    run = session.shown.run
    if run is None or run.started is None:
        return session.facts.metrics[0].name if session.facts.metrics else "metric"
    return options.metric if options.metric in run.started.metrics else run.watched


def planned_rounds(session: Session) -> int:
    """Rounds the time axis spans."""
    run = session.shown.run
    return max(1, run.planned_rounds if run else session.hyperparameters.wanted.rounds)


def lower_plots(session: Session) -> dict[str, str]:
    """Return the titles of the plots below the metric's, by name; some are of one training method."""
    run = session.shown.run
    params = session.hyperparameters.wanted if run is None else run.params
    if params.method == "linear":
        return LOWER_OF_LINEAR
    own = {"weights": "Row weights"} if run is not None and len(run.history.column("err")) else {}
    promises_none = METHODS[params.method].averages
    lower = LOWER if run is None or run.is_second_order else LOWER | {"objective": "Training loss"}
    return {name: title for name, title in (lower | own).items() if name != "drop" or not promises_none}


def plots(session: Session, options: Options) -> list[Content]:
    """Return the plots, the metric's first."""
    run = session.shown.run
    make = {"objective": _objective, "drop": _drop, "gain": _gain, "weights": _weights,
            "coefficients": lambda run: coefficient_path(run, session.shown.round)}  # fmt: skip
    metric = session.facts.metric(shown_metric(session, options))
    rounds = planned_rounds(session)
    others = [] if OTHERS in options.hidden else other_lines(session, metric.name, rounds)
    known = validated(session, metric.name) if FOLDS not in options.hidden else Validated()
    contents = [_metric(run, metric, options, rounds, others, known)]
    return contents + [make[name](run) for name in lower_plots(session) if name not in options.hidden]




def marks(session: Session, options: Options) -> RoundMarks:
    """Return what stands at certain rounds."""
    run, planned = session.shown.run, planned_rounds(session)
    if run is None or not run.rounds:
        return RoundMarks(rounds=planned, sentence=no_rounds(run))
    newest, metric = len(run.rounds), shown_metric(session, options)
    validation = run.history.column(f"valid:{metric}")
    best = run.best_round if _known(validation) else 0
    value = float(validation[best - 1]) if best else float("nan")
    ahead = planned - newest
    return RoundMarks(
        rounds=planned, newest=newest, best=best, best_value=value,
        best_text=_best_text(run, metric, best, value),
        changes=tuple((number, ", ".join(change.text for change in changes))
                      for number, changes in as_marked(run.changes, planned)),
        pinned=session.shown.round if session.shown.selection.round is not None else 0,
        ahead=f"{counted(ahead, 'round')} to go" if ahead and run.is_live else "",
        note=_what_lacks(run, metric),
    )


def _what_lacks(run: Run, metric: str) -> str:
    """Say why there is no validation curve; "" where there is one."""
    validation = run.history.column(f"valid:{metric}")
    label = run.facts.metric(metric).label
    if not len(validation) and run.rounds[-1].valid:
        return f"{label} is {measured_words(run, metric)}."
    if not len(validation):
        return NO_HOLD_OUT if _known(run.history.column("loss")) else NO_FIGURES
    if _known(validation):
        return ""
    rows = run.dataset
    if rows is not None and rows.weight is not None and not rows.weight[rows.valid_rows].any():
        return "All rows held out have weight 0, so nothing is measured on them. Hold out others under Data."
    if metric == "mape":
        return f"{label} is not defined on the rows held out: the target is 0 in some of them."
    return f"{label} is not defined on the rows held out: they have one class only, or too few rows."


def _best_text(run: Run, metric: str, best: int, value: float) -> str:
    if metric == run.watched:
        return f"best {figure(value)}, round {count(best)}"
    return f"{figure(value)} at best {run.facts.metric(run.watched).short}, round {count(best)}"


def _metric(
    run: Run | None, metric: MetricFacts, options: Options, planned: int, others: Sequence[Line],
    known: Validated,
) -> Content:  # fmt: skip
    lines = [*others, *known.lines]
    window = max(9, planned // 25) | 1
    for part, title, token, width in PARTS:
        values = run.history.column(f"{part}:{metric.name}") if run else np.empty(0)
        if not _known(values):
            continue
        if options.smooth and len(values) > 2:
            lines.append(Line(title, token, values, "", 1.25, alpha=RAW))
            lines.append(Line(title, token, smooth(values, window), figure(values[-1]), width, reading=False))
        else:
            lines.append(Line(title, token, values, figure(values[-1]), width))
    positive = all(_least(line.values) > 0 for line in lines)
    positive &= all(_least(shade.low) > 0 for shade in known.shades)
    since = measured_words(run, metric.name) if run is not None else ""
    phrases = [metric.phrase, *([since] if since else []), *known.phrases]
    if others:
        phrases.append("other runs dashed")
    if options.log:
        phrases.append("log axis" if positive else "no log axis as some figures are not above 0")
    if options.smooth:
        phrases.append(f"smoothed over {count(window)} rounds; the faint line is raw")
    scale = Log() if options.log and positive else Linear()
    return Content(
        metric.label, ", ".join(phrases), scale, tuple(lines), readings=True, shades=known.shades,
        bare=run is not None and bool(run.rounds) and not lines and not known.shades,
    )  # fmt: skip


def _objective(run: Run | None) -> Content:
    lines: tuple[Line, ...] = ()
    has_omega, log = run is None or run.is_second_order or run.is_linear, True
    rows = "the training rows"
    if run is not None and run.started is not None and run.started.n_train:
        rows = f"{count(run.started.n_train)} rows"
    phrase = f"training loss + Ω, summed over {rows}" if has_omega else f"summed over {rows}"
    if run is not None:
        phrase = ", ".join(filter(None, (phrase, loss_words(run), weighed_words(run))))
    if run is not None and _known(run.history.column("loss")):
        loss, omega = run.history.column("loss"), run.history.column("omega")
        log = _least(loss) > 0
        lines = (Line("loss", "train", loss, figure(loss[-1])),)
        if has_omega:
            lines = (Line("Ω", "omega", omega, figure(omega[-1])), *lines)
    scale = Log() if log else Root()
    return Content("Objective" if has_omega else "Training loss", f"{phrase}, {scale.phrase}", scale, lines)


def _drop(run: Run | None) -> Content:
    lines: list[Line] = []
    if run is not None and _known(run.history.column("promised")):
        hold_out = hold_out_drop(run)
        if len(hold_out):
            lines.append(Line("hold-out", "validation", hold_out, _small(hold_out[-1]), 1.25))
        delivered, promised = drop(run, "delivered"), drop(run, "promised")
        lines.append(Line("delivered", "train", delivered, _small(delivered[-1])))
        if run.is_second_order:
            lines.append(Line("promised", "text1", promised, _small(promised[-1]), 1.0, "dotted",
                              reading=False, tone="text2"))
    phrase = "loss per row: promised by the quadratic model (dotted) and delivered; root axis"
    if run is not None and not run.is_second_order:
        phrase = "how much less the loss per row is; root axis"
    return Content("Drop per round", phrase, Root(), tuple(lines), zero=True)


def _small(value: float) -> str:
    """A drop in two digits, a small one in thousandths: "0.62 ‰"."""
    return f"{fixed(1000 * value, 2)} ‰" if 5e-6 <= abs(value) < 1e-2 else figure(value, 2)


def _gain(run: Run | None) -> Content:
    if run is None or not run.rounds:
        return Content("Gain of each tree", "sum over its splits, before shrinkage", Linear(from_zero=True))
    history, last = run.history, run.rounds[-1]
    score = history.column("structure_score")
    lines: tuple[Line, ...] = (Line("score", "score", score, figure(score[-1]), 1.75, "dashed", own=True),)
    several = f"{count(len(last.trees))} trees of {count(last.round)}"
    trees = several if len(last.trees) > 1 else f"Tree {count(last.round)}"
    leaves = f"{counted(last.leaves, 'leaf', 'leaves')}, depth {last.depth}"
    facts = ((trees, True), (f"gain {figure(last.gain)}", False), (leaves, False))
    phrase = f"bars, before shrinkage; dashed: structure score, from {figure(_least(score))} to 0"
    if not (_known(score) and run.is_second_order):
        lines, phrase = (), "sum over its splits, before shrinkage"
    return Content("Gain of each tree", phrase, Linear(from_zero=True), lines, history.column("gain"), facts)


def _weights(run: Run | None) -> Content:
    """What only AdaBoost has: err and β of each tree, and how far the row weights have spread."""
    history, lines = run.history if run is not None else None, []
    if history is not None and run is not None and run.started is not None:
        error, beta = history.column("err"), history.column("beta")
        share = history.column("effective rows") / max(run.started.n_train, 1)
        lines = [Line("err", "train", error, figure(error[-1]))]
        if _known(share):
            lines.append(Line("spread", "omega", share, figure(share[-1], 2)))
        if len(beta):
            lines.append(Line("β", "score", beta, figure(beta[-1]), 1.75, "dashed", own=True))
    phrase = "err: wrong by weight; spread: (Σω)²/(n·Σω²), 1 where all weigh the same"
    if any(line.own for line in lines):
        phrase = f"{phrase}; dashed: β, own scale"
    return Content("Row weights", phrase, Linear(from_zero=True), tuple(lines))


def _known(values: NDArray[np.float64]) -> bool:
    """Whether there is any figure; a model from a file may have none."""
    return finite_ends(values) is not None


def _least(values: NDArray[np.float64]) -> float:
    ends = finite_ends(values)
    return ends[0] if ends else 1.0
