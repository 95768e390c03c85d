"""An objective that was given as a function: `f(target, raw)` returns first and second derivatives by raw.

Of its loss only the gradient is known, so the loss of a row is that gradient's integral from 0 to its raw
prediction, by Gauss–Legendre quadrature: exact up to the constant that no tree can change, as far as the
gradient is smooth. A function may bring its loss along: `f.loss = lambda target, raw: …`.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.objectives.custom import Custom

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

N_POINTS = 16


def objective_of_function(function: Callable[..., Any]) -> Custom:
    """Return the objective whose derivatives are `function(target, raw)`, arrays of float64, shape (n,)."""
    name = getattr(function, "__qualname__", type(function).__name__)
    module = ModuleType(name)
    module.__file__ = f"{getattr(function, '__module__', '')}.{name}"
    places, weights = np.polynomial.legendre.leggauss(N_POINTS)

    def integral(target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(len(raw))
        for place, weight in zip(places, weights, strict=True):
            total += weight * np.asarray(function(target, raw * (place + 1.0) / 2.0)[0], np.float64)
        return total * raw / 2.0

    module.__dict__["gradients"] = function
    module.__dict__["loss"] = getattr(function, "loss", integral)
    return Custom(module)
