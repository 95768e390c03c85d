"""A target that an objective cannot have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class WrongTarget(WorkbenchError):
    """Says what an objective needs; `place` is that of the first value that is not so."""

    def __init__(self, needs: str, wrong: NDArray[np.bool_], target: NDArray[np.float64]) -> None:
        self.place = int(np.argmax(wrong))
        self._needs, self._value = needs, f"{target[self.place]:g}"
        super().__init__(f"{needs}; one is {self._value}. Choose another objective.")

    def in_row(self, name: str, row: int) -> WorkbenchError:
        """Return the error with the name of the column, and the row of the table from 1."""
        return WorkbenchError(f"{self._needs}; '{name}' is {self._value} in row {row}. Choose another one.")
