"""An objective from a person's own Python file, which is run only where they say so.

The file has two functions of float64 arrays, shape (n,):

    def loss(target, raw):       return the loss of each row
    def gradients(target, raw):  return its first and its second derivative by raw

The model predicts raw values; its file names the objective `custom` and holds no code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.line_search import least_constant
from workbench.objectives.python_file import call, named, read_code, run_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType

    from numpy.typing import NDArray

FUNCTIONS = ("loss", "gradients")
MOST_NAMED = 3  # shapes of what a function returned
NO_FILE = (
    "Its objective is a Python file, which no model holds: choose that again under Parameters, and train."
)
WITHOUT_FILE = "The objective 'custom' needs a file with its functions; see load_objective."


@dataclass(frozen=True)
class Custom(ByRows):
    """A loss that a person has written; its best constant is found by Newton's steps from 0 or the median."""

    module: ModuleType | None = None
    code: str = ""
    name = "custom"
    aliases = ()
    label = "Custom (a Python file)"
    metrics = ("custom_loss", "rmse", "mae")

    def lacks(self) -> str:
        """Say that it is a file."""
        return NO_FILE if self.module is None else ""

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse to train without the file."""
        if self.module is None:
            raise WorkbenchError(WITHOUT_FILE)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the file's `loss` returns."""
        return self._called("loss", target, raw)[0]

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the file's `gradients` returns."""
        g, h = self._called("gradients", target, raw)
        if (h < 0).any():
            assert self.module is not None
            raise WorkbenchError(
                f"The {named(self.module, 'gradients')} returned a negative second derivative. Trees need "
                "one that is 0 or more."
            )
        return g, h

    def __reduce__(self) -> Any:
        if self.module is None:
            return Custom, ()
        return objective_of, (self.code, str(self.module.__file__))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return a constant near the least loss."""

        def sums(value: float) -> tuple[float, float, float]:
            raw = np.full(len(target), value)
            g, h = self.derivatives(target, raw)
            loss = float((weight * self.losses(target, raw)).sum())
            return loss, float((weight * g).sum()), float((weight * h).sum())

        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return least_constant(sums, (0.0, float(np.median(target))))

    def _called(
        self, name: str, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], ...]:
        """Call a function of the file and check what it returns."""
        if self.module is None:
            raise WorkbenchError(WITHOUT_FILE)
        expected = 2 if name == "gradients" else 1
        if not np.isfinite(raw).all():  # not the file's fault: the trainer refuses it
            return (np.full(len(target), np.nan),) * expected
        answer = call(self.module, name, target.copy(), raw.copy())
        words = f"The {named(self.module, name)} returned"
        try:
            parts = tuple(_real(part) for part in (answer if expected == 2 else (answer,)))
        except Exception:  # what was returned may be of any class, and run code of its own
            raise WorkbenchError(
                f"{words} {type(answer).__name__}; {'two arrays' if expected == 2 else 'an array'} of "
                f"shape {target.shape} must come back."
            ) from None
        if len(parts) != expected or any(part.shape != target.shape for part in parts):
            raise WorkbenchError(
                f"{words} {_shapes(answer, parts)}; "
                f"{'two arrays' if expected == 2 else 'an array'} of shape {target.shape} must come back."
            )
        if not all(np.isfinite(part).all() for part in parts):
            raise WorkbenchError(f"{words} a value that is no number.")
        return parts


def _real(part: object) -> NDArray[np.float64]:
    """Return float64; complex numbers would lose a part without a word."""
    array = np.asarray(part)
    if array.dtype.kind == "c":
        raise TypeError
    return np.asarray(array, np.float64)


def _shapes(answer: object, parts: Sequence[NDArray[np.float64]]) -> str:
    """Say what came back: one array, or the shapes of several, of which the first are named."""
    if isinstance(answer, np.ndarray):
        return f"one array of shape {answer.shape}"
    named = ", ".join(str(part.shape) for part in parts[:MOST_NAMED])
    return f"{named} and {len(parts) - MOST_NAMED} more" if len(parts) > MOST_NAMED else named


def load_objective(path: str | Path) -> Custom:
    """Run a Python file and return the objective that it defines. It can do whatever a program can.

    Raises
    ------
    WorkbenchError
        The file cannot be read or run, or lacks a function.
    """
    return objective_of(read_code(path), str(path))


def objective_of(code: str, path: str) -> Custom:
    """Run the code of a file and return the objective that it defines."""
    return Custom(run_code(code, path, FUNCTIONS), code)


OBJECTIVES.register(Custom())
