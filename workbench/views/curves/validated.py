"""What folds and refits say of the shown run, drawn with its metric: bands, and the folds one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.number_text import counted, figure
from workbench.views.curves.content import Line, Shade

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.run import Run
    from workbench.session.session import Session

FOLD_ALPHA, FOLD_WIDTH = 0.4, 1.0
MOST_FOLD_LINES = 10  # the newest; of more the band tells
FOLD_SHADE, NOISE_SHADE = 0.18, 0.3


class Validated(NamedTuple):
    """Bands and lines, and phrases that say what they are."""

    shades: tuple[Shade, ...] = ()
    lines: tuple[Line, ...] = ()
    phrases: tuple[str, ...] = ()


def validated(session: Session, metric: str) -> Validated:
    """Return what is known of the shown run by folds and refits, in a metric."""
    run = session.shown.run
    if run is None:
        return Validated()
    noise, folds = _noise(session, run, metric), _folds(session, run, metric)
    return Validated(
        noise.shades + folds.shades, noise.lines + folds.lines, noise.phrases + folds.phrases
    )


def noise_shade(session: Session, run: Run, metric: str, rounds: int | None = None) -> Shade | None:
    """Return the band within which a change from a run means nothing; None where it is not known."""
    floor, values = session.validation.floor(run), run.history.column(f"valid:{metric}")[:rounds]
    if floor is None or not session.validation.wants_noise or not len(values):
        return None
    widths = floor.half_width(metric)[: len(values)]
    if not len(widths):
        return None
    own = values[: len(widths)]
    return Shade("ctl", own - widths, own + widths, NOISE_SHADE)


def _noise(session: Session, run: Run, metric: str) -> Validated:
    shade, floor = noise_shade(session, run, metric), session.validation.floor(run)
    if shade is None or floor is None:
        return Validated()
    return Validated((shade,), (), (f"grey: noise floor of {counted(len(floor.refits), 'refit')}",))


def _folds(session: Session, run: Run, metric: str) -> Validated:
    result = session.validation.result(run)
    if result is None:
        return Validated()
    begun = [(place, fold) for place, fold in enumerate(result.folds, 1) if fold.valid.get(metric)]
    lines = [
        Line(f"fold {place}", "validation", np.array(fold.valid[metric]), "", FOLD_WIDTH, alpha=FOLD_ALPHA,
             reading=False)
        for place, fold in begun[-MOST_FOLD_LINES:]
    ]  # fmt: skip
    band = result.band(metric)
    shades: tuple[Shade, ...] = ()
    if band.folds > 1:
        shades = (Shade("validation", band.mean - band.sd, band.mean + band.sd, FOLD_SHADE),)
        lines.append(Line("Folds, mean", "validation", band.mean, _spread(band.mean, band.sd), 1.5, "dashed"))
    done = f"{len(result.done)} of " if not result.is_whole else ""
    phrase = f"{done}{counted(len(result.folds), 'fold')}: mean dashed, ± one standard deviation shaded"
    return Validated(shades, tuple(lines), (phrase,))


def _spread(mean: NDArray[np.float64], sd: NDArray[np.float64]) -> str:
    return f"{figure(float(mean[-1]), 3)} ± {figure(float(sd[-1]), 2)}"
