"""A metric from a person's own Python file, which is run only where they say so.

The file says which way is better, and has one function of float64 arrays that returns a number:

    higher_is_better = False
    reads = "prediction"                          or "raw", before the link; "prediction" may be left out
    def metric(target, prediction, weight):       target, weight: (n,); prediction: (n,), or (n, K)

The metric goes by the file's name: `over.py` gives the metric `over`. Model files keep that name and no code.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, Metric
from workbench.objectives.python_file import call, named, read_code, run_code

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

FUNCTION = "metric"
READS = ("prediction", "raw")
TASKS = ("regression", "binary", "multiclass")
NOT_NAMES = ("auto", "none")


@dataclass(frozen=True)
class OwnFormula:
    """The function of a file; what it returns is checked."""

    module: ModuleType
    code: str

    def __call__(
        self, target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64]
    ) -> float:
        """Return the figure; arrays go to the file as float64 that cannot be written to."""
        given = [read_only(values) for values in (target, prediction, weight)]
        answer = call(self.module, FUNCTION, *given)
        words = f"The {named(self.module, FUNCTION)} returned"
        if getattr(answer, "shape", ()) != ():
            raise WorkbenchError(f"{words} an array of shape {answer.shape}; a number must come back.")
        try:
            figure = float(answer)
        except Exception:  # what was returned may be of any class, and run code of its own
            raise WorkbenchError(f"{words} {type(answer).__name__}; a number must come back.") from None
        if not np.isfinite(figure):
            raise WorkbenchError(f"{words} {figure}; a number must come back, of every set of rows.")
        return figure

    def __reduce__(self) -> Any:
        return _formula_of, (self.code, str(self.module.__file__))


def load_metric(path: str | Path) -> Metric:
    """Run a Python file and return the metric that it defines. It can do whatever a program can.

    Raises
    ------
    WorkbenchError
        The file cannot be read or run, lacks its function or the direction, or has a taken name.
    """
    return metric_of(read_code(path), str(path))


def metric_of(code: str, path: str) -> Metric:
    """Run the code of a file and return the metric that it defines."""
    name = Path(path).stem
    if name in NOT_NAMES or is_known(name):
        raise WorkbenchError(f"There is a metric '{name}' already. Give {path} another name.")
    formula = _formula_of(code, path)
    higher = getattr(formula.module, "higher_is_better", None)
    reads = getattr(formula.module, "reads", READS[0])
    if not isinstance(higher, bool):
        raise WorkbenchError(
            f"{path} does not say which way is better. Add higher_is_better = True or False."
        )
    if reads not in READS:
        raise WorkbenchError(f"{path} has reads = {reads!r}; it must be 'prediction' or 'raw'.")
    return Metric(
        name, unit=f"from {Path(path).name}", higher_is_better=higher, by_rows=formula, tasks=TASKS,
        reads=reads, is_cheap=False,
    )


def is_known(name: str) -> bool:
    """Whether a metric of the program goes by this name, or by this alias."""
    try:
        METRICS.get(name)
    except WorkbenchError:
        return False
    return True


def _formula_of(code: str, path: str) -> OwnFormula:
    return OwnFormula(run_code(code, path, (FUNCTION,)), code)


def read_only(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the same as float64, as a view that cannot be written to."""
    copied = np.asarray(values, np.float64).view()
    copied.flags.writeable = False
    return copied
