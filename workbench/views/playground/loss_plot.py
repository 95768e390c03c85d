"""The watched metric over rounds, small: up to the shown round in colour, then grey."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from workbench.number_text import figure
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from workbench.session.run import Run

HEIGHT = 140
DOT, WORDS = 4.0, 15.0


class LossPlot(SmallPlot):
    """Training rows, and hold-out rows where there are any, from round 0 on."""

    def __init__(self) -> None:
        super().__init__(HEIGHT)
        self._lines: list[tuple[str, NDArray[np.float64]]] = []
        self._round = 0
        self._told: tuple[Run | None, int, int] = (None, -1, 0)
        self.setAccessibleName("Loss over rounds")

    def sizeHint(self) -> QSize:
        return QSize(268, px(HEIGHT))

    def show_run(self, run: Run | None, round: int) -> None:
        """Show the watched metric of a run."""
        told = (run, round, len(run.rounds) if run is not None else 0)
        if told == self._told:
            return
        self._told = told
        self._round, self._lines = round, []
        if run is not None and run.started is not None and run.rounds:
            name, begun = run.watched, run.started
            parts = (("train", begun.initial_train), ("valid", begun.initial_valid))
            for part, initial in parts:
                values = run.history.column(f"{part}:{name}")
                if len(values):
                    first = initial.get(name, float(values[0]))
                    self._lines.append((part, np.concatenate([[first], values])))
        longest = max((len(values) for _, values in self._lines), default=2)
        self.set_x(0, max(longest - 1, 1))
        every = np.concatenate([values for _, values in self._lines]) if self._lines else np.array([0.0, 1.0])
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        self.set_y(0.0 if low >= 0 else low, high, from_zero=low >= 0)
        self._left = self.left_needed
        self.update()

    def _x_marks(self, metrics: QFontMetrics) -> list[tuple[float, str]]:
        return [mark for mark in super()._x_marks(metrics) if mark[0].is_integer()]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for part, values in reversed(self._lines):
            token = "train" if part == "train" else "validation"
            wide = 1.5 if part == "train" else 2.25
            self._paint(painter, values, self._round, "line2", wide)
            self._paint(painter, values[: self._round + 1], 0, token, wide)
        heights = self._heights()
        for part, values in self._lines:
            self._mark(painter, part, values, heights[part])

    def _paint(
        self, painter: QPainter, values: NDArray[np.float64], first: int, token: str, wide: float
    ) -> None:
        places = first + np.flatnonzero(np.isfinite(values[first:]))
        painter.setPen(QPen(theme().color(token), wide))
        painter.drawPolyline(self.line(places, values[places]))

    def _heights(self) -> dict[str, float]:
        """Where the words of each line stand: over it, the upper ones pushed up where they would meet."""
        known = ((part, values[min(self._round, len(values) - 1)]) for part, values in self._lines)
        placed: dict[str, float] = {}
        below = self.plot_rect.bottom() + WORDS - 8
        for part, value in sorted(known, key=lambda item: item[1]):
            below = placed[part] = min(self.up(value) - 11, below - WORDS) if np.isfinite(value) else below
        return placed

    def _mark(self, painter: QPainter, part: str, values: NDArray[np.float64], height: float) -> None:
        at = min(self._round, len(values) - 1)
        if not np.isfinite(values[at]):
            return
        token = "train" if part == "train" else "validation"
        x, y = self.across(at), self.up(values[at])
        painter.setPen(QPen(theme().color("data"), 1.5))
        painter.setBrush(theme().color(token))
        painter.drawEllipse(QPointF(x, y), DOT, DOT)
        words = figure(values[at])
        taken = width(words, NOTE, True)
        is_right = x + 8 + taken < self.width()
        beside = x + 8 if is_right else x - 8 - taken
        write(painter, words, beside, height, pixels=NOTE, token=token, bold=True, halo="data")
