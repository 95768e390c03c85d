"""An objective from a person's own Python file, which is run only where they say so.

The file has two functions of float64 arrays, shape (n,):

    def loss(target, raw):       return the loss of each row
    def gradients(target, raw):  return its first and its second derivative by raw

The model predicts raw values; its file names the objective `custom` and holds no code.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

FUNCTIONS = ("loss", "gradients")
STEPS = 50


@dataclass(frozen=True)
class Custom(ByRows):
    """A loss that a person has written; its best constant is found by Newton's steps from the median."""

    module: ModuleType | None = None
    code: str = ""
    name = "custom"
    aliases = ()
    label = "Custom (a Python file)"
    metrics = ("custom_loss", "rmse", "mae")

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse to train without the file."""
        if self.module is None:
            raise WorkbenchError(
                "The objective 'custom' needs a file with its functions; see load_objective."
            )

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the file's `loss` returns."""
        return self._called("loss", target, raw)[0]

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the file's `gradients` returns."""
        g, h = self._called("gradients", target, raw)
        if (h < 0).any():
            raise WorkbenchError(
                f"The function gradients of {self._path} returned a negative second derivative. Trees need "
                "one that is 0 or more."
            )
        return g, h

    def __reduce__(self) -> Any:
        if self.module is None:
            return Custom, ()
        return _objective_of, (self.code, self._path)

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return a constant near the least loss."""
        value = float(np.median(target))
        for _ in range(STEPS):
            g, h = self.derivatives(target, np.full(len(target), value))
            size = float((weight * h).sum())
            step = -float((weight * g).sum()) / size if size > 0 else 0.0
            if not np.isfinite(step) or abs(step) <= 1e-9 * (1.0 + abs(value)):
                break
            value += step
        return value

    def _called(
        self, name: str, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], ...]:
        """Call a function of the file and check what it returns."""
        expected = 2 if name == "gradients" else 1
        try:
            answer: Any = getattr(self.module, name)(target.copy(), raw.copy())
            parts = tuple(np.asarray(part, np.float64) for part in (answer if expected == 2 else (answer,)))
        except Exception as error:
            raise WorkbenchError(
                f"The function {name} of {self._path} failed: {_first_line(error)}."
            ) from error
        if len(parts) != expected or any(part.shape != target.shape for part in parts):
            shapes = ", ".join(str(part.shape) for part in parts)
            raise WorkbenchError(
                f"The function {name} of {self._path} returned {shapes}; "
                f"{'two arrays' if expected == 2 else 'an array'} of shape {target.shape} must come back."
            )
        if not all(np.isfinite(part).all() for part in parts):
            raise WorkbenchError(f"The function {name} of {self._path} returned a value that is no number.")
        return parts

    @property
    def _path(self) -> str:
        return str(getattr(self.module, "__file__", "the objective"))


def load_objective(path: str | Path) -> Custom:
    """Run a Python file and return the objective that it defines. It can do whatever a program can.

    Raises
    ------
    WorkbenchError
        The file cannot be read or run, or lacks a function.
    """
    path = Path(path)
    try:
        code = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(f"Cannot read {path}: {_first_line(error)}.") from error
    return _objective_of(code, str(path))


def _objective_of(code: str, path: str) -> Custom:
    """Run the code of a file, as a module that others can find."""
    name = "custom_objective_" + hashlib.sha256(f"{path}\n{code}".encode()).hexdigest()[:16]
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        exec(compile(code, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise WorkbenchError(f"{path} cannot be run: {_first_line(error)}.") from error
    missing = [name for name in FUNCTIONS if not callable(getattr(module, name, None))]
    if missing:
        raise WorkbenchError(f"{path} has no function {' and no function '.join(missing)}.")
    return Custom(module, code)


def _first_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


OBJECTIVES.register(Custom())
