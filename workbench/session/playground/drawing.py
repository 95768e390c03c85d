"""Points of a drawing: with a class in two variables, or a value over one; it never changes itself."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.table import Column, Table
from workbench.errors import WorkbenchError
from workbench.session.plan import Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import Role

DECIMALS = 3  # of a coordinate
MOST_POINTS = 5000
LEAST_POINTS = 4
LIMIT = 1e6  # of a coordinate
STRAY = 0.25  # of the reach of a brush that scatters

Limits = tuple[float, float, float, float]  # left, right, low, high


@dataclass(frozen=True, eq=False)
class Drawing:
    """Points as they lie on the paper.

    Attributes
    ----------
    kind : {"plane", "line"}
        A class of x and y, or y over x.
    pattern : str
        The generator that it began with; "" for an empty sheet.
    x, y : ndarray of float32, shape (n,)
    label : ndarray of int64, shape (n,)
        0 or 1; all 0 on a line.
    limits : Limits
        Of the paper.
    """

    kind: str
    pattern: str
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    label: NDArray[np.int64]
    limits: Limits

    def __len__(self) -> int:
        return len(self.x)

    @property
    def is_line(self) -> bool:
        """Whether y is to be predicted from x."""
        return self.kind == "line"

    @property
    def can_train(self) -> bool:
        """Whether something can be learnt: enough points, of two classes or two values."""
        what = self.y if self.is_line else self.label
        return len(self) >= LEAST_POINTS and bool((what != what[0]).any())

    @property
    def name(self) -> str:
        """What titles call it."""
        return f"Drawing, {self.pattern}" if self.pattern else "Drawing"

    # --- the brush --------------------------------------------------------------------------

    def added(self, x: float, y: float, label: int) -> Drawing:
        """Return it with one more point, the last."""
        if len(self) >= MOST_POINTS:
            return self
        label = 0 if self.is_line else label
        return replace(
            self, x=np.append(self.x, _on_grid(x)), y=np.append(self.y, _on_grid(y)),
            label=np.append(self.label, label),
        )

    def moved(self, place: int, x: float, y: float) -> Drawing:
        """Return it with a point elsewhere."""
        columns = self.x.copy(), self.y.copy()
        columns[0][place], columns[1][place] = _on_grid(x), _on_grid(y)
        return replace(self, x=columns[0], y=columns[1])

    def without(self, places: NDArray[np.int64]) -> Drawing:
        """Return it without some points."""
        kept = np.ones(len(self), np.bool_)
        kept[places] = False
        return replace(self, x=self.x[kept], y=self.y[kept], label=self.label[kept])

    def scattered(self, places: NDArray[np.int64], across: float, up: float) -> Drawing:
        """Return it with some points strayed, by a quarter of these lengths as standard deviations.

        How they stray follows from where all points lie.
        """
        noise = np.random.default_rng(zlib.crc32(self.x.tobytes() + self.y.tobytes()))
        columns = self.x.copy(), self.y.copy()
        for column, far in zip(columns, (across, up), strict=True):
            strayed = column[places] + noise.normal(0.0, far * STRAY, len(places))
            column[places] = np.round(np.clip(strayed, -LIMIT, LIMIT), DECIMALS)
        return replace(self, x=columns[0], y=columns[1])

    # --- what is trained --------------------------------------------------------------------

    @property
    def target(self) -> str:
        """Name of the column that is predicted."""
        return "y" if self.is_line else "class"

    def table(self) -> Table:
        """Return the points as a table."""
        digest = hashlib.sha256(b"".join(part.tobytes() for part in (self.x, self.y, self.label))).hexdigest()
        columns = [Column("x", "number", self.x), Column("y", "number", self.y)]
        if not self.is_line:
            columns.append(Column("class", "category", self.label.astype(np.float32), ("0", "1")))
        return Table(self.name, tuple(columns), sha256=digest)

    def plan(self, objective: str) -> Plan:
        """Return how they are trained: all of them, by this objective."""
        roles: dict[str, Role] = dict.fromkeys(("x", "y")[:1 if self.is_line else 2], "feature")
        roles[self.target] = "target"
        return Plan(roles, objective, target_guessed=False, valid_fraction=0.0)

    # --- in files ---------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """Return it as JSON values."""
        columns = {name: np.round(getattr(self, name).astype(np.float64), DECIMALS).tolist() for name in "xy"}
        return {"kind": self.kind, "pattern": self.pattern, **columns, "label": self.label.tolist(),
                "limits": list(self.limits)}  # fmt: skip


def drawing_of(record: Any) -> Drawing:
    """Read what `Drawing.record` wrote; raise WorkbenchError where it cannot have been written so."""
    try:
        x, y = (np.asarray(record[name], np.float32) for name in "xy")
        label = np.asarray(record["label"], np.int64)
        left, right, low, high = (float(limit) for limit in record["limits"])
        kind, pattern = str(record["kind"]), str(record["pattern"])
    except (KeyError, TypeError, ValueError) as error:
        raise WorkbenchError("Damaged project: a drawing in it cannot be read.") from error
    is_sound = x.ndim == 1 and x.shape == y.shape == label.shape and len(x) <= MOST_POINTS
    numbers = np.concatenate([x, y, [left, right, low, high]]) if is_sound else np.array([np.nan])
    if not (
        np.all(np.abs(numbers) <= LIMIT) and left < right and low < high
        and kind in ("plane", "line") and np.isin(label, (0, 1)).all() and len(pattern) < 100
    ):  # fmt: skip
        raise WorkbenchError("Damaged project: a drawing in it cannot be.")
    return Drawing(kind, pattern, x, y, label, (left, right, low, high))


def blank(kind: str) -> Drawing:
    """Return an empty sheet."""
    nothing = np.empty(0, np.float32)
    return Drawing(kind, "", nothing, nothing, np.empty(0, np.int64), (-2.0, 2.0, -1.5, 1.5))


def _on_grid(value: float) -> np.float32:
    return np.float32(round(min(max(float(value), -LIMIT), LIMIT), DECIMALS))
