"""A metric that was given as a function: `f(target, prediction)` returns a number, as scikit-learn's do."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.metrics.base import Metric
from workbench.metrics.custom import READS, TASKS, is_known, read_only

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

HIGHER = ("_score", "_gain")  # how names end of functions that are the better the higher, in scikit-learn


def metric_of_function(function: Callable[..., Any]) -> Metric:
    """Return the metric that a function of arrays of float64 reports; those of scikit-learn are such.

    It goes by the function's name. A `sample_weight` that it takes is given. It is better the higher where
    `function.higher_is_better` says so, or its name ends in `_score`; else the lower.
    """
    own = str(getattr(function, "__name__", type(function).__name__))
    name = own if own.isidentifier() and not is_known(own) else f"own_{own.strip('<>')}"
    higher = getattr(function, "higher_is_better", own.endswith(HIGHER))
    try:
        takes_weight = "sample_weight" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        takes_weight = False

    def figure(
        target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64]
    ) -> float:
        given = [read_only(target), read_only(prediction)]
        more = {"sample_weight": read_only(weight)} if takes_weight else {}
        try:
            answer = function(*given, **more)
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(".")
            raise WorkbenchError(f"The metric {own} failed: {said}.") from error
        try:
            return float(answer)
        except Exception:
            raise WorkbenchError(
                f"The metric {own} returned {type(answer).__name__}; a number must come back."
            ) from None

    return Metric(
        name, unit="a function", higher_is_better=bool(higher), by_rows=figure, tasks=TASKS, reads=READS[0],
        is_cheap=False,
    )
